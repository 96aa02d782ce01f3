"""How a function is being captured: by which framework, and for TensorFlow whether AutoGraph converts it."""

from __future__ import annotations

from dataclasses import dataclass, replace

TORCH, TENSORFLOW = "torch", "tensorflow"


@dataclass(frozen=True)
class Capture:
    """The capture that an activation runs under.

    Attributes:
        framework: "torch" or "tensorflow".
        converted: whether AutoGraph converts the function (always True for torch, where it means nothing).
        reason: why AutoGraph leaves it alone: "keras", "constructor", "syntax", "generator", "custom_gradient", "cache", "option", "library".
        staged: "loop" or "branch" when a caller calls it inside a tensor loop or branch, of which the body is a graph of its own.
        jit: whether XLA compiles the graph.
        asserts: whether AutoGraph converts ``assert`` too.
        mapped: whether ``tf.data`` runs it, which traces in eager programs as well.
        unsized: whether axes of the inputs may be unknown while tracing.
        pipeline: whether an eager program maps it, so that it runs once where it seems to run for each element.
        lists: whether AutoGraph converts lists too, which is broken in 2.21.
    """

    framework: str
    converted: bool = True
    reason: str = ""
    staged: str = ""
    jit: bool = False
    asserts: bool = False
    mapped: bool = False
    unsized: bool = False
    lists: bool = False
    pipeline: bool = False

    def __post_init__(self) -> None:
        fields = (self.framework, self.converted, self.reason, self.staged, self.jit, self.asserts, self.mapped, self.unsized, self.lists, self.pipeline)
        object.__setattr__(self, "_hash", hash(fields))  # part of every memory key, and asked for at every call

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined, no-any-return]

    def replace(self, **changes: object) -> Capture:
        """The same capture with other attributes."""
        return replace(self, **changes)  # type: ignore[arg-type]


DYNAMO = Capture(TORCH)
AUTOGRAPH = Capture(TENSORFLOW)
KERAS = Capture(TENSORFLOW, converted=False, reason="keras")
