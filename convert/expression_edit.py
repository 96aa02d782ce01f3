"""Replacing one expression in its place, with the parentheses that the place needs."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from ..rules.finding import ReplaceExpression
from ..rules.source_text import SourceProblem, parse_module
from .splice import Lines, Refused, Splice, spliced
from .statement_edit import comments_of


def expression_splice(edit: ReplaceExpression, lines: Lines) -> Splice:
    """The splice for an edit of an expression.

    Raises:
        Refused: a comment would be lost, or the result would not parse.
    """
    import libcst as cst

    start, end = lines.region(edit.span)
    text = lines.text
    try:
        parsed = cst.parse_expression("(" + text[start:end] + "\n)")
    except cst.ParserSyntaxError as error:
        raise Refused("the expression cannot be parsed alone") from error
    old = parsed.with_changes(lpar=parsed.lpar[1:], rpar=parsed.rpar[:-1])
    new = edit.build(old)
    if Counter(c.value for c in comments_of([old])) - Counter(c.value for c in comments_of([new])):
        raise Refused("a comment inside the expression would be lost")
    code = cst.Module([]).code_for_node(new)
    closed = Splice(start, end, _apart(text, start, end, "(" + code + ")"))
    wanted = _dump(spliced(text, [closed]))
    if wanted is None:
        raise Refused("the result would not be Python")
    bare = Splice(start, end, _apart(text, start, end, code))
    return bare if _dump(spliced(text, [bare])) == wanted else closed


def _apart(text: str, start: int, end: int, code: str) -> str:
    """The code with a space where it would grow together with its neighbours."""
    if start and _joins(text[start - 1], code[0]):
        code = " " + code
    return code + " " if end < len(text) and _joins(code[-1], text[end]) else code


def _joins(left: str, right: str) -> bool:
    return (left.isalnum() or left == "_") and (right.isalnum() or right == "_")


def _dump(text: str) -> str | None:
    try:
        return ast.dump(parse_module(text, Path()))
    except (SourceProblem, RecursionError):
        return None
