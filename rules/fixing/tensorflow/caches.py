"""A cache that keeps tensors of a trace is taken off."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Event, Returns
from ..context import FixContext
from ..unproven import Unproven
from .writing import lines_of, statements


def uncache_fix(event: Event, context: FixContext) -> Fix | Declined:
    """Remove ``functools.lru_cache`` from a function that makes tensors."""
    function = context.function
    if not isinstance(event, Returns) or not isinstance(function, ast.FunctionDef):
        return Declined("keep the value in a tf.Variable, or compute it anew")
    if len(function.decorator_list) != 1 or any(isinstance(n, (ast.Yield, ast.Global, ast.Nonlocal)) for n in ast.walk(function)):
        return Declined("the function has other decorators or effects")
    try:
        lines = lines_of(function, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    edit = statements(function, function, lines, context)
    return Fix(Safety.VERIFY, "compute it anew in each trace", (edit,), "the function gives the same for the same arguments and has no effects")
