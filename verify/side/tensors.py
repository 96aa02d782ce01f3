"""Compare leaves: structure first, then dtype and shape, then values within their tolerance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from .structure import Leaf, differing_leaves
from .tolerance import Tolerances


def compare_leaves(
    aspect: str, original: dict[str, Leaf], given: dict[str, Leaf], tolerances: Tolerances, strides: bool
) -> Iterator[str]:
    """One message for each leaf that differs."""

    def difference(name: str, leaf: Leaf, other: Leaf) -> str:
        if aspect == "gradients" and _both_are_no_gradient(leaf, other):
            return ""
        return _difference(aspect, name, leaf, other, tolerances, strides)

    return differing_leaves(original, given, difference)


def _difference(aspect: str, name: str, original: Leaf, given: Leaf, tolerances: Tolerances, strides: bool) -> str:
    if original["kind"] != given["kind"]:
        return f"{name} is {_shown(given)}, not {_shown(original)}"
    if original["type"] != given["type"]:
        return f"{name} is a {given['type']}, not a {original['type']}"
    if original["kind"] == "tensor":
        return _tensor_difference(f"{aspect} {name}", name, original, given, tolerances, strides)
    if original["kind"] == "value" and isinstance(original["value"], float | complex):
        first, second = (torch.tensor(leaf["value"], dtype=torch.complex128) for leaf in (original, given))
        # A Python number that was read from a float32 tensor carries that tensor's rounding.
        close = torch.isclose(second, first, rtol=1e-5, atol=1e-7, equal_nan=True).item()
        return "" if close else f"{name} is {_shown(given)}, not {_shown(original)}"
    if original != given:
        return f"{name} is {_shown(given)}, not {_shown(original)}"
    return ""


def _tensor_difference(key: str, name: str, original: Leaf, given: Leaf, tolerances: Tolerances, strides: bool) -> str:
    for what in ("dtype", "shape", "layout", "device", *(["stride"] if strides else [])):
        if original[what] != given[what]:
            return f"{name} has {what} {given[what]}, not {original[what]}"
    expected: torch.Tensor = original["tensor"]
    actual: torch.Tensor = given["tensor"]
    if not expected.numel():
        return ""
    if not (expected.is_floating_point() or expected.is_complex()):
        unequal = expected != actual
        return _elements(name, expected, actual, unequal, "") if unequal.any() else ""
    allowed, origin = tolerances.allowed(key, expected)
    odd = ~(expected.isfinite() & actual.isfinite())
    same_odd = (expected == actual) | (expected.isnan() & actual.isnan())
    wide = torch.complex128 if expected.is_complex() else torch.float64
    deviation = (expected.to(wide) - actual.to(wide)).abs()
    unequal = torch.where(odd, ~same_odd, deviation > allowed)
    if unequal.any():
        limit = allowed.expand_as(deviation)[unequal].max().item()
        return _elements(name, expected, actual, unequal, f"; {limit:.2g} is allowed")
    finite = torch.where(odd, torch.zeros_like(deviation), deviation)
    at = int(finite.argmax())
    tolerances.note(name, finite.flatten()[at].item(), allowed.expand_as(finite).flatten()[at].item(), origin)
    return ""


def _elements(name: str, expected: torch.Tensor, actual: torch.Tensor, unequal: torch.Tensor, limit: str) -> str:
    position = [int(index) for index in unequal.nonzero()[0]]
    where = f" at {position}" if position else ""
    first, second = (values[tuple(position)].item() for values in (actual, expected))
    count = f"{int(unequal.sum())} of {unequal.numel()} elements differ, the first" if unequal.numel() > 1 else "differs,"
    return f"{name}: {count}{where} {_number(first)}, not {_number(second)}{limit}"


def _number(value: Any) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _shown(leaf: Leaf) -> str:
    if leaf["kind"] == "tensor":
        return f"a {leaf['dtype']} tensor of shape {leaf['shape']}"
    if leaf["kind"] == "container":
        return f"a {leaf['type']} of {', '.join(leaf['keys']) or 'nothing'}"
    if leaf["kind"] == "value":
        return repr(leaf["value"])
    return leaf.get("repr") or f"a {leaf['type']}"


def _both_are_no_gradient(first: Leaf, second: Leaf) -> bool:
    """Whether each is either absent or zero: a value that is computed but not selected gets zeros instead of nothing."""
    return all(leaf["kind"] == "value" or (leaf["kind"] == "tensor" and not leaf["tensor"].any()) for leaf in (first, second))
