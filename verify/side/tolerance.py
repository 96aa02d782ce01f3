"""How far a number may lie from the original's: by the rounding error that the original itself has, measured against float64."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

_FACTOR = 8.0
"""Another order of the same operations may round as badly as the original did, and compounded worse."""
_FLOOR = {torch.float32: 16.0, torch.float16: 2.0, torch.bfloat16: 2.0, torch.complex64: 16.0}
"""Roundings, in units of the type's precision, that are allowed even where the original happens to be exact."""
_TRUSTED = 0.02
"""A relative distance from which float64 did something else, such as another branch, and is no reference."""
_USUAL = {torch.float16: (1e-3, 1e-5), torch.bfloat16: (1.6e-2, 1e-5), torch.float32: (1.3e-6, 1e-5), torch.complex64: (1.3e-6, 1e-5)}
"""Relative and absolute tolerance where there is no reference: those of ``torch.testing``."""
_USUAL_OTHERWISE = (1e-7, 1e-7)


@dataclass
class Tolerances:
    """What is allowed for each leaf, and how much of it was used."""

    relative: dict[str, float] = field(default_factory=dict)
    """The original's largest relative error of each leaf over all calls."""
    used: float = -1.0
    worst: dict[str, Any] | None = None

    @classmethod
    def measure(cls, calls: list[dict[str, Any]], reference: list[dict[str, Any]] | None) -> Tolerances:
        """Compare the original's calls with the same calls in float64."""
        tolerances = cls()
        for call, exact in zip(calls, reference or [], strict=False):
            # Other random numbers are drawn in float64, so that the results have nothing to do with each other.
            if call["drew"] or bool(call["raised"]) != bool(exact["raised"]):
                continue
            for name, leaf, wide in _pairs(call, exact):
                if (error := _relative_error(leaf["tensor"], wide["tensor"])) is not None:
                    tolerances.relative[name] = max(error, tolerances.relative.get(name, 0.0))
        for name in [name for name, error in tolerances.relative.items() if error > _TRUSTED]:
            del tolerances.relative[name]
        return tolerances

    def allowed(self, name: str, original: torch.Tensor) -> tuple[torch.Tensor, str]:
        """The largest allowed deviation of each element, and where that comes from."""
        if name in self.relative and original.dtype in _FLOOR:
            scale = _scale(original)
            relative = _FACTOR * self.relative[name] + _FLOOR[original.dtype] * torch.finfo(original.dtype).eps
            return torch.tensor(relative * scale, dtype=torch.float64), "float64"
        relative, absolute = _USUAL.get(original.dtype, _USUAL_OTHERWISE)
        return absolute + relative * original.abs().double(), "torch.testing"

    def note(self, place: str, seen: float, allowed: float, origin: str) -> None:
        """Remember the deviation that came closest to what is allowed."""
        used = seen / allowed if allowed else float(seen > 0)
        if used > self.used:
            self.used = used
            self.worst = {"origin": origin, "allowed": allowed, "seen": seen, "at": place}


def _pairs(call: dict[str, Any], exact: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for aspect in ("outputs", "inputs", "state", "gradients"):
        narrow, wide = (side[aspect]["leaves"] if aspect == "gradients" and side[aspect] else side[aspect] or {} for side in (call, exact))
        for name, leaf in narrow.items():
            other = wide.get(name)
            if other is not None and leaf["kind"] == other["kind"] == "tensor" and leaf["shape"] == other["shape"]:
                yield f"{aspect} {name}", leaf, other


def _relative_error(narrow: torch.Tensor, wide: torch.Tensor) -> float | None:
    if not (narrow.is_floating_point() or narrow.is_complex()) or wide.dtype not in (torch.float64, torch.complex128):
        return None
    if not torch.equal(narrow.isfinite(), wide.isfinite()):
        return None
    finite = narrow.isfinite()
    if not finite.any():
        return 0.0
    error = (narrow[finite].to(wide.dtype) - wide[finite]).abs().max().item()
    scale = _scale(wide)
    return float(error / scale) if scale else float(error > 0)


def _scale(values: torch.Tensor) -> float:
    finite = values[values.isfinite()]
    return float(finite.abs().max().double().item()) if finite.numel() else 0.0
