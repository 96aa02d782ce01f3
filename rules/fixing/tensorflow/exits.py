"""A loop of the graph that is left by ``return`` is left by ``break`` instead, with the value in a name."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Leave
from ...flow.tensorflow.values import TFTensor
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, indented, lines_of, source, statements, tensorflow_name


def exit_fix(event: Leave, context: FixContext) -> Fix | Declined:
    """``return v`` in a tensor loop, followed by ``return w``: the result is ``w`` until the loop breaks with ``v``."""
    try:
        loop: ast.AST | None = event.at
        while loop is not None and not isinstance(loop, (ast.For, ast.While)):
            loop = context.parent(loop)
        if event.kind == "return" and isinstance(event.at, ast.Return) and isinstance(loop, (ast.For, ast.While)):
            return _return(event.at, loop, context)
        if event.kind == "break" and isinstance(loop, ast.For):
            return _counted(loop, context)
        if event.kind == "break" and isinstance(loop, ast.While):
            return _endless(loop, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    return Declined("no other form of this loop is known to be equal")


def _return(node: ast.Return, loop: ast.For | ast.While, context: FixContext) -> Fix:
    function = context.function
    if not isinstance(function, ast.FunctionDef) or loop not in function.body or loop.orelse:
        raise Unproven("the loop is not a statement of the function's own body")
    position = function.body.index(loop)
    after = function.body[position + 1 :]
    if len(after) != 1 or not isinstance(after[0], ast.Return) or node.value is None or after[0].value is None:
        raise Unproven("the loop is not followed by one `return` with a value")
    if sum(isinstance(n, ast.Return) for s in loop.body for n in ast.walk(s)) != 1:
        raise Unproven("the loop returns in several places")
    inner = [n for s in loop.body for n in ast.walk(s) if isinstance(n, (ast.For, ast.While))]
    if inner:
        raise Unproven("the loop holds another one")
    last = after[0].value
    changed = {n.id for s in loop.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    carried = isinstance(last, ast.Name) and last.id in changed
    if not carried and any(isinstance(n, ast.Name) and n.id in changed for n in ast.walk(last)):
        raise Unproven("the value after the loop depends on what the loop changes")
    given, other = context.value(node.value), context.value(last)
    if not isinstance(given, TFTensor) or not isinstance(other, TFTensor) or given.dtype != other.dtype or not given.dtype or given.shape != other.shape or given.shape is None:
        raise Unproven("both results are not proven to have one dtype and shape")
    name = last.id if carried and isinstance(last, ast.Name) else "result"
    while not carried and any(isinstance(n, (ast.Name, ast.arg)) and getattr(n, "id", getattr(n, "arg", "")) == name for n in ast.walk(function)):
        name += "_"
    lines = context.lines[loop.lineno - 1 : loop.end_lineno]
    indent = loop.col_offset
    body = [line[indent:] for line in lines]
    row = node.lineno - loop.lineno
    lead = body[row][: len(body[row]) - len(body[row].lstrip())]
    if node.end_lineno != node.lineno:
        raise Unproven("the `return` spans lines")
    value = source(node.value, context)
    body[row : row + 1] = [*([] if value == name else [f"{lead}{name} = {value}"]), f"{lead}break"]
    text = [*([] if carried else [f"{name} = {source(last, context)}"]), *body, f"return {name}"]
    edit = statements(loop, after[0], text, context)
    if carried:
        return Fix(Safety.VERIFY, f"keep the result in `{name}` and break", (edit,), f"what the loop carries, `{name}` too, keeps its dtype and shape")
    return Fix(Safety.VERIFY, "keep the result in a name and break", (edit,), "computing the last value before the loop has no effect of its own")


def _counted(loop: ast.For, context: FixContext) -> Fix:
    """``for _ in range(10)`` with a tensor ``break``: a loop of the graph can end early."""
    call = loop.iter
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range" and not call.keywords):
        raise Unproven("the loop is not over a `range`")
    names = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
    if any(isinstance(n, ast.Name) and n.id in names and isinstance(n.ctx, ast.Load) for n in ast.walk(context.function)):
        raise Unproven("the counter is used as a Python number")
    tf, imports = tensorflow_name(context)
    edit = expression(call.func, f"{tf}.range", context)
    return Fix(Safety.VERIFY, f"loop over {tf}.range", (edit,), "what the loop carries keeps its dtype and shape", imports)


def _endless(loop: ast.While, context: FixContext) -> Fix:
    """``while True:`` that ends with ``if test: break`` goes on while a tensor says so."""
    last = loop.body[-1]
    if not (isinstance(loop.test, ast.Constant) and loop.test.value is True) or loop.orelse:
        raise Unproven("the loop is not a plain `while True`")
    if not (isinstance(last, ast.If) and len(last.body) == 1 and isinstance(last.body[0], ast.Break) and not last.orelse) or len(loop.body) < 2:
        raise Unproven("the loop does not end with the test that leaves it")
    inner = [n for s in loop.body for n in ast.walk(s) if isinstance(n, (ast.Break, ast.Continue, ast.Return, ast.For, ast.While))]
    if inner != [last.body[0]]:
        raise Unproven("the loop is left or continued in several places")
    value = context.value(last.test)
    if not isinstance(value, TFTensor) or value.dtype != "bool":
        raise Unproven("the test is not proven to be a boolean tensor")
    tf, imports = tensorflow_name(context)
    name = "running"
    while any(isinstance(n, (ast.Name, ast.arg)) and getattr(n, "id", getattr(n, "arg", "")) == name for n in ast.walk(context.function)):
        name += "_"
    body = [line for statement in loop.body[:-1] for line in lines_of(statement, context)]
    body.append(f"{name} = {tf}.logical_not({source(last.test, context)})")
    text = [f"{name} = {tf}.constant(True)", f"while {name}:", *indented(body)]
    return Fix(Safety.VERIFY, "loop while a tensor says so", (statements(loop, loop, text, context),), "what the loop carries keeps its dtype and shape", imports)
