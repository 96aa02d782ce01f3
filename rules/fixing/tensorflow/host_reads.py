"""A value that was read on the host stays a tensor."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Call, Event
from ...flow.tensorflow.values import TFTensor
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, tensorflow_name

_CHAIN = {"item", "tolist", "copy"}


def host_read_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``t.numpy()`` becomes ``t``, ``copy.deepcopy(t)`` becomes ``tf.identity(t)``."""
    call = event.at
    if not isinstance(event, Call) or not isinstance(call, ast.Call):
        return Declined("no rewrite is known to be equal")
    try:
        if event.callee == "copy.deepcopy" and isinstance(context.value(call.args[0]), TFTensor):
            tf, imports = tensorflow_name(context)
            return Fix(Safety.SAFE, f"use {tf}.identity", (expression(call, f"{tf}.identity({source(call.args[0], context)})", context),), "", imports)
        if event.callee.endswith(".get_weights") and isinstance(call.func, ast.Attribute):
            return _weight(call, call.func, context)
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "numpy" or call.args:
            raise Unproven("no rewrite is known to be equal")
        whole: ast.expr = call
        while True:
            attribute = context.parent(whole)
            outer = context.parent(attribute) if isinstance(attribute, ast.Attribute) and attribute.attr in _CHAIN else None
            if not isinstance(outer, ast.Call) or outer.args or outer.func is not attribute:
                break
            whole = outer
        _stays_in_tensorflow(whole, context)
        edit = expression(whole, source(call.func.value, context), context)
    except Unproven as unproven:
        return Declined(str(unproven))
    return Fix(Safety.VERIFY, "keep the tensor", (edit,), "gradients may flow through what was a constant, nothing needs a Python number, and no NumPy value meets it, which would decide the dtype")


def _weight(call: ast.Call, method: ast.Attribute, context: FixContext) -> Fix:
    """``layer.get_weights()[0]`` becomes the value of ``layer.weights[0]``."""
    whole = context.parent(call)
    if not (isinstance(whole, ast.Subscript) and whole.value is call and isinstance(whole.slice, ast.Constant) and type(whole.slice.value) is int):
        raise Unproven("more than one weight by its position is read")
    _stays_in_tensorflow(whole, context)
    tf, imports = tensorflow_name(context)
    text = f"{tf}.convert_to_tensor({source(method.value, context)}.weights[{whole.slice.value}])"
    condition = "gradients may flow through what was a constant, and nothing needs an array"
    return Fix(Safety.VERIFY, "read the weight in the graph", (expression(whole, text, context),), condition, imports)


def _stays_in_tensorflow(node: ast.expr, context: FixContext) -> None:
    """Refuse unless the value is returned, or goes back into arithmetic or functions of TensorFlow."""
    parent = context.parent(node)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        name = parent.targets[0].id
        for use in ast.walk(context.function):
            if isinstance(use, ast.Name) and use.id == name and isinstance(use.ctx, ast.Load):
                _one_use(use, context)
        return
    _one_use(node, context)


def _one_use(node: ast.expr, context: FixContext) -> None:
    parent = context.parent(node)
    if isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.Return, ast.Compare)):
        return
    if isinstance(parent, ast.Subscript) and parent.value is node:
        _stays_in_tensorflow(parent, context)
        return
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and node in parent.args:
        root = parent.func.value
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and context.module_names.get(root.id) == "tensorflow":
            return
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in ("float", "int"):
        return
    raise Unproven("the value leaves TensorFlow")
