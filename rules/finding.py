"""What the analyzer reports: a finding, its place, its proof and the fix that its rule offers.

The vocabulary of the whole project. The JSON report (``convert/reports``) and the edit engine (``convert/editing``) read these
classes and nothing else of the analyzer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst as cst


class Severity(str, Enum):
    """What happens when the line is captured."""

    BREAK = "break"
    """Splits the graph, or fails under ``fullgraph=True`` and ``tf.function``."""
    RETRACE = "retrace"
    """Compiles again as Python values change."""
    SYNC = "sync"
    """Is captured, but waits for the device."""
    STALE = "stale"
    """Runs once, while tracing, and never again: a silent difference."""
    LEGACY = "legacy"
    """Uses an older graph interface (TF1 sessions, ``torch.jit``)."""


class Confidence(str, Enum):
    """Whether the proof rests on declared facts or on how a name is used."""

    CERTAIN = "certain"
    LIKELY = "likely"


class Safety(str, Enum):
    """What a fix promises."""

    SAFE = "safe"
    """Equal for every input, by construction."""
    VERIFY = "verify"
    """Equal under the condition that the fix states; applied on request, or when the verifier agrees."""
    SUGGEST = "suggest"
    """Shown, never applied."""


@dataclass(frozen=True, order=True)
class Span:
    """A region of a source text; lines and columns count from 1, columns in characters, the end column is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class CallSite:
    """A call on the way from the captured entry to the finding."""

    path: str
    line: int
    function: str


@dataclass(frozen=True)
class Import:
    """A module-level import that a rewrite needs: ``import module`` or, with ``name``, ``from module import name``."""

    module: str
    name: str | None = None


@dataclass(frozen=True)
class ReplaceExpression:
    """Replace the expression at ``span``. ``build`` gets it as a libcst node and returns what stands there afterwards.

    The engine adds the parentheses that the place needs.
    """

    span: Span
    build: Callable[[cst.BaseExpression], cst.BaseExpression]


@dataclass(frozen=True)
class ReplaceStatements:
    """Replace the whole consecutive statements of one block that ``span`` covers, from the first's first line to the last's last.

    ``build`` gets them as libcst nodes, parsed at zero indentation, and returns the statements that stand there afterwards.
    """

    span: Span
    build: Callable[[Sequence[cst.BaseStatement]], Sequence[cst.BaseStatement]]


Edit = ReplaceExpression | ReplaceStatements


@dataclass(frozen=True)
class Fix:
    """A rewrite that takes the fault away."""

    safety: Safety
    message: str
    """What to do, in the imperative: "select with torch.where"."""
    edits: tuple[Edit, ...] = ()
    """Empty for advice that has no mechanical form (always ``SUGGEST``)."""
    condition: str = ""
    """Under what condition the rewrite is equal; empty only for ``SAFE``."""
    imports: tuple[Import, ...] = ()


@dataclass(frozen=True)
class Declined:
    """Why a rule offers no fix here: the condition that is not proven."""

    reason: str


@dataclass(frozen=True)
class Finding:
    """One place that blocks or changes capture."""

    code: str
    name: str
    message: str
    severity: Severity
    confidence: Confidence
    path: str
    span: Span
    function: str
    entry: str
    call_path: tuple[CallSite, ...] = ()
    when: tuple[str, ...] = ()
    """The conditions under which the line is reached; empty means whenever the function is captured."""
    proof: tuple[str, ...] = ()
    graph_break: str | None = None
    """Dynamo's id, "GB0170"."""
    skips_frame: bool = False
    """Whether Dynamo gives up the whole function because of the enclosing loop, ``try`` or context manager."""
    fix: Fix | None = None
    declined: str | None = None
    """Why there is no fix, when the rule looked for one."""
    url: str = ""


@dataclass(frozen=True)
class Problem:
    """A file that could not be read, parsed or analyzed."""

    path: str
    message: str
    line: int | None = None


@dataclass
class Report:
    """All that one run of the analyzer says."""

    findings: list[Finding] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    targets: dict[str, str] = field(default_factory=dict)
    """The release of each framework that the findings speak of: ``{"torch": "2.13"}``."""
    files: int = 0
    captured_functions: int = 0
    entries: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    """Number of files left out, by reason."""
    seconds: float = 0.0
    read_paths: tuple[str, ...] = ()
    """The files that were asked for, as findings name them."""
