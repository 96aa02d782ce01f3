"""A variable that is made at each call is made once, above the function."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Call
from ..context import FixContext
from .writing import lines_of, source, statements
from ..unproven import Unproven


def hoist_fix(event: Call, context: FixContext) -> Fix | Declined:
    """``v = tf.Variable(3.0)`` moves above the function, where its arguments are constants and nothing assigns to it."""
    call = event.at
    function = context.function
    module = event.frame.module.tree
    if not isinstance(call, ast.Call) or not isinstance(function, ast.FunctionDef) or function not in module.body:
        return Declined("only what a function of the module makes can be made above it")
    if "random" in event.callee:
        return Declined("a generator that is made anew draws the same numbers at each call; one that is kept goes on")
    assignment = context.parent(call)
    if not (isinstance(assignment, ast.Assign) and len(assignment.targets) == 1 and isinstance(assignment.targets[0], ast.Name) and assignment in function.body):
        return Declined("what is made is not held by a name of the function")
    name = assignment.targets[0].id
    values = [*call.args, *(k.value for k in call.keywords)]
    names = {n.id for v in values for n in ast.walk(v) if isinstance(n, ast.Name)}
    if any(n not in context.module_names for n in names):
        return Declined("its arguments are not constants")
    if any(isinstance(n, ast.Name) and n.id == name for statement in module.body if statement is not function for n in ast.walk(statement)):
        return Declined(f"`{name}` means something else in this file")
    stores = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    assigns = [n for n in ast.walk(function) if isinstance(n, ast.Attribute) and n.attr.startswith("assign") and isinstance(n.value, ast.Name) and n.value.id == name]
    if len(stores) != 1 or assigns:
        return Declined("it is assigned to, so that each call must begin with a new one")
    if len(function.body) == 1:
        return Declined("the function does nothing else")
    try:
        body = lines_of(function, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    first = assignment.lineno - function.lineno
    last = (assignment.end_lineno or assignment.lineno) - function.lineno
    kept = [line for number, line in enumerate(body) if not first <= number <= last]
    if first < 0 or function.decorator_list:
        return Declined("the function has decorators")
    edit = statements(function, function, [source(assignment, context), "", "", *kept], context)
    condition = "nothing else relies on a new one at each call; a generator of random numbers goes on with its stream instead of beginning anew"
    return Fix(Safety.VERIFY, f"make `{name}` once, above the function", (edit,), condition)
