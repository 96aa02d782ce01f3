"""What to verify, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class BranchPlace:
    """A line of the original on which a branch's test stands; the path is relative to the project."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True)
class VerifyRequest:
    """One verification.

    With an ``original`` root, the source there is the truth and the source at ``converted`` is compared with it, both run eagerly and
    compiled. Without one, the source at ``converted`` is run eagerly, as the truth, and compiled.
    """

    target: str
    """``module:name`` or ``file.py:name``; see `graph2static.verify.target`."""
    converted: Path
    """The root of the project that is verified, from which its modules are imported."""
    original: Path | None = None
    """The root of the untouched project."""
    original_target: str | None = None
    """The target in the untouched project, when it has another place there."""
    inputs: tuple[str, ...] = ()
    """Shape specs, one for each positional argument; the target is then the callable itself."""
    device: str = "cpu"
    mode: str = "default"
    backend: str = "inductor"
    time: bool = True
    """Whether the sides are timed too."""
    gradients: bool = True
    strides: bool = False
    """Whether the outputs must have the same strides, too."""
    branches: tuple[BranchPlace, ...] = field(default=())
    """Tests of rewritten branches, whose sides the inputs must both take."""
    seed: int = 0
    timeout: float = 900.0
    """Seconds after which a side is ended and counted as hanging."""
    seconds_to_time: float = 8.0
    """About how long the timed rounds may take, compilation aside."""
