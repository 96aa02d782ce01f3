"""Conditions of a path, in the user's words; the words are found when somebody reads them."""

from __future__ import annotations

import ast

from ..index.source import unparsed

_KNOWN: dict[tuple[ast.expr, str], Condition] = {}
_LIMIT = 80


class Condition:
    """That a test has one of its outcomes. One object for each test and outcome, so that conditions compare by identity."""

    __slots__ = ("_form", "_node", "_text")

    def __init__(self, node: ast.expr, form: str) -> None:
        self._node = node
        self._form = form
        self._text: str | None = None

    def __str__(self) -> str:
        if self._text is None:
            source = unparsed(self._node)
            if len(source) > _LIMIT:
                source = source[: _LIMIT - 3] + "..."
            self._text = self._form.replace("{}", source)
        return self._text


def condition(node: ast.expr, form: str) -> Condition:
    """The condition that ``form`` states of an expression, whose source replaces ``{}``: "`{}` is given"."""
    known = _KNOWN.get((node, form))
    if known is None:
        known = _KNOWN[node, form] = Condition(node, form)
    return known


def outcomes(node: ast.expr) -> tuple[Condition, Condition]:
    """That a test holds, and that it does not."""
    return condition(node, "`{}`"), condition(node, "not `{}`")
