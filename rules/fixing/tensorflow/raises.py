"""A ``raise`` under a tensor test as a check of the graph."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Event, Raise
from ...flow.tensorflow.values import TFTensor
from ..context import FixContext
from ..unproven import Unproven
from .writing import source, statements, tensorflow_name


def raise_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``if test: raise ValueError("text")`` becomes ``tf.debugging.Assert(tf.logical_not(test), ["text"])``."""
    node = event.at
    branch = context.parent(node)
    if not isinstance(event, Raise) or not isinstance(node, ast.Raise) or not isinstance(branch, ast.If) or branch.body != [node] or branch.orelse:
        return Declined("only an `if` that does nothing but raise has a known form")
    test = context.value(branch.test)
    if not isinstance(test, TFTensor) or test.dtype != "bool":
        return Declined("the test is not proven to be a boolean tensor")
    outer = context.parent(branch)
    if isinstance(outer, ast.If) and branch in outer.orelse:
        return Declined("the check stands in an `elif`")
    exception = node.exc
    if not (isinstance(exception, ast.Call) and len(exception.args) == 1 and isinstance(exception.args[0], ast.Constant) and isinstance(exception.args[0].value, str)):
        return Declined("the message is not a plain string")
    try:
        tf, imports = tensorflow_name(context)
    except Unproven as unproven:
        return Declined(str(unproven))
    text = f"{tf}.debugging.Assert({tf}.logical_not({source(branch.test, context)}), [{source(exception.args[0], context)}])"
    condition = f"nobody catches {source(exception.func, context)}: the graph raises InvalidArgumentError"
    return Fix(Safety.VERIFY, f"check with {tf}.debugging.Assert", (statements(branch, branch, [text], context),), condition, imports)
