"""TFC403: an operation that gives something else under XLA."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of

_RANDOM = ("tensorflow.random.stateless_", "tensorflow.random.Generator.")


class XlaDifference(Rule):
    """An operation that behaves differently once XLA compiles it.

    Under `jit_compile=True` checks of `tf.debugging` are dropped, an index out of range is clamped, and random numbers come from another
    algorithm. No error says so.

    Bad:
        import tensorflow as tf

        TF_FUNCTION_KWARGS = dict(jit_compile=True)

        def f(x):
            tf.debugging.assert_positive(x)
            return tf.math.log(x)

        def make_args(i):
            return (tf.constant([1.0 - 2 * i]),)
    Good:
        import tensorflow as tf

        def f(x):
            tf.debugging.assert_positive(x)
            return tf.math.log(x)

        def make_args(i):
            return (tf.constant([1.0 - 2 * i]),)
    """

    code = "TFC403"
    name = "xla-difference"
    framework = "tensorflow"
    severity = Severity.STALE
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.startswith(("tensorflow.debugging.assert", "tensorflow.debugging.Assert", *_RANDOM))

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if not event.frame.capture.jit:
            return
        if event.callee.startswith(_RANDOM):
            yield self.suspect(event, f"`{source_of(event.at)}` draws other numbers under XLA than in eager code", when=("its numbers are compared with those of eager code",))
        else:
            yield self.suspect(event, f"`{source_of(event.at)}` is dropped under XLA: nothing is checked")
