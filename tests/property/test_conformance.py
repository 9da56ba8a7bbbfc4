"""Whether data is as declared: what fits passes, and every single change of it is found."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopx.domain.conformance import misfit
from loopx.domain.schema import (
    BOOLEAN,
    INTEGER,
    Field,
    JsonSchema,
    RecordSpec,
    listing,
    nullable,
    record,
    text,
)

SHAPES: dict[str, tuple[JsonSchema, st.SearchStrategy[Any]]] = {
    "text": (text(), st.text()),
    "choice": (text(choices=("a", "b")), st.sampled_from(["a", "b"])),
    "integer": (INTEGER, st.integers()),
    "number": ({"type": "number"}, st.integers() | st.floats(allow_nan=False, allow_infinity=False)),
    "boolean": (BOOLEAN, st.booleans()),
    "date": (text(form="date"), st.dates().map(str)),
    "timestamp": (text(form="date-time"), st.datetimes().map(lambda when: f"{when.isoformat()}Z")),
    "url": (text(form="uri"), st.sampled_from(["https://a.example/x?y=1", "http://[::1]:8/"])),
    "object": ({"type": "object"}, st.dictionaries(st.text(), st.none())),
    "maybe": (nullable(INTEGER), st.none() | st.integers()),
    "many": (listing(text()), st.lists(st.text())),
    "exact": (
        record(left=INTEGER, right=text()),
        st.builds(lambda left: {"left": left, "right": "r"}, st.integers()),
    ),
}
SPEC = RecordSpec(
    schema="x.all/1",
    type="all",
    fields=tuple(Field(name, shape, "a field") for name, (shape, _) in SHAPES.items()),
    columns=("text",),
)
fitting = st.fixed_dictionaries({name: values for name, (_, values) in SHAPES.items()})
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(fitting)
def test_what_was_drawn_from_the_declaration_fits(data: dict[str, Any]) -> None:
    assert misfit(data, SPEC) is None


@given(fitting, st.sampled_from(sorted(SHAPES)))
def test_a_missing_field_is_named(data: dict[str, Any], name: str) -> None:
    del data[name]
    assert misfit(data, SPEC) == f"{name} is missing"


@given(fitting, st.text().filter(lambda name: name not in SHAPES))
def test_a_field_too_many_is_named_in_ascii(data: dict[str, Any], name: str) -> None:
    fault = misfit(data | {name: 1}, SPEC)
    assert fault is not None
    assert re.fullmatch(r"[ -~]+ is not declared", fault)


SAMPLE: dict[str, object] = {
    "text": "",
    "choice": "a",
    "integer": 1,
    "number": 1.5,
    "boolean": False,
    "date": "2026-02-28",
    "timestamp": "2026-02-28T10:00:00Z",
    "url": "https://a.example/",
    "object": {"a": 1},
    "maybe": None,
    "many": [],
    "exact": {"left": 1, "right": "r"},
}
WRONG: list[tuple[str, object]] = [
    ("text", 1),
    ("text", None),
    ("choice", "c"),
    ("integer", 1.0),
    ("integer", True),
    ("integer", "1"),
    ("number", float("nan")),
    ("number", float("inf")),
    ("number", False),
    ("boolean", 0),
    ("date", "2026-02-30"),
    ("date", "20260201"),
    ("date", "2026-02-01T00:00:00Z"),
    ("timestamp", "2026-02-01"),
    ("timestamp", "2026-02-01T00:00:00"),
    ("timestamp", "2026-02-01T25:00:00Z"),
    ("url", "ftp://a.example/"),
    ("url", "https://a b"),
    ("object", []),
    ("maybe", "x"),
    ("many", "abc"),
    ("many", ["a", 1]),
    ("exact", {"left": 1}),
    ("exact", {"left": 1, "right": "r", "more": 1}),
    ("exact", {"left": "1", "right": "r"}),
]


def test_the_sample_fits() -> None:
    assert misfit(SAMPLE, SPEC) is None


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_found_at_its_place(name: str, value: object) -> None:
    fault = misfit(SAMPLE | {name: value}, SPEC)
    assert fault is not None
    assert fault.startswith(name)


@pytest.mark.parametrize(
    "text", ["2026-02-01T10:00:00.123456789Z", "2026-02-01t10:00:00z", "2026-02-01T10:00:00-05:30"]
)
def test_timestamps_of_rfc_3339_fit(text: str) -> None:
    assert misfit(SAMPLE | {"timestamp": text}, SPEC) is None


@given(st.dictionaries(st.text() | st.sampled_from(sorted(SHAPES)), anything))
def test_it_answers_for_any_data(data: dict[str, Any]) -> None:
    fault = misfit(data, SPEC)
    assert fault is None or fault.isprintable()
