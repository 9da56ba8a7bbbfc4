"""The first code of a release: makes sure that its version stays, and runs it with nothing else around.

Started by ``bin/loopx`` as ``python -I -S -B`` with its absolute path, so only the standard library and
``lib`` are searched for modules.
"""

import fcntl
import os
import sys

_GONE = "LOOPX_GONE"


def hold(root: str) -> None:
    """Keep a shared lock on the version's folder as long as this process lives: what is in use stays.

    A version that was removed in the moment before is left for the current one.
    """
    left_one = os.environ.pop(_GONE, None)
    try:
        fcntl.flock(os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), fcntl.LOCK_SH)
        os.stat(root)  # noqa: PTH116 - pathlib costs more than all else here
    except FileNotFoundError:
        if left_one is None:
            home = root.rpartition("/versions/")[0]
            current = f"{home}/current/bin/loopx"
            os.execve(current, [current, *sys.argv[1:]], {**os.environ, _GONE: root})  # noqa: S606 - no shell is wanted
    except OSError:
        pass  # a file system without locks: nothing is ever removed there either


def main() -> None:
    """Run the command line of this version."""
    root = __file__.removesuffix("/bin/start.py")
    hold(root)
    sys.path.insert(0, f"{root}/lib")
    from loopx.entrypoints.cli import main as run  # noqa: PLC0415 - only now it can be found

    run()


if __name__ == "__main__":
    main()
