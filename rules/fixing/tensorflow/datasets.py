"""A Dataset that was iterated through NumPy is iterated as it is."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Call, Event
from ..context import FixContext
from .writing import expression, source


def dataset_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``for v in data.as_numpy_iterator():`` becomes ``for v in data:``."""
    call = event.at
    if not isinstance(event, Call) or not event.callee.endswith("as_numpy_iterator") or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return Declined("move it out of the captured function")
    loop = context.parent(call)
    if not isinstance(loop, ast.For) or loop.iter is not call:
        return Declined("the iterator is not the head of a loop")
    edit = expression(call, source(call.func.value, context), context)
    return Fix(Safety.VERIFY, "iterate over the Dataset itself", (edit,), "the body works on tensors as on arrays")
