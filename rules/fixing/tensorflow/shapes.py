"""An axis that the static shape does not know is asked of the graph."""

from __future__ import annotations

import ast

from ...finding import Declined, Edit, Fix, ReplaceExpression, Safety
from ...flow.events import Event
from ...flow.tensorflow.values import MaybeAxis, TFTensor, UnknownAxis, dtype_class
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, statements, tensorflow_name


def shape_fix(event: Event, context: FixContext) -> Fix | Declined:
    """``x.shape[0]`` becomes ``tf.shape(x)[0]`` where it is used, with a cast where a float meets it."""
    if not isinstance(event.at, (ast.expr, ast.stmt)):
        return Declined("no rewrite is known to be equal")
    try:
        tf, imports = tensorflow_name(context)
        edits: tuple[Edit, ...] = _unpacked(event.at, tf, context) or tuple(_reads(event.at, tf, context)) or _size(event.at, tf, context)
        if not edits:
            raise Unproven("the axis was read elsewhere")
        _check_tests(event.at, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    return Fix(Safety.VERIFY, f"ask {tf}.shape for the axis", edits, "the size is used as a tensor of int32 where it was a Python int", imports)


def _unknown(node: ast.expr, context: FixContext) -> bool:
    return isinstance(context.value(node), (UnknownAxis, MaybeAxis))


def _reads(at: ast.AST, tf: str, context: FixContext) -> list[ReplaceExpression]:
    """Reads of an unknown axis inside an expression."""
    found: list[ReplaceExpression] = []
    for node in ast.walk(at):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape" and _unknown(node, context):
            text = f"{tf}.shape({source(node.value.value, context)})[{source(node.slice, context)}]"
            found.append(expression(node, _cast(node, text, tf, context), context))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and _unknown(node, context):
            assigned = _assignment(node, context)
            value = assigned.value
            if not (isinstance(value, ast.Subscript) and isinstance(value.value, ast.Attribute) and value.value.attr == "shape"):
                raise Unproven(f"`{node.id}` is not read from a shape alone")
            text = f"{tf}.shape({source(value.value.value, context)})[{source(value.slice, context)}]"
            found.append(expression(value, text, context))
    return found


def _size(at: ast.AST, tf: str, context: FixContext) -> tuple[Edit, ...]:
    """``int(np.prod(x.shape))``: the number of elements."""
    for node in ast.walk(context.function):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "prod" and len(node.args) == 1 and not node.keywords):
            continue
        module, shape = node.func.value, node.args[0]
        of_numpy = isinstance(module, ast.Name) and context.module_names.get(module.id) == "numpy"
        if not of_numpy or not (isinstance(shape, ast.Attribute) and shape.attr == "shape") or not isinstance(context.value(shape.value), TFTensor):
            continue
        outer = context.parent(node)
        whole: ast.expr = outer if isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name) and outer.func.id == "int" else node
        if at is node or at is whole or at is shape:
            return (expression(whole, f"{tf}.size({source(shape.value, context)})", context),)
    return ()


def _assignment(name: ast.Name, context: FixContext) -> ast.Assign:
    made = [n for n in ast.walk(context.function) if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name.id for t in n.targets)]
    if len(made) != 1:
        raise Unproven(f"`{name.id}` is assigned more than once")
    return made[0]


def _unpacked(at: ast.AST, tf: str, context: FixContext) -> tuple[Edit, ...]:
    """``b, t = x.shape`` above: the names are read from the graph's own shape instead."""
    names = {n.id for n in ast.walk(at) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and _unknown(n, context)}
    for node in ast.walk(context.function):
        if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple)):
            continue
        targets = node.targets[0].elts
        if not (isinstance(node.value, ast.Attribute) and node.value.attr == "shape" and all(isinstance(t, ast.Name) for t in targets)):
            continue
        held = [t.id for t in targets if isinstance(t, ast.Name)]
        if not names & set(held):
            continue
        tensor = source(node.value.value, context)
        lines = [source(node, context)]
        lines += [f"{name} = {tf}.shape({tensor})[{position}]" for position, name in enumerate(held) if name in names]
        return (statements(node, node, lines, context),)
    return ()


def _cast(node: ast.expr, text: str, tf: str, context: FixContext) -> str:
    """The size in the dtype of the tensor that it is combined with."""
    parent = context.parent(node)
    if isinstance(parent, ast.BinOp):
        other = context.value(parent.left if parent.right is node else parent.right)
        if isinstance(other, TFTensor):
            if dtype_class(other.dtype) == "float" and other.dtype not in ("", "float"):
                return f"{tf}.cast({text}, {tf}.{other.dtype})"
            if other.dtype != "int32":
                raise Unproven("the dtype of the tensor that the size is combined with is not known")
    return text


def _check_tests(at: ast.AST, context: FixContext) -> None:
    """A test of the size would become one of a tensor, both sides of which are traced; where the size is known, it chose one.

    Raises:
        Unproven: if the size is part of a test around an exception.
    """
    names = {n.id for n in ast.walk(at) if isinstance(n, ast.Name) and _unknown(n, context)}
    outer = context.parent(at)
    if isinstance(outer, ast.Assign):
        names |= {t.id for t in outer.targets if isinstance(t, ast.Name)}
    inside = {id(n) for n in ast.walk(at)}
    for branch in ast.walk(context.function):
        if not isinstance(branch, (ast.If, ast.Assert, ast.While, ast.IfExp)):
            continue
        tested = any(id(n) in inside or (isinstance(n, ast.Name) and n.id in names) for n in ast.walk(branch.test))
        if tested and (not isinstance(branch, ast.If) or any(isinstance(n, ast.Raise) for s in branch.body for n in ast.walk(s))):
            raise Unproven("the size is tested, and an exception or a choice of Python hangs on it")
