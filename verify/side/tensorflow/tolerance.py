"""How far a number may lie from the original's: by the rounding error that the original itself has, measured against float64."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..structure import Leaf
from .api import np

_FACTOR = 8.0
"""Another order of the same operations may round as badly as the original did, and compounded worse."""
_FLOOR = {"float32": 16.0, "float16": 2.0, "bfloat16": 2.0, "complex64": 16.0}
"""Roundings, in units of the type's precision, that are allowed even where the original happens to be exact."""
_EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "complex64": 2.0**-23}
_TRUSTED = 0.02
"""A relative distance from which float64 did something else, such as another branch, and is no reference."""
_USUAL = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "complex64": 1e-5}
"""What is allowed where there is no reference, relative to the largest element, and to the element once more."""
_USUAL_OTHERWISE = 1e-10
_ABSOLUTE = {"float32": 1e-7, "complex64": 1e-7, "float16": 1e-5, "bfloat16": 1e-5}


@dataclass
class Tolerances:
    """What is allowed for each leaf, and how much of it was used."""

    relative: dict[str, float] = field(default_factory=dict)
    """The original's largest relative error of each leaf over all calls."""
    used: float = -1.0
    worst: dict[str, Any] | None = None

    @classmethod
    def measure(cls, calls: list[dict[str, Any]], reference: list[dict[str, Any]]) -> Tolerances:
        """Compare the original's calls with the same calls in float64."""
        tolerances = cls()
        for call, exact in zip(calls, reference, strict=False):
            if call["raised"] or exact["raised"]:
                continue
            for name, leaf, wide in _pairs(call, exact):
                if (error := _relative_error(leaf["array"], wide["array"])) is not None:
                    tolerances.relative[name] = max(error, tolerances.relative.get(name, 0.0))
        for name in [name for name, error in tolerances.relative.items() if error > _TRUSTED]:
            del tolerances.relative[name]
        return tolerances

    def allowed(self, name: str, original: Leaf) -> tuple[Any, str]:
        """The largest allowed deviation of each element, and where that comes from."""
        dtype = original["dtype"]
        wide = np.abs(original["array"].astype(complex if "complex" in dtype else float))
        scale = _scale(original["array"])
        if name in self.relative and dtype in _FLOOR:
            relative = _FACTOR * self.relative[name] + _FLOOR[dtype] * _EPSILON[dtype]
            return np.full(wide.shape, relative * scale), "float64"
        relative = _USUAL.get(dtype, _USUAL_OTHERWISE)
        return _ABSOLUTE.get(dtype, 1e-12) + relative * (scale + np.nan_to_num(wide, posinf=0.0)), "dtype"

    def note(self, place: str, seen: float, allowed: float, origin: str) -> None:
        """Remember the deviation that came closest to what is allowed."""
        used = seen / allowed if allowed else float(seen > 0)
        if used > self.used:
            self.used = used
            self.worst = {"origin": origin, "allowed": allowed, "seen": seen, "at": place}


def _pairs(call: dict[str, Any], exact: dict[str, Any]) -> Iterator[tuple[str, Leaf, Leaf]]:
    for aspect in ("outputs", "inputs", "state", "gradients"):
        narrow, wide = (side[aspect]["leaves"] if aspect == "gradients" and side[aspect] else side[aspect] or {} for side in (call, exact))
        for name, leaf in narrow.items():
            other = wide.get(name)
            if other is not None and leaf["kind"] == other["kind"] == "tensor" and leaf["shape"] == other["shape"]:
                yield f"{aspect} {name}", leaf, other


def _relative_error(narrow: Any, wide: Any) -> float | None:
    if str(narrow.dtype) not in _FLOOR or wide.dtype.kind not in "fc":
        return None
    narrow = narrow.astype(wide.dtype)
    finite = np.isfinite(narrow)
    if not np.array_equal(finite, np.isfinite(wide)):
        return None
    if not finite.any():
        return 0.0
    error, scale = float(np.abs(narrow[finite] - wide[finite]).max()), _scale(wide)
    return error / scale if scale else float(error > 0)


def _scale(values: Any) -> float:
    wide = np.abs(values.astype(complex if "complex" in str(values.dtype) else float))
    finite = wide[np.isfinite(wide)]
    return float(finite.max()) if finite.size else 0.0
