"""The modules behind a callable, and their state."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import torch
from torch.utils._pytree import tree_leaves

_PLAIN = (bool, int, float, str, type(None))


def modules_of(function: Callable[..., Any], arguments: Iterable[Any]) -> list[torch.nn.Module]:
    """The modules that a call works with: the callable itself, its owner, those it closes over or names, and its arguments."""
    found: dict[int, torch.nn.Module] = {}
    for value in [*_behind(function), *tree_leaves(list(arguments))]:
        if isinstance(value, torch.nn.Module):
            found[id(value)] = value
    return list(found.values())


def state_of(modules: Iterable[torch.nn.Module]) -> dict[str, Any]:
    """Parameters, buffers, accumulated gradients, and plain attributes such as counters, by name."""
    state: dict[str, Any] = {}
    for number, module in enumerate(modules):
        prefix = f"{number}." if number else ""
        for name, parameter in module.named_parameters():
            state[prefix + name] = parameter
            if parameter.grad is not None:
                state[f"{prefix}{name}.grad"] = parameter.grad
        state.update({prefix + name: buffer for name, buffer in module.named_buffers()})
        for path, part in module.named_modules():
            for name, value in vars(part).items():
                if not name.startswith("_") and isinstance(value, (torch.Tensor, *_PLAIN)):
                    state[".".join(filter(None, (prefix + path, name)))] = value
    return state


def original_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """What an already compiled callable was compiled from, so that each side can be run as it should be."""
    if isinstance(function, torch.nn.Module) and "_orig_mod" in function._modules:
        return cast("Callable[..., Any]", function._orig_mod)
    inner = getattr(function, "_torchdynamo_orig_callable", None)
    return inner if callable(inner) else function


def _behind(function: Any) -> Iterator[Any]:
    function = original_of(function)
    yield function
    if isinstance(function, functools.partial):
        yield from _behind(function.func)
        yield from function.args
        yield from function.keywords.values()
    if inspect.ismethod(function):
        yield function.__self__
        function = function.__func__
    if inspect.isfunction(function):
        for cell in function.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:
                continue
        for name in function.__code__.co_names:
            yield function.__globals__.get(name)
