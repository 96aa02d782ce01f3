"""Whether a function changes values in place."""

from __future__ import annotations

import ast


def changes_in_place(function: ast.AST) -> bool:
    """Whether something in the function looks like a change in place of a tensor."""
    for node in ast.walk(function):
        if isinstance(node, ast.AugAssign):
            return True
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
            return True
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if (name.endswith("_") and not name.endswith("__")) or any(k.arg in ("out", "inplace") for k in node.keywords):
                return True
    return False
