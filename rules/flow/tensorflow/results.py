"""Results of functions by what the generated tables say of them."""

from __future__ import annotations

from ...frameworks.tensorflow.tables import FunctionEntry
from ..binding import Arguments
from ..values import NONE, STATIC_ANY, UNKNOWN, Sequence, Value, Why
from .values import TFTensor, dataset, dtype_named

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
    if dtype == "first":
        dtype = tensor.dtype if tensor is not None else ""
    elif dtype.startswith("argument:"):
        _, wanted, default = dtype.split(":")
        given = arguments.get(entry.parameters.index(wanted), wanted)
        dtype = default if given is None else dtype_named(given)
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
