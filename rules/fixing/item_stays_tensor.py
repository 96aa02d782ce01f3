"""A number that goes straight back into arithmetic with its own tensor stays a tensor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..finding import Declined, Fix, ReplaceExpression, Safety
from ..flow.events import Call
from ..flow.values import Tensor
from .context import FixContext
from .elementwise import elementwise
from .unproven import Unproven

if TYPE_CHECKING:
    import libcst as cst

_REDUCTIONS = {"max", "min", "sum", "mean"}


def item_fix(event: Call, context: FixContext) -> Fix | Declined:
    """Detach the 0-d tensor instead of reading it, or say what is not proven."""
    call = event.at
    if event.callee != "Tensor.item" or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.args:
        return Declined("only `.item()` is known to give back the tensor's own number")
    try:
        name = _reduced(call.func.value, context)
        for use in _uses(call, context):
            _arithmetic(use, name, context)
    except Unproven as unproven:
        return Declined(str(unproven))

    def build(old: cst.BaseExpression) -> cst.BaseExpression:
        import libcst as cst

        attribute = cst.ensure_type(cst.ensure_type(old, cst.Call).func, cst.Attribute)
        return old.with_changes(func=attribute.with_changes(attr=cst.Name("detach")))

    return Fix(
        Safety.VERIFY,
        "keep the 0-d tensor, detached",
        (ReplaceExpression(context.span(call), build),),
        "equal but for the last bit, to which CUDA may round differently",
    )


def _reduced(node: ast.expr, context: FixContext) -> str:
    """The name of the tensor that ``node`` reduces to one number of the same dtype."""
    value = context.value(node)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.args or node.keywords or node.func.attr not in _REDUCTIONS:
        raise Unproven("the dtype of the number is not proven to be that of the tensor it is combined with")
    if not isinstance(value, Tensor) or value.rank != 0 or not isinstance(node.func.value, ast.Name) or value.dtype != "float":
        raise Unproven("the dtype of the number is not proven to be that of the tensor it is combined with")
    return node.func.value.id


def _uses(call: ast.Call, context: FixContext) -> list[ast.expr]:
    parent = context.parent(call)
    if not isinstance(parent, ast.Assign) or len(parent.targets) != 1 or not isinstance(parent.targets[0], ast.Name):
        return [call]
    name = parent.targets[0].id
    names = [n for n in ast.walk(context.function) if isinstance(n, ast.Name) and n.id == name]
    if sum(isinstance(n.ctx, ast.Store) for n in names) != 1:
        raise Unproven(f"`{name}` is assigned more than once")
    return [n for n in names if isinstance(n.ctx, ast.Load)]


def _arithmetic(use: ast.expr, name: str, context: FixContext) -> None:
    parent = context.parent(use)
    if not isinstance(parent, ast.BinOp) or not isinstance(parent.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
        raise Unproven("the number does not only go back into tensor arithmetic")
    other = parent.left if parent.right is use else parent.right
    if elementwise(other, context).tensors != {name}:
        raise Unproven(f"the number is combined with another tensor than `{name}`")
    stores = sum(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(context.function))
    given = any(isinstance(n, ast.arg) and n.arg == name for n in ast.walk(context.function))
    if stores + given != 1:
        raise Unproven(f"`{name}` is assigned more than once")
