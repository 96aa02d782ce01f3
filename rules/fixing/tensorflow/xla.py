"""XLA is turned off for what it cannot compile."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Event
from ...index.walk import walk
from ..context import FixContext
from .writing import expression


def without_xla_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``jit_compile=True`` becomes ``jit_compile=False`` where it is the only one in the file."""
    given = [k for n in walk(event.frame.module.tree) if isinstance(n, ast.Call) for k in n.keywords if k.arg == "jit_compile"]
    if len(given) != 1 or not (isinstance(given[0].value, ast.Constant) and given[0].value.value is True):
        return Declined("which `jit_compile` this code is compiled by is not known: leave the operation out, or turn XLA off")
    edit = expression(given[0].value, "False", context)
    return Fix(Safety.VERIFY, "turn XLA off", (edit,), "what XLA gains elsewhere in this code is given up", ())
