"""What a call works with besides its arguments: the receiver, the closure, the globals that its code names, and what these call."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .api import is_function, is_keras, tf

_MOST_FUNCTIONS = 200


@dataclass
class Behind:
    """What lies behind a callable, by the names that a report uses."""

    values: dict[str, Any] = field(default_factory=dict)
    """Receivers, closure cells and globals that are neither code nor modules; classes of the project for their attributes."""
    cells: dict[str, tuple[Any, str]] = field(default_factory=dict)
    """Where a value can be set again: the closure cell, or the dictionary of the globals with the key."""
    functions: list[Any] = field(default_factory=list)
    """The ``tf.function`` objects that the code names, without the callable itself."""
    modules: dict[str, ModuleType] = field(default_factory=dict)


def behind(function: Any) -> Behind:
    """Follow a callable through the functions of its own project that it names."""
    found = Behind()
    seen: set[int] = set()
    waiting = [function]
    while waiting and len(seen) < _MOST_FUNCTIONS:
        value = waiting.pop(0)
        if id(value) in seen:
            continue
        seen.add(id(value))
        if is_function(value) and value is not function:
            found.functions.append(value)
        for receiver in _receivers(value):
            found.values.setdefault("self" if "self" not in found.values else f"self[{type(receiver).__name__}]", receiver)
            waiting += _functions_in(vars(receiver) if hasattr(receiver, "__dict__") else {})
        plain = python_function(value)
        if plain is None or not _is_of_a_project(plain.__code__.co_filename):
            continue
        if plain.__module__ in sys.modules:
            found.modules[plain.__module__] = sys.modules[plain.__module__]
        waiting += _named(plain, value, found)
    return found


def python_function(value: Any) -> FunctionType | None:
    """The function with the code that a callable runs, or None."""
    for _ in range(10):
        if isinstance(value, functools.partial):
            value = value.func
        elif is_function(value):
            value = value.python_function
        elif inspect.ismethod(value):
            value = value.__func__
        elif hasattr(value, "__wrapped__"):
            value = _unwrapped(value)
        elif not inspect.isfunction(value) and not isinstance(value, type) and callable(value):
            value = inspect.getattr_static(type(value), "call" if is_keras(value) else "__call__", None)
        else:
            break
    return value if isinstance(value, FunctionType) else None


def receiver_of(value: Any) -> Any:
    """The object whose method a callable is, or the callable itself where it is an object; None for a function."""
    if isinstance(value, functools.partial):
        return receiver_of(value.func)
    if is_function(value):
        value = value.python_function
    value = value if inspect.ismethod(value) else _unwrapped(value)
    if inspect.ismethod(value):
        # TensorFlow binds the methods that it has compiled to a weak reference.
        target = getattr(value.__self__, "target", None)
        return target if type(value.__self__).__name__ == "TfMethodTarget" else value.__self__
    if inspect.isfunction(value) or isinstance(value, type) or not hasattr(value, "__dict__"):
        return None
    return value


def _unwrapped(value: Any) -> Any:
    # AutoGraph puts the function that it converted in the place of the method.
    return getattr(value, "__original_wrapped__", getattr(value, "__wrapped__", value))


def _receivers(value: Any) -> Iterator[Any]:
    receiver = receiver_of(value)
    if receiver is not None and not isinstance(receiver, type | ModuleType):
        yield receiver


def _functions_in(attributes: dict[str, Any]) -> list[Any]:
    return [value for value in attributes.values() if is_function(value)]


def _is_of_the_user(value: type) -> bool:
    return _is_of_a_project(getattr(sys.modules.get(value.__module__), "__file__", None) or "site-packages")


def _is_of_a_project(path: str) -> bool:
    return "site-packages" not in path and "dist-packages" not in path and not path.startswith(sys.base_prefix + "/lib")


def _named(function: FunctionType, owner: Any, found: Behind) -> list[Any]:
    """Note what a function's code names; gives the callables among it."""
    called: list[Any] = []
    receiver = receiver_of(owner)
    for cell_name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        try:
            value = cell.cell_contents
        except ValueError:
            continue
        _note(f"closure {cell_name}", value, found, called, (cell, "cell_contents"))
    for name in names_in(function.__code__):
        if name in function.__globals__:
            _note(f"global {name}", function.__globals__[name], found, called, (function.__globals__, name))
        elif receiver is not None and not isinstance(receiver, ModuleType):
            method = inspect.getattr_static(type(receiver), name, None)
            if is_function(method) or inspect.isfunction(method):
                called.append(getattr(receiver, name))
    return called


def _note(name: str, value: Any, found: Behind, called: list[Any], place: tuple[Any, str]) -> None:
    if isinstance(value, ModuleType) or inspect.isbuiltin(value) or (isinstance(value, type) and not _is_of_the_user(value)):
        return
    if is_function(value) or inspect.isfunction(value) or inspect.ismethod(value) or isinstance(value, functools.partial):
        called.append(value)
        return
    found.values.setdefault(name, value)
    found.cells.setdefault(name, place)
    # A layer or an object of the project may be called; TensorFlow's own are state alone.
    if callable(value) and not isinstance(value, tf.Variable | tf.Tensor | type):
        called.append(value)


def names_in(code: CodeType) -> Iterator[str]:
    """The globals and attributes that code names, with those of the functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)
