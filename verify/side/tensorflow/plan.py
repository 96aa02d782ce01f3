"""Run the original once before it counts: which derived inputs it takes, and what it draws at random."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from ..job import Job
from ..structure import Leaf
from .api import np
from .clock import clock_forward
from .observe import observe_cases

_SAMPLED = 16


def plan(job: Job) -> dict[str, Any]:
    """Do a ``plan`` job: the derived inputs that raise, and a few numbers of each leaf, to compare with those under another seed or clock."""
    with clock_forward() if job.clock_forward else nullcontext():
        calls = observe_cases(job)
    return {
        "raised": [call["name"] for call in calls if call["raised"]],
        "samples": {
            f"{call['name']}/{aspect}/{name}": sample
            for call in calls
            for aspect in ("outputs", "state")
            for name, leaf in call[aspect].items()
            if (sample := _sample(leaf)) is not None
        },
    }


def _sample(leaf: Leaf) -> list[float] | None:
    if leaf["kind"] == "value" and isinstance(leaf["value"], int | float):
        return [float(leaf["value"])]
    if leaf["kind"] != "tensor" or leaf["array"].dtype.kind not in "biuf":
        return None
    flat = leaf["array"].ravel().astype(float)
    return [float(value) for value in np.nan_to_num(flat[:: max(1, len(flat) // _SAMPLED)])]
