"""Compare random results by what they have in common: range, mean and spread of many draws.

A graph draws other numbers than eager code for the same seed, and XLA others again, so that values cannot be compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..structure import Leaf
from .api import np

_SIGMAS = 5.0
_LEAST = 8


def compare_draws(original: list[dict[str, Leaf]], given: list[dict[str, Leaf]], names: set[str], clocked: set[str]) -> Iterator[str]:
    """One message for each random leaf that is drawn from something else; what the clock says is only seen to change."""
    for name in sorted(names):
        first, second = (_values(draws, name) for draws in (original, given))
        if first is not None and second is not None and (message := _difference(first, second, name in clocked)):
            yield f"{name} {message}"


def _values(draws: list[dict[str, Leaf]], name: str) -> Any:
    """One row of numbers for each draw; None when they cannot be compared."""
    rows = []
    for leaves in draws:
        leaf = leaves.get(name)
        if leaf is None or leaf["kind"] not in ("tensor", "value"):
            return None
        array = np.asarray(leaf["array"] if leaf["kind"] == "tensor" else leaf["value"])
        if array.dtype.kind not in "biuf" and str(array.dtype) != "bfloat16":
            return None
        rows.append(array.ravel().astype(float))
    if len(rows) < _LEAST or len({len(row) for row in rows}) != 1 or not len(rows[0]):
        return None
    return np.stack(rows)


def _difference(original: Any, given: Any, clocked: bool) -> str:
    varies, still = (bool((draws != draws[0]).any()) for draws in (original, given))
    if varies and not still:
        return f"is the same in each of {len(given)} calls, where the original draws anew"
    if clocked or not (np.isfinite(original).all() and np.isfinite(given).all()):
        return ""
    low, high = float(original.min()), float(original.max())
    reach = high - low
    if given.min() < low - reach or given.max() > high + reach:
        return f"ranges from {given.min():.4g} to {given.max():.4g}, not from {low:.4g} to {high:.4g}"
    # Elements of one draw may depend on each other; the draws do not.
    means, others = original.mean(axis=1), given.mean(axis=1)
    error = math.sqrt(means.var(ddof=1) / len(means) + others.var(ddof=1) / len(others))
    if abs(means.mean() - others.mean()) > _SIGMAS * error + 1e-6 * max(abs(low), abs(high)):
        return f"has mean {others.mean():.4g}, not {means.mean():.4g}"
    spread, other = float(original.std()), float(given.std())
    if abs(spread - other) > _SIGMAS / math.sqrt(2 * len(original)) * max(spread, other):
        return f"has standard deviation {other:.4g}, not {spread:.4g}"
    return ""
