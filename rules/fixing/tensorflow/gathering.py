"""A table that a tensor looks into becomes a tensor."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Index
from ...flow.tensorflow.values import TFTensor, dtype_class
from ...flow.values import Array, Const, Sequence, Value
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, tensorflow_name


def gather_fix(event: Index, context: FixContext) -> Fix | Declined:
    """``TABLE[k]`` becomes ``tf.gather(TABLE, k)`` for a table of numbers."""
    node = event.at
    if event.store or not isinstance(node, ast.Subscript) or not isinstance(event.index, TFTensor):
        return Declined("only reading one element by a tensor has a known form")
    if event.index.shape != () or dtype_class(event.index.dtype) != "int":
        return Declined("the index is not proven to be one integer")
    if not _is_table(event.base):
        return Declined("the container is not proven to hold numbers of one kind")
    try:
        tf, imports = tensorflow_name(context)
    except Unproven as unproven:
        return Declined(str(unproven))
    index: ast.expr = node.slice
    while isinstance(index, ast.Call) and isinstance(index.func, ast.Name) and index.func.id == "int" and len(index.args) == 1:
        index = index.args[0]
    text = f"{tf}.gather({source(node.value, context)}, {source(index, context)})"
    parent = context.parent(node)
    whole: ast.expr = node
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.func.attr in ("constant", "convert_to_tensor") and parent.args == [node] and not parent.keywords:
        whole = parent
    condition = "the index is never negative, and a number of the table is used as a tensor of dtype float32 or int32"
    return Fix(Safety.VERIFY, f"look it up with {tf}.gather", (expression(whole, text, context),), condition, imports)


def _is_table(base: Value) -> bool:
    if isinstance(base, Array):
        return base.constant
    if not isinstance(base, Sequence) or base.kind not in ("list", "tuple") or not base.elements:
        return False
    kinds = {type(e.value) if isinstance(e, Const) else None for e in base.elements}
    return kinds in ({int}, {float})
