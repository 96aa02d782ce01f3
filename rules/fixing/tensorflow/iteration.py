"""Python's own iteration over a tensor becomes ``tf.unstack`` or an operation of the graph."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Iterate
from ...flow.tensorflow.values import TFTensor, tf_tensor_in
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, lines_of, operand, source, statements, tensorflow_name

_REDUCTIONS = {"any": "reduce_any", "all": "reduce_all", "sum": "reduce_sum", "max": "reduce_max", "min": "reduce_min"}
_STATIC = "the first axis is known while tracing, as it is unless a signature leaves it open"


def iteration_fix(event: Iterate, context: FixContext) -> Fix | Declined:
    """The rewrite for one way of iterating, or what is not proven."""
    tensor = tf_tensor_in(event.iterable)
    if not isinstance(event.iterable, TFTensor) or tensor is None or not isinstance(event.at, ast.expr):
        return Declined("it is not proven that this is a tensor whenever the line runs")
    try:
        if event.by == "unpack":
            return _unpack(event.at, tensor, context)
        if event.by == "comprehension":
            return _unstacked(event.at, tensor, context)
        if event.by in ("enumerate", "zip"):
            return _indexed_loop(event.at, event.by, context)
        if event.by == "reversed" and isinstance(event.at, ast.Call):
            return _call(event.at, "reverse", ", [0]", context)
        if event.by in _REDUCTIONS and isinstance(event.at, ast.Call) and len(event.at.args) == 1:
            if event.by in ("sum", "max", "min") and tensor.rank != 1:
                return Declined("the tensor is not proven to have one axis")
            if event.by in ("any", "all") and tensor.dtype != "bool":
                return Declined("the tensor is not proven to be of dtype bool")
            return _call(event.at, _REDUCTIONS[event.by], "", context)
        if event.by in ("list", "tuple", "map") and isinstance(event.at, ast.Call) and event.at.args:
            return _unstacked(event.at.args[-1], tensor, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    return Declined(f"no rewrite of `{event.by}` over a tensor is known to be equal")


def _call(call: ast.Call, name: str, rest: str, context: FixContext) -> Fix:
    tf, imports = tensorflow_name(context)
    text = f"{tf}.{name}({source(call.args[0], context)}{rest})"
    return Fix(Safety.VERIFY, f"use {tf}.{name}", (expression(call, text, context),), "the tensor is not empty, of which the builtin thinks otherwise", imports)


def _unstacked(node: ast.expr, tensor: TFTensor, context: FixContext) -> Fix:
    tf, imports = tensorflow_name(context)
    edit = expression(node, f"{tf}.unstack({source(node, context)})", context)
    safe = bool(tensor.shape) and isinstance(tensor.shape[0], int)  # type: ignore[index]
    return Fix(Safety.SAFE if safe else Safety.VERIFY, f"iterate over {tf}.unstack", (edit,), "" if safe else _STATIC, imports)


def _unpack(node: ast.expr, tensor: TFTensor, context: FixContext) -> Fix:
    parent = context.parent(node)
    targets = parent.targets if isinstance(parent, ast.Assign) else []
    loop = parent if isinstance(parent, ast.For) and parent.iter is node else None
    tf, imports = tensorflow_name(context)
    if loop is not None and isinstance(loop.target, (ast.Tuple, ast.List)) and all(isinstance(e, ast.Name) for e in loop.target.elts):
        row = _fresh("row", context)
        names = source(loop.target, context)
        first = loop.body[0]
        edits = (
            expression(loop.target, row, context),
            statements(first, first, [f"{names} = {tf}.unstack({row}, num={len(loop.target.elts)})", *lines_of(first, context)], context),
        )
        return Fix(Safety.VERIFY, f"unpack each row with {tf}.unstack", edits, f"each row has {len(loop.target.elts)} elements", imports)
    if len(targets) != 1 or not isinstance(targets[0], (ast.Tuple, ast.List)) or any(isinstance(e, ast.Starred) for e in targets[0].elts):
        raise Unproven("the number of names is not known")
    count = len(targets[0].elts)
    known = tensor.shape[0] if tensor.shape else None
    number = "" if known == count else f", num={count}"
    edit = expression(node, f"{tf}.unstack({source(node, context)}{number})", context)
    if known == count:
        return Fix(Safety.SAFE, f"unpack with {tf}.unstack", (edit,), "", imports)
    return Fix(Safety.VERIFY, f"unpack with {tf}.unstack", (edit,), f"the first axis has {count} elements", imports)


def _indexed_loop(call: ast.expr, by: str, context: FixContext) -> Fix:
    """``for k, v in enumerate(x)`` and ``for a, b in zip(x, y)`` become loops over positions."""
    loop = context.parent(call)
    if not isinstance(call, ast.Call) or not isinstance(loop, ast.For) or loop.iter is not call or call.keywords:
        raise Unproven("the iteration is not the head of a `for`")
    if not isinstance(loop.target, ast.Tuple) or not all(isinstance(e, ast.Name) for e in loop.target.elts):
        raise Unproven("the loop's targets are not plain names")
    names = [e.id for e in loop.target.elts if isinstance(e, ast.Name)]
    tensors = call.args
    if any(not isinstance(context.value(t), TFTensor) or not isinstance(t, ast.Name) for t in tensors):
        raise Unproven("what is iterated over is not proven to be a tensor held by a name")
    if any(isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id in {t.id for t in tensors if isinstance(t, ast.Name)} for s in loop.body for n in ast.walk(s)):
        raise Unproven("the loop changes what it iterates over")
    tf, imports = tensorflow_name(context)
    lengths = [f"{tf}.shape({operand(t, context)})[0]" for t in tensors]
    if by == "enumerate":
        if len(names) != 2 or len(tensors) != 1:
            raise Unproven("`enumerate` is given a start or other targets")
        index, binds = names[0], [f"{names[1]} = {source(tensors[0], context)}[{names[0]}]"]
    else:
        if len(names) != len(tensors):
            raise Unproven("there are not as many names as tensors")
        index = _fresh("k", context)
        binds = [f"{name} = {source(t, context)}[{index}]" for name, t in zip(names, tensors)]
    length = lengths[0]
    for other in lengths[1:]:
        length = f"{tf}.minimum({length}, {other})"
    first = loop.body[0]
    edits = (
        expression(loop.target, index, context),
        expression(call, f"{tf}.range({length})", context),
        statements(first, first, [*binds, *lines_of(first, context)], context),
    )
    condition = "a position is used as a tensor of int32 where it was a Python int" if by == "enumerate" else "no name is read after the loop that an empty tensor would leave unset"
    return Fix(Safety.VERIFY, f"loop over positions with {tf}.range", edits, condition, imports)


def _fresh(name: str, context: FixContext) -> str:
    taken = {n.id for n in ast.walk(context.function) if isinstance(n, ast.Name)} | {a.arg for a in ast.walk(context.function) if isinstance(a, ast.arg)}
    while name in taken:
        name += "_"
    return name


