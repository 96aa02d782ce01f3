"""TFC703: a Python loop is unrolled into the graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Safety, Severity
from ..fixing.context import FixContext
from ..flow.events import Event, Loop
from ..flow.values import Array, Sequence
from ..rule import Rule, Suspicion, source_of


class UnrolledLoop(Rule):
    """A Python loop whose rounds all become part of the graph.

    A loop over `range(n)` with a Python `n`, a list or a NumPy array is run while tracing, and the graph holds every round of it: tracing
    takes long, and another `n` means another trace. `tf.range` makes it a loop of the graph, which traces once but runs each round more
    slowly, unless XLA compiles it. Measure before you change it.

    Bad:
        import tensorflow as tf

        def f(x, n):
            for _ in range(n):
                x = tf.sin(x) + 1.0
            return x

        def make_args(i):
            return tf.constant(1.0), 20 + i
    Good:
        import tensorflow as tf

        def f(x, n):
            for _ in tf.range(n):
                x = tf.sin(x) + 1.0
            return x

        def make_args(i):
            return tf.constant(1.0), tf.constant(20 + i)
    """

    code = "TFC703"
    name = "unrolled-loop"
    framework = "tensorflow"
    severity = Severity.RETRACE
    fix_safety = "suggest"
    listens = (Loop,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Loop)
        statement = event.frame.module.loops_at(event.at)
        if not statement or not isinstance(statement[0], ast.For):
            return
        iterable = event.iterable
        if isinstance(iterable, Sequence) and iterable.kind == "range":
            if iterable.elements is None and _computes(statement[0]):
                yield self.suspect(event, f"`{source_of(event.at)}` is a Python loop: each of its rounds becomes part of the graph")
        elif isinstance(iterable, Array) and iterable.constant:
            yield self.suspect(event, f"`{source_of(event.at)}` is iterated in Python: each round becomes part of the graph")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        return Fix(Safety.SUGGEST, "loop over tf.range where the number of rounds changes from call to call, and measure: without XLA each round runs more slowly")


def _computes(statement: ast.For) -> bool:
    """Whether the body does more than build a list of layers or names."""
    return any(isinstance(item, (ast.BinOp, ast.Call)) for part in statement.body for item in ast.walk(part))
