"""A list that a loop of the graph fills becomes a ``TensorArray``."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Change
from ...flow.tensorflow.values import STATIC_AXIS, TFTensor
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, lines_of, source, statements, tensorflow_name

_DTYPES = ("float32", "float64", "float16", "int32", "int64", "bool", "bfloat16", "string")


def array_fix(event: Change, context: FixContext) -> Fix | Declined:
    """``outs = []; for v in x: outs.append(f(v)); tf.stack(outs)`` with an array, written by position."""
    try:
        return _fix(event, context)
    except Unproven as unproven:
        return Declined(str(unproven))


def _fix(event: Change, context: FixContext) -> Fix:
    append = event.at
    if event.what != "append" or not isinstance(append, ast.Call) or not isinstance(event.target, ast.Name) or len(append.args) != 1:
        raise Unproven("only a list that grows by `append` has a known form")
    name = event.target.id
    made = [n for n in ast.walk(context.function) if isinstance(n, ast.Assign) and [ast.unparse(t) for t in n.targets] == [name]]
    if len(made) != 1 or not (isinstance(made[0].value, ast.List) and not made[0].value.elts):
        raise Unproven(f"`{name}` does not begin as an empty list")
    loops = [n for n in ast.walk(context.function) if isinstance(n, ast.For) and any(append is c for s in n.body for c in ast.walk(s))]
    statement = context.parent(append)
    if len(loops) != 1 or not isinstance(statement, ast.Expr) or statement not in loops[0].body:
        raise Unproven("the list does not grow once in each round of one loop")
    loop = loops[0]
    if loop.orelse or any(isinstance(n, (ast.Continue, ast.Break, ast.Return)) for s in loop.body for n in ast.walk(s)):
        raise Unproven("the loop may leave a round early")
    uses = [n for n in ast.walk(context.function) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
    reads = [u for u in uses if u is not event.target]
    if len(reads) != 1:
        raise Unproven(f"`{name}` is read in several places")
    call = context.parent(reads[0])
    value = context.value(append.args[0])
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.args and call.args[0] is reads[0]):
        raise Unproven(f"`{name}` is not stacked or concatenated at once")
    root = call.func.value
    if not (isinstance(root, ast.Name) and context.module_names.get(root.id) == "tensorflow"):
        raise Unproven(f"`{name}` is not stacked or concatenated at once")
    if not isinstance(value, TFTensor) or value.dtype not in _DTYPES:
        raise Unproven("the dtype of what is appended is not known")
    tf, imports = tensorflow_name(context)
    joined = call.func.attr
    zero = all(isinstance(k.value, ast.Constant) and k.value.value == 0 for k in call.keywords) and all(isinstance(a, ast.Constant) and a.value == 0 for a in call.args[1:])
    if joined not in ("stack", "concat") or not zero:
        raise Unproven("the elements are not joined along the first axis")
    if joined == "concat" and value.rank is not None and value.rank < 1:
        raise Unproven("scalars cannot be concatenated")
    return _write(loop, made[0], statement, append, call, value, name, joined, tf, imports, context)


def _write(
    loop: ast.For, made: ast.Assign, statement: ast.Expr, append: ast.Call, call: ast.Call, value: TFTensor, name: str, joined: str, tf: str,
    imports: tuple[object, ...], context: FixContext,
) -> Fix:  # fmt: skip
    index = "position"
    while any(isinstance(n, (ast.Name, ast.arg)) and getattr(n, "id", getattr(n, "arg", "")) == index for n in ast.walk(context.function)):
        index += "_"
    iterable = context.value(loop.iter)
    shape = ""
    if joined == "stack" and value.shape is not None and all(isinstance(a, int) for a in value.shape):
        shape = f", element_shape={list(value.shape)}"
    elif joined == "concat":
        shape = ", infer_shape=False" if value.shape is None or any(a in (None, STATIC_AXIS) for a in value.shape) else f", element_shape={list(value.shape)}"
    counted = isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Attribute) and loop.iter.func.attr == "range" and len(loop.iter.args) == 1
    written = f"{name} = {name}.write({{}}, {source(append.args[0], context)})"
    if counted and isinstance(loop.iter, ast.Call) and isinstance(loop.target, ast.Name) and loop.target.id != "_":
        size = source(loop.iter.args[0], context)
        _known_at_creation(loop.iter.args[0], made, loop, context)
        edits = (
            expression(made.value, f"{tf}.TensorArray({tf}.{value.dtype}, size={size}{shape})", context),
            statements(statement, statement, [written.format(loop.target.id)], context),
            expression(call, f"{name}.{joined}()", context),
        )
    elif isinstance(iterable, TFTensor) and isinstance(loop.iter, ast.Name) and isinstance(loop.target, ast.Name):
        size = f"{tf}.shape({loop.iter.id})[0]"
        _known_at_creation(loop.iter, made, loop, context)
        first = loop.body[0]
        if any(isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id == loop.iter.id for s in loop.body for n in ast.walk(s)):
            raise Unproven("the loop changes what it iterates over")
        binding = f"{loop.target.id} = {loop.iter.id}[{index}]"
        head = [binding, written.format(index)] if first is statement else [binding, *lines_of(first, context)]
        edits = (
            expression(made.value, f"{tf}.TensorArray({tf}.{value.dtype}, size={size}{shape})", context),
            expression(loop.target, index, context),
            expression(loop.iter, f"{tf}.range({size})", context),
            statements(first, first, head, context),
            *(() if first is statement else (statements(statement, statement, [written.format(index)], context),)),
            expression(call, f"{name}.{joined}()", context),
        )
    else:
        raise Unproven("the number of rounds is not known before the loop")
    condition = "there is at least one round, and all elements have one shape"
    return Fix(Safety.VERIFY, f"collect in a {tf}.TensorArray", edits, condition, imports)  # type: ignore[arg-type]


def _known_at_creation(size: ast.expr, made: ast.Assign, loop: ast.For, context: FixContext) -> None:
    """The array is made where the list began: what its size is computed from must have its last value there."""
    names = {n.id for n in ast.walk(size) if isinstance(n, ast.Name)}
    stores = [n for n in ast.walk(context.function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id in names]
    if any(made.lineno < n.lineno < loop.lineno for n in stores):
        raise Unproven("the number of rounds is not known yet where the list begins")
