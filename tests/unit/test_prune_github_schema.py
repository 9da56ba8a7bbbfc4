"""The script that prunes GitHub's published schema."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from graphql import GraphQLSchema, build_schema

ROOT = Path(__file__).parents[2]
SCHEMA_FILE = ROOT / "tests" / "fakes" / "github" / "schema.graphql"

SOURCE = '''
"""What a query can ask."""
type Query implements Node {
  id: ID!
  node(id: ID!): Node
  repository(name: String!, topic: TopicFilter): Repository
  user: User
}
interface Node { id: ID! }
interface Reactable { databaseId: Int }
type Repository implements Node & Starrable {
  id: ID!
  id: ID!
  name: String!
  old: Int @deprecated(reason: "so")
  issue: Thing
  gist: Gist
}
type Thing implements Node & Reactable { id: ID! databaseId: Int @deprecated(reason: "so") }
union Thingish = Thing | Gist
interface Starrable { id: ID! }
input TopicFilter { name: String }
type Gist implements Node { id: ID! }
type User implements Node { id: ID! }
type Commit implements Reactable { databaseId: Int }
'''


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("prune", ROOT / "scripts" / "prune_github_schema.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pruned(script: ModuleType) -> GraphQLSchema:
    return build_schema(script.prune(SOURCE))


def fields(schema: GraphQLSchema, name: str) -> set[str]:
    return set(getattr(schema.type_map[name], "fields"))  # noqa: B009 (only some kinds of type have fields)


def test_only_the_listed_roots_stay(pruned: GraphQLSchema) -> None:
    assert fields(pruned, "Query") == {"node", "repository"}
    assert "User" not in pruned.type_map


def test_a_foreign_type_goes_with_the_fields_arguments_and_interfaces_that_lead_to_it(
    pruned: GraphQLSchema,
) -> None:
    assert fields(pruned, "Repository") == {"id", "name", "old", "issue"}
    assert not {"Gist", "Starrable", "TopicFilter"} & set(pruned.type_map)
    query = pruned.query_type
    assert query is not None
    assert set(query.fields["repository"].args) == {"name"}


def test_what_shares_an_interface_stays_unless_it_is_only_a_node(pruned: GraphQLSchema) -> None:
    assert "Commit" in pruned.type_map
    assert "Thingish" not in pruned.type_map


def test_descriptions_go_and_deprecations_stay_where_the_interface_shares_them(script: ModuleType) -> None:
    text = script.prune(SOURCE)
    assert '"""' not in text
    assert 'old: Int @deprecated(reason: "so")' in text
    assert text.count("@deprecated") == 1


def test_pruning_what_is_pruned_changes_nothing(script: ModuleType) -> None:
    header, _, body = SCHEMA_FILE.read_text(encoding="utf-8").partition("\n\n")
    assert header.startswith("# Made by scripts/prune_github_schema.py")
    assert script.prune(body) == body
