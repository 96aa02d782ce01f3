"""Tell which framework a target belongs to by what it gives: the types of its callables and inputs, and what these work with."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterator
from typing import Any

from ..framework import TENSORFLOW, TORCH, framework_of_module
from ..target import parse_target
from .job import Job
from .loading import find, pairs_of_provider


def probe(job: Job) -> dict[str, Any]:
    """Do a ``probe`` job.

    Raises:
        VerifyError: the target cannot be loaded.
    """
    target = parse_target(job.target)
    found = find(target, job)
    pairs = [(found, [])] if job.inputs else pairs_of_provider(found, target)
    for values in ([value for _, inputs in pairs for value in _items(inputs)], [part for function, _ in pairs for part in _behind(function)]):
        for value in values:
            if framework := _framework_of(value):
                return {"framework": framework}
    return {"framework": TENSORFLOW if TENSORFLOW in sys.modules and TORCH not in sys.modules else TORCH}


def _framework_of(value: Any) -> str:
    if inspect.ismodule(value):
        return framework_of_module(value.__name__)
    return next(filter(None, (framework_of_module(base.__module__) for base in type(value).__mro__)), "")


def _items(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _items(item)
    elif isinstance(value, dict):
        yield from _items(list(value.values()))
    else:
        yield value


def _behind(function: Any) -> Iterator[Any]:
    yield function
    if isinstance(function, functools.partial):
        yield from _behind(function.func)
    if inspect.ismethod(function):
        yield function.__self__
        function = function.__func__
    if inspect.isfunction(function):
        for name in function.__code__.co_names:
            yield function.__globals__.get(name)
