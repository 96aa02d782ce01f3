"""A number that became a tensor is cast to the dtype that it meets."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Call, Event, Operate
from ...flow.tensorflow.values import TFTensor
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, statements, tensorflow_name


def cast_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``x * len(data)`` becomes ``x * tf.cast(len(data), x.dtype)``; a dtype in place of a name is left out."""
    node = event.at
    try:
        tf, imports = tensorflow_name(context)
        if isinstance(event, Call):
            return _name(node, context)
        if not isinstance(event, Operate):
            raise Unproven("no rewrite is known")
        if isinstance(node, ast.AugAssign):
            return _counter(node, tf, context)
        if not isinstance(node, ast.BinOp):
            raise Unproven("no rewrite is known")
        left, right = context.value(node.left), context.value(node.right)
        if not isinstance(left, TFTensor) or not isinstance(right, TFTensor):
            raise Unproven("one side is a Python number: begin with a number of the other kind")
        number, other = (node.left, node.right) if left.python else (node.right, node.left)
        dtype = right.dtype if left.python else left.dtype
        if not dtype:
            raise Unproven("the dtype of the tensor is not known")
        edit = expression(number, f"{tf}.cast({source(number, context)}, {source(other, context)}.dtype)" if isinstance(other, ast.Name) else f"{tf}.cast({source(number, context)}, {tf}.{dtype})", context)
    except Unproven as unproven:
        return Declined(str(unproven))
    return Fix(Safety.VERIFY, "cast the number", (edit,), "the number fits the dtype", imports)


def _name(node: ast.AST, context: FixContext) -> Fix:
    if not isinstance(node, ast.Call) or node.keywords or len(node.args) != 2:
        raise Unproven("it is not known which argument is meant")
    text = f"{source(node.func, context)}({source(node.args[0], context)})"
    return Fix(Safety.VERIFY, "leave the dtype out", (expression(node, text, context),), "it is the code's intent: the call raises in eager code too")


def _counter(node: ast.AugAssign, tf: str, context: FixContext) -> Fix:
    """A counter that begins as an int and is raised by a float begins as a float."""
    if not isinstance(node.target, ast.Name) or not isinstance(node.value, ast.Constant):
        raise Unproven("what is added is not a constant")
    name = node.target.id
    begins = [n for n in ast.walk(context.function) if isinstance(n, ast.Assign) and [ast.unparse(t) for t in n.targets] == [name]]
    if len(begins) != 1 or not isinstance(begins[0].value, ast.Constant) or type(begins[0].value.value) is not int:
        raise Unproven(f"`{name}` does not begin once, as an int")
    edit = statements(begins[0], begins[0], [f"{name} = {float(begins[0].value.value)}"], context)
    return Fix(Safety.VERIFY, f"begin `{name}` as a float", (edit,), "the loop runs at least once, or the first value may be a float as well")
