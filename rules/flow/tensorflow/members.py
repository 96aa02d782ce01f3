"""Attributes and methods of TensorFlow's tensors and variables."""

from __future__ import annotations

import ast
from typing import Any

from ..binding import Arguments
from ..events import Attribute
from ..frame import Frame
from ..values import (
    NONE,
    SIZE,
    STATIC_ANY,
    STATIC_BOOL,
    STATIC_STR,
    UNKNOWN,
    Array,
    Const,
    Method,
    Scalar,
    Sequence,
    Value,
    Why,
)
from .functions import broadcast, converted
from .values import STATIC_AXIS, Axis, TFTensor, UnknownAxis, dtype_class, dtype_named, static_shape, tf_tensor_in

_ASSIGNS = {"assign", "assign_add", "assign_sub", "scatter_nd_update", "scatter_nd_add", "scatter_update", "batch_scatter_update"}
_READ = {"device", "graph", "op", "name", "consumers", "value_index", "experimental_ref"}


def tensor_attribute(base: TFTensor, name: str, node: ast.AST, frame: Frame) -> Value:
    """An attribute of a tensor."""
    if name == "shape":
        return static_shape(base)
    if name == "dtype":
        return Scalar("tensorflow.dtype:" + base.dtype) if base.dtype else Scalar("tensorflow.dtype")
    if name in ("ndim",):
        return Const(len(base.shape)) if base.shape is not None else Scalar("int")
    if name in _READ and base.kind != "variable":
        if isinstance(node, (ast.expr, ast.stmt)):
            frame.engine.emit(Attribute(node, frame, f"tf.Tensor.{name}", base))
        return STATIC_STR if name in ("device", "name") else UNKNOWN
    if name in ("name", "device", "trainable", "initializer", "handle", "is_initialized"):
        return STATIC_STR if name in ("name", "device") else STATIC_ANY if name == "trainable" else UNKNOWN
    if name in ("values", "flat_values", "indices", "dense_shape", "row_splits") and base.kind in ("ragged", "sparse"):
        return TFTensor(base.dtype if name.endswith("values") else "int64", None, base.why)
    if name in ("T", "real", "imag"):
        return base.replace(shape=None)
    return Method(base, name)


