"""What a trap program does when it is run eagerly: values, dtypes, shapes, gradients, exceptions, state and printed text."""

from __future__ import annotations

import contextlib
import io
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch


def _same_function(function: Any = None, **_: Any) -> Any:
    return function if function is not None else lambda decorated: decorated


def load(source: str, name: str) -> dict[str, Any]:
    """The names that the program defines, with ``torch.compile`` leaving every function as it is."""
    namespace: dict[str, Any] = {"__name__": name}
    torch.manual_seed(0)
    with mock.patch.object(torch, "compile", _same_function):
        exec(compile(source, f"{name}.py", "exec"), namespace)
    return namespace


def inputs(source: str) -> list[tuple[Any, ...]]:
    """The argument tuples of the program's ``# INPUTS:`` line, made anew."""
    line = re.search(r"^# INPUTS: (.*)$", source, re.MULTILINE)
    assert line is not None
    made: list[tuple[Any, ...]] = eval(line[1], {"torch": torch})
    return made


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """All tensors in nested containers."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors(item)


def plain(value: Any) -> Any:
    """A value that ``==`` compares whole: tensors become their type, shape and the text of their elements, NaN included."""
    if isinstance(value, torch.Tensor):
        return (str(value.dtype), tuple(value.shape), value.requires_grad, repr((value.detach() + 0).tolist()))
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [plain(item) for item in value])
    return (type(value).__name__, repr(value))


def call(function: Callable[..., Any], args: tuple[Any, ...], with_gradients: bool) -> dict[str, Any]:
    """Call once and say all that happened."""
    leaves = [tensor for tensor in tensors(args) if tensor.is_floating_point()]
    if isinstance(function, torch.nn.Module):
        leaves += function.parameters()
    for leaf in leaves:
        leaf.requires_grad_(with_gradients)
        leaf.grad = None
    printed, logged = io.StringIO(), io.StringIO()
    handler = logging.StreamHandler(logged)
    logging.getLogger().addHandler(handler)
    seen: dict[str, Any] = {}
    try:
        with contextlib.redirect_stdout(printed):
            result = function(*args)
            seen["result"] = plain(result)
            total = sum(tensor.sum() for tensor in tensors(result) if tensor.requires_grad)
            if isinstance(total, torch.Tensor):
                total.backward()
    except Exception as error:
        seen["exception"] = (type(error), str(error))
    finally:
        logging.getLogger().removeHandler(handler)
    seen["gradients"] = [None if leaf.grad is None else plain(leaf.grad) for leaf in leaves]
    seen["arguments"] = plain(args)
    seen["text"] = (printed.getvalue(), logged.getvalue())
    if isinstance(function, torch.nn.Module):
        seen["state"] = [(name, plain(value)) for name, value in function.state_dict().items()]
    return seen


def changed(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The value with ``change`` applied to the floating-point tensors in it."""
    if isinstance(value, torch.Tensor):
        return change(value) if value.is_floating_point() else value
    return type(value)(changed(item, change) for item in value) if isinstance(value, (list, tuple)) else value


CHANGES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "as given": lambda tensor: tensor,
    "negated": lambda tensor: -tensor,
    "zero": torch.zeros_like,
    "NaN": lambda tensor: tensor * float("nan"),
}
"""What is done to the inputs, so that both sides of every branch and its edge are taken."""


def behaviour(source: str, name: str) -> dict[tuple[str, bool, int], dict[str, Any]]:
    """What the program does on each of its inputs and their variations, without and with gradients."""
    seen = {}
    for how, change in CHANGES.items():
        for with_gradients in (False, True):
            function = load(source, name)["f"]
            for number, args in enumerate(inputs(source)):
                seen[how, with_gradients, number] = call(function, changed(args, change), with_gradients)
    return seen
