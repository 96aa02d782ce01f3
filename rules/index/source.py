"""The source of an expression, remembered: conditions and messages ask for the same ones again and again."""

from __future__ import annotations

import ast

_KNOWN: dict[ast.AST, str] = {}


def unparsed(node: ast.AST) -> str:
    """The expression as Python text on one line."""
    text = _KNOWN.get(node)
    if text is None:
        text = _KNOWN[node] = " ".join(ast.unparse(node).split())
    return text
