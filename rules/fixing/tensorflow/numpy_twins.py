"""Functions of NumPy and ``math`` and their twins in TensorFlow that give the same values in the same dtype."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Call, Event
from ...flow.tensorflow.values import TFTensor, dtype_class
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, tensorflow_name

_ELEMENTWISE = {
    "sin": "sin", "cos": "cos", "tan": "tan", "tanh": "tanh", "exp": "exp", "sqrt": "sqrt", "abs": "abs", "square": "square", "log": "math.log",
    "log1p": "math.log1p", "expm1": "math.expm1", "floor": "floor", "ceil": "math.ceil", "sign": "sign", "sinh": "sinh", "cosh": "cosh", "arctan": "atan",
    "negative": "negative", "absolute": "abs",
}  # fmt: skip
_REDUCTIONS = {"mean": "reduce_mean", "max": "reduce_max", "amax": "reduce_max", "min": "reduce_min", "amin": "reduce_min", "prod": "reduce_prod", "sum": "reduce_sum"}
_SAME = {"asarray", "array", "asanyarray", "ascontiguousarray"}


def twin_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``np.mean(t)`` becomes ``tf.reduce_mean(t)``."""
    call = event.at
    if not isinstance(event, Call) or not isinstance(call, ast.Call) or call.keywords or not call.args:
        return Declined("the call has keyword arguments that the twin may not have")
    module, _, name = event.callee.rpartition(".")
    try:
        tensor = context.value(call.args[0])
        if not isinstance(tensor, TFTensor) or module not in ("numpy", "math"):
            raise Unproven("the first argument is not proven to be a tensor")
        if dtype_class(tensor.dtype) != "float":
            raise Unproven("the tensor is not proven to be of a floating-point dtype, which NumPy would make of it")
        tf, imports = tensorflow_name(context)
        inside = source(call.args[0], context)
        if name in _SAME and len(call.args) == 1:
            text, message = f"{tf}.convert_to_tensor({inside})", "keep the tensor"
        elif name == "clip" and len(call.args) == 3:
            text, message = f"{tf}.clip_by_value({inside}, {source(call.args[1], context)}, {source(call.args[2], context)})", f"use {tf}.clip_by_value"
        elif _ELEMENTWISE.get(name) and len(call.args) == 1:
            text, message = f"{tf}.{_ELEMENTWISE[name]}({inside})", f"use {tf}.{_ELEMENTWISE[name]}"
        elif name in _REDUCTIONS and len(call.args) == 1 and module == "numpy":
            text, message = f"{tf}.{_REDUCTIONS[name]}({inside})", f"use {tf}.{_REDUCTIONS[name]}"
        elif name in ("maximum", "minimum") and len(call.args) == 2:
            text, message = f"{tf}.{name}({inside}, {source(call.args[1], context)})", f"use {tf}.{name}"
        else:
            raise Unproven(f"no twin of `{event.callee}` with these arguments is known")
        parent = context.parent(call)
        edit = expression(call, text, context)
        if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.func.attr in ("constant", "convert_to_tensor") and parent.args == [call] and not parent.keywords:
            edit = expression(parent, text, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    return Fix(Safety.VERIFY, message, (edit,), "what is done with the result works on a tensor too, and the last bit may round otherwise", imports)
