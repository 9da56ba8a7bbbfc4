"""Write the part of GitHub's published GraphQL schema that work on pull requests can reach.

The source is npm ``@octokit/graphql-schema``. The rule: keep the query fields in ROOTS, cut every type whose
name starts with a word in FOREIGN together with the fields and arguments that lead to it, then keep what can
still be reached. Definitions are sorted and descriptions left out: the same source gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from graphql import (
    DirectiveNode,
    FieldDefinitionNode,
    InputObjectTypeDefinitionNode,
    InputValueDefinitionNode,
    InterfaceTypeDefinitionNode,
    NamedTypeNode,
    ObjectTypeDefinitionNode,
    TypeDefinitionNode,
    TypeNode,
    UnionTypeDefinitionNode,
    build_schema,
    parse,
    print_ast,
    validate_schema,
)
from graphql.language import REMOVE, Node, Visitor, visit

PACKAGE = "@octokit/graphql-schema"
OUTPUT = Path(__file__).parents[1] / "tests" / "fakes" / "github" / "schema.graphql"
BUILT_IN = {"Boolean", "Float", "ID", "Int", "String"}

ROOTS = {"node", "nodes", "organization", "rateLimit", "repository", "repositoryOwner", "search", "viewer"}

# Areas of GitHub that no scan of pull requests asks about, by the first word of their type names.
FOREIGN = re.compile(
    "Announcement|Blame|CodeOfConduct|CodeScanning|Codespace|Contributi|Copilot|CVSS|CWE|DependencyGraph"
    "|DeployKey|Discussion|Enterprise|Funding|Gist|Hovercard|IpAllow|IssueTemplate|IssueTimeline|Language"
    "|License|LinkedBranch|Marketplace|MemberStatus|Migration|Oauth|OrganizationAudit|OrganizationEnterprise"
    "|OrganizationIdentity|OrganizationInvitation|OrganizationMigration|Package|Pinnable|Pinned|ProfileItem"
    "|Project|PublicKey|Release|RepositoryContactLink|RepositoryDiscussion|RepositoryMigration"
    "|RepositoryVulnerability|SavedReply|Security|Social|Sponsor|Star|TeamDiscussion|Topic|UserList|UserStatus"
    "|Verifiable|Votable"
)

Fielded: TypeAlias = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode | InputObjectTypeDefinitionNode
Types: TypeAlias = dict[str, TypeDefinitionNode]


def _named(node: TypeNode | FieldDefinitionNode | InputValueDefinitionNode) -> str:
    inner: Any = node
    while not isinstance(inner, NamedTypeNode):
        inner = inner.type
    return str(inner.name.value)


def _is_foreign(name: str) -> bool:
    return FOREIGN.match(name) is not None


class _Cut(Visitor):
    """Cuts descriptions, directives other than @deprecated, and all that leads to a foreign type."""

    def leave(self, node: Node, *_: object) -> Any:
        if isinstance(node, DirectiveNode):
            return None if node.name.value == "deprecated" else REMOVE
        if isinstance(node, FieldDefinitionNode | InputValueDefinitionNode) and _is_foreign(_named(node)):
            return REMOVE
        changes: dict[str, Any] = {"description": None} if getattr(node, "description", None) else {}
        for key in ("interfaces", "types"):
            if names := getattr(node, key, None):
                changes[key] = tuple(item for item in names if not _is_foreign(item.name.value))
        if fields := getattr(node, "fields", None):
            # The published file repeats some fields; the last one stands.
            changes["fields"] = tuple({field.name.value: field for field in fields}.values())
        return replace(node, **changes) if changes else None


def _roots(query: TypeDefinitionNode) -> ObjectTypeDefinitionNode:
    if not isinstance(query, ObjectTypeDefinitionNode):
        raise SystemExit("The schema has no object type Query")
    fields = tuple(item for item in query.fields or () if item.name.value in ROOTS)
    return replace(query, fields=fields, interfaces=())


def _deprecated_alike(types: Types) -> None:
    """Lifts a deprecation that the interface of the field does not share: the published file has some."""
    interfaces = [item for item in types.values() if isinstance(item, InterfaceTypeDefinitionNode)]
    standing = {
        field.name.value for item in interfaces for field in item.fields or () if not field.directives
    }
    for name, definition in types.items():
        if isinstance(definition, ObjectTypeDefinitionNode):
            fields = (
                replace(field, directives=()) if field.name.value in standing else field
                for field in definition.fields or ()
            )
            types[name] = replace(definition, fields=tuple(fields))


def _neighbours(definition: TypeDefinitionNode, types: Types) -> Iterator[str]:
    if isinstance(definition, UnionTypeDefinitionNode):
        yield from (_named(item) for item in definition.types or ())
    if isinstance(definition, ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode):
        yield from (_named(item) for item in definition.interfaces or ())
    if isinstance(definition, Fielded):
        for field in definition.fields or ():
            yield _named(field)
            if isinstance(field, FieldDefinitionNode):
                yield from (_named(argument) for argument in field.arguments or ())
    # Everything is a Node; that alone is no reason to stay. Any other interface keeps its implementors.
    if isinstance(definition, InterfaceTypeDefinitionNode) and definition.name.value != "Node":
        for name, other in types.items():
            interfaces = getattr(other, "interfaces", None) or ()
            if definition.name.value in (_named(item) for item in interfaces):
                yield name


def _reachable(types: Types) -> set[str]:
    reached: set[str] = set()
    waiting = ["Query"]
    while waiting:
        name = waiting.pop()
        if name not in reached | BUILT_IN:
            reached.add(name)
            waiting.extend(_neighbours(types[name], types))
    return reached


def prune(source: str) -> str:
    """The pruned schema as GraphQL text; fails when it is not a valid schema."""
    document = visit(parse(source, no_location=True), _Cut())
    definitions = [node for node in document.definitions if isinstance(node, TypeDefinitionNode)]
    types = {node.name.value: node for node in definitions if not _is_foreign(node.name.value)}
    types["Query"] = _roots(types["Query"])
    _deprecated_alike(types)
    text = "\n\n".join(print_ast(types[name]) for name in sorted(_reachable(types)))
    problems = validate_schema(build_schema(text))
    if problems:
        raise SystemExit("\n".join(problem.message for problem in problems))
    return text + "\n"


def _download(version: str, folder: Path) -> tuple[str, str]:
    """The schema text and the exact version of the package that npm gives for a version or tag."""
    command = ["npm", "pack", "--silent", "--json", f"{PACKAGE}@{version}"]
    answer = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    package = json.loads(answer.stdout)[0]
    with tarfile.open(folder / package["filename"]) as archive:
        member = archive.extractfile("package/schema.graphql")
        if member is None:
            raise SystemExit(f"{PACKAGE} {package['version']} holds no schema.graphql")
        return member.read().decode(), package["version"]


def main(arguments: list[str]) -> None:
    """Fetch the package with npm and write the pruned schema."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default="latest", help=f"version or tag of npm {PACKAGE}")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        source, version = _download(options.version, Path(folder))
    header = (
        f"# Made by scripts/prune_github_schema.py from npm {PACKAGE} {version}; do not edit.\n"
        "# Copyright (c) GitHub. MIT licence: https://github.com/octokit/graphql-schema/blob/main/LICENSE.md\n\n"
    )
    options.output.write_text(header + prune(source), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
