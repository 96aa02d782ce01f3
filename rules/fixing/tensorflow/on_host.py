"""A statement that works on the host is called from the graph, each time that the graph runs."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.tensorflow.values import tf_tensor_in
from ...index.walk import walk
from ..context import FixContext
from ..unproven import Unproven
from .writing import indented, lines_of, statements, tensorflow_name

_CONDITION = (
    "the graph runs in the process that traced it (it is not saved, sent elsewhere or compiled by XLA), the statement raises nothing, "
    "and no gradient goes through what it keeps"
)
_GROWING = ("add", "append", "appendleft", "clear", "discard", "extend", "insert", "put", "put_nowait", "remove", "reverse", "setdefault", "update", "write", "writelines")
"""Methods of which a caller seldom wants the result, and whose effect nothing in the same call can see unless it names the object."""


def on_host_fix(node: ast.AST, context: FixContext) -> Fix | Declined:
    """``LOG.append(float(loss))`` as ``tf.py_function(on_host, [loss], [])``, with the statement as the body of ``on_host``.

    ``tf.py_function`` hands eager tensors to what it calls, so that the statement sees what it would see eagerly, and with no outputs it wants None:
    hence a function and no lambda. It also runs under eager code, at once.

    Args:
        node: an expression or statement of ``context.function``.
        context: the function around it.
    """
    try:
        return _fix(node, context)
    except Unproven as unproven:
        return Declined(str(unproven))


def _fix(node: ast.AST, context: FixContext) -> Fix:
    statement = node
    while not isinstance(statement, ast.stmt):
        outer = context.parent(statement)
        if outer is None:
            raise Unproven("it stands in no statement of its own")
        statement = outer
    if isinstance(context.function, ast.Lambda) or statement is context.function:
        raise Unproven("it stands in no statement of its own")
    changed = _changed(statement)
    if changed and any(ast.unparse(n) == changed and not _inside(n, statement) and not _grows(n, context) for n in walk(context.function) if isinstance(n, (ast.Attribute, ast.Name, ast.Subscript))):
        raise Unproven(f"`{changed}` is used elsewhere in the function, which would see it too early or too late")
    taken = _taken(statement, changed, context)
    if not changed and not _tells_values(statement, taken, context):
        raise Unproven("it tells nothing that a tensor holds: said once, while tracing, it may be what is wanted")
    tf, imports = tensorflow_name(context)
    if changed and not taken and any(ast.unparse(d).startswith(f"{tf}.function") for d in context.function.decorator_list):
        raise Unproven("a constant that is kept while tracing may count the traces on purpose")
    name = "on_host"
    while any(isinstance(n, (ast.Name, ast.arg, ast.FunctionDef)) and name in (getattr(n, "id", ""), getattr(n, "arg", ""), getattr(n, "name", "")) for n in ast.walk(context.function)):
        name += "_"
    text = [f"def {name}({', '.join(taken)}):", *indented(lines_of(statement, context)), f"{tf}.py_function({name}, [{', '.join(taken)}], [])"]
    return Fix(Safety.VERIFY, f"call it from the graph with {tf}.py_function", (statements(statement, statement, text, context),), _CONDITION, imports)


def _changed(statement: ast.stmt) -> str:
    """The object that a statement changes, "" if it only tells something.

    Raises:
        Unproven: if the statement is of another form.
    """
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        if isinstance(function, ast.Attribute):
            return ast.unparse(function.value) if function.attr in _GROWING else ""
        if isinstance(function, ast.Name) and function.id == "print":
            return ""
    elif isinstance(statement, (ast.Assign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if len(targets) == 1 and isinstance(targets[0], ast.Subscript) and isinstance(targets[0].value, (ast.Name, ast.Attribute)):
            return ast.unparse(targets[0].value)
    raise Unproven("what it gives back is used; host code like this belongs outside the captured function")


def _taken(statement: ast.stmt, changed: str, context: FixContext) -> list[str]:
    """The local names with tensors that the statement reads, which ``tf.py_function`` hands over.

    Raises:
        Unproven: if it reads something else that the graph makes, or that changes between tracing and running.
    """
    function = context.function
    bound = {n.id for n in walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    arguments = function.args
    parameters = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    taken: list[str] = []
    for item in walk(statement):
        if isinstance(item, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)):
            raise Unproven("it holds an expression that cannot move into a function")
        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Load) and not _is_called(item, context):
            value = context.value(item)
            if tf_tensor_in(value) is not None:
                if item.id == changed.partition(".")[0].partition("[")[0]:
                    raise Unproven(f"`{item.id}` belongs to the graph")
                if getattr(value, "kind", "tensor") != "tensor":
                    raise Unproven(f"`{item.id}` is not a plain tensor")
                if item.id not in taken:
                    taken.append(item.id)
            elif item.id in bound:
                raise Unproven(f"`{item.id}` may have changed by the time that the graph runs")
            elif item.id in parameters and item.id not in ("self", changed) and tf_tensor_in(value) is None:
                raise Unproven(f"`{item.id}` is an argument, which may be another object in the next call")
            elif item.id in parameters and item.id == changed:
                raise Unproven(f"`{item.id}` is the caller's: return the tensor and let the caller keep it")
        elif isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Load) and not _is_called(item, context) and tf_tensor_in(context.value(item)) is not None:
            if not any(isinstance(n, ast.Name) and tf_tensor_in(context.value(n)) is not None for n in ast.walk(item)):
                raise Unproven(f"`{ast.unparse(item)}` may hold another tensor by the time that the graph runs")
    return taken


def _is_called(node: ast.expr, context: FixContext) -> bool:
    outer = context.parent(node)
    return isinstance(outer, ast.Call) and outer.func is node


def _inside(node: ast.AST, statement: ast.stmt) -> bool:
    return any(node is n for n in ast.walk(statement))


def _grows(node: ast.AST, context: FixContext) -> bool:
    """Whether a mention of an object is another statement that only adds to it; such statements keep their order."""
    method = context.parent(node)
    call = context.parent(method) if isinstance(method, ast.Attribute) and method.attr in _GROWING else None
    return isinstance(call, ast.Call) and isinstance(context.parent(call), ast.Expr)


def _tells_values(statement: ast.stmt, taken: list[str], context: FixContext) -> bool:
    """Whether a message is made from more of a tensor than what tracing knows of it, its shape and dtype."""
    for item in walk(statement):
        if isinstance(item, ast.Name) and item.id in taken and isinstance(item.ctx, ast.Load):
            outer = context.parent(item)
            if not (isinstance(outer, ast.Attribute) and outer.attr in ("shape", "dtype", "name", "device")):
                return True
    return False
