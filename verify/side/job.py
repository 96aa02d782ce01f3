"""The note that a child process is started with."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Job:
    """What one child process shall do; written by the parent as JSON, read by the child."""

    kind: str
    """``observe``, ``graphs``, ``time`` or ``judge``; ``probe`` for a framework yet unknown, ``plan`` and ``frozen`` for TensorFlow."""
    target: str
    root: str
    result: str
    """Where the child writes its JSON result."""
    inputs: tuple[str, ...] = ()
    device: str = "cpu"
    backend: str = ""
    """The backend to compile with; empty to run eagerly."""
    mode: str = "default"
    seed: int = 0
    gradients: bool = True
    strides: bool = False
    must_be_in_root: bool = False
    """Whether a target that is imported from elsewhere is an error."""
    reference: bool = False
    """Whether to run a second time in float64."""
    branches: tuple[tuple[str, int], ...] = ()
    observations: str = ""
    """Where an observing child writes what it saw."""
    compare: tuple[tuple[str, str], ...] = ()
    """For the judge: the name and the observations of each side, the original first."""
    skip_calls: tuple[str, ...] = ()
    """Calls that raise, which are not timed."""
    framework: str = "torch"
    call_seed: int | None = None
    """The seed of what the calls draw, if it shall be another than that of what loading draws."""
    leave_out: tuple[str, ...] = ()
    """Derived inputs for which the original raises."""
    clock_forward: bool = False
    """Whether the clock shall tell a later moment."""
    random: tuple[str, ...] = ()
    """Leaves that are drawn at random, as ``CALL/ASPECT/NAME``."""
    clocked: tuple[str, ...] = ()
    """Leaves that depend on the clock, named likewise."""

    def write(self, path: Path) -> None:
        """Save the job for the child."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Job:
        """Load what the parent saved."""
        fields = json.loads(path.read_text(encoding="utf-8"))
        for name in ("inputs", "skip_calls", "leave_out", "random", "clocked"):
            fields[name] = tuple(fields[name])
        for name in ("branches", "compare"):
            fields[name] = tuple((first, second) for first, second in fields[name])
        return cls(**fields)
