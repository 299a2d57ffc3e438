#!/bin/sh
# lock.sh UV: writes requirements/*.txt from pyproject.toml (docs/decisions/0002-locking.md).
#
# dev.txt is resolved first and constrains the others, so that a package has one version in all of them.
# Releases younger than a week are not taken: a stolen release is mostly found within days.
set -eu

uv=$1
cd "$(dirname "$0")/.."

compile() {
    "$uv" pip compile --quiet --no-config --upgrade --universal --python-version 3.11 \
        --generate-hashes --no-emit-index-url --no-emit-find-links --exclude-newer "7 days" \
        --custom-compile-command "make lock" "$@"
}

compile pyproject.toml --all-extras --group dev --group build --output-file requirements/dev.txt
compile --group lock --output-file requirements/lock.txt
compile --group build --constraint requirements/dev.txt --output-file requirements/build.txt
compile pyproject.toml --constraint requirements/dev.txt --output-file requirements/core.txt
compile pyproject.toml --constraint requirements/dev.txt --extra local --extra fullscreen --extra page \
    --extra mail --extra calendars --extra web --extra documents --extra mcp --output-file requirements/local.txt
for extra in openai anthropic fullscreen page postgres encryption tracing mail calendars web documents mcp; do
    compile pyproject.toml --constraint requirements/dev.txt --extra $extra --output-file requirements/$extra.txt
done
compile pyproject.toml --constraint requirements/dev.txt --extra local --extra openai --extra anthropic --group dojo \
    --output-file requirements/dojo.txt
compile --group mcp-servers --output-file requirements/mcp-servers.txt
# An extra of a package that is not taken in its newest version has to stand beside its pin: pip looks for it otherwise.
compile --group mcp-servers-1 --no-strip-extras --output-file requirements/mcp-servers-1.txt
