"""Random numbers drawn by the graph, from the same distribution and in the same dtype."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Call
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, tensorflow_name


def draw_fix(event: Call, context: FixContext) -> Fix | Declined:
    """``np.random.uniform(a, b)`` becomes ``tf.random.uniform([], a, b)``."""
    call = event.at
    if not isinstance(call, ast.Call):
        return Declined("no rewrite is known")
    if event.callee.endswith(("set_seed", ".seed", "set_random_seed")):
        return Declined("set the seed before the captured function is called")
    try:
        tf, imports = tensorflow_name(context)
        whole, dtype = _conversion(call, context)
        text = _draw(event.callee, call, tf, dtype, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    condition = "the numbers are drawn anew at each call, from another stream of the same distribution; the value is used as a tensor"
    return Fix(Safety.VERIFY, f"draw with {tf}.random", (expression(whole, text, context),), condition, imports)


def _conversion(call: ast.Call, context: FixContext) -> tuple[ast.expr, str]:
    """The draw with ``float(...)`` or ``.astype("float32")`` around it, and the dtype that comes out."""
    parent = context.parent(call)
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "float" and parent.args == [call]:
        return parent, "float32"
    if isinstance(parent, ast.Attribute) and parent.attr == "astype":
        cast = context.parent(parent)
        if isinstance(cast, ast.Call) and len(cast.args) == 1 and isinstance(cast.args[0], ast.Constant) and cast.args[0].value in ("float32", "float64"):
            return cast, str(cast.args[0].value)
        raise Unproven("the dtype that it is converted to is not known")
    return call, "float32"


def _draw(callee: str, call: ast.Call, tf: str, dtype: str, context: FixContext) -> str:
    keywords = {k.arg: k.value for k in call.keywords}
    given = [source(a, context) for a in call.args]
    shape = source(keywords["size"], context) if "size" in keywords else "[]"
    name = callee.rpartition(".")[2]
    kept = "" if dtype == "float32" else f", dtype={tf}.{dtype}"
    if callee in ("numpy.random.uniform", "random.uniform"):
        low, high = (given + ["0.0", "1.0"][len(given) :])[:2]
        if len(given) > 2:
            raise Unproven("the shape is given by position")
        return f"{tf}.random.uniform({shape}, {low}, {high}{kept})"
    if callee in ("numpy.random.normal", "random.gauss", "random.normalvariate"):
        mean, deviation = (given + ["0.0", "1.0"][len(given) :])[:2]
        if len(given) > 2:
            raise Unproven("the shape is given by position")
        return f"{tf}.random.normal({shape}, {mean}, {deviation}{kept})"
    if callee in ("random.random", "numpy.random.random", "numpy.random.rand") and not given:
        return f"{tf}.random.uniform({shape}{kept})"
    if callee == "random.randint" and len(given) == 2:
        return f"{tf}.random.uniform([], {given[0]}, {given[1]} + 1, dtype={tf}.int32)"
    if callee == "numpy.random.randint" and len(given) == 2 and set(keywords) <= {"size"}:
        return f"{tf}.random.uniform({shape}, {given[0]}, {given[1]}, dtype={tf}.int32)"
    raise Unproven(f"no operation with the distribution of `{name}` and these arguments is known")
