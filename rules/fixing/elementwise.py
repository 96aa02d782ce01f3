"""Expressions that may be computed whether or not they are wanted: total, pure, elementwise, with harmless gradients."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass

from ..flow.values import Const, Tensor
from .context import FixContext
from .unproven import Unproven

_FLOATING = {"sin", "cos", "tanh", "sigmoid"}
_KEEPING = {"relu", "neg"}
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


@dataclass(frozen=True)
class Elementwise:
    """What is known of such an expression.

    Attributes:
        tensors: the tensors that it reads, as they are written; together they make its shape.
        number: the kind of Python numbers that take part in its dtype: "", "int" or "float".
        curved: whether its gradient depends on the tensors' values.
        dtypes: the dtypes of its tensors, "" for one that is not known.
        counting: whether it raises for bools.
    """

    tensors: frozenset[str]
    number: str
    curved: bool
    dtypes: frozenset[str]
    counting: bool = False


def elementwise(node: ast.expr, context: FixContext) -> Elementwise:
    """Examine an expression.

    Raises:
        Unproven: it may raise, has effects, or may spoil a gradient.
    """
    number = number_of(node, context)
    if number is not None:
        return Elementwise(frozenset(), type(number).__name__, False, frozenset())
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _tensor(node, context)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = elementwise(node.operand, context)
        return _joined(inner, inner, curved=False, number="int", counting=True)
    if isinstance(node, ast.BinOp):
        return _operation(node, context)
    if isinstance(node, ast.Call):
        return _call(node, context)
    raise Unproven(f"`{ast.unparse(node)}` is not proven to be free of errors and side effects when it is not wanted")


def number_of(node: ast.expr, context: FixContext) -> int | float | None:
    """The finite number that an expression is, if it is one that is known."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if isinstance(node, ast.UnaryOp) and negative else node
    value: object = None
    if isinstance(inner, ast.Constant):
        value = inner.value
    elif isinstance(inner, ast.Name):
        known = context.value(inner)
        value = known.value if isinstance(known, Const) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or abs(value) >= 2**31:
        return None
    return -value if negative else value


def _tensor(node: ast.Name | ast.Attribute, context: FixContext) -> Elementwise:
    value = context.value(node)
    text = ast.unparse(node)
    if not isinstance(value, Tensor) or value.layout != "strided":
        raise Unproven(f"`{text}` is not known to be a tensor")
    if isinstance(node, ast.Attribute) and not (isinstance(node.value, ast.Name) and node.value.id == "self"):
        raise Unproven(f"`{text}` is read only on one side")
    return Elementwise(frozenset({text}), "", False, frozenset({value.dtype}))


def _operation(node: ast.BinOp, context: FixContext) -> Elementwise:
    sign = _SIGNS.get(type(node.op))
    if sign is None:
        raise Unproven(f"`{ast.unparse(node)}` may raise, or spoil a gradient, when it is not wanted")
    left, right = elementwise(node.left, context), elementwise(node.right, context)
    if sign == "/":
        divisor = number_of(node.right, context)
        if not divisor:
            raise Unproven(f"the gradient of `{ast.unparse(node)}` may be NaN where it is not wanted")
        return _joined(left, right, curved=False, number="float")
    if sign == "*" and left.tensors and right.tensors and not left.dtypes | right.dtypes <= {"int", "bool"}:
        raise Unproven(f"the gradient of `{ast.unparse(node)}` may be NaN where it is not wanted, when one factor is not finite")
    if len(left.dtypes | right.dtypes) > 1 or (left.tensors and right.tensors and left.tensors != right.tensors):
        raise Unproven(f"the shape and dtype of `{ast.unparse(node)}` are not proven")
    return _joined(left, right, curved=False, counting=sign == "-")


def _call(node: ast.Call, context: FixContext) -> Elementwise:
    if isinstance(node.func, ast.Attribute) and not node.keywords:
        name, owner = node.func.attr, node.func.value
        if name in _FLOATING | _KEEPING:
            of_torch = isinstance(owner, ast.Name) and context.module_names.get(owner.id) == "torch"
            if of_torch and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
                inner = elementwise(node.args[0], context)
            elif not of_torch and not node.args:
                inner = elementwise(owner, context)
            else:
                raise Unproven(f"`{ast.unparse(node)}` is not a form that is known")
            if not inner.tensors:
                raise Unproven(f"`{ast.unparse(node)}` is not known to be given a tensor")
            return _joined(inner, inner, curved=True, number="float" if name in _FLOATING else "int", counting=name in _KEEPING)
    raise Unproven(f"the call `{ast.unparse(node)}` is not proven to be free of errors and side effects when it is not wanted")


def _joined(left: Elementwise, right: Elementwise, curved: bool, number: str = "", counting: bool = False) -> Elementwise:
    order = ("", "int", "float")
    kind = max(left.number, right.number, number, key=order.index)
    return Elementwise(
        left.tensors | right.tensors,
        kind,
        curved or left.curved or right.curved,
        left.dtypes | right.dtypes,
        counting or left.counting or right.counting,
    )


def alike(sides: list[Elementwise]) -> list[str]:
    """The conditions under which all expressions have one shape, one dtype and harmless gradients.

    Raises:
        Unproven: they do not, or nobody knows.
    """
    tensors = sides[0].tensors
    if any(side.tensors != tensors for side in sides) or not tensors:
        raise Unproven("the sides are not proven to have the same shape: they are not computed from the same tensors")
    dtypes = frozenset[str]().union(*(side.dtypes for side in sides))
    if len(dtypes) != 1:
        raise Unproven("the sides are not proven to have the same dtype")
    dtype = next(iter(dtypes))
    numbers = {side.number for side in sides}
    conditions = []
    named = " and ".join(f"`{name}`" for name in sorted(tensors))
    if len(numbers) > 1 and "float" in numbers and dtype not in ("float", "complex"):
        raise Unproven(f"the sides have the same dtype only when {named} is floating point, which is not proven")
    if len(numbers) > 1 or any(side.counting for side in sides):
        if dtype == "bool":
            raise Unproven("the sides differ in dtype, or raise, for bools")
        if not dtype:
            conditions.append(f"{named} holds numbers, not bools")
    if any(side.curved for side in sides):
        conditions.append(f"{named} is finite where gradients are taken")
    return conditions
