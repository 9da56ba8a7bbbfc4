"""A GitHub for tests: real sockets, GitHub's own schema, invented pull requests, failures on demand."""

from fakes.github.data import repository
from fakes.github.faults import (
    Answer,
    CutBody,
    Drip,
    GraphQLErrors,
    Hang,
    Latency,
    Reset,
    html_page,
)
from fakes.github.recording import Received
from fakes.github.server import FakeGitHub, FakeGitHubDefectError

__all__ = [
    "Answer",
    "CutBody",
    "Drip",
    "FakeGitHub",
    "FakeGitHubDefectError",
    "GraphQLErrors",
    "Hang",
    "Latency",
    "Received",
    "Reset",
    "html_page",
    "repository",
]
