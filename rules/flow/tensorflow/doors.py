"""What opens or closes a graph: ``tf.function`` and its options, and the decorators behind which AutoGraph does not go."""

from __future__ import annotations

import ast
import re

from ...index.module import Module
from ..binding import Arguments, evaluate_arguments
from ..capture import AUTOGRAPH, Capture
from ..frame import Frame
from ..values import (
    FALSE,
    NONE,
    UNKNOWN,
    BoundMethod,
    Const,
    External,
    Function,
    Instance,
    Mapping,
    Partial,
    Sequence,
    Value,
    Why,
)
from .values import TFTensor, dtype_named, is_object, shape_of

FUNCTIONS = {"tensorflow.function", "tensorflow.python.eager.def_function.function", "tensorflow.python.eager.polymorphic_function.polymorphic_function.function"}
"""What makes a graph of a function."""
MENTION = re.compile(r"\.function\b|\bfunction\(|@function\b")
"""What a text must hold that names it."""
_LEFT_ALONE = {
    "tensorflow.custom_gradient": "custom_gradient",
    "tensorflow.recompute_grad": "recompute_grad",
    "tensorflow.autograph.do_not_convert": "do_not_convert",
    "functools.cache": "cache",
    "functools.lru_cache": "cache",
}
"""Decorators that keep AutoGraph from converting the function."""
_CLOSED = {"tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.compat.v1.py_func", "tensorflow.init_scope"}


def decorated(name: str, function: Function, decorator: ast.expr, frame: Frame) -> Value:
    """The function behind a decorator of TensorFlow or functools, by the decorator's dotted name."""
    if name in FUNCTIONS:
        arguments = evaluate_arguments(decorator, frame) if isinstance(decorator, ast.Call) else Arguments()
        return traced(function, arguments)
    if name == "functools.partial" and isinstance(decorator, ast.Call):
        arguments = evaluate_arguments(decorator, frame)
        target = arguments.args[0] if arguments.args else UNKNOWN
        return traced(function, Arguments([], arguments.kwargs)) if isinstance(target, External) and target.name in FUNCTIONS else function
    reason = _LEFT_ALONE.get(name)
    if reason is not None:
        return function.behind(Capture("tensorflow", False, reason))
    return function


def traced(value: Value, arguments: Arguments) -> Value:
    """``tf.function(value, ...)``: the same callable, behind a door."""
    if isinstance(value, Function):
        return value.behind(capture_of(arguments), dict(arguments.kwargs), traced=True)
    if isinstance(value, BoundMethod):
        return BoundMethod(value.receiver, traced(value.function, arguments))
    if isinstance(value, Partial):
        return Partial(traced(value.function, arguments), value.args, value.kwargs)
    return value


def capture_of(arguments: Arguments) -> Capture:
    """The capture that the options of ``tf.function`` describe."""
    capture = AUTOGRAPH
    if arguments.kwargs.get("autograph") is FALSE or _is(arguments.kwargs.get("autograph"), False):
        capture = capture.replace(converted=False, reason="option")
    if _is(arguments.kwargs.get("jit_compile"), True) or _is(arguments.kwargs.get("experimental_compile"), True):
        capture = capture.replace(jit=True)
    features = arguments.kwargs.get("experimental_autograph_options")
    names = [f.name for f in (features.elements or [] if isinstance(features, Sequence) else [features]) if isinstance(f, External)]
    if any(name.endswith((".ASSERT_STATEMENTS", ".ALL")) for name in names):
        capture = capture.replace(asserts=True)
    if any(name.endswith((".LISTS", ".ALL")) for name in names):
        capture = capture.replace(lists=True)
    if _is(arguments.kwargs.get("reduce_retracing"), True) or _is(arguments.kwargs.get("experimental_relax_shapes"), True):
        capture = capture.replace(unsized=True)
    return capture


def _is(value: Value | None, wanted: bool) -> bool:
    return isinstance(value, Const) and value.value is wanted


def signature(options: dict[str, Value], where: str, line: int) -> list[Value] | None:
    """The parameters that an ``input_signature`` declares."""
    given = options.get("input_signature")
    if not isinstance(given, Sequence) or given.elements is None:
        return None
    return [_declared(spec, where, line) for spec in given.elements]


def _declared(spec: Value, where: str, line: int) -> Value:
    if is_object(spec, "TensorSpec") and isinstance(spec, Instance):
        given = spec.attributes
        shape = None if given.get("shape", NONE) is NONE else shape_of(given["shape"])
        return TFTensor(dtype_named(given.get("dtype")) or "float32", shape, Why("declared in the input_signature", where, line), nominal=True)
    if isinstance(spec, Sequence) and spec.elements is not None:
        return Sequence(spec.kind, [_declared(element, where, line) for element in spec.elements])
    if isinstance(spec, Mapping):
        return Mapping({key: _declared(value, where, line) for key, value in spec.entries.items()})
    return UNKNOWN


def makes_graph(node: ast.expr, module: Module) -> bool:
    """Whether an expression, called or not, is ``tf.function``."""
    from ..annotation import lookup_path

    target = node.func if isinstance(node, ast.Call) else node
    found = lookup_path(target, module)
    if isinstance(found, External) and found.name in FUNCTIONS:
        return True
    return isinstance(node, ast.Call) and isinstance(found, External) and found.name == "functools.partial" and bool(node.args) and makes_graph(node.args[0], module)
