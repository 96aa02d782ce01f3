"""Tests of branches as 0-d bool tensors."""

from __future__ import annotations

import ast

from ..flow.values import Tensor
from .context import FixContext
from .elementwise import number_of
from .naming import source
from .unproven import Unproven

_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_TOTAL = {"sum", "mean", "any", "all", "isnan", "isinf", "isfinite", "abs"}


def as_tensor(test: ast.expr, context: FixContext, torch: str) -> str:
    """The source of a 0-d bool tensor with the truth of ``test``.

    Raises:
        Unproven: it is not proven to have exactly one element, or a part that Python might leave out may raise.
    """
    if isinstance(test, ast.BoolOp):
        name = "logical_and" if isinstance(test.op, ast.And) else "logical_or"
        for later in test.values[1:]:
            total(later, context)
        text = as_tensor(test.values[0], context, torch)
        for later in test.values[1:]:
            text = f"{torch}.{name}({text}, {as_tensor(later, context, torch)})"
        return text
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return f"{torch}.logical_not({as_tensor(test.operand, context, torch)})"
    if isinstance(test, ast.Compare) and len(test.ops) > 1:
        return _chain(test, context, torch)
    value = context.value(test)
    if not isinstance(value, Tensor):
        raise Unproven(f"`{ast.unparse(test)}` is not only a tensor")
    if value.rank != 0:
        raise Unproven(f"`{ast.unparse(test)}` is not proven to have exactly one element")
    if value.dtype == "bool":
        return source(test, context)
    if not value.dtype:
        raise Unproven(f"`{ast.unparse(test)}` is not proven to be a bool tensor")
    return f"(({source(test, context)}) != 0)"


def _chain(test: ast.Compare, context: FixContext, torch: str) -> str:
    """A chain of comparisons as the conjunction of its links; only what may be read twice can stand between two of them."""
    operands = [test.left, *test.comparators]
    for operand in operands:
        value = context.value(operand)
        single = isinstance(value, Tensor) and value.rank == 0 and isinstance(operand, ast.Name)
        if not single and number_of(operand, context) is None:
            raise Unproven(f"`{ast.unparse(operand)}` is not proven to be a number or the name of a tensor with exactly one element")
    links = []
    for left, operator, right in zip(operands, test.ops, operands[1:], strict=False):
        sign = _SIGNS.get(type(operator))
        if sign is None or (number_of(left, context) is not None and number_of(right, context) is not None):
            raise Unproven(f"`{ast.unparse(test)}` has a link that is no comparison of a tensor")
        links.append(f"{source(left, context)} {sign} {source(right, context)}")
    text = links[0]
    for link in links[1:]:
        text = f"{torch}.logical_and({text}, {link})"
    return text


def total(node: ast.expr, context: FixContext) -> None:
    """Make sure that a test may be computed although Python might have left it out.

    Raises:
        Unproven: it is not proven that it cannot raise.
    """
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            name = inner.func.attr if isinstance(inner.func, ast.Attribute) else ""
            if name not in _TOTAL or inner.keywords or not _about_tensors(inner, context):
                raise Unproven(f"`{ast.unparse(inner)}` may raise when it is not wanted")
        elif isinstance(inner, (ast.Subscript, ast.Await, ast.NamedExpr, ast.IfExp, ast.Lambda, ast.Starred)):
            raise Unproven(f"`{ast.unparse(inner)}` may raise when it is not wanted")
        elif isinstance(inner, ast.BinOp) and not isinstance(inner.op, (ast.Add, ast.Sub, ast.Mult)):
            raise Unproven(f"`{ast.unparse(inner)}` may raise when it is not wanted")


def _about_tensors(call: ast.Call, context: FixContext) -> bool:
    assert isinstance(call.func, ast.Attribute)
    owner = call.func.value
    if isinstance(owner, ast.Name) and context.module_names.get(owner.id) == "torch":
        return len(call.args) == 1 and isinstance(context.value(call.args[0]), Tensor)
    return not call.args and isinstance(context.value(owner), Tensor)
