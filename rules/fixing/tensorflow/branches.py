"""Names that only one side of a tensor branch sets begin before it."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Event, Staged
from ...flow.tensorflow.values import TFTensor
from ...flow.values import Const
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, tensorflow_name


def branch_fix(event: Event, context: FixContext) -> Fix | Declined:
    """An int against a float becomes a float on both sides; a constant is cast to the other side's dtype."""
    if not isinstance(event, Staged) or event.kind != "if":
        return Declined("what the sides should agree on is not known")
    try:
        return _dtypes(event, context)
    except Unproven as unproven:
        return Declined(str(unproven))


def _dtypes(event: Staged, context: FixContext) -> Fix:
    branch = next((n for n in ast.walk(context.function) if isinstance(n, ast.If) and n.test is event.at), None)
    first, second = event.sides
    if branch is None or first is None or second is None:
        raise Unproven("the branch is not found")
    for name in first:
        left, right = first.get(name), second.get(name)
        values = [n.value for n in ast.walk(context.function) if isinstance(n, ast.Assign) and [ast.unparse(t) for t in n.targets] == [name]]
        if left is None or right is None or left is right or len(values) != 2:
            continue
        if isinstance(left, Const) and isinstance(right, Const) and {type(left.value), type(right.value)} == {int, float}:
            number = next(v for v in values if isinstance(v, ast.Constant) and type(v.value) is int)
            if any(isinstance(n, ast.Name) and n.id == name and not isinstance(context.parent(n), (ast.BinOp, ast.Assign)) for n in ast.walk(context.function)):
                raise Unproven(f"`{name}` is used as more than a factor")
            edit = expression(number, f"{source(number, context)}.0", context)
            return Fix(Safety.VERIFY, f"make `{name}` a float on both sides", (edit,), "it only meets tensors of a floating-point dtype")
        if isinstance(left, TFTensor) and isinstance(right, TFTensor) and {left.dtype, right.dtype} == {"int32", "float32"}:
            tf, imports = tensorflow_name(context)
            whole = next((v for v in values if isinstance(context.value(v), TFTensor) and context.value(v).dtype == "int32"), None)  # type: ignore[attr-defined]
            if whole is None:
                raise Unproven("the side of dtype int32 is not found")
            edit = expression(whole, f"{tf}.cast({source(whole, context)}, {tf}.float32)", context)
            return Fix(Safety.VERIFY, f"give `{name}` one dtype", (edit,), "a number of dtype float32 may stand for the integer", imports)
    raise Unproven("what a name should hold on the side that does not set it is not known")


