"""``assert`` on a tensor as a check of the graph."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Branch
from ...flow.tensorflow.values import TFTensor
from ..context import FixContext
from ..unproven import Unproven
from .writing import source, statements, tensorflow_name


def assertion_fix(event: Branch, context: FixContext) -> Fix | Declined:
    """``assert test, message`` becomes ``tf.debugging.Assert(test, [message])``."""
    statement = event.statement
    if not isinstance(statement, ast.Assert) or not isinstance(event.test, TFTensor) or event.test.dtype != "bool":
        return Declined("the test is not proven to be a boolean tensor")
    try:
        tf, imports = tensorflow_name(context)
    except Unproven as unproven:
        return Declined(str(unproven))
    message = source(statement.msg, context) if statement.msg is not None else repr(source(statement.test, context))
    if statement.msg is not None and not (isinstance(statement.msg, ast.Constant) and isinstance(statement.msg.value, str)):
        return Declined("the message is not a plain string")
    edit = statements(statement, statement, [f"{tf}.debugging.Assert({source(statement.test, context)}, [{message}])"], context)
    condition = "nobody catches AssertionError: the graph raises InvalidArgumentError, also where Python runs with -O"
    return Fix(Safety.VERIFY, f"check with {tf}.debugging.Assert", (edit,), condition, imports)
