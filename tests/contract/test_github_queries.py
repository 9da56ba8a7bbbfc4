"""Every GraphQL document against the schema that GitHub publishes."""

from pathlib import Path

import pytest
from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    IntValueNode,
    NoDeprecatedCustomRule,
    OperationDefinitionNode,
    OperationType,
    VariableNode,
    parse,
    specified_rules,
    validate,
    validate_schema,
)
from graphql.language import Visitor, visit

from fakes.github.cost import cost_of
from fakes.github.execution import github_schema
from loopx.adapters.github.queries import DOCUMENTS, READ_PULL_REQUEST, SCAN_PULL_REQUESTS

SCHEMA_FILE = Path(__file__).parents[1] / "fakes" / "github" / "schema.graphql"
SCAN = {"owner": "o", "name": "r", "first": 25, "after": None, "states": ["OPEN"]}
NODE_LIMIT = 500_000

each_document = pytest.mark.parametrize("text", DOCUMENTS.values(), ids=DOCUMENTS)


def problems(text: str) -> list[GraphQLError]:
    """What GitHub would refuse, unused variables and fragments included, and what it will drop one day."""
    return validate(github_schema(), parse(text), [*specified_rules, NoDeprecatedCustomRule])


def operations(document: DocumentNode) -> list[OperationDefinitionNode]:
    return [part for part in document.definitions if isinstance(part, OperationDefinitionNode)]


class _Fields(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[FieldNode] = []

    def enter_field(self, node: FieldNode, *_: object) -> None:
        self.found.append(node)


def fields(text: str) -> list[FieldNode]:
    visitor = _Fields()
    visit(parse(text), visitor)
    return visitor.found


def test_the_schema_is_valid_small_and_names_its_source() -> None:
    assert validate_schema(github_schema()) == []
    assert SCHEMA_FILE.stat().st_size < 500_000
    assert "@octokit/graphql-schema 15." in SCHEMA_FILE.read_text(encoding="utf-8").partition("\n")[0]


@each_document
def test_a_document_fits_the_schema_and_uses_nothing_deprecated(text: str) -> None:
    assert problems(text) == []


@pytest.mark.parametrize(
    "broken",
    [
        READ_PULL_REQUEST.replace("isDraft", "isDraught"),
        READ_PULL_REQUEST.replace("headRefOid\n", "headRefOid { name }\n"),
        READ_PULL_REQUEST.replace("$number: Int!", "$number: String!"),
        READ_PULL_REQUEST.replace("$number: Int!", "$number: Int!, $unused: Int"),
        READ_PULL_REQUEST.replace("... on User { login }", "... on Commit { oid }"),
        READ_PULL_REQUEST.replace("isDraft", "timeline(first: 1) { totalCount }"),
    ],
)
def test_the_schema_check_sees_what_github_would_refuse(broken: str) -> None:
    assert broken != READ_PULL_REQUEST
    assert problems(broken)


@pytest.mark.parametrize(("name", "text"), DOCUMENTS.items(), ids=DOCUMENTS)
def test_a_document_is_one_query_with_the_name_it_is_listed_under(name: str, text: str) -> None:
    [operation] = operations(parse(text))
    assert operation.operation is OperationType.QUERY
    assert operation.name is not None
    assert operation.name.value == name


@each_document
def test_a_document_asks_for_no_schema(text: str) -> None:
    names = {field.name.value for field in fields(text)}
    assert {name for name in names if name.startswith("__")} <= {"__typename"}


@each_document
def test_every_page_size_is_within_githubs_limit(text: str) -> None:
    sizes = [
        argument.value
        for field in fields(text)
        for argument in field.arguments or ()
        if argument.name.value in {"first", "last"}
    ]
    assert sizes
    for size in sizes:
        if isinstance(size, VariableNode):
            assert size.name.value == "first"
        else:
            assert isinstance(size, IntValueNode)
            assert 1 <= int(size.value) <= 100


@each_document
def test_every_page_tells_whether_it_is_the_last(text: str) -> None:
    # Where only the last item is asked for, there is no next page.
    for field in fields(text):
        if "first" in {argument.name.value for argument in field.arguments or ()}:
            assert field.selection_set is not None
            chosen = {
                part.name.value for part in field.selection_set.selections if isinstance(part, FieldNode)
            }
            assert {"totalCount", "pageInfo", "nodes"} <= chosen


@each_document
def test_every_answer_tells_what_it_cost(text: str) -> None:
    [operation] = operations(parse(text))
    roots = [part for part in operation.selection_set.selections if isinstance(part, FieldNode)]
    assert "rateLimit" in {part.name.value for part in roots}


def test_a_page_of_25_costs_2_points() -> None:
    cost = cost_of(parse(SCAN_PULL_REQUESTS), SCAN)
    assert (cost.requests, cost.nodes, cost.points) == (176, 12_575, 2)


def test_even_the_largest_page_is_far_below_the_node_limit() -> None:
    cost = cost_of(parse(SCAN_PULL_REQUESTS), SCAN | {"first": 100})
    assert cost.points <= 8
    assert cost.nodes < NODE_LIMIT / 5


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name.startswith(("More", "Read"))])
def test_what_reads_one_pull_request_costs_1_point(name: str) -> None:
    assert cost_of(parse(DOCUMENTS[name]), {}).points == 1


def test_checks_are_read_where_older_servers_have_them() -> None:
    # PullRequest.statusCheckRollup is missing on GitHub Enterprise Server 3.12; its commits have one.
    type_of_rollup = [
        field for field in fields(SCAN_PULL_REQUESTS) if field.name.value == "statusCheckRollup"
    ]
    assert len(type_of_rollup) == 1
    assert "commits(last: 1) {\n    nodes {\n      commit {" in SCAN_PULL_REQUESTS
