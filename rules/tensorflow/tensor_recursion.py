"""TFC110: recursion that only a tensor ends."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Event, Recurse
from ..rule import Rule, Suspicion, source_of


class TensorRecursion(Rule):
    """A function calls itself until a tensor says stop.

    Both sides of a tensor branch are traced, so the recursive call is traced again and again until Python's stack is full. Recursion that
    a Python number bounds is fine. Write a `while` loop.

    Bad:
        import tensorflow as tf

        def halve(x):
            if x < 1.0:
                return x
            return halve(x / 2.0)

        def f(x):
            return halve(x)

        def make_args(i):
            return (tf.constant(5.0 + i),)
    Good:
        import tensorflow as tf

        def halve(x):
            while x >= 1.0:
                x = x / 2.0
            return x

        def f(x):
            return halve(x)

        def make_args(i):
            return (tf.constant(5.0 + i),)
    """

    code = "TFC110"
    name = "tensor-recursion"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Recurse,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Recurse)
        ends = [stages for _, _, stages in event.frame.returned]
        inside = any(stage.tensor for stage in event.frame.staging)
        if (ends or inside) and all(any(stage.tensor for stage in stages) for stages in ends):
            yield self.suspect(event, f"`{source_of(event.at)}` is traced without end: only a tensor stops the recursion of `{event.function}`")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        from ..fixing.tensorflow.recursion import loop_fix

        return loop_fix(suspicion.event.at, context)
