"""Results of functions by what the generated tables say of them."""

from __future__ import annotations

import ast

from ...frameworks.tensorflow.tables import FunctionEntry
from ..binding import Arguments
from ..frame import Frame
from ..names import lookup
from ..values import NONE, STATIC_ANY, UNKNOWN, ModuleRef, Sequence, Value, Why
from .values import TFTensor, dataset, dtype_named, tf_tensor_in

_PLAIN: dict[str, Value] = {"None": NONE, "static": STATIC_ANY}
_KINDS = {"Ragged": "ragged", "Sparse": "sparse", "Variable": "variable"}


def by_entry(entry: FunctionEntry, tensor: TFTensor | None, arguments: Arguments, why: Why) -> Value:
    """The result of a function.

    Args:
        entry: what the tables say of it.
        tensor: its first argument that is a tensor.
        arguments: all of its arguments.
        why: the proof of what it returns.
    """
    if entry.result in _PLAIN:
        return _PLAIN[entry.result]
    if entry.result == "Dataset":
        return dataset(UNKNOWN)
    dtype = entry.dtype
    given = {n: a for n in entry.varying if n in entry.parameters and (a := arguments.get(entry.parameters.index(n), n)) is not None}
    if given.keys() - {"dtype"}:
        return UNKNOWN
    if "dtype" in given:
        dtype = dtype_named(given["dtype"])
    elif dtype == "first":
        dtype = tensor.dtype if tensor is not None else ""
    elif dtype.startswith("argument:"):
        _, wanted, default = dtype.split(":")
        named = arguments.get(entry.parameters.index(wanted), wanted)
        dtype = default if named is None else dtype_named(named)
    return _made(entry.result, TFTensor(dtype, None, why, unsized=tensor.unsized if tensor is not None else ""))


def _made(result: str, tensor: TFTensor) -> Value:
    if result == "Tensor":
        return tensor
    if result in _KINDS:
        return tensor.replace(kind=_KINDS[result])
    if result == "list":
        return Sequence("list", None, tensor)
    kind, _, parts = result.partition(":")
    if kind == "tuple" and parts == "?":
        return Sequence("tuple", None, tensor.replace(dtype=""))
    if kind in ("tuple", "namedtuple"):
        return Sequence(kind, [_made(part.rpartition("=")[2], tensor.replace(dtype="")) for part in parts.split(",")])
    return UNKNOWN


_OPERATIONS = {
    "abs", "sqrt", "exp", "log", "sin", "cos", "tanh", "sign", "square", "sum", "mean", "max", "min", "prod", "norm", "dot", "matmul", "tensordot", "einsum",
    "reshape", "transpose", "moveaxis", "concatenate", "stack", "where", "clip", "argmax", "argmin", "argsort", "sort", "cumsum", "diag", "eye", "zeros_like",
    "ones_like", "conj", "kron", "flip", "maximum", "minimum", "tensor", "all", "any", "inner", "outer", "solve", "trace", "power", "floor", "ceil", "softmax",
    "sigmoid", "relu", "cast", "expand_dims", "squeeze", "gather", "concat",
}  # fmt: skip
"""What array libraries call their operations."""


def named_like_an_operation(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """A guess at what an unresolved attribute of a project's own module gives back, that is named like an operation and given a tensor."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OPERATIONS):
        return UNKNOWN
    tensor = next((t for a in arguments.args if (t := tf_tensor_in(a)) is not None), None)
    base = node.func.value
    if tensor is None or not isinstance(base, ast.Name) or not isinstance(lookup(frame.module, base.id), ModuleRef) or base.id in frame.env:
        return UNKNOWN
    why = Why(f"`{base.id}.{node.func.attr}` is named like an operation on tensors", frame.module.shown, node.lineno)
    dtype = "bool" if node.func.attr in ("all", "any") else "int64" if node.func.attr.startswith("arg") else tensor.dtype
    return TFTensor(dtype, None, why, True, unsized=tensor.unsized)
