"""A number of the host is fetched each time that the graph runs."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.tensorflow.values import TFTensor, tf_tensor_in
from ...index.walk import walk
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, tensorflow_name

_FLOATS = ("float16", "bfloat16", "float32", "float64")
_CONDITION = "the graph runs in the process that traced it (it is not saved, sent elsewhere or compiled by XLA), and the expression gives one number and raises nothing"


def host_value_fix(node: ast.AST, context: FixContext) -> Fix | Declined:
    """``x * next(RATES)`` as ``x * tf.ensure_shape(tf.py_function(lambda: next(RATES), [], tf.float32), [])``.

    The number takes the dtype of the tensor that it meets, as it does eagerly; no gradient goes through it, eagerly or so.

    Args:
        node: an expression of ``context.function``.
        context: the function around it.
    """
    try:
        return _fix(node, context)
    except Unproven as unproven:
        return Declined(str(unproven))


def _fix(node: ast.AST, context: FixContext) -> Fix:
    while True:
        outer = context.parent(node)
        if isinstance(outer, ast.BinOp):
            other = context.value(outer.right if outer.left is node else outer.left)
            if isinstance(other, TFTensor):
                break
        elif not isinstance(outer, (ast.Call, ast.Subscript, ast.Attribute, ast.UnaryOp, ast.keyword)):
            raise Unproven("the value does not meet a tensor at once; host code like this belongs outside the captured function")
        node = outer
    if other.dtype not in _FLOATS or other.kind != "tensor" or not isinstance(node, ast.expr):
        raise Unproven("the dtype of the tensor that the value meets is not known to be a float")
    bound = {n.id for n in walk(context.function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {a.arg for a in ast.walk(context.function) if isinstance(a, ast.arg)}
    for item in walk(node):
        if isinstance(item, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)):
            raise Unproven("it holds an expression that cannot move into a function")
        if isinstance(item, ast.Name) and item.id in bound - {"self"}:
            raise Unproven(f"`{item.id}` may have changed by the time that the graph runs")
        if isinstance(item, ast.expr) and tf_tensor_in(context.value(item)) is not None:
            raise Unproven("it is made from a tensor")
    tf, imports = tensorflow_name(context)
    text = f"{tf}.ensure_shape({tf}.py_function(lambda: {source(node, context)}, [], {tf}.{other.dtype}), [])"
    return Fix(Safety.VERIFY, f"fetch it at each run with {tf}.py_function", (expression(node, text, context),), _CONDITION, imports)
