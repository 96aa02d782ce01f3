"""TFC207: an argument that eager code takes and a graph refuses."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import Const
from ..rule import Rule, Suspicion, source_of


class EagerArgument(Rule):
    """A shape that is a number instead of a list.

    `tf.reshape(x, -1)` works in eager code, where the number is taken for a list of one. A graph refuses it. Write `tf.reshape(x, [-1])`.

    Bad:
        import tensorflow as tf

        def f(x):
            return tf.reshape(x, -1)

        def make_args(i):
            return (tf.ones([2, 3]) + i,)
    Good:
        import tensorflow as tf

        def f(x):
            return tf.reshape(x, [-1])

        def make_args(i):
            return (tf.ones([2, 3]) + i,)
    """

    code = "TFC207"
    name = "eager-argument"
    framework = "tensorflow"
    severity = Severity.BREAK
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee == "tensorflow.reshape"

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        shape = event.argument(1, "shape")
        if isinstance(shape, Const) and type(shape.value) is int:
            yield self.suspect(event, f"`{source_of(event.at)}`: the shape is a number, which a graph refuses; write a list")
