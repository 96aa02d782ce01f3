"""TFC109: exceptions that depend on what a tensor holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event, Raise
from ..rule import Rule, Suspicion, source_of

_CHECKS = ("tensorflow.debugging.", "tensorflow.ensure_shape", "tensorflow.io.decode", "tensorflow.io.read", "tensorflow.image.decode", "tensorflow.strings.to_number", "tensorflow.io.parse")
_CAUGHT = ("InvalidArgumentError", "OutOfRangeError", "NotFoundError", "FailedPreconditionError", "UnknownError", "OpError", "ResourceExhaustedError")


class ExceptionOnData(Rule):
    """An exception that depends on what a tensor holds.

    A `raise` under a tensor `if` is reached while tracing, whatever the data says, since both sides are traced. And an operation that
    fails on its data fails when the graph runs, long after the `try` around it was traced. Use `tf.debugging.assert_*` for the first,
    an explicit test for the second.

    Bad:
        import tensorflow as tf

        def f(x):
            if tf.reduce_any(x < 0):
                raise ValueError("negative input")
            return tf.sqrt(x)

        def make_args(i):
            return (tf.constant([4.0, 9.0 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            tf.debugging.assert_non_negative(x, message="negative input")
            return tf.sqrt(x)

        def make_args(i):
            return (tf.constant([4.0, 9.0 + i]),)
    """

    code = "TFC109"
    name = "exception-on-data"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Raise, Call)

    def concerns(self, callee: str) -> bool:
        return callee.startswith(_CHECKS)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        stages = event.frame.staging
        if isinstance(event, Raise):
            if any(stage.tensor for stage in stages):
                yield self.suspect(event, "this `raise` is reached while tracing, whatever the tensor holds: both sides of the branch are traced")
            return
        handler = _handler_of(event)
        if handler is not None:
            yield self.suspect(event, f"`{source_of(event.at)}` fails when the graph runs, where `except {handler}` no longer sees it")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        from ..fixing.tensorflow.raises import raise_fix

        return raise_fix(event, context)


def _handler_of(event: Event) -> str | None:
    """The exception of the data that a ``try`` around the statement catches and nothing but it."""
    for statement in event.frame.tries:
        for handler in statement.handlers:
            name = ast.unparse(handler.type) if handler.type is not None else ""
            if name.endswith(_CAUGHT):
                return name
    return None
