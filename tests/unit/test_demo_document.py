"""The reader of the GraphQL that LoopX writes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopx.adapters.github.queries import DOCUMENTS
from loopx.entrypoints.demo.document import (
    MAX_DEPTH,
    DocumentError,
    Field,
    Inline,
    Selection,
    Spread,
    Variable,
    read_document,
)

NAMES = st.from_regex(r"[a-z][A-Za-z0-9_]{0,9}", fullmatch=True).filter(lambda name: name != "on")
CONSTANTS = (
    st.integers(-9, 999)
    | st.booleans()
    | st.none()
    | NAMES.filter(lambda n: n not in {"true", "false", "null"})
)
VALUES = st.recursive(
    CONSTANTS | NAMES.map(Variable),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)


def _fields(inner: st.SearchStrategy[tuple[Selection, ...]]) -> st.SearchStrategy[Field]:
    arguments = st.dictionaries(NAMES, VALUES, max_size=2)
    return st.builds(Field, key=NAMES, name=NAMES, arguments=arguments, selections=inner)


NOTHING: st.SearchStrategy[tuple[Selection, ...]] = st.just(())
SELECTIONS: st.SearchStrategy[tuple[Selection, ...]] = st.recursive(
    NOTHING,
    lambda inner: st.lists(
        _fields(inner) | st.builds(Inline, NAMES, inner) | st.builds(Spread, NAMES), min_size=1, max_size=3
    ).map(tuple),
    max_leaves=8,
)


def written_value(value: Any) -> str:
    if isinstance(value, Variable):
        return f"${value.name}"
    if isinstance(value, list):
        return f"[{', '.join(map(written_value, value))}]"
    if isinstance(value, dict):
        return "{" + written_pairs(value) + "}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def written_pairs(pairs: dict[str, Any]) -> str:
    return ", ".join(f"{name}: {written_value(value)}" for name, value in pairs.items())


def written(selections: tuple[Selection, ...]) -> str:
    parts = []
    for part in selections:
        if isinstance(part, Spread):
            parts.append(f"...{part.fragment}")
        elif isinstance(part, Inline):
            parts.append(f"... on {part.type_name} {written(part.selections)}")
        else:
            arguments = f"({written_pairs(dict(part.arguments))})" if part.arguments else ""
            below = written(part.selections) if part.selections else ""
            parts.append(f"{part.key}: {part.name}{arguments} {below}")
    return "{ " + "\n ".join(parts) + " }"


@given(name=NAMES, selections=SELECTIONS)
def test_what_is_written_is_what_is_read(name: str, selections: tuple[Selection, ...]) -> None:
    text = f"query {name}($a: [Int!]! = [1]) {written(selections)} fragment F on T {written(selections)}"
    document = read_document(text)
    assert document.operation == name
    assert document.selections == selections
    assert document.fragments == {"F": Inline("T", selections)}


@given(text=st.text(alphabet='{}()[]:$.,! \n"\\aon1-#query', max_size=40) | st.text(max_size=20))
def test_any_text_is_a_document_or_a_document_error(text: str) -> None:
    try:
        read_document(f"query q {{ {text}")
        read_document(text)
    except DocumentError:
        pass


@pytest.mark.parametrize("name", DOCUMENTS)
def test_our_own_documents_are_read(name: str) -> None:
    document = read_document(DOCUMENTS[name])
    assert document.operation == name
    assert [part.name for part in document.selections if isinstance(part, Field)][-1] == "rateLimit"


def test_a_field_without_alias_is_answered_under_its_own_name() -> None:
    assert read_document("query q { a b: c }").selections == (
        Field(key="a", name="a"),
        Field(key="b", name="c"),
    )


def test_comments_and_strings_are_told_apart() -> None:
    [found] = read_document('query q { a(x: "# no comment, } nor end") # a comment }\n }').selections
    assert found == Field(key="a", name="a", arguments={"x": "# no comment, } nor end"})


@pytest.mark.parametrize(
    "text", ["mutation m { a }", "query a { b } query c { d }", "fragment F on T { a }", "{ a }"]
)
def test_anything_but_one_named_query_is_refused(text: str) -> None:
    with pytest.raises(DocumentError):
        read_document(text)


@pytest.mark.parametrize("opening", ["{ a ", "{ ... on T ", "(x: [", "(x: {y: "])
def test_nesting_without_end_is_refused(opening: str) -> None:
    with pytest.raises(DocumentError, match="deep"):
        read_document("query q { a" + (opening * (MAX_DEPTH + 1)))
