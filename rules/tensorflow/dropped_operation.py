"""TFC503: an operation whose result nobody uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..frameworks.tensorflow import tables
from ..rule import Rule, Suspicion, source_of

_EFFECTS = ("tensorflow.debugging.", "tensorflow.print", "tensorflow.io.write", "tensorflow.summary.", "tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.random.", "tensorflow.data.", "tensorflow.config.", "tensorflow.keras", "tensorflow.compat.", "tensorflow.autograph.", "tensorflow.nest.", "tensorflow.raw_ops.", "tensorflow.while_loop", "tensorflow.cond", "tensorflow.map_fn", "tensorflow.group", "tensorflow.no_op", "tensorflow.constant", "tensorflow.Variable", "tensorflow.Assert", "tensorflow.distribute.", "tensorflow.queue.", "tensorflow.lookup.", "tensorflow.function", "tensorflow.ensure_shape", "tensorflow.scan")


class DroppedOperation(Rule):
    """The result of an operation is dropped.

    Eager code runs it and raises when its input is bad; a graph leaves out what leads to no output, error and all. If the operation is
    there for its check, use `tf.debugging.assert_*`; else remove it.

    Bad:
        import tensorflow as tf

        def f(x, k):
            tf.gather(x, k)
            return x * 2.0

        def make_args(i):
            return tf.constant([1.0, 2.0]), tf.constant(0 if i == 0 else 7)
    Good:
        import tensorflow as tf

        def f(x, k):
            tf.debugging.assert_less(k, tf.size(x))
            return x * 2.0

        def make_args(i):
            return tf.constant([1.0, 2.0]), tf.constant(0 if i == 0 else 7)
    """

    code = "TFC503"
    name = "dropped-operation"
    framework = "tensorflow"
    severity = Severity.STALE
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.startswith("tensorflow.") and not callee.startswith(_EFFECTS)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        statement = event.frame.statement
        if not (isinstance(statement, ast.Expr) and statement.value is event.at) or event.frame.tries:
            return
        entry = tables.functions().get("tf." + event.callee.removeprefix("tensorflow."))
        if (entry is not None and entry.result in ("Tensor", "list")) or (entry is not None and entry.result.startswith(("tuple", "namedtuple"))):
            yield self.suspect(event, f"the result of `{source_of(event.at)}` is dropped, so a graph never runs it and never raises what it would")
