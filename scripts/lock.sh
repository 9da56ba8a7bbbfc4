#!/bin/sh
# Writes requirements/*.txt: every version and the hash of every file of it, for all platforms and
# Python 3.11+. Pins stay as they are where they still fit; `scripts/lock.sh --upgrade` renews them.
# uv runs from an environment of its own, itself pinned by requirements/lock.txt.
set -eu
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${PYTHON:-python3}" -I -m venv "$work/venv"
"$work/venv/bin/python" -I -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/lock.txt
uv=$work/venv/bin/uv

# Releases younger than a week are left alone: most poisoned ones are found and withdrawn by then.
# Extras stay in the names: without them older pips, told to insist on hashes, look for the package again.
compile() {
    name=$1
    shift
    "$uv" pip compile --quiet --no-config --universal --python-version 3.11 --exclude-newer '7 days' \
        --generate-hashes --no-strip-extras --no-emit-index-url --no-emit-find-links --no-header --annotation-style line \
        --output-file "requirements/$name.txt" "$@" >/dev/null
    echo "requirements/$name.txt"
}

# The widest set first; the others take their versions from it, so that they can share a venv.
compile dev pyproject.toml --group dev "$@"
compile test pyproject.toml --group test --constraint requirements/dev.txt
compile runtime pyproject.toml --constraint requirements/dev.txt
compile build --group build --constraint requirements/dev.txt
compile lock --group lock "$@"
