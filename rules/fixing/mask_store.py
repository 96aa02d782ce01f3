"""Positions of a mask that are only stored to: the mask itself does that."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..finding import Declined, Fix, ReplaceExpression, Safety
from ..flow.events import Event
from ..flow.values import Tensor
from .context import FixContext

if TYPE_CHECKING:
    import libcst as cst


def mask_store_fix(event: Event, context: FixContext) -> Fix | Declined:
    """Store through the mask, or say what is not proven."""
    call = event.at
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords or not isinstance(call.func, ast.Attribute):
        return Declined("the shape of the result depends on the data")
    owner = call.func.value
    if call.func.attr != "where" or not isinstance(owner, ast.Name) or context.module_names.get(owner.id) != "torch":
        return Declined("the shape of the result depends on the data")
    mask, index = call.args[0], context.parent(call)
    value = context.value(mask)
    if not isinstance(value, Tensor) or value.dtype != "bool":
        return Declined(f"`{ast.unparse(mask)}` is not proven to be a bool tensor")
    if not isinstance(index, ast.Subscript) or value.rank != 1 or not isinstance(index.slice, ast.Constant) or index.slice.value != 0:
        return Declined(f"`{ast.unparse(mask)}` is not proven to have one axis")
    store = context.parent(index)
    if not isinstance(store, ast.Subscript) or store.slice is not index or not isinstance(store.ctx, ast.Store):
        return Declined("the positions are not only stored to")
    assign = context.parent(store)
    if not isinstance(assign, ast.Assign) or not isinstance(assign.value, ast.Constant) or not isinstance(assign.value.value, (int, float)):
        return Declined("what is stored is not one constant")

    def build(old: cst.BaseExpression) -> cst.BaseExpression:
        import libcst as cst

        where = cst.ensure_type(cst.ensure_type(old, cst.Subscript).value, cst.Call)
        return where.args[0].value

    condition = f"`{ast.unparse(mask)}` is as long as the axis that it is stored along"
    return Fix(Safety.VERIFY, "store through the mask", (ReplaceExpression(context.span(index), build),), condition)
