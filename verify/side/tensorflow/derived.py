"""Make further inputs out of a provider's: one call hides what is frozen while tracing, one size hides what is read off a shape.

Other values are drawn from those that are there, so that they stay in range; then negated, so that branches go the other way. Python
values stay as they are. Whoever runs them drops those for which the original raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..loading import Input
from .api import np, tf

_LEAST_CALLS = 3


def derived_inputs(given: list[Input], seed: int) -> list[tuple[str, Input]]:
    """Inputs to add, each with what it is: until there are three calls, and two sizes where the arguments share their first axis."""
    if not given or not _arrays(given[0]):
        return []
    random = np.random.RandomState(seed)
    base = given[0]
    found: list[tuple[str, Input]] = []
    if len(given) < _LEAST_CALLS:
        found.append(("other values", _mapped(base, lambda array: _redrawn(array, random))))
    if len(given) < _LEAST_CALLS - 1:
        found.append(("negated values", _mapped(base, lambda array: _negated(_redrawn(array, random)))))
    shapes = {tuple(array.shape for array in _arrays(call)) for call in given}
    sizes = {array.shape[:1] for array in _arrays(base)}
    if len(shapes) == 1 and len(sizes) == 1 and len(size := sizes.pop()) == 1 and size[0]:
        found.append(("another size", _mapped(base, lambda array: _longer(_redrawn(array, random)))))
    return found


def _is_data(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biufc"
    return isinstance(value, tf.Tensor) and hasattr(value, "numpy") and (value.dtype.is_bool or value.dtype.is_integer or _is_inexact(value))


def _is_inexact(value: Any) -> bool:
    return bool(value.dtype.is_floating or value.dtype.is_complex)


def _arrays(value: Any) -> list[Any]:
    if _is_data(value):
        return [np.asarray(value)]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [array for item in items for array in _arrays(item)]


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, np.ndarray) and _is_data(value):
        return change(value).astype(value.dtype)
    if _is_data(value):
        return tf.constant(change(value.numpy()).astype(value.dtype.as_numpy_dtype))
    if isinstance(value, dict):
        return {key: _mapped(item, change) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_mapped(item, change) for item in value))
    if isinstance(value, list | tuple):
        return type(value)(_mapped(item, change) for item in value)
    return value


def _redrawn(array: Any, random: Any) -> Any:
    if not array.size:
        return array
    if array.dtype.kind == "b":
        return random.uniform(size=array.shape) < 0.5
    if array.dtype.kind in "iu":
        return random.randint(array.min(), int(array.max()) + 1, array.shape)
    wide = array.astype(complex if array.dtype.kind == "c" else float)
    mixed = random.permutation(wide.ravel()).reshape(wide.shape) * random.uniform(0.5, 1.5, wide.shape)
    return mixed if mixed.any() else random.standard_normal(wide.shape)


def _negated(array: Any) -> Any:
    return ~array if array.dtype.kind == "b" else array if array.dtype.kind in "iu" else -array


def _longer(array: Any) -> Any:
    return np.concatenate([array, array[:1]])
