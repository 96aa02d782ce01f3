"""Python numbers that a callable works with and that its project sets again after they are first set.

A number that is set once is a constant, and a graph may hold it.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from .api import is_keras
from .behind import Behind

_FIRST = ("__init__", "build", "__post_init__", "__new__", "setUp")


@dataclass(frozen=True)
class Place:
    """Where a number is kept."""

    read: Callable[[], Any]
    write: Callable[[Any], None]


def rebound_numbers(behind: Behind) -> dict[str, Place]:
    """The numbers behind a callable that may be set again, by name."""
    rebound = _Rebound()
    for module in behind.modules.values():
        _read(module, rebound)
    found: dict[str, Place] = {}
    for name, (holder, key) in behind.cells.items():
        short = name.partition(" ")[2]
        if _is_number(behind.values.get(name)) and short in rebound.names:
            found[name] = _item(holder, key) if isinstance(holder, dict) else _attribute(holder, key)
    for name, value in behind.values.items():
        if not hasattr(value, "__dict__") or is_keras(type(value)):
            continue
        for key, number in vars(value).items():
            if _is_number(number) and key in rebound.attributes:
                found[f"{name}.{key}"] = _attribute(value, key)
    return found


class _Rebound(ast.NodeVisitor):
    """Names that a function declares global or nonlocal, and attributes that are set outside of constructors."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.constructing = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self.constructing = self.constructing, node.name in _FIRST
        self.generic_visit(node)
        self.constructing = before

    def visit_Global(self, node: ast.Global) -> None:
        self.names.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.names.update(node.names)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Store) and not self.constructing:
            self.attributes.add(node.attr)
        self.generic_visit(node)


def _read(module: ModuleType, into: _Rebound) -> None:
    try:
        into.visit(ast.parse(inspect.getsource(module)))
    except (OSError, TypeError, SyntaxError):
        return


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _item(holder: dict[str, Any], key: str) -> Place:
    return Place(lambda: holder[key], lambda value: holder.__setitem__(key, value))


def _attribute(holder: Any, key: str) -> Place:
    return Place(lambda: getattr(holder, key), lambda value: setattr(holder, key, value))
