"""TFC310: an iterator of the outside world is consumed while tracing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event, Loop
from ..flow.tensorflow.staging import is_outer
from ..flow.values import UNKNOWN, Sequence, Value
from ..rule import Rule, Suspicion, source_of


class ConsumedIterator(Rule):
    """A Python iterator that outlives the call is consumed while the graph is traced.

    `next(it)` or a loop over a generator takes its elements once, while tracing; later calls see the same ones, as constants of the graph.
    Draw outside and pass the element, or use a `tf.data.Dataset`.

    Bad:
        import itertools
        import tensorflow as tf

        COUNTER = itertools.count()

        def f(x):
            return x * float(next(COUNTER))

        def make_args(i):
            return (tf.constant(1.0),)
    Good:
        import itertools
        import tensorflow as tf

        COUNTER = itertools.count()

        def f(x, n):
            return x * n

        def make_args(i):
            return tf.constant(1.0), tf.constant(float(next(COUNTER)))
    """

    code = "TFC310"
    name = "consumed-iterator"
    framework = "tensorflow"
    severity = Severity.STALE
    fix_safety = "verify"
    listens = (Call, Loop)

    def concerns(self, callee: str) -> bool:
        return callee in ("next", "zip", "enumerate", "list", "tuple", "map")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Loop):
            candidates = [(event.at, event.iterable)]
        else:
            assert isinstance(event, Call)
            nodes = event.at.args if isinstance(event.at, ast.Call) else []
            candidates = list(zip(nodes, event.args))
        for node, value in candidates:
            if isinstance(node, ast.Name) and _is_iterator(value, event) and is_outer(node, None, event.frame) in ("a global", "an outer name"):
                yield self.suspect(event, f"`{source_of(event.at, 50)}` takes from `{node.id}` once, while tracing, not at each call")
                return

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        from ..fixing.tensorflow.host_values import host_value_fix

        return host_value_fix(suspicion.event.at, context)



def _is_iterator(value: Value, event: Event) -> bool:
    if isinstance(value, Sequence):
        return value.kind == "iterator"
    return value is UNKNOWN and isinstance(event, Call) and event.callee == "next"
