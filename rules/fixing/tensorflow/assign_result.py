"""The result of a method that gives back a changed object is assigned to the name it was called on."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Event
from ..context import FixContext
from .writing import source, statements


def assign_result_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``array.write(i, v)`` as a statement becomes ``array = array.write(i, v)``."""
    call = event.at
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return Declined("the call is not a method of a name")
    owner = call.func.value
    statement = context.parent(call)
    if not isinstance(owner, ast.Name) or not isinstance(statement, ast.Expr):
        return Declined("the array is not held by a local name")
    if owner.id in {a.arg for a in ast.walk(context.function) if isinstance(a, ast.arg)}:
        return Declined(f"`{owner.id}` is the caller's array, who does not see a name that is bound anew")
    if any(isinstance(n, (ast.FunctionDef, ast.Lambda)) and n is not context.function for n in ast.walk(context.function)):
        return Declined("a nested function may hold the array too")
    text = source(call, context)
    edit = statements(statement, statement, [f"{owner.id} = {text}"], context)
    return Fix(Safety.SAFE, "assign the result", (edit,))
