"""A number that goes straight back into arithmetic with its own tensor stays a tensor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..finding import Declined, Fix, ReplaceExpression, Safety
from ..flow.events import Call
from ..flow.values import Tensor
from .context import FixContext
from .elementwise import elementwise
from .local_name import loads_of
from .naming import is_free
from .unproven import Unproven

if TYPE_CHECKING:
    import libcst as cst

_REDUCTIONS = {"max", "mean", "min", "norm", "sum"}
_KEEPING = {"abs", "clone", "cos", "detach", "exp", "neg", "relu", "sigmoid", "sin", "square", "tanh"}
"""Methods without arguments that keep the dtype of a floating-point tensor."""
_DTYPE = "the dtype of the number is not proven to be that of the tensor it is combined with"


def item_fix(event: Call, context: FixContext) -> Fix | Declined:
    """Detach the 0-d tensor instead of reading it, or say what is not proven."""
    call = event.at
    try:
        if not isinstance(call, ast.Call):
            raise Unproven("the number is more than the tensor's own")
        name = _reduced(_read(event, call, context), context)
        for use in _uses(call, context):
            _arithmetic(use, name, context)
    except Unproven as unproven:
        return Declined(str(unproven))

    def build(old: cst.BaseExpression) -> cst.BaseExpression:
        import libcst as cst

        reading = cst.ensure_type(old, cst.Call)
        tensor = reading.func.value if isinstance(reading.func, cst.Attribute) else reading.args[0].value
        return reading.with_changes(func=cst.Attribute(tensor, cst.Name("detach")), args=())

    return Fix(
        Safety.VERIFY,
        "keep the 0-d tensor, detached",
        (ReplaceExpression(context.span(call), build),),
        "equal but for the last bit, to which CUDA may round differently",
    )


def _read(event: Call, call: ast.Call, context: FixContext) -> ast.expr:
    """The tensor whose own number ``.item()`` or ``float()`` gives."""
    if event.callee == "Tensor.item" and isinstance(call.func, ast.Attribute) and not call.args:
        return call.func.value
    if event.callee == "float" and isinstance(call.func, ast.Name) and is_free("float", context) and len(call.args) == 1 and not call.keywords:
        return call.args[0]
    raise Unproven("only `.item()` and `float()` are known to give the tensor's own number")


def _reduced(node: ast.expr, context: FixContext) -> str:
    """The name of the tensor that ``node`` reduces to one number of the same dtype."""
    value = context.value(node)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.keywords or node.func.attr not in _REDUCTIONS:
        raise Unproven(_DTYPE)
    if not isinstance(value, Tensor) or value.rank != 0 or value.dtype != "float":
        raise Unproven(_DTYPE)
    source = _operand(node, context)
    while isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and source.func.attr in _KEEPING and not source.keywords:
        source = _operand(source, context)
    known = context.value(source) if source is not None else None
    if not isinstance(source, ast.Name) or not isinstance(known, Tensor) or known.dtype != "float":
        raise Unproven(_DTYPE)
    return source.id


def _operand(call: ast.Call, context: FixContext) -> ast.expr | None:
    """The tensor of ``tensor.method()`` or ``torch.function(tensor)``."""
    assert isinstance(call.func, ast.Attribute)
    owner = call.func.value
    if isinstance(owner, ast.Name) and context.module_names.get(owner.id) == "torch":
        return call.args[0] if len(call.args) == 1 else None
    return None if call.args else owner


def _uses(call: ast.Call, context: FixContext) -> list[ast.expr]:
    parent = context.parent(call)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        return loads_of(parent.targets[0].id, context)
    return [call]


def _arithmetic(use: ast.expr, name: str, context: FixContext) -> None:
    parent = context.parent(use)
    if not isinstance(parent, ast.BinOp) or not isinstance(parent.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
        raise Unproven("the number does not only go back into tensor arithmetic")
    if isinstance(parent.op, ast.Div) and parent.left is use:
        raise Unproven("a number that is divided by a tensor is rounded otherwise than a tensor is")
    other = parent.left if parent.right is use else parent.right
    if elementwise(other, context).tensors != {name}:
        raise Unproven(f"the number is combined with another tensor than `{name}`")
    stores = sum(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(context.function))
    given = any(isinstance(n, ast.arg) and n.arg == name for n in ast.walk(context.function))
    if stores + given != 1:
        raise Unproven(f"`{name}` is assigned more than once")
