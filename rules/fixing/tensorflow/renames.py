"""Names of TensorFlow 1 as they are called now."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Attribute, Call, Event, Legacy
from ...frameworks.tensorflow import tables
from ..context import FixContext
from .writing import expression, source

_CASTS = {"to_float": "float32", "to_double": "float64", "to_int32": "int32", "to_int64": "int64", "to_bfloat16": "bfloat16"}
_METHODS = {"assign": "assign", "assign_add": "assign_add", "assign_sub": "assign_sub"}
_ARGUMENTS = {"keep_dims": "keepdims", "reduction_indices": "axis"}


def rename_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``tf.log`` becomes ``tf.math.log``, ``tf.to_float(x)`` ``tf.cast(x, tf.float32)``, ``keep_dims=`` ``keepdims=``."""
    node = event.at
    if isinstance(event, Call):
        return _arguments(event, context)
    if not isinstance(event, (Attribute, Legacy)) or not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return Declined("what took its place works otherwise")
    short = event.name.removeprefix("tensorflow.")
    tf, call = node.value.id, context.parent(node)
    if short in _CASTS and isinstance(call, ast.Call) and call.func is node and len(call.args) == 1 and not call.keywords:
        text = f"{tf}.cast({source(call.args[0], context)}, {tf}.{_CASTS[short]})"
        return Fix(Safety.SAFE, f"use {tf}.cast", (expression(call, text, context),))
    if short in _METHODS and isinstance(call, ast.Call) and call.func is node and len(call.args) == 2 and not call.keywords and isinstance(call.args[0], (ast.Name, ast.Attribute)):
        text = f"{source(call.args[0], context)}.{_METHODS[short]}({source(call.args[1], context)})"
        return Fix(Safety.SAFE, "use the variable's own method", (expression(call, text, context),))
    new = tables.removed().get(f"tf.{short}")
    old, now = tables.functions().get(f"tf.{short}"), tables.functions().get(new or "")
    if new is None or now is None or (old is not None and old.parameters != now.parameters):
        return Declined("what took its place works otherwise")
    if isinstance(call, ast.Call) and call.func is node and (len(call.args) > 1 or any(k.arg not in now.parameters for k in call.keywords)):
        return Declined("its arguments may have changed their order")
    return Fix(Safety.SAFE, f"call it {new}", (expression(node, tf + new.removeprefix("tf"), context),))


def _arguments(event: Call, context: FixContext) -> Fix | Declined:
    call = event.at
    if not isinstance(call, ast.Call):
        return Declined("no rewrite is known")
    parts = [source(a, context) for a in call.args]
    parts += [f"{_ARGUMENTS.get(k.arg or '', k.arg)}={source(k.value, context)}" if k.arg else f"**{source(k.value, context)}" for k in call.keywords]
    inner = call.args[0] if call.args else None
    if inner is not None and any(isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and f"tf.{n.attr}" in tables.removed() for n in ast.walk(inner)):
        return Declined("waits for what stands in it")
    return Fix(Safety.SAFE, "name the arguments as they are called now", (expression(call, f"{source(call.func, context)}({', '.join(parts)})", context),))
