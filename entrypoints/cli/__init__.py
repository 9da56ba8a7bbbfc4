"""The command line. Importing it loads click and nothing else that costs."""

from loopx.entrypoints.cli.main import main as main
