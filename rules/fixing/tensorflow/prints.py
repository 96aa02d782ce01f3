"""``print`` of constants as an operation of the graph."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Import, Safety
from ...flow.events import Call
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, tensorflow_name


def print_fix(event: Call, context: FixContext) -> Fix | Declined:
    """``print("text")`` becomes ``tf.print("text", output_stream=sys.stdout)``, which prints each time the graph runs."""
    call = event.at
    if event.callee != "print" or not isinstance(call, ast.Call):
        return Declined("host code like this belongs outside the captured function: return what it needs")
    if call.keywords or not all(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in call.args):
        return Declined("the text of a tensor, or of another value, differs from what `tf.print` writes")
    try:
        tf, imports = tensorflow_name(context)
    except Unproven as unproven:
        return Declined(str(unproven))
    if "sys" in context.module_names and context.module_names["sys"] != "sys":
        return Declined("`sys` means something else in this file")
    wanted = imports if context.module_names.get("sys") == "sys" else (*imports, Import("sys"))
    inside = ", ".join(source(a, context) for a in call.args)
    text = f"{tf}.print({inside + ', ' if inside else ''}output_stream=sys.stdout)"
    condition = "standard output is not replaced in Python, and XLA does not compile the function"
    return Fix(Safety.VERIFY, f"print with {tf}.print", (expression(call, text, context),), condition, wanted)
