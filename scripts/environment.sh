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

# Twice quiet: errors only.
options="--quiet --quiet --disable-pip-version-check --no-input"
pins=$(cat "$requirements" requirements/build.txt scripts/environment.sh | cksum)
made_with="$("$python" --version) $pins"

if "$python" -c 'import ensurepip' 2>/dev/null; then
    without_pip=
    install="$directory/bin/python -m pip install $options"
elif "$python" -m pip --version >/dev/null 2>&1; then
    without_pip=--without-pip
    install="$python -m pip --python $directory/bin/python install $options"
else
    echo "make: $python has neither ensurepip nor pip; install one (Debian: python3-venv or python3-pip)" >&2
    exit 1
fi

# The words of $install and $without_pip are meant to be split.
# shellcheck disable=SC2086
if [ "$(cat "$directory/.pins" 2>/dev/null)" != "$made_with" ]; then
    echo "installing $requirements into $directory; this takes a few minutes the first time"
    rm -rf "$directory"
    "$python" -m venv $without_pip "$directory"
    # Wheels only, apart from what is published as source alone; that is built with the pinned build backend, since
    # the packages of an isolated build would come without a hash.
    $install --require-hashes --only-binary :all: -r requirements/build.txt
    $install --require-hashes --only-binary :all: --no-binary authres --no-binary dkimpy --no-build-isolation -r "$requirements"
    echo "$made_with" >"$directory/.pins"
fi

# shellcheck disable=SC2086
$install --no-index --no-deps --no-build-isolation --editable .
touch "$directory/.complete"
