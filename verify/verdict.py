"""What a verification found."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any


class Outcome(str, Enum):
    """How a verification ended; several may hold at once."""

    AGREES = "agrees"
    EAGER_DIFFERS = "eager differs"
    """The converted source, run eagerly, does something else than the original."""
    COMPILE_RAISES = "compile raises"
    """Compiling, or the compiled function, raises where the original does not."""
    COMPILE_DIFFERS = "compile differs"
    """The compiled function does something else than the original."""
    BREAKS = "breaks"
    """The graph is split; this alone is no disagreement."""
    RETRACES = "retraces"
    """A function is traced more often than its inputs call for; this alone is no disagreement."""
    XLA_RAISES = "xla raises"
    """Compiled by XLA, which was tried although nobody asked for it, the function raises; no disagreement."""
    XLA_DIFFERS = "xla differs"
    """Compiled by XLA, which was tried although nobody asked for it, the function does something else; no disagreement."""
    CRASHED = "crashed"
    """A process died or hung."""


NO_DISAGREEMENT = frozenset({Outcome.AGREES, Outcome.BREAKS, Outcome.RETRACES, Outcome.XLA_RAISES, Outcome.XLA_DIFFERS})
"""What does not keep a target from being verified."""


@dataclass(frozen=True)
class Difference:
    """One thing that a side does differently from the original."""

    side: str
    """``eager``, ``compiled`` or ``xla``."""
    call: str
    """Which callable and input, for example ``input 2``."""
    aspect: str
    """``outputs``, ``gradients``, ``inputs``, ``state``, ``random``, ``exceptions``, ``text``, ``frozen``
    (a value that is read once, while tracing) or ``process``."""
    message: str
    raises: bool = False
    """Whether the side raised where the original did not."""


@dataclass(frozen=True)
class GraphBreak:
    """A place at which the graph is split, as the framework logs it."""

    path: str
    line: int
    identifier: str
    """The framework's own number of this kind of break, for example ``GB0170``; empty when it gives none."""
    reason: str
    skips_frame: bool
    """Whether the whole function runs eagerly because of it."""


@dataclass(frozen=True)
class Recompilation:
    """A function that was compiled again, and the guards that failed."""

    path: str
    line: int
    function: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Graphs:
    """How a callable was captured."""

    graphs: int
    operations: int
    breaks: tuple[GraphBreak, ...] = ()
    recompilations: tuple[Recompilation, ...] = ()


@dataclass(frozen=True)
class BranchSides:
    """Which sides of one test the inputs took, and how often."""

    path: str
    line: int
    column: int
    test: str
    true: int
    false: int

    @property
    def tested(self) -> bool:
        """Whether the inputs took both sides."""
        return self.true > 0 and self.false > 0


@dataclass(frozen=True)
class Speed:
    """How long a pass over all inputs takes on one side, in seconds."""

    median: float
    low: float
    high: float
    """The bounds of the 95 % interval of the median."""
    peak_memory: int
    """Bytes: of the device on a GPU, of the process otherwise."""


@dataclass(frozen=True)
class Timing:
    """How the sides compare in speed."""

    original: Speed
    converted: Speed | None
    compiled: Speed
    calls: int
    """How many calls a pass has."""
    rounds: int
    speedup: float
    speedup_low: float
    speedup_high: float
    compile_seconds: float
    pays_after_calls: int | None
    """How many calls it takes until compiling has paid; None when it never does."""
    xla: Speed | None = None
    """The function compiled by XLA, where that was tried beside the framework's own graph."""
    xla_compile_seconds: float | None = None


@dataclass(frozen=True)
class Tolerance:
    """The largest allowed and the largest seen deviation."""

    origin: str
    allowed: float
    seen: float
    at: str
    """Where the deviation came closest to what is allowed."""


@dataclass(frozen=True)
class Verdict:
    """The result of one verification."""

    target: str
    outcomes: tuple[Outcome, ...]
    differences: tuple[Difference, ...] = ()
    calls: int = 0
    seed: int = 0
    device: str = "cpu"
    backend: str = "inductor"
    mode: str = "default"
    two_sources: bool = False
    """Whether an original was compared with a converted source, or one source with its own compiled form."""
    compared: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each side that ran, the aspects that were compared."""
    tolerance: Tolerance | None = None
    graphs_original: Graphs | None = None
    graphs: Graphs | None = None
    branches: tuple[BranchSides, ...] = ()
    branches_not_found: tuple[str, ...] = ()
    """Places at which the original has no branch, or whose file was never imported."""
    timing: Timing | None = None
    notes: tuple[str, ...] = ()
    framework: str = "torch"
    xla: tuple[Difference, ...] = ()
    """What the function does differently once XLA compiles it, where nobody asked for that."""

    @property
    def agrees(self) -> bool:
        """Whether every side does what the original does."""
        return not set(self.outcomes) - NO_DISAGREEMENT

    @property
    def untested_branches(self) -> tuple[str, ...]:
        """Every named branch of which the inputs did not take both sides."""
        one_sided = [
            f"{branch.path}:{branch.line} `{branch.test}` "
            + ("was never reached" if not branch.true + branch.false else f"was never {'false' if branch.true else 'true'}")
            for branch in self.branches
            if not branch.tested
        ]
        return (*one_sided, *(f"{place} was never reached" for place in self.branches_not_found))

    @property
    def verified(self) -> bool:
        """Whether the sides agree and the inputs took both sides of every named branch."""
        return self.agrees and not self.untested_branches

    def to_json(self) -> dict[str, Any]:
        """The verdict in values that ``json`` can write."""
        fields = asdict(self)
        fields["outcomes"] = [outcome.value for outcome in self.outcomes]
        return {"version": 1, "agrees": self.agrees, "verified": self.verified, "untested_branches": list(self.untested_branches), **fields}
