"""A plain client for the fake GitHub, for tests about the fake itself."""

from typing import Any

import httpx

from fakes.github.server import FakeGitHub
from loopx.adapters.github.queries import DOCUMENTS


def post(client: httpx.Client, github: FakeGitHub, document: str, **variables: Any) -> httpx.Response:
    """Ask one of our documents by name, or any other by its text."""
    query = DOCUMENTS.get(document, document)
    return client.post(f"{github.base_url}/api/graphql", json={"query": query, "variables": variables})


def ask(github: FakeGitHub, document: str, **variables: Any) -> httpx.Response:
    """The same on a connection of its own."""
    with httpx.Client(trust_env=False, timeout=30) as client:
        return post(client, github, document, **variables)


def only_page(github: FakeGitHub, patience: float = 30) -> httpx.Response:
    """The first ten pull requests, waiting so many seconds for each byte."""
    with httpx.Client(trust_env=False, timeout=httpx.Timeout(30, read=patience)) as client:
        return post(client, github, "ScanPullRequests", owner="octo-org", name="harbour", first=10)
