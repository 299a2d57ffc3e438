#!/bin/sh
# environment.sh PYTHON DIRECTORY REQUIREMENTS: builds a virtual environment from hash-pinned requirements.
#
# It installs only what the requirements pin, then this package itself, editable, with the pinned build backend.
# Debian's python3 has `venv` but not `ensurepip` (that is in python3-venv), so the fallback makes an environment
# without pip and installs into it with the pip outside. The system's own packages are never touched.
set -eu

python=$1
directory=$2
requirements=$3

if [ -z "$python" ]; then
    echo "make: no python3 was found; install Python 3.11 or newer, or name one with PYTHON=..." >&2
    exit 1
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "make: $python is older than Python 3.11; name a newer one with PYTHON=..." >&2
    exit 1
fi

rm -rf "$directory"
if "$python" -c 'import ensurepip' 2>/dev/null; then
    "$python" -m venv "$directory"
    install="$directory/bin/python -m pip"
elif "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m venv --without-pip "$directory"
    install="$python -m pip --python $directory/bin/python"
else
    echo "make: $python has neither ensurepip nor pip; install one (Debian: python3-venv or python3-pip)" >&2
    exit 1
fi

echo "installing $requirements into $directory"
# Twice quiet: errors only. Wheels only, apart from what is published as source alone; that is built with the pinned
# build backend, since the packages of an isolated build would come without a hash.
options="--quiet --quiet --disable-pip-version-check --no-input"
# shellcheck disable=SC2086
if [ "$requirements" = requirements/lock.txt ]; then
    $install install $options --require-hashes --only-binary :all: -r "$requirements"
else
    $install install $options --require-hashes --only-binary :all: -r requirements/build.txt
    $install install $options --require-hashes --only-binary :all: --no-binary authres --no-build-isolation \
        -r "$requirements"
    $install install $options --no-index --no-deps --no-build-isolation --editable .
fi
touch "$directory/.complete"
