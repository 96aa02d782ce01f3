"""Python's builtins on tensors: AutoGraph replaces some where it converts, and the rest ask a tensor for what a graph cannot give."""

from __future__ import annotations

import ast

from ..binding import Arguments
from ..events import Branch, Iterate
from ..frame import Frame
from ..values import DATA, STATIC_BOOL, UNKNOWN, Const, Scalar, Sequence, Value, Why, members_of
from . import members
from .autograph import needs_conversion
from .values import TFTensor, is_object, tf_tensor_in

_ITERATES = {"enumerate", "zip", "map", "filter", "any", "all", "sum", "max", "min", "reversed", "list", "tuple", "set", "frozenset", "iter", "dict"}
_DATASETS = {"enumerate", "zip", "map", "filter", "any", "all", "iter", "len", "next"}
"""Builtins that AutoGraph, or the Dataset itself, provides for a Dataset."""


def overridden(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value | None:
    """The result of a builtin on tensors while TensorFlow traces; None where Python's own model holds."""
    if not isinstance(node, ast.expr):
        return None
    values = [a for a in arguments.args if tf_tensor_in(a) is not None]
    if not values and name in ("max", "min", "sorted", "any", "all") and arguments.args and isinstance(arguments.args[0], Sequence):
        held = arguments.args[0]
        if isinstance(held.any(), TFTensor) and (held.elements is None or len(held.elements) > 1):
            frame.engine.emit(Branch(node, frame, held.any(), name if name in ("max", "min") else "bool"))
        return None
    if not values:
        return _on_dataset(name, arguments, frame, node)
    first = tf_tensor_in(arguments.args[0])
    sure = all(isinstance(m, TFTensor) for v in values for m in members_of(v))
    why = Why(f"made by {name}()", frame.module.shown, node.lineno)
    converts = frame.capture.converted
    if name in ("int", "float") and first is not None:
        if converts:
            return TFTensor("int32" if name == "int" else "float32", (), first.why or why, first.likely, python=True)
        if first.kind != "symbolic":
            needs_conversion(node, frame, f"`{name}()` of a tensor", arguments.args[0])
        return Scalar(name, DATA)
    if name == "bool" and first is not None:
        frame.engine.emit(Branch(node, frame, arguments.args[0], "bool"))
        return Scalar("bool", DATA)
    if name == "len" and first is not None:
        return _length(first, node, frame, why)
    if name == "range" and sure:
        if converts:
            return TFTensor("int32", (None,), why, python=True)
        needs_conversion(node, frame, "`range()` of a tensor", values[0])
        return Sequence("range", None, Scalar("int"))
    if name == "sorted" and first is not None:
        if converts:
            return first.replace(nominal=False)
        frame.engine.emit(Iterate(node, frame, arguments.args[0], "sorted"))
        return Sequence("list", None, members.element(first))
    if name in ("abs", "pow", "round") and first is not None:
        return first.replace(nominal=False)
    if name in ("max", "min") and len(arguments.args) > 1:
        frame.engine.emit(Branch(node, frame, values[0], name))
        return first or tf_tensor_in(values[0]) or UNKNOWN
    if name in _ITERATES:
        position = 1 if name in ("map", "filter") else 0
        if name == "iter" and first is not None:
            frame.engine.emit(Iterate(node, frame, values[0], name))
        elif any(tf_tensor_in(a) is not None for a in arguments.args[position:]):
            frame.engine.emit(Iterate(node, frame, values[0], name))
    return STATIC_BOOL if name in ("any", "all") else None


def _length(tensor: TFTensor, node: ast.expr, frame: Frame, why: Why) -> Value:
    if tensor.shape and isinstance(tensor.shape[0], int):
        return Const(tensor.shape[0])
    if tensor.shape and tensor.shape[0] is None:
        if frame.capture.converted:
            return TFTensor("int32", (), why, python=True)
        needs_conversion(node, frame, "`len()` of a tensor whose first axis is unknown", tensor)
    return Scalar("int", "shape")


def _on_dataset(name: str, arguments: Arguments, frame: Frame, node: ast.expr) -> Value | None:
    if not arguments.args or not any(is_object(a, "Dataset", "DatasetV2") for a in arguments.args):
        return None
    if name == "len":
        return TFTensor("int64", (), Why("the length of a Dataset", frame.module.shown, node.lineno), python=True)
    if name in _ITERATES - _DATASETS or name == "sorted" or (name in _DATASETS - {"iter", "next"} and not frame.capture.converted):
        frame.engine.emit(Iterate(node, frame, arguments.args[0], name))
    return None
