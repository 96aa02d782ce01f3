"""Take any value apart into named leaves that can be saved, and compared without the user's classes; tensors become numpy arrays."""

from __future__ import annotations

import dataclasses
import queue
import sys
from collections import deque
from collections.abc import Mapping
from typing import Any

from ..structure import Leaf
from .api import is_keras, is_variable, np, tf

PLAIN = (bool, int, float, complex, str, bytes, type(None))
_DEEPEST = 12
_WRAPPERS = {"ListWrapper": "list", "_DictWrapper": "dict", "_TupleWrapper": "tuple"}
"""What a module wraps around the containers that are its attributes."""


_FOREIGN = (sys.stdlib_module_names | {"numpy", "tensorflow", "absl"}) - {"types", "argparse"}
"""Modules whose objects, such as loggers, are no state of the user's."""


def leaves_of(value: Any, name: str) -> dict[str, Leaf]:
    """The leaves of ``value`` by their path; a container is a leaf of its own that holds its kind and length."""
    found: dict[str, Leaf] = {}
    _collect(value, name, found, 0)
    return found


def is_foreign(value: Any) -> bool:
    """Whether an object belongs to a library, so that its attributes are not looked at."""
    return type(value).__module__.partition(".")[0] in _FOREIGN


def _collect(value: Any, name: str, found: dict[str, Leaf], depth: int) -> None:
    if isinstance(value, PLAIN):
        found[name] = {"kind": "value", "type": type(value).__name__, "value": value}
    elif isinstance(value, np.ndarray | np.generic):
        found[name] = _array(np.asarray(value))
    elif is_variable(value) or isinstance(value, tf.Tensor):
        found[name] = _tensor(value)
    elif depth > _DEEPEST:
        found[name] = _object(value)
    elif isinstance(value, tf.RaggedTensor | tf.SparseTensor | tf.IndexedSlices):
        parts = [part for part in tf.nest.flatten(value, expand_composites=True) if part is not None]
        _items(list(parts), type(value).__name__, name, found, depth)
    elif isinstance(value, tf.TensorArray):
        _collect(_stacked(value), name, found, depth + 1)
    elif isinstance(value, Mapping):
        found[name] = _container(value, [repr(key) for key in value])
        for key, item in value.items():
            _collect(item, f"{name}[{key!r}]", found, depth + 1)
    elif isinstance(value, list | tuple | deque):
        _items(list(value), _type_name(value), name, found, depth)
    elif isinstance(value, queue.Queue):
        _items(list(value.queue), type(value).__name__, name, found, depth)
    elif isinstance(value, set | frozenset):
        found[name] = _container(value, sorted(map(repr, value)))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        attributes = {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
        found[name] = _container(value, list(attributes))
        for key, item in attributes.items():
            _collect(item, f"{name}.{key}", found, depth + 1)
    elif isinstance(value, tf.data.Dataset | tf.Module) or is_keras(value) or callable(value) or is_foreign(value) or not hasattr(value, "__dict__"):
        found[name] = _object(value)
    else:
        found[name] = _container(value, list(vars(value)))
        for key, item in vars(value).items():
            _collect(item, f"{name}.{key}", found, depth + 1)


def _items(items: list[Any], type_name: str, name: str, found: dict[str, Leaf], depth: int) -> None:
    found[name] = {"kind": "container", "type": type_name, "keys": [str(len(items))]}
    for index, item in enumerate(items):
        _collect(item, f"{name}[{index}]", found, depth + 1)


def _type_name(value: Any) -> str:
    name = type(value).__qualname__
    return _WRAPPERS.get(name, name)


def _container(value: Any, keys: list[str]) -> Leaf:
    return {"kind": "container", "type": _type_name(value), "keys": keys}


def _object(value: Any) -> Leaf:
    # A dtype or a shape says what it is; `<function f at 0x7f...>` names an address, which no other process shares.
    shown = repr(value) if isinstance(value, tf.DType | tf.TensorShape | slice | range) else ""
    return {"kind": "object", "type": type(value).__qualname__, "repr": shown}


def _stacked(value: Any) -> Any:
    try:
        return value.stack()
    except Exception:
        return repr(type(value))


def _tensor(value: Any) -> Leaf:
    inner = value.value if is_keras(value) else value
    try:
        return _array(np.asarray((inner() if callable(inner) else inner).numpy()), value.dtype)
    except Exception:
        # A tensor of a graph, or one without data such as a handle.
        dtype = getattr(value.dtype, "name", str(value.dtype))
        kind = "symbolic tensor, which leaked out of its graph" if isinstance(value, tf.Tensor) and dtype != "variant" else "handle"
        return {"kind": "object", "type": kind, "repr": ""}


def _array(array: Any, dtype: Any = None) -> Leaf:
    shape = list(array.shape)
    if array.dtype.kind in "OSU":
        array = np.asarray([item.encode() if isinstance(item, str) else item for item in array.ravel().tolist()], dtype=object)
        dtype = "string"
    name = getattr(dtype, "name", dtype) or str(array.dtype)
    return {"kind": "tensor", "type": "Tensor", "array": array.reshape(shape).copy(), "dtype": str(name), "shape": shape}
