"""Which spans of a file are whole expressions or whole statements of one block."""

from __future__ import annotations

import ast

from ..rules.finding import Span
from .splice import Lines


class Places:
    """The spans of all nodes of a file. Nodes inside f-strings are left out: their positions are not reliable."""

    def __init__(self, tree: ast.Module, lines: Lines) -> None:
        self._lines = lines
        self._expressions: set[Span] = set()
        self._blocks: list[list[Span]] = []
        pending: list[ast.AST] = [tree]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.expr):
                self._expressions.add(self._span(node))
            if isinstance(node, ast.JoinedStr):
                continue
            for _, value in ast.iter_fields(node):
                if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                    self._blocks.append([self._span(statement) for statement in value])
            pending.extend(ast.iter_child_nodes(node))

    def _span(self, node: ast.expr | ast.stmt) -> Span:
        assert node.end_lineno is not None and node.end_col_offset is not None
        column = self._lines.column
        first, last = column(node.lineno, node.col_offset), column(node.end_lineno, node.end_col_offset)
        return Span(node.lineno, first, node.end_lineno, last)

    def is_expression(self, span: Span) -> bool:
        """Whether an expression stands exactly there."""
        return span in self._expressions

    def are_statements(self, span: Span) -> bool:
        """Whether consecutive statements of one block stand exactly there."""
        for block in self._blocks:
            starts = [(s.line, s.column) for s in block]
            ends = [(s.end_line, s.end_column) for s in block]
            if (span.line, span.column) in starts and (span.end_line, span.end_column) in ends:
                return True
        return False
