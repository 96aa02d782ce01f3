"""Names that stand for one value throughout a function."""

from __future__ import annotations

import ast

from .context import FixContext
from .unproven import Unproven


def loads_of(name: str, context: FixContext) -> list[ast.expr]:
    """All reads of a local name that is assigned once.

    Raises:
        Unproven: it is assigned more than once, or known outside the function.
    """
    names = [node for node in ast.walk(context.function) if isinstance(node, ast.Name) and node.id == name]
    if sum(not isinstance(node.ctx, ast.Load) for node in names) != 1:
        raise Unproven(f"`{name}` is assigned more than once")
    if any(isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names for node in ast.walk(context.function)):
        raise Unproven(f"`{name}` is known outside the function")
    return [node for node in names if isinstance(node.ctx, ast.Load)]
