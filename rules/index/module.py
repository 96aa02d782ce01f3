"""One module of the project: its syntax tree and what each module-level name is bound to."""

from __future__ import annotations

import ast
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..flow.values import Value

if TYPE_CHECKING:
    from .project import Project


_NEWLINE = re.compile("\n")
_INNER_IMPORT = re.compile(r"^[ \t]+import ", re.MULTILINE)


@dataclass(frozen=True)
class Binding:
    """A statement that binds a module-level name; ``conditional`` inside ``if`` and ``try``."""

    statement: ast.stmt
    conditional: bool


class Module:
    """A module of the project.

    Attributes:
        name: dotted name from its import root on.
        path: the file.
        shown: the path as findings print it, relative to the project's root.
        package: the dotted name that relative imports start from.
    """

    def __init__(self, project: Project, name: str, path: Path, shown: str, tree: ast.Module, text: str) -> None:
        self.project = project
        self.name = name
        self.path = path
        self.shown = shown
        self.tree = tree
        self.text = text
        self.has_generators = "yield" in text
        self.package = name if path.stem == "__init__" else name.rpartition(".")[0]
        self.stars: list[str] = []
        self.bindings: dict[str, list[Binding]] = {}
        self.values: dict[str, Value] = {}
        self.pending: dict[str, int] = {}
        """Names whose value is being found, with the number of bindings that come after the one at hand."""
        self._bind(tree.body, False)

    def _bind(self, body: list[ast.stmt], conditional: bool) -> None:
        add = self.bindings.setdefault
        for statement in body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                add(statement.name, []).append(Binding(statement, conditional))
            elif isinstance(statement, ast.Import):
                for alias in statement.names:
                    add(alias.asname or alias.name.partition(".")[0], []).append(Binding(statement, conditional))
            elif isinstance(statement, ast.ImportFrom):
                for alias in statement.names:
                    if alias.name == "*":
                        self.stars.append(self.absolute(statement))
                    else:
                        add(alias.asname or alias.name, []).append(Binding(statement, conditional))
            elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                for target in targets:
                    for name in _names(target):
                        add(name, []).append(Binding(statement, conditional))
            elif isinstance(statement, ast.If):
                self._bind(statement.body, True)
                self._bind(statement.orelse, True)
            elif isinstance(statement, ast.Try):
                for part in (statement.body, statement.orelse, statement.finalbody):
                    self._bind(part, True)
                for handler in statement.handlers:
                    self._bind(handler.body, True)
            elif isinstance(statement, (ast.With, ast.For, ast.While)):
                self._bind(statement.body, True)

    @cached_property
    def inner_imports(self) -> dict[str, str]:
        """The modules that functions import for themselves under a name which the module does not bind, by that name."""
        if not _INNER_IMPORT.search(self.text):
            return {}
        found: dict[str, str] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.asname or alias.name.partition(".")[0]
                    if name not in self.bindings:
                        found.setdefault(name, alias.name if alias.asname else name)
        return found

    @cached_property
    def lambdas_by_line(self) -> dict[int, list[ast.Lambda]]:
        """The lambdas that begin on each line."""
        found: dict[int, list[ast.Lambda]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Lambda):
                found.setdefault(node.lineno, []).append(node)
        return found

    @cached_property
    def _loops(self) -> dict[ast.expr, ast.For | ast.While]:
        return {
            (node.iter if isinstance(node, ast.For) else node.test): node
            for node in ast.walk(self.tree)
            if isinstance(node, (ast.For, ast.While))
        }

    def loops_at(self, head: ast.AST) -> list[ast.For | ast.While]:
        """The loop whose iterable or test ``head`` is, if it is one."""
        found = self._loops.get(head)  # type: ignore[call-overload]
        return [found] if found is not None else []

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, without their ends."""
        return self.text.split("\n")

    @cached_property
    def _ends(self) -> array[int]:
        return array("l", [match.start() for match in _NEWLINE.finditer(self.text)])

    def excerpt(self, first: int, last: int) -> str:
        """The text from one line to another, both counted from 1 and included; cheaper than keeping all lines."""
        ends = self._ends
        start = ends[first - 2] + 1 if first > 1 else 0
        return self.text[start : ends[last - 1]] if last <= len(ends) else self.text[start:]

    def absolute(self, statement: ast.ImportFrom) -> str:
        """The dotted name of the module that a ``from`` import reads."""
        if not statement.level:
            return statement.module or ""
        parts = self.package.split(".") if self.package else []
        parts = parts[: len(parts) - (statement.level - 1)] if statement.level > 1 else parts
        return ".".join([*parts, *([statement.module] if statement.module else [])])

    def live_bindings(self, name: str) -> list[Binding]:
        """The bindings of a name that may be in force once the module is imported."""
        bindings = self.bindings.get(name, [])
        for position in range(len(bindings) - 1, -1, -1):
            if not bindings[position].conditional:
                return bindings[position:]
        return bindings


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _names(element)
    elif isinstance(target, ast.Starred):
        yield from _names(target.value)
