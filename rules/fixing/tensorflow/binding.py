"""A closure of a loop keeps the value that it was made with, in eager code too."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Change, Event
from ..context import FixContext
from .writing import source


def bind_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``lambda v: v * k`` in a loop over ``k`` becomes ``lambda v, k=k: v * k``."""
    if not isinstance(event, Change) or not isinstance(event.at, ast.Call) or not event.at.args or not isinstance(event.at.args[-1], ast.Lambda):
        return Declined("make the closure where it is called")
    function = event.at.args[-1]
    if function.args.vararg or function.args.kwarg or function.args.kwonlyargs or function.args.defaults:
        return Declined("the lambda has other than plain parameters")
    free = {n.id for n in ast.walk(function.body) if isinstance(n, ast.Name)}
    bound: list[str] = []
    around = context.parent(event.at)
    while around is not None:
        if isinstance(around, ast.For):
            bound += sorted({n.id for n in ast.walk(around.target) if isinstance(n, ast.Name)} & free)
        around = context.parent(around)
    names = [p.arg for p in function.args.args]
    if not bound or set(bound) & set(names):
        return Declined("the loop variable is not what the lambda closes over")
    parameters = ", ".join([*names, *(f"{name}={name}" for name in bound)])
    text = f"lambda {parameters}: {source(function.body, context)}"
    return Fix(Safety.SUGGEST, f"write `{text}` if each closure is meant to keep its own value, which changes what eager code gives")
