"""Writes rewrites of TensorFlow code as source text: pieces of the user's own text stay as they are written."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...finding import Import, ReplaceExpression, ReplaceStatements
from ..context import FixContext
from ..unproven import Unproven

if TYPE_CHECKING:
    import libcst as cst


def source(node: ast.expr | ast.stmt, context: FixContext) -> str:
    """The text of a node as the user wrote it."""
    span = context.span(node)
    lines = context.lines[span.line - 1 : span.end_line]
    if len(lines) == 1:
        return lines[0][span.column - 1 : span.end_column - 1]
    return "\n".join([lines[0][span.column - 1 :], *lines[1:-1], lines[-1][: span.end_column - 1]])


def operand(node: ast.expr, context: FixContext) -> str:
    """The text of an expression as an operand: in parentheses unless it binds tightly."""
    text = source(node, context)
    tight = isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant, ast.List, ast.Tuple, ast.Dict))
    return text if tight and not text.startswith("-") else f"({text})"


def tensorflow_name(context: FixContext) -> tuple[str, tuple[Import, ...]]:
    """The name by which the file calls TensorFlow, and the import that it needs if it has none.

    Raises:
        Unproven: if ``tf`` means something else in the file.
    """
    for name, dotted in context.module_names.items():
        if dotted == "tensorflow":
            return name, ()
    if "tf" in context.module_names:
        raise Unproven("`tf` is not TensorFlow in this file")
    return "tensorflow", (Import("tensorflow"),)


def expression(node: ast.expr, text: str, context: FixContext) -> ReplaceExpression:
    """An edit that puts an expression of that text in a node's place."""

    def build(old: cst.BaseExpression) -> cst.BaseExpression:
        import libcst as cst

        made = cst.parse_expression(text)
        return made.with_changes(lpar=old.lpar, rpar=old.rpar) if old.lpar and not made.lpar else made

    return ReplaceExpression(context.span(node), build)


def statements(first: ast.stmt, last: ast.stmt, text: Sequence[str], context: FixContext) -> ReplaceStatements:
    """An edit that puts other statements in the place of consecutive ones of a block.

    Args:
        first: the first statement that goes.
        last: the last one.
        text: the lines that come, indented from zero; empty lines between statements are kept.
        context: the file.
    """

    def build(old: Sequence[cst.BaseStatement]) -> Sequence[cst.BaseStatement]:
        import libcst as cst

        made = list(cst.parse_module("\n".join(text) + "\n").body)
        lead: Sequence[cst.EmptyLine] = getattr(old[0], "leading_lines", ())
        if lead and made:
            made[0] = made[0].with_changes(leading_lines=[*lead, *made[0].leading_lines])
        return made

    return ReplaceStatements(context.span(first, last), build)


def lines_of(node: ast.stmt, context: FixContext) -> list[str]:
    """The lines of a statement, dedented to the column where it begins; lines inside strings are refused.

    Raises:
        Unproven: if a string spans lines, which a new indentation would change.
    """
    if any(isinstance(n, (ast.Constant, ast.JoinedStr)) and (n.end_lineno or n.lineno) > n.lineno for n in ast.walk(node)):
        raise Unproven("a string spans several lines")
    indent = node.col_offset
    text = context.lines[node.lineno - 1 : node.end_lineno]
    return [line[indent:] if not line[:indent].strip() else line.lstrip() for line in text]


def indented(lines: Sequence[str], by: str = "    ") -> list[str]:
    """The lines, one level deeper."""
    return [by + line if line.strip() else line for line in lines]
