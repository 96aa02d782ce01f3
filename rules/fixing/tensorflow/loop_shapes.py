"""A loop of the graph is told which axes change."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.tensorflow.values import TFTensor
from ..context import FixContext
from ..unproven import Unproven
from .writing import lines_of, statements, tensorflow_name


def shape_invariants_fix(loop: ast.For | ast.While, before: dict[str, TFTensor], after: dict[str, TFTensor], context: FixContext) -> Fix | Declined:
    """``tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])`` at the loop's start.

    Args:
        loop: the loop.
        before: each tensor whose axes change, as it enters the loop.
        after: the same, after a round.
        context: the function around it.
    """
    try:
        pairs = [f"({name}, {{tf}}.TensorShape([{_axes(name, before[name], after[name])}]))" for name in sorted(before)]
        tf, imports = tensorflow_name(context)
        if isinstance(context.function, ast.Lambda) or not any(loop is n for n in ast.walk(context.function)):
            raise Unproven("the loop is not in this function")
        first = loop.body[0]
        declared = f"{tf}.autograph.experimental.set_loop_options(shape_invariants=[{', '.join(pairs).replace('{tf}', tf)}])"
        edit = statements(first, first, [declared, *lines_of(first, context)], context)
    except Unproven as unproven:
        return Declined(str(unproven))
    condition = "nothing behind the loop needs the axis while it is traced"
    return Fix(Safety.VERIFY, "tell the loop which axes change", (edit,), condition, imports)


def _axes(name: str, before: TFTensor, after: TFTensor) -> str:
    if before.shape is None or (after.shape is not None and len(after.shape) != len(before.shape)):
        raise Unproven(f"the rank of `{name}` is not known to stay")
    if after.shape is None and len(before.shape) != 1:
        raise Unproven(f"which axis of `{name}` changes is not known")
    later = after.shape if after.shape is not None else (None,)
    return ", ".join(str(a) if isinstance(a, int) and a == b else "None" for a, b in zip(before.shape, later))
