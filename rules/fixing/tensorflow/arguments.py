"""A Python number that changes from call to call is passed as a tensor."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import CalledWith, Entered, Event
from ...flow.tensorflow.inputs import PROVIDERS
from ...flow.values import Const, Scalar, Sequence, Value
from ...index.walk import walk
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, tensorflow_name


def argument_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``step(x, epoch)`` becomes ``step(x, tf.constant(epoch))``, where the call or the provider of inputs is in the file."""
    try:
        if isinstance(event, CalledWith) and isinstance(event.at, ast.expr):
            return _constant(event.at, context)
        if isinstance(event, Entered):
            return _provided(event, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    return Declined("no rewrite is known")


def _constant(node: ast.expr, context: FixContext) -> Fix:
    tf, imports = tensorflow_name(context)
    edit = expression(node, f"{tf}.constant({source(node, context)})", context)
    condition = "the function does nothing with the number that needs a Python number, and an int meets only tensors of dtype int32"
    return Fix(Safety.VERIFY, f"pass it as {tf}.constant", (edit,), condition, imports)


def _provided(event: Entered, context: FixContext) -> Fix:
    names = list(event.parameters)
    module = event.frame.module.tree
    for function in module.body:
        if not (isinstance(function, ast.FunctionDef) and function.name in PROVIDERS):
            continue
        returns = [n for n in walk(function) if isinstance(n, ast.Return)]
        if len(returns) != 1 or not isinstance(returns[0].value, ast.Tuple) or len(returns[0].value.elts) > len(names):
            break
        for name, node in zip(names, returns[0].value.elts):
            value = event.arguments.get(name)
            if isinstance(node, ast.List) and node.elts and _floats(value) and not _needs_number(name, context):
                return _constant(node, context)
            if isinstance(value, Scalar) and value.type in ("int", "float", "str") and value.default is None:
                if _needs_number(name, context):
                    raise Unproven(f"`{name}` is used where a Python number is needed")
                return _constant(node, context)
    raise Unproven("pass it as a tensor where the function is called")


def _needs_number(name: str, context: FixContext) -> bool:
    """Whether a parameter goes anywhere but into arithmetic or functions of TensorFlow."""
    for node in ast.walk(context.function):
        if not (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)):
            continue
        parent = context.parent(node)
        if isinstance(parent, (ast.List, ast.Tuple)):
            parent = context.parent(parent)
        if isinstance(parent, (ast.BinOp, ast.Return)):
            continue
        root: ast.expr | None = parent.func if isinstance(parent, ast.Call) else None
        while isinstance(root, ast.Attribute):
            root = root.value
        if not (isinstance(root, ast.Name) and context.module_names.get(root.id) == "tensorflow"):
            return True
    return False


def _floats(value: Value | None) -> bool:
    """Whether a list holds floats of Python and nothing else."""
    if not isinstance(value, Sequence) or not value.elements:
        return False
    return all((isinstance(e, Scalar) and e.type == "float") or (isinstance(e, Const) and isinstance(e.value, float)) for e in value.elements)
