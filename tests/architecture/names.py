"""Every name that a piece of Python reaches for, written out in full."""

import ast
import builtins
from collections.abc import Iterator


def names_used(source: str) -> set[str]:
    """The full dotted names of all that is imported, read or called, whatever it is called locally.

    ``from socket import create_connection as connect`` gives ``socket.create_connection``, and so does
    ``import socket as s`` followed by ``s.create_connection``. Of the names that nobody imported only
    Python's own built-in ones count: a variable may be called ``code``.
    """
    tree = ast.parse(source)
    local = dict(_imports(tree))
    found = set(local.values())
    for node in ast.walk(tree):
        first, _, rest = _dotted(node).partition(".")
        if first in local:
            found.add(f"{local[first]}.{rest}" if rest else local[first])
        elif first in vars(builtins):
            found.add(first)
    return found


def is_within(name: str, banned: str) -> bool:
    """Whether a name is the banned one or something inside it."""
    return name == banned or name.startswith(f"{banned}.")


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                # `import a.b` binds a, but what was asked for is a.b: both are kept.
                yield alias.name, alias.name
                top = alias.name.partition(".")[0]
                yield alias.asname or top, alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = _dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return ""