def call_method(receiver: TFTensor, name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of a method of a tensor or variable."""
    if name in ("get_shape",):
        return static_shape(receiver)
    if name in ("numpy", "__array__"):
        return Array(dtype_class(receiver.dtype), receiver.shape == (), False)
    if name in _ASSIGNS:
        return receiver.replace(nominal=False)
    if name in ("read_value", "value", "identity"):
        return receiver.replace(kind="tensor", nominal=False)
    if name == "set_shape":
        return NONE
    if name == "ref":
        return _reference(receiver)
    if name in ("item", "tolist"):
        return UNKNOWN
    if name in ("to_tensor", "to_list"):
        return TFTensor(receiver.dtype, None, receiver.why)
    if name in ("astype",):
        return receiver.replace(dtype=dtype_named(arguments.args[0] if arguments.args else None))
    if name in ("eval", "consumers", "bounding_shape", "nested_row_lengths"):
        return UNKNOWN
    if name in ("reshape", "transpose", "sum", "mean", "ravel"):
        return TFTensor(receiver.dtype, None, receiver.why)
    return UNKNOWN


def _reference(receiver: TFTensor) -> Value:
    from .values import made

    return made("tensorflow.Reference", **{"#tensor": receiver})


def shape_method(receiver: Sequence, name: str) -> Value | None:
    """A method or attribute of a ``TensorShape``; None for one that it has not."""
    if name in ("as_list",):
        return Sequence("list", list(receiver.elements) if receiver.elements is not None else None, receiver.element)
    if name in ("rank", "ndims"):
        return Const(len(receiver.elements)) if receiver.elements is not None else Scalar("int")
    if name == "dims":
        return Sequence("list", list(receiver.elements) if receiver.elements is not None else None, receiver.element)
    if name == "num_elements":
        return SIZE if receiver.elements is None or not any(isinstance(e, Const) and e.value is None for e in receiver.elements) else NONE
    if name in ("is_fully_defined", "is_compatible_with"):
        return STATIC_BOOL
    if name in ("concatenate", "with_rank", "with_rank_at_least", "merge_with", "assert_has_rank"):
        return Sequence("size", list(receiver.elements) if receiver.elements is not None and name != "concatenate" else None, SIZE)
    return None


def binary(name: str, left: Value, right: Value, why: Why) -> Value:
    """The result of an operator of which at least one operand is a tensor of TensorFlow."""
    a, b = tf_tensor_in(left), tf_tensor_in(right)
    tensor = a or b
    assert tensor is not None
    if a is not None and b is not None:
        dtype = a.dtype if a.dtype and not (a.python and not b.python) else b.dtype or a.dtype
        shape = broadcast(a.shape, b.shape)
        python = a.python and b.python
        unsized = a.unsized or b.unsized
        likely = a.likely and b.likely
    else:
        other = right if a is not None else left
        made = converted(other, why) if not isinstance(other, Array) else None
        dtype, python, unsized, likely = tensor.dtype, tensor.python, tensor.unsized, tensor.likely
        if not dtype and isinstance(other, (Const, Scalar)) and tensor.dtype == "":
            dtype = ""
        if isinstance(other, (Const, Scalar)) and tensor.python and made is not None and dtype_class(made.dtype) == "float" and dtype_class(tensor.dtype) == "int":
            dtype = ""  # raises, which a rule says
        shape = broadcast(tensor.shape, made.shape) if made is not None else None
    if name == "Div" and dtype_class(dtype) == "int":
        dtype = "float64"
    if name == "MatMult":
        shape = _product(a.shape if a is not None else None, b.shape if b is not None else None)
    origin = tensor.why or why
    return TFTensor(dtype, shape, origin, likely, python=python, unsized=unsized)


def _product(a: tuple[Axis, ...] | None, b: tuple[Axis, ...] | None) -> tuple[Axis, ...] | None:
    return (*a[:-1], b[-1]) if a is not None and b is not None and len(a) >= 2 and len(b) >= 2 else None


def compared(left: Value, right: Value, why: Why) -> Value:
    """The result of a comparison with a tensor of TensorFlow."""
    result = binary("Add", left, right, why)
    assert isinstance(result, TFTensor)
    return TFTensor("bool", result.shape, result.why, result.likely, unsized=result.unsized)


def element(tensor: TFTensor) -> TFTensor:
    """What iterating over a tensor gives."""
    return TFTensor(tensor.dtype, tensor.shape[1:] if tensor.shape else None, tensor.why, tensor.likely, unsized=tensor.unsized)


def indexed(base: TFTensor, index: Value) -> TFTensor:
    """What indexing a tensor gives."""
    parts = index.elements if isinstance(index, Sequence) and index.kind == "tuple" and index.elements is not None else [index]
    kind = "variable slice" if base.kind == "variable" else "tensor"
    unknown = TFTensor(base.dtype, None, base.why, base.likely, kind=kind, unsized=base.unsized)
    if base.shape is None:
        whole = len(parts) == 1 and isinstance(parts[0], Sequence) and parts[0].kind == "slice"
        return base.replace(nominal=False, kind=kind) if whole else unknown
    rest = list(base.shape)
    result: list[Axis] = []
    for position, part in enumerate(parts):
        if isinstance(part, Const) and part.value is None and not isinstance(part, UnknownAxis):
            result.append(1)
        elif isinstance(part, Const) and part.value is Ellipsis:
            after = sum(not (isinstance(p, Const) and p.value is None) for p in parts[position + 1 :])
            keep = len(rest) - after
            if keep < 0:
                return unknown
            result.extend(rest[:keep])
            rest = rest[keep:]
        elif not rest:
            return unknown
        elif isinstance(part, Sequence) and part.kind == "slice":
            result.append(_sliced(rest.pop(0), part))
        elif isinstance(part, (Const, Scalar)) or (isinstance(part, TFTensor) and part.shape in ((), None)):
            rest.pop(0)
        else:
            return unknown
    return TFTensor(base.dtype, (*result, *rest), base.why, base.likely, kind=kind, unsized=base.unsized)


def _sliced(axis: Axis, part: Sequence) -> Axis:
    bounds = part.elements or []
    if all(isinstance(b, Const) and b.value is None for b in bounds):
        return axis
    if any(tf_tensor_in(b) is not None for b in bounds):
        return None
    if isinstance(axis, int) and all(isinstance(b, Const) and (b.value is None or isinstance(b.value, int)) for b in bounds):
        values: list[Any] = [b.value for b in bounds if isinstance(b, Const)]
        return len(range(axis)[slice(*values)])
    return None if axis is None else STATIC_AXIS
