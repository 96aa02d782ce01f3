"""TFC303: the result of ``TensorArray.write`` is dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of

_WRITES = {"write", "unstack", "scatter", "split"}


class DroppedWrite(Rule):
    """The result of `TensorArray.write` is dropped.

    In eager code `ta.write(i, v)` changes the array in place; in a graph it gives back a new one and leaves the old as it was, so that
    `ta.stack()` gives zeros instead of the values. Assign the result.

    Bad:
        import tensorflow as tf

        def f(x):
            ta = tf.TensorArray(tf.float32, size=3)
            for k in tf.range(3):
                ta.write(k, x)
            return ta.stack()

        def make_args(i):
            return (tf.constant(1.0 + i),)
    Good:
        import tensorflow as tf

        def f(x):
            ta = tf.TensorArray(tf.float32, size=3)
            for k in tf.range(3):
                ta = ta.write(k, x)
            return ta.stack()

        def make_args(i):
            return (tf.constant(1.0 + i),)
    """

    code = "TFC303"
    name = "dropped-write"
    framework = "tensorflow"
    severity = Severity.STALE
    fix_safety = "safe"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.startswith("tensorflow.TensorArray.") and callee.rpartition(".")[2] in _WRITES

    def examine(self, event: Event) -> Iterator[Suspicion]:
        statement = event.frame.statement
        if isinstance(statement, ast.Expr) and statement.value is event.at:
            yield self.suspect(event, f"the result of `{source_of(event.at)}` is dropped: in a graph the array itself stays as it was, and reads give zeros")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        from ..fixing.tensorflow.assign_result import assign_result_fix

        return assign_result_fix(suspicion.event, context)
