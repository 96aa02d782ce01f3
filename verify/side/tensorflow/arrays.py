"""Compare leaves: what a graph must return as a tensor counts as the Python value that it holds; another dtype of tensors does not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..structure import Leaf, differing_leaves
from .api import np
from .tolerance import Tolerances


def compare_leaves(aspect: str, original: dict[str, Leaf], given: dict[str, Leaf], tolerances: Tolerances, random: set[str]) -> Iterator[str]:
    """One message for each leaf that differs; of those drawn at random only dtype and shape are compared."""

    def difference(name: str, leaf: Leaf, other: Leaf) -> str:
        if aspect == "gradients" and all(map(_is_no_gradient, (leaf, other))):
            return ""
        return _difference(f"{aspect} {name}", name, leaf, other, tolerances, name in random)

    return differing_leaves(original, given, difference)


def _difference(key: str, name: str, original: Leaf, given: Leaf, tolerances: Tolerances, random: bool) -> str:
    kinds = {original["kind"], given["kind"]}
    if kinds == {"tensor", "value"}:
        return "" if _holds(original, given) or (random and _is_number(original) and _is_number(given)) else _not(name, given, original)
    if len(kinds) > 1:
        return _not(name, given, original)
    if original["kind"] == "tensor":
        return _tensor_difference(key, name, original, given, tolerances, random)
    if original["kind"] == "value" and _is_number(original) and _is_number(given):
        first, second = original["value"], given["value"]
        if random or first == second or (first != first and second != second):
            return ""
        is_float = isinstance(first, float | complex) or isinstance(second, float | complex)
        # A Python number that was read from a float32 tensor carries that tensor's rounding.
        close = is_float and _is_close(first, second)
        return "" if close else _not(name, given, original)
    if original["kind"] == "value":
        same = _text(original["value"]) == _text(given["value"]) and (original["value"] is None) == (given["value"] is None)
        return "" if same else _not(name, given, original)
    return "" if original == given else _not(name, given, original)


def _tensor_difference(key: str, name: str, original: Leaf, given: Leaf, tolerances: Tolerances, random: bool) -> str:
    for what in ("dtype", "shape"):
        if original[what] != given[what]:
            return f"{name} has {what} {given[what]}, not {original[what]}"
    expected, actual = original["array"], given["array"]
    if random or not expected.size:
        return ""
    if not _is_inexact(original["dtype"]):
        unequal = np.asarray(expected != actual)
        return _elements(name, expected, actual, unequal, "") if unequal.any() else ""
    allowed, origin = tolerances.allowed(key, original)
    wide = complex if "complex" in original["dtype"] else float
    first, second = expected.astype(wide), actual.astype(wide)
    with np.errstate(invalid="ignore", over="ignore"):
        odd = ~(np.isfinite(first) & np.isfinite(second))
        same_odd = (first == second) | (np.isnan(first) & np.isnan(second))
        deviation = np.abs(first - second)
    unequal = np.where(odd, ~same_odd, deviation > allowed)
    if unequal.any():
        return _elements(name, expected, actual, unequal, f"; {float(allowed[unequal].max()):.2g} is allowed")
    finite = np.where(odd, 0.0, deviation)
    at = int(finite.argmax())
    tolerances.note(name, float(finite.ravel()[at]), float(allowed.ravel()[at]), origin)
    return ""


def _is_inexact(dtype: str) -> bool:
    return "float" in dtype or "complex" in dtype


def _elements(name: str, expected: Any, actual: Any, unequal: Any, limit: str) -> str:
    position = tuple(int(index) for index in np.argwhere(unequal)[0]) if unequal.ndim else ()
    where = f" at {list(position)}" if position else ""
    first, second = actual[position], expected[position]
    count = f"{int(unequal.sum())} of {unequal.size} elements differ, the first" if unequal.size > 1 else "differs,"
    return f"{name}: {count}{where} {_number(first)}, not {_number(second)}{limit}"


def _number(value: Any) -> str:
    value = value.item() if hasattr(value, "item") else value
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _holds(first: Leaf, second: Leaf) -> bool:
    """Whether a tensor holds the Python value, of whatever precision the tensor has."""
    value, tensor = (first["value"], second) if first["kind"] == "value" else (second["value"], first)
    if tensor["shape"] or value is None:
        return False
    held = tensor["array"].item()
    if isinstance(value, str | bytes):
        return bool(_text(held) == _text(value))
    return not isinstance(held, str | bytes) and isinstance(held, bool) == isinstance(value, bool) and _is_close(held, value)


def _is_close(first: Any, second: Any) -> bool:
    if isinstance(first, int) and isinstance(second, int):
        return first == second
    both_nan = first != first and second != second
    return bool(both_nan or first == second or abs(first - second) <= 1e-7 + 1e-5 * max(abs(first), abs(second)))


def _is_number(leaf: Leaf) -> bool:
    if leaf["kind"] == "tensor":
        return leaf["array"].dtype.kind in "biufc" and not leaf["shape"]
    return leaf["kind"] == "value" and isinstance(leaf["value"], int | float | complex) and not isinstance(leaf["value"], bool)


def _text(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def _not(name: str, given: Leaf, original: Leaf) -> str:
    return f"{name} is {_shown(given)}, not {_shown(original)}"


def _shown(leaf: Leaf) -> str:
    if leaf["kind"] == "tensor":
        size = math.prod(leaf["shape"])
        held = f" holding {_number(leaf['array'].ravel()[0])}" if size == 1 else ""
        return f"a {leaf['dtype']} tensor of shape {leaf['shape']}{held}"
    if leaf["kind"] == "container":
        return f"a {leaf['type']} of {', '.join(leaf['keys']) or 'nothing'}"
    if leaf["kind"] == "value":
        return repr(leaf["value"])
    return leaf.get("repr") or f"a {leaf['type']}"


def _is_no_gradient(leaf: Leaf) -> bool:
    """Whether it is either absent or zero: a value that is computed but not selected gets zeros instead of nothing."""
    return leaf["kind"] == "value" or (leaf["kind"] == "tensor" and not leaf["array"].any())
