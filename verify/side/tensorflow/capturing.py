"""Choose how a side runs: eagerly whatever it is decorated with, as a graph, or compiled by XLA."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .api import is_function, is_keras, tf
from .behind import Behind, behind, names_in, python_function, receiver_of

_HOST_METHODS = frozenset({"fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch"})
"""What Keras compiles itself and what cannot be part of a graph."""

EAGER, GRAPH, XLA = "", "tf.function", "xla"


class Captured:
    """A callable as one side runs it; a ``tf.function`` object is thrown away after an exception, since it may then answer None."""

    def __init__(self, function: Callable[..., Any], how: str) -> None:
        self.function = function
        self.how = how
        self.written = compiled_form(function)
        """The ``tf.function`` object that the callable already is, or None."""
        self.behind = behind(function)
        self.as_written = how != EAGER and runs_as_written(function, self.behind)
        self.traces_before = 0
        if how == EAGER:
            tf.config.run_functions_eagerly(True)
        self.run = self._fresh()

    def _fresh(self) -> Callable[..., Any]:
        if self.how == EAGER:
            return self.function
        if self.as_written:
            for inner in self.behind.functions if self.how == XLA else ():
                inner._jit_compile = True
            return self.function
        fresh = tf.function(self.function) if self.written is None else self.written._clone(None)
        if self.how == XLA:
            fresh._jit_compile = True
        return fresh  # type: ignore[no-any-return]

    def throw_away(self) -> None:
        """After an exception: go on with a new object."""
        self.traces_before = self.traces()
        self.run = self._fresh()

    def traces(self) -> int:
        """How often the callable has been traced; of several functions, the one that was traced most."""
        functions: list[Any] = self.behind.functions if self.as_written else [self.run]
        return self.traces_before + max((each.experimental_get_tracing_count() for each in functions if is_function(each)), default=0)

    def signature(self) -> list[Any] | None:
        """The flat input signature, or None."""
        signature = getattr(self.written, "input_signature", None)
        return None if signature is None else tf.nest.flatten(signature, expand_composites=False)


def compiled_form(function: Any) -> Any:
    """The ``tf.function`` object that a callable is: itself, or the ``__call__`` of its class."""
    if is_function(function):
        return function
    call = inspect.getattr_static(type(function), "__call__", None)
    return call.__get__(function, type(function)) if is_function(call) else None


def runs_as_written(function: Any, behind: Behind) -> bool:
    """Whether a plain function is host code around graphs of its own, those of ``tf.function`` objects or of Keras' ``fit``."""
    if compiled_form(function) is not None or is_keras(function):
        return False
    return bool(behind.functions) or _trains(function, behind)


def _trains(function: Any, behind: Behind) -> bool:
    plain = python_function(function)
    if plain is None or not any(map(is_keras, behind.values.values())):
        return False
    return plain.__name__ in _HOST_METHODS if is_keras(receiver_of(function)) else bool(_HOST_METHODS.intersection(names_in(plain.__code__)))


def is_compiled_by_xla(function: Any) -> bool:
    """Whether the user's own decorator asks for XLA."""
    return bool(getattr(compiled_form(function), "_jit_compile", None))
