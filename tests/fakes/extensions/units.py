"""Units that behave in every way that a session has to bear; loaded by hosts as source and as functions."""

from collections.abc import Callable
from typing import Any, cast

from loopx.extension import Note, Record, Request, RequestFailedError, Response, Steps

URL = "https://api.example.com/v1/things"


def counts(word: str, count: int | None) -> Steps:
    for number in range(count or 0):
        yield Record({"name": word, "size": number})


def asks(word: str, count: int | None) -> Steps:
    response = yield Request(
        "POST",
        URL,
        params={"word": word, "count": count},
        headers={"Accept": "application/json"},
        json={"ask": word},
        accept_status=[404],
        credential="sample_api",
        timeout=5,
    )
    yield Record({"status": response.status, "text": response.text, "headers": response.headers})
    yield Record({"url": response.url, "json": response.json()})


def handles(word: str, count: int | None) -> Steps:
    try:
        yield Request("GET", URL)
    except RequestFailedError as error:
        yield Note(f"{error.code} {error.reason} {error.status} {error.retryable} {error.retry_after}")
    response = yield Request("GET", URL)
    yield Record({"name": response.text, "size": None})


def lets_fail(word: str, count: int | None) -> Steps:
    yield Record({"name": word, "size": 1})
    response = yield Request("GET", URL)
    yield Record({"name": response.text, "size": 2})


def fails_otherwise(word: str, count: int | None) -> Steps:
    try:
        yield Request("GET", URL)
    except RequestFailedError as error:
        raise KeyError(word) from error


def yields_anything(word: str, count: int | None) -> Steps:
    things: list[Any] = [5, Record({"when": object()}), Record({"number": float("nan")})]
    for thing in things:
        try:
            yield thing
        except (TypeError, ValueError) as error:
            yield Note(type(error).__name__)


def talks(word: str, count: int | None) -> Steps:
    yield Note(word * 2000)
    yield Note(cast("str", 17))


def delegates(word: str, count: int | None) -> Steps:
    first = yield from _read("a")
    second = yield from _read("b")
    yield Record({"name": first.text + second.text, "size": None})


def _read(page: str) -> Any:
    response: Response = yield Request("GET", URL, params={"page": page})
    return response


UNITS: dict[str, Callable[..., Steps]] = {
    f"sample.{unit.__name__}": unit
    for unit in (
        counts,
        asks,
        handles,
        lets_fail,
        fails_otherwise,
        yields_anything,
        talks,
        delegates,
    )
}
