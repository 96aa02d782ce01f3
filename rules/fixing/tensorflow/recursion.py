"""A recursion that a tensor ends becomes a loop."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ..context import FixContext
from ..unproven import Unproven
from .writing import source, statements


def loop_fix(call: ast.AST, context: FixContext) -> Fix | Declined:
    """``if t: return a`` and ``return f(b)`` in ``f(x)`` become ``while not t: x = b`` and ``return a``."""
    try:
        return _fix(call, context)
    except Unproven as unproven:
        return Declined(str(unproven))


def _fix(call: ast.AST, context: FixContext) -> Fix:
    function = context.function
    if isinstance(function, ast.Lambda) or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != function.name:
        raise Unproven("only a function that calls itself by its name has a known form")
    arguments = function.args
    names = [a.arg for a in arguments.args]
    if arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg or call.keywords or len(call.args) != len(names):
        raise Unproven("the arguments are not all given by their position")
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    if len(body) != 2 or not isinstance(body[0], ast.If) or len(body[0].body) != 1 or body[0].orelse:
        raise Unproven("the function is not one test, one result and one call of itself")
    ends, goes_on = body[0].body[0], body[1]
    if not isinstance(ends, ast.Return) or ends.value is None or not isinstance(goes_on, ast.Return) or goes_on.value is not call:
        raise Unproven("the function does something with what the call of itself gives")
    if any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == function.name for n in ast.walk(ends)):
        raise Unproven("the function calls itself twice")
    changed = [(n, a) for n, a in zip(names, call.args) if not (isinstance(a, ast.Name) and a.id == n)]
    if not changed:
        raise Unproven("the function calls itself with what it was given")
    text = [
        f"while not ({source(body[0].test, context)}):",
        f"    {', '.join(n for n, _ in changed)} = {', '.join(source(a, context) for _, a in changed)}",
        f"return {source(ends.value, context)}",
    ]
    condition = "each argument keeps its shape and dtype from round to round, and the test is a boolean with one element"
    return Fix(Safety.VERIFY, "loop instead of calling itself", (statements(body[0], body[1], text, context),), condition, ())
