"""Set the clock forward for the code of this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_FORWARD = 100_000.0


@contextmanager
def clock_forward() -> Iterator[None]:
    """Let ``time.time`` and its like tell a later moment meanwhile."""
    kept: dict[str, Callable[[], float]] = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
    try:
        for name, clock in kept.items():
            setattr(time, name, lambda clock=clock: clock() + _FORWARD)
        yield
    finally:
        for name, clock in kept.items():
            setattr(time, name, clock)
