"""What a query costs by GitHub's formula.

https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
)


@dataclass(slots=True)
class Cost:
    """Connections asked for and nodes they may give, all limits reached."""

    requests: int = 0
    nodes: int = 0

    @property
    def points(self) -> int:
        """At least 1, as GitHub rounds it."""
        return max(1, round(self.requests / 100))


def cost_of(document: DocumentNode, variables: Mapping[str, Any]) -> Cost:
    """The cost of a document's only operation."""
    cost = Cost()
    parts = document.definitions
    fragments = {part.name.value: part for part in parts if isinstance(part, FragmentDefinitionNode)}
    operation = next(part for part in parts if isinstance(part, OperationDefinitionNode))
    _Walk(cost, fragments, variables).selections(operation.selection_set, 1)
    return cost


@dataclass(frozen=True, slots=True)
class _Walk:
    cost: Cost
    fragments: Mapping[str, FragmentDefinitionNode]
    variables: Mapping[str, Any]

    def selections(self, chosen: SelectionSetNode, times: int) -> None:
        for part in chosen.selections:
            if isinstance(part, FragmentSpreadNode):
                self.selections(self.fragments[part.name.value].selection_set, times)
            elif isinstance(part, FieldNode):
                self._field(part, times)
            else:
                self.selections(part.selection_set, times)  # type: ignore[attr-defined]  # inline fragments have one

    def _field(self, part: FieldNode, times: int) -> None:
        if part.selection_set is None:
            return
        if (limit := self._limit(part)) is None:
            self.selections(part.selection_set, times)
            return
        self.cost.requests += times
        self.cost.nodes += times * limit
        self.selections(part.selection_set, times * limit)

    def _limit(self, part: FieldNode) -> int | None:
        for argument in part.arguments or ():
            if argument.name.value in {"first", "last"}:
                if isinstance(argument.value, VariableNode):
                    return int(self.variables[argument.value.name.value])
                if isinstance(argument.value, IntValueNode):
                    return int(argument.value.value)
        return None
