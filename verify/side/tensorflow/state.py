"""Variables and Python state that a call can read and change, as leaves by name."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

from ..structure import Leaf
from .api import is_function, is_keras, is_variable, tf
from .behind import Behind
from .leaves import PLAIN, is_foreign, leaves_of

_DEEPEST = 6
_MOST_ITEMS = 1000
_OWN = frozenset(vars(tf.Module()))
"""What every module keeps for itself."""


def state_of(behind: Behind) -> dict[str, Leaf]:
    """The state behind a callable: for objects, their attributes, and the variables in them."""
    found: dict[str, Leaf] = {}
    seen: set[int] = set()
    for name, value in behind.values.items():
        _collect(value, name, found, seen, 0)
    return found


def variables_of(behind: Behind) -> dict[str, Any]:
    """Every variable behind a callable, once each."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    for name, value in behind.values.items():
        _variables(value, name, found, seen, 0)
    return found


def _collect(value: Any, name: str, found: dict[str, Leaf], seen: set[int], depth: int) -> None:
    if _is_passive(value) or depth > _DEEPEST:
        return
    parts = _parts(value, name)
    if parts is None:
        found.update(leaves_of(value, name))
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, list | tuple | dict):
        # The container is a leaf as well: a list that grew is told as such.
        found[name] = leaves_of(value, name)[name]
    for part, item in parts.items():
        _collect(item, part, found, seen, depth + 1)


def _variables(value: Any, name: str, found: dict[str, Any], seen: set[int], depth: int) -> None:
    if _is_passive(value) or depth > _DEEPEST or id(value) in seen:
        return
    seen.add(id(value))
    if is_variable(value):
        found[name] = value
        return
    for part, item in (_parts(value, name) or {}).items():
        _variables(item, part, found, seen, depth + 1)


def _is_passive(value: Any) -> bool:
    return isinstance(value, ModuleType) or is_function(value) or (callable(value) and not hasattr(value, "__dict__")) or inspect.isroutine(value)


def _parts(value: Any, name: str) -> dict[str, Any] | None:
    """The parts of an object or a container by their names; None for what is a leaf."""
    if is_variable(value) or tf.is_tensor(value) or isinstance(value, tf.TensorArray | tf.data.Dataset):
        return None
    if isinstance(value, type):
        own = {key: item for key, item in vars(value).items() if not key.startswith("__") and isinstance(item, (*PLAIN, list, dict, set))}
        return {f"{name}.{key}": item for key, item in own.items()}
    if isinstance(value, dict):
        return {f"{name}[{key!r}]": item for key, item in list(value.items())[:_MOST_ITEMS]}
    if isinstance(value, list | tuple):
        return {f"{name}[{index}]": item for index, item in enumerate(value[:_MOST_ITEMS])}
    if is_keras(value):
        parts = {f"{name}.{key}": item for key, item in vars(value).items() if not key.startswith("_")}
        for variable in getattr(value, "variables", ()):
            parts[f"{name}.{getattr(variable, 'path', variable.name)}"] = variable
        return parts
    if is_foreign(value) and not isinstance(value, tf.Module):
        return None
    if hasattr(value, "__dict__"):
        hidden = ("_self_", "_tf_", "__")
        return {f"{name}.{key}": item for key, item in vars(value).items() if key not in _OWN and not key.startswith(hidden)}
    return None
