#!/bin/sh
# Usage: scripts/setup.sh runtime|test|dev
# Makes .venv, installs what the level needs, pinned with hashes, and loopx itself from the checkout.
# Costs nothing when that is done already; what was cut off in the middle is made anew.
set -eu
cd "$(dirname "$0")/.."

level=$1
case $level in # each holds the ones before it, in the same versions
    runtime) levels='runtime' ;;
    test) levels='runtime test' ;;
    dev) levels='runtime test dev' ;;
esac
unfinished=.venv/.loopx-unfinished
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_USER=0

say() { echo "set-up: $*" >&2; }

# What the stamp of a level must say.
wanted() { cksum pyproject.toml setup.py requirements/build.txt "requirements/$1.txt"; }

# A name on PATH proves nothing (a pyenv shim, a Debian python without its venv package), so each is run.
probe='
import sys
if sys.version_info < (3, 11):
    sys.exit("is Python %d.%d, older than 3.11" % sys.version_info[:2])
try:
    import ensurepip, venv
except ImportError as error:
    sys.exit("%s; on Debian and Ubuntu install its package python3-venv" % error)
'

find_python() {
    if [ -n "${PYTHON:-}" ]; then set -- "$PYTHON"; else set -- python3.13 python3.12 python3.11 python3 python; fi
    tried=
    for python; do
        if ! command -v "$python" >/dev/null; then
            answer='not found'
        elif answer=$("$python" -I -c "$probe" 2>&1); then
            return
        fi
        tried="$tried
  $python: $(printf '%s\n' "$answer" | sed -n 1p)"
    done
    say "no Python 3.11 or newer was found. Tried:$tried"
    say "Install one, or name one: make PYTHON=/path/to/python3.11 demo"
    exit 1
}

identity() { "$1" -I -c 'import sys; print(sys.base_prefix, sys.version)' 2>/dev/null; }

# Whether .venv is of the Python that was asked for by name, if one was.
as_asked() { [ -z "${PYTHON:-}" ] || [ "$(identity .venv/bin/python)" = "$(identity "$PYTHON")" ]; }

# Whether .venv is neither cut off in the making nor moved: scripts in a venv name their interpreter in full.
in_place() {
    [ ! -e "$unfinished" ] && [ -x .venv/bin/python ] && [ "$(cat .venv/.loopx-path 2>/dev/null || pwd)" = "$(pwd)" ]
}

up_to_date() { in_place && [ "$(cat ".venv/.loopx-$level" 2>/dev/null)" = "$(wanted "$level")" ]; }

# Whether .venv can be built upon.
sound() {
    in_place || return 1
    .venv/bin/python -I -c "$probe" >/dev/null 2>&1 && .venv/bin/python -I -m pip --version >/dev/null 2>&1
}

# Two terminals on a fresh clone: the second waits for the first.
wait_for_another() {
    while other=$(cat "$unfinished" 2>/dev/null) && [ -n "$other" ]; do
        case $(ps -p "$other" -o args= 2>/dev/null) in *setup.sh*) sleep 1 ;; *) return ;; esac
    done
}

create() {
    find_python
    say "making .venv with $("$python" -I -c 'import sys; print(sys.executable, sys.version.split()[0])')"
    rm -rf .venv
    mkdir .venv
    echo $$ >"$unfinished"
    "$python" -I -m venv .venv
    pwd >.venv/.loopx-path
}

install() {
    if ! .venv/bin/python -I -m pip install --quiet --quiet "$@"; then
        rm -f "$unfinished" # pip failed in good order: what is installed stays usable
        say "pip could not install the requirements (see above). Is the package index reachable? Then run it again."
        exit 1
    fi
}

wait_for_another
if up_to_date && as_asked; then exit 0; fi
if ! sound || ! as_asked; then create; fi

say "installing requirements/$level.txt into .venv (once)"
rm -f .venv/.loopx-runtime .venv/.loopx-test .venv/.loopx-dev
echo $$ >"$unfinished"
install --require-hashes -r requirements/build.txt -r "requirements/$level.txt"
install --no-deps --no-build-isolation --editable .
for each in $levels; do wanted "$each" >".venv/.loopx-$each"; done
rm -f "$unfinished"
