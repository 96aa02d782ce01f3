"""TFC311: a loss that is added while tracing and read outside."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Severity
from ..flow.capture import TENSORFLOW
from ..flow.entries import walk_scopes
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of


class LeakedLoss(Rule):
    """`add_loss` in a layer whose losses are read outside the graph.

    What a layer adds while it is traced is a symbolic tensor of that trace. `layer.losses` is to be read inside the same captured function;
    outside it is a tensor that nobody can evaluate, made at the first call only.

    Bad:
        import tensorflow as tf

        class Penalty(tf.keras.layers.Layer):
            def call(self, x):
                self.add_loss(tf.reduce_sum(x) * 0.1)
                return x

        layer = Penalty()

        def f(x):
            return layer(x)

        def make_args(i):
            return (tf.constant([1.0 + i]),)

        def observe():
            return [float(v) for v in layer.losses]
    Good:
        import tensorflow as tf

        class Penalty(tf.keras.layers.Layer):
            def call(self, x):
                self.add_loss(tf.reduce_sum(x) * 0.1)
                return x

        layer = Penalty()

        def f(x):
            y = layer(x)
            return tf.reduce_sum(y) + tf.add_n(layer.losses)

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    """

    code = "TFC311"
    name = "leaked-loss"
    framework = "tensorflow"
    severity = Severity.STALE
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.endswith(".add_loss") and callee.startswith("keras.")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if _read_outside(event):
            yield self.suspect(event, f"`{source_of(event.at)}` leaves a symbolic tensor in `losses`, which is read outside the captured function")


def _read_outside(event: Call) -> bool:
    """Whether ``losses`` is read in the module, and only in functions that nothing captures."""
    module, engine = event.frame.module, event.frame.engine
    if ".losses" not in module.text:
        return False
    outside = False
    for statement in module.tree.body:
        for node, scopes in walk_scopes(statement):
            if isinstance(node, ast.Attribute) and node.attr == "losses":
                if any(a.capture.framework == TENSORFLOW for s in scopes for a in engine.by_node.get(id(s), ())):
                    return False
                outside = True
    return outside
