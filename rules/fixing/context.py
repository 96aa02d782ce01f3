"""What a rule may ask about the function around a finding when it looks for a fix."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from ..finding import Span
from ..flow.values import UNKNOWN, Value


@dataclass
class FixContext:
    """The flagged function and the values of its expressions, joined over every way in which the project calls it.

    Attributes:
        function: the syntax node of the function in which the finding lies.
        record: gives the abstract value of each evaluated expression of that function, over all calls that were seen; asked only if a
            rule gets as far as to need one.
        lines: the lines of the file, without their ends.
        module_names: dotted external name or "" by module-level name of the file ("torch" -> "torch", "np" -> "numpy").
    """

    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    record: Callable[[], dict[ast.expr, Value]]
    lines: list[str]
    module_names: dict[str, str]
    _parents: dict[ast.AST, ast.AST] = field(default_factory=dict)

    def value(self, node: ast.expr) -> Value:
        """What is known of an expression."""
        return self.record().get(node, UNKNOWN)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The syntax node around ``node``, inside the function."""
        if not self._parents:
            for outer in ast.walk(self.function):
                for inner in ast.iter_child_nodes(outer):
                    self._parents[inner] = outer
        return self._parents.get(node)

    def span(self, first: ast.expr | ast.stmt, last: ast.expr | ast.stmt | None = None) -> Span:
        """The region from ``first`` to ``last`` (or of ``first`` alone), columns in characters."""
        last = last or first
        assert last.end_lineno is not None and last.end_col_offset is not None
        return Span(
            first.lineno,
            self._column(first.lineno, first.col_offset),
            last.end_lineno,
            self._column(last.end_lineno, last.end_col_offset),
        )

    def _column(self, line: int, offset: int) -> int:
        text = self.lines[line - 1]
        return offset + 1 if text.isascii() else len(text.encode()[:offset].decode(errors="replace")) + 1
