"""``torch.arange(...).tolist()`` of Python ints is a ``range``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..finding import Declined, Fix, ReplaceExpression, Safety
from ..flow.events import Call
from ..flow.values import SHAPE, Const, Scalar, Value
from .context import FixContext
from .naming import is_free

if TYPE_CHECKING:
    import libcst as cst


def arange_fix(event: Call, context: FixContext) -> Fix | Declined:
    """Count with ``range``, or say what is not proven."""
    call = event.at
    inner = call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
    if not isinstance(inner, ast.Call) or not isinstance(inner.func, ast.Attribute) or inner.func.attr != "arange" or not isinstance(call, ast.Call):
        return Declined("the numbers are the data of a tensor")
    owner = inner.func.value
    if not isinstance(owner, ast.Name) or context.module_names.get(owner.id) != "torch":
        return Declined("this is not torch.arange")
    if any(k.arg != "device" or not isinstance(k.value, (ast.Name, ast.Attribute, ast.Constant)) for k in inner.keywords) or not inner.args:
        return Declined("arange is given more than its bounds")
    if not all(_is_int(context.value(arg), arg) for arg in inner.args):
        return Declined("the bounds are not proven to be Python ints")
    if not is_free("range", context) or not is_free("list", context):
        return Declined("`range` or `list` means something else in this file")
    safe = len(inner.args) == 1 and _not_negative(context.value(inner.args[0]), inner.args[0])

    def build(old: cst.BaseExpression) -> cst.BaseExpression:
        import libcst as cst

        tolist = cst.ensure_type(cst.ensure_type(old, cst.Call).func, cst.Attribute)
        arange = cst.ensure_type(tolist.value, cst.Call)
        bounds = [arg for arg in arange.args if arg.keyword is None]
        bounds[-1] = bounds[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        numbers = cst.Call(cst.Name("range"), bounds)
        return cst.Call(cst.Name("list"), [cst.Arg(numbers)])

    return Fix(
        Safety.SAFE if safe else Safety.VERIFY,
        "count with range",
        (ReplaceExpression(context.span(call), build),),
        "" if safe else "the end is not on the wrong side of the start, where arange raises and range is empty",
    )


def _is_int(value: Value, node: ast.expr) -> bool:
    known = node.value if isinstance(node, ast.Constant) else value.value if isinstance(value, Const) else None
    return type(known) is int or (isinstance(value, Scalar) and value.type == "int" and value.origin != "data")


def _not_negative(value: Value, node: ast.expr) -> bool:
    known = node.value if isinstance(node, ast.Constant) else value.value if isinstance(value, Const) else None
    if isinstance(known, int):
        return known >= 0
    size = isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    return size and isinstance(value, Scalar) and value.origin == SHAPE
