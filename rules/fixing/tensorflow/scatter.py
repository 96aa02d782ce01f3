"""Item assignment as a new tensor."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Index
from ...flow.tensorflow.values import TFTensor
from ...flow.values import Const
from ..context import FixContext
from ..unproven import Unproven
from .writing import source, statements, tensorflow_name


def scatter_fix(event: Index, context: FixContext) -> Fix | Declined:
    """``y[i] = v`` becomes ``y = tf.tensor_scatter_nd_update(y, [[i]], [v])``, ``y[mask] = v`` a ``tf.where``."""
    target = event.at
    statement = next((n for n in ast.walk(context.function) if isinstance(n, ast.Assign) and n.targets == [target]), None)
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name) or statement is None or not isinstance(event.base, TFTensor):
        return Declined("only a plain assignment to an item of a name has a known form")
    try:
        tf, imports = tensorflow_name(context)
        name, index, value = target.value.id, source(target.slice, context), source(statement.value, context)
        if isinstance(event.index, TFTensor) and event.index.dtype == "bool":
            text = f"{name} = {tf}.where({index}, {value}, {name})"
        elif isinstance(event.index, Const) and type(event.index.value) is int and event.index.value >= 0:
            text = f"{name} = {tf}.tensor_scatter_nd_update({name}, [[{index}]], [{value}])"
        elif isinstance(event.index, TFTensor) and event.index.shape == () and event.index.dtype in ("int32", "int64"):
            text = f"{name} = {tf}.tensor_scatter_nd_update({name}, [[{index}]], [{value}])"
        else:
            raise Unproven("the index is neither a mask nor one position from the start")
    except Unproven as unproven:
        return Declined(str(unproven))
    edit = statements(statement, statement, [text], context)
    return Fix(Safety.VERIFY, "make a new tensor", (edit,), "it is the code's intent: assigning to an item raises in eager code too", imports)
