"""What AutoGraph would do, written out where AutoGraph does not come."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Unconverted
from ...flow.tensorflow.values import TFTensor
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, statements, tensorflow_name

_CONDITION = "the test has one element"


def unconverted_fix(event: Unconverted, context: FixContext) -> Fix | Declined:
    """``if t: v = a`` becomes ``v = tf.cond(t, lambda: a, lambda: v)``, ``float(t)`` a cast."""
    node: ast.AST | None = event.node
    try:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float" and len(node.args) == 1:
            return _float(node, context)
        if isinstance(node, ast.IfExp) or isinstance(context.parent(event.node), ast.IfExp):
            return _expression(node if isinstance(node, ast.IfExp) else context.parent(event.node), context)  # type: ignore[arg-type]
        while node is not None and not isinstance(node, ast.If):
            node = context.parent(node)
        if isinstance(node, ast.If):
            return _cond(node, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    return Declined("no form without AutoGraph is known to be equal")


def _float(call: ast.Call, context: FixContext) -> Fix:
    value, outer = context.value(call.args[0]), context.parent(call)
    other = context.value(outer.right if outer.left is call else outer.left) if isinstance(outer, ast.BinOp) else None
    if not isinstance(value, TFTensor) or not isinstance(other, TFTensor):
        raise Unproven("the number does not meet a tensor at once, whose dtype it would take")
    if other.dtype not in ("float16", "bfloat16", "float32", "float64"):
        raise Unproven("the dtype of the tensor that the number meets is not known")
    tf, imports = tensorflow_name(context)
    edit = expression(call, f"{tf}.cast({source(call.args[0], context)}, {tf}.{other.dtype})", context)
    return Fix(Safety.VERIFY, "cast the tensor", (edit,), "the tensor has one element; gradients may flow through what was a constant", imports)


def _cond(branch: ast.If, context: FixContext) -> Fix:
    test = context.value(branch.test)
    if not isinstance(test, TFTensor) or test.dtype != "bool":
        raise Unproven("the test is not proven to be a boolean tensor")
    if len(branch.body) != 1 or len(branch.orelse) > 1:
        raise Unproven("a side is more than one statement")
    one = branch.body[0]
    other = branch.orelse[0] if branch.orelse else None
    last: ast.stmt = branch
    if isinstance(one, ast.Return):
        if other is None:
            other = last = _next(branch, context)
        head, first, second = "return", one.value, other.value if isinstance(other, ast.Return) else None
        kept = ""
    else:
        head, first = _assigned(one)
        if other is None:
            second, kept = None, _kept(head, first, context)
        else:
            target, second = _assigned(other)
            kept = ""
            if target != head:
                raise Unproven("the sides set different names")
        head += " ="
    if first is None or (second is None and not kept):
        raise Unproven("a side gives no value")
    if second is not None:
        _alike(context.value(first), context.value(second))
    tf, imports = tensorflow_name(context)
    text = f"{head} {tf}.cond({source(branch.test, context)}, lambda: {source(first, context)}, lambda: {source(second, context) if second is not None else kept})"
    return Fix(Safety.VERIFY, f"choose with {tf}.cond", (statements(branch, last, [text], context),), _CONDITION, imports)


def _expression(choice: ast.IfExp, context: FixContext) -> Fix:
    test = context.value(choice.test)
    if not isinstance(test, TFTensor) or test.dtype != "bool":
        raise Unproven("the test is not proven to be a boolean tensor")
    _alike(context.value(choice.body), context.value(choice.orelse))
    tf, imports = tensorflow_name(context)
    text = f"{tf}.cond({source(choice.test, context)}, lambda: {source(choice.body, context)}, lambda: {source(choice.orelse, context)})"
    return Fix(Safety.VERIFY, f"choose with {tf}.cond", (expression(choice, text, context),), _CONDITION, imports)


def _next(branch: ast.If, context: FixContext) -> ast.stmt:
    block = getattr(context.parent(branch), "body", [])
    if branch in block and block.index(branch) + 1 < len(block):
        found: ast.stmt = block[block.index(branch) + 1]
        return found
    raise Unproven("what is returned otherwise does not follow the branch")


def _assigned(statement: ast.stmt) -> tuple[str, ast.expr]:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id, statement.value
    raise Unproven("a side does more than to set one name")


def _kept(name: str, value: ast.expr, context: FixContext) -> str:
    """The name itself, where its value before the branch is known: the new value is made from it."""
    for node in ast.walk(value):
        if isinstance(node, ast.Name) and node.id == name:
            _alike(context.value(node), context.value(value))
            return name
    raise Unproven(f"`{name}` is not known to be a tensor of the same dtype before the branch")


def _alike(first: object, second: object) -> None:
    if not (isinstance(first, TFTensor) and isinstance(second, TFTensor)) or not first.dtype or first.dtype != second.dtype:
        raise Unproven("the sides are not proven to be tensors of one dtype")
