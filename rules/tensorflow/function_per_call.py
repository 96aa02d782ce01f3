"""TFC702: ``tf.function`` is applied anew at each call or for each object."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Entered, Event, MakesGraph
from ..rule import Rule, Suspicion


class FunctionPerCall(Rule):
    """`tf.function` is made again and again.

    A `tf.function` that is made inside another function forgets its traces when that function returns: each call traces anew. On a method
    there is one trace for each object, since `self` is an argument. Make it once, at module level or in the constructor.

    Bad:
        import tensorflow as tf

        TRACES = []

        def f(x):
            @tf.function
            def inner(v):
                TRACES.append(1)
                return v * 2.0
            return inner(x)

        DECORATED = True

        def traces():
            return len(TRACES)

        def make_args(i):
            return (tf.constant(1.0 + i),)
    Good:
        import tensorflow as tf

        @tf.function
        def inner(v):
            return v * 2.0

        def f(x):
            return inner(x)

        DECORATED = True

        def traces():
            return inner.experimental_get_tracing_count()

        def make_args(i):
            return (tf.constant(1.0 + i),)
    """

    code = "TFC702"
    name = "function-per-call"
    framework = "tensorflow"
    severity = Severity.RETRACE
    listens = (MakesGraph, Entered)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, MakesGraph):
            yield self.suspect(event, "`tf.function` is made at each call of the function around it, and forgets its traces when that returns")
            return
        assert isinstance(event, Entered)
        function = event.frame.function
        if function is None or not event.per_object or not isinstance(function.node, ast.FunctionDef) or not function.node.decorator_list:
            return
        yield self.suspect(event, "one trace for each object: `self` is an argument of the captured function", at=function.node.decorator_list[0])
