"""Run the command line with ``python -m loopx``."""

from loopx.entrypoints.cli import main

if __name__ == "__main__":
    main()
