"""A counter in Python becomes a ``tf.Variable`` that the graph counts."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Change
from ...index.walk import walk
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, statements, tensorflow_name


def counter_fix(event: Change, context: FixContext) -> Fix | Declined:
    """``COUNT += 1`` becomes ``COUNT.assign_add(1.0)``, with ``COUNT = tf.Variable(0.0)`` where it began."""
    try:
        return _fix(event, context)
    except Unproven as unproven:
        return Declined(str(unproven))


def _fix(event: Change, context: FixContext) -> Fix:
    statement = context.parent(event.at)
    if event.what not in ("name", "attribute") or not isinstance(statement, ast.AugAssign) or statement.target is not event.at:
        raise Unproven("what it keeps is the host's: return it from the captured function, and keep it outside")
    if not isinstance(statement.op, (ast.Add, ast.Sub)) or not isinstance(statement.value, ast.Constant) or not isinstance(statement.value.value, (int, float)):
        raise Unproven("it does not count by a constant")
    module = event.frame.module.tree
    name = statement.target.id if isinstance(statement.target, ast.Name) else statement.target.attr if isinstance(statement.target, ast.Attribute) else ""
    step = float(statement.value.value)
    reads, begins = _places(module, name, isinstance(statement.target, ast.Attribute), statement)
    if len(begins) != 1 or not isinstance(begins[0].value, ast.Constant) or not isinstance(begins[0].value.value, (int, float)):
        raise Unproven(f"`{name}` does not begin once, as a number")
    tf, imports = tensorflow_name(context)
    edits = [
        expression(begins[0].value, f"{tf}.Variable({float(begins[0].value.value)})", context),
        statements(statement, statement, [f"{source(statement.target, context)}.{'assign_add' if isinstance(statement.op, ast.Add) else 'assign_sub'}({step})"], context),
    ]
    inside = {id(n) for n in ast.walk(context.function)}
    for read in reads:
        if id(read) not in inside:
            if not _only_returned(module, read):
                raise Unproven(f"`{name}` is used elsewhere, where a number is expected")
            continue
        parent = context.parent(read)
        if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "float" and parent.args == [read]:
            edits.append(expression(parent, source(read, context), context))
        elif not isinstance(parent, ast.BinOp):
            raise Unproven(f"`{name}` is used as a Python number in the function")
    condition = "what it is combined with is of dtype float32, and whoever reads it from outside takes a variable for the number"
    return Fix(Safety.VERIFY, f"count in a {tf}.Variable", tuple(edits), condition, imports)  # type: ignore[arg-type]


def _places(module: ast.Module, name: str, attribute: bool, counting: ast.AugAssign) -> tuple[list[ast.expr], list[ast.Assign]]:
    """Where the counter is read, and where it begins."""
    reads: list[ast.expr] = []
    begins: list[ast.Assign] = []
    for node in walk(module):
        if isinstance(node, ast.Assign) and any(_is(t, name, attribute) for t in node.targets):
            begins.append(node)
        elif isinstance(node, ast.AugAssign) and node is not counting and _is(node.target, name, attribute):
            raise Unproven(f"`{name}` is changed elsewhere too")
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and _is(node, name, attribute):
            reads.append(node)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and attribute and node.attr == name:
            reads.append(node)
    return reads, begins


def _is(node: ast.AST, name: str, attribute: bool) -> bool:
    if attribute:
        return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name) and node.value.id == "self"
    return isinstance(node, ast.Name) and node.id == name


def _only_returned(module: ast.Module, read: ast.expr) -> bool:
    return any((isinstance(n, ast.Return) and n.value is read) or (isinstance(n, ast.Lambda) and n.body is read) for n in walk(module))
