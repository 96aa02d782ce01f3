"""The truth of a tensor as an operation of the graph."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Branch, Operate
from ...flow.tensorflow.values import TFTensor, dtype_class
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, tensorflow_name


def truth_fix(event: Branch | Operate, context: FixContext) -> Fix | Declined:
    """``if n:`` becomes ``if tf.not_equal(n, 0):``, ``t in xs`` a reduction, ``max(a, b)`` an operation."""
    try:
        tf, imports = tensorflow_name(context)
        if isinstance(event, Operate):
            return _membership(event, tf, imports, context)
        node = event.at
        if not isinstance(node, ast.expr) or not isinstance(event.test, TFTensor):
            raise Unproven("it is not proven that this is a tensor whenever the line runs")
        if event.kind in ("max", "min") and isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
            name = "maximum" if event.kind == "max" else "minimum"
            if not all(isinstance(context.value(a), TFTensor) for a in node.args):
                raise Unproven("one of the two is not proven to be a tensor")
            text = f"{tf}.{name}({source(node.args[0], context)}, {source(node.args[1], context)})"
            return Fix(Safety.VERIFY, f"use {tf}.{name}", (expression(node, text, context),), "neither is NaN, and both are scalars", imports)
        if event.kind == "bool" and isinstance(node, ast.Call) and len(node.args) == 1 and event.test.dtype == "bool":
            return Fix(Safety.VERIFY, "keep the boolean tensor", (expression(node, source(node.args[0], context), context),), "nothing needs a Python bool")
        if event.kind == "filter":
            return _filter(event, tf, imports, context)
        if dtype_class(event.test.dtype) in ("int", "float") and event.kind in ("if", "while", "ternary", "and", "or", "not"):
            if event.kind in ("and", "or") and not _only_asked(node, context):
                raise Unproven(f"the number itself may be the result of `{event.kind}`")
            text = f"{tf}.not_equal({source(node, context)}, 0)"
            return Fix(Safety.SAFE, "say what is asked of the number", (expression(node, text, context),), "", imports)
    except Unproven as unproven:
        return Declined(str(unproven))
    return Declined("no rewrite is known to be equal")


def _only_asked(node: ast.expr, context: FixContext) -> bool:
    """Whether all that is made of the operand of ``and`` or ``or`` is the answer to a test."""
    inner: ast.AST = node
    outer = context.parent(node)
    while isinstance(outer, ast.BoolOp):
        inner, outer = outer, context.parent(outer)
    negated = isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.Not)
    return negated or (isinstance(outer, (ast.If, ast.While, ast.IfExp, ast.Assert)) and outer.test is inner)


def _membership(event: Operate, tf: str, imports: tuple[object, ...], context: FixContext) -> Fix:
    node = event.at
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        raise Unproven("the comparison is chained")
    text = f"{tf}.reduce_any({tf}.equal({source(node.left, context)}, {source(node.comparators[0], context)}))"
    if isinstance(node.ops[0], ast.NotIn):
        text = f"{tf}.logical_not({text})"
    condition = "the elements are numbers or tensors of one dtype and shape, and there is at least one"
    return Fix(Safety.VERIFY, "compare with all elements at once", (expression(node, text, context),), condition, imports)  # type: ignore[arg-type]


def _filter(event: Branch, tf: str, imports: tuple[object, ...], context: FixContext) -> Fix:
    """``[v for v in tf.unstack(x) if v > c]`` becomes a masked tensor, taken apart again."""
    for node in ast.walk(context.function):
        if not isinstance(node, ast.ListComp) or len(node.generators) != 1 or event.at not in node.generators[0].ifs:
            continue
        one = node.generators[0]
        if not (isinstance(one.target, ast.Name) and isinstance(node.elt, ast.Name) and node.elt.id == one.target.id and len(one.ifs) == 1):
            break
        if not (isinstance(one.iter, ast.Call) and isinstance(one.iter.func, ast.Attribute) and one.iter.func.attr == "unstack" and len(one.iter.args) == 1):
            break
        parent = context.parent(node)
        used = [n for n in ast.walk(context.function) if isinstance(n, ast.Name) and isinstance(parent, ast.Assign) and [ast.unparse(t) for t in parent.targets] == [n.id] and isinstance(n.ctx, ast.Load)]
        call = context.parent(used[0]) if len(used) == 1 else None
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "add_n"):
            break
        whole = source(one.iter.args[0], context)
        tested = [n for n in ast.walk(one.ifs[0]) if isinstance(n, ast.Name) and n.id == one.target.id]
        if len(tested) != 1 or not isinstance(one.iter.args[0], ast.Name):
            break
        test = source(one.ifs[0], context).replace(one.target.id, whole, 1)
        edits = (
            expression(node, f"{tf}.boolean_mask({whole}, {test})", context),
            expression(call.func, f"{tf}.reduce_sum", context),
        )
        return Fix(Safety.VERIFY, "mask the tensor and sum what is left", edits, "the elements are scalars, and at least one is kept", imports)  # type: ignore[arg-type]
    raise Unproven("what the filtered list is used for is not known to have a masked form")
