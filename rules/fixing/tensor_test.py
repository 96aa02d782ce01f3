"""Tests of branches as 0-d bool tensors."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..flow.values import Const, Scalar, Tensor
from .context import FixContext
from .elementwise import number_of
from .naming import source
from .unproven import Unproven

_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_TOTAL = {"sum", "mean", "any", "all", "isnan", "isinf", "isfinite", "abs"}


def as_tensor(test: ast.expr, context: FixContext, torch: str) -> str:
    """The source of a 0-d bool tensor with the truth of ``test``.

    Raises:
        Unproven: it is not proven to have exactly one element.
    """
    if isinstance(test, ast.BoolOp):
        name = "logical_and" if isinstance(test.op, ast.And) else "logical_or"
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


def optional(tests: Sequence[ast.expr], context: FixContext) -> list[str]:
    """The conditions under which all tests of a chain may be computed, although Python stops at the first that decides.

    Raises:
        Unproven: a part that Python might leave out is not proven to be free of errors and side effects.
    """
    certain, later = _split(tests[0])
    computed = {ast.dump(node) for part in certain for node in ast.walk(part)}
    conditions: list[str] = []
    for part in (*later, *tests[1:]):
        _total(part, context, computed, conditions)
    return conditions


def _split(test: ast.expr) -> tuple[list[ast.expr], list[ast.expr]]:
    """The parts of a test that Python always computes, and those that it may leave out."""
    if isinstance(test, ast.BoolOp):
        certain, later = _split(test.values[0])
        return certain, [*later, *test.values[1:]]
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _split(test.operand)
    partly = any(isinstance(node, (ast.BoolOp, ast.IfExp, ast.Lambda, ast.comprehension)) for node in ast.walk(test))
    return ([] if partly else [test]), []


def _total(node: ast.expr, context: FixContext, computed: set[str], conditions: list[str]) -> None:
    """Make sure that a part of a test cannot raise, up to ``conditions``, which grows; what is ``computed`` anyway may be anything."""
    if isinstance(node, (ast.Name, ast.Constant)) or ast.dump(node) in computed:
        return
    inner: list[ast.expr]
    if isinstance(node, ast.Call):
        operand = _reduced(node, context)
        if operand is None:
            raise Unproven(f"`{ast.unparse(node)}` may raise when it is not wanted")
        inner = [operand]
        known = context.value(operand)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "mean" and (not isinstance(known, Tensor) or known.dtype not in ("float", "complex")):
            if isinstance(known, Tensor) and known.dtype:
                raise Unproven(f"`{ast.unparse(node)}` may raise when it is not wanted")
            conditions.append(f"`{ast.unparse(operand)}` is floating point")
    elif isinstance(node, ast.BoolOp):
        inner = node.values
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        inner = [node.operand]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        inner = [node.left, node.right]
        _fitting(node, inner, context)
    elif isinstance(node, ast.Compare) and all(type(operator) in _SIGNS for operator in node.ops):
        inner = [node.left, *node.comparators]
        _fitting(node, inner, context)
    elif isinstance(node, ast.Attribute) and isinstance(context.value(node), (Tensor, Const, Scalar)):
        inner = [node.value]
    else:
        raise Unproven(f"`{ast.unparse(node)}` may raise when it is not wanted")
    for part in inner:
        _total(part, context, computed, conditions)


def _fitting(node: ast.expr, operands: Sequence[ast.expr], context: FixContext) -> None:
    """Make sure that the shapes of the operands go together: all but one of them have a single element."""
    large = set()
    for operand in operands:
        value = context.value(operand)
        if number_of(operand, context) is None and not isinstance(value, (Const, Scalar)) and not (isinstance(value, Tensor) and value.rank == 0):
            large.add(ast.dump(operand))
    if len(large) > 1:
        raise Unproven(f"the shapes in `{ast.unparse(node)}` are not proven to go together when it is not wanted")


def _reduced(call: ast.Call, context: FixContext) -> ast.expr | None:
    """The tensor of a call that is known not to raise for a tensor."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _TOTAL or call.keywords:
        return None
    owner = call.func.value
    if isinstance(owner, ast.Name) and context.module_names.get(owner.id) == "torch":
        operand = call.args[0] if len(call.args) == 1 else None
    else:
        operand = None if call.args else owner
    return operand if operand is not None and isinstance(context.value(operand), Tensor) else None
