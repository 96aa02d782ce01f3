"""TFC402: a ``TensorArray`` that grows, in code that XLA compiles."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..flow.values import Const
from ..rule import Rule, Suspicion, source_of


class XlaDynamicShape(Rule):
    """A `TensorArray` that grows, in code that XLA compiles.

    XLA compiles for fixed sizes. With `jit_compile=True` (which Keras' `compile(jit_compile="auto")` means where a GPU is visible) a
    `TensorArray` of `dynamic_size` gives an *empty* tensor without a word, and raises where a gradient goes through it. Give it its size.

    Bad:
        import tensorflow as tf

        TF_FUNCTION_KWARGS = dict(jit_compile=True)

        def f(n):
            ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
            for k in tf.range(n):
                ta = ta.write(k, tf.cast(k, tf.float32))
            return ta.stack()

        def make_args(i):
            return (tf.constant(3 + i),)
    Good:
        import tensorflow as tf

        TF_FUNCTION_KWARGS = dict(jit_compile=True)

        def f(x):
            ta = tf.TensorArray(tf.float32, size=3, element_shape=[])
            for k in tf.range(3):
                ta = ta.write(k, x[k] * 2.0)
            return ta.stack()

        def make_args(i):
            return (tf.constant([1.0, 2.0, 3.0 + i]),)
    """

    code = "TFC402"
    name = "xla-dynamic-shape"
    framework = "tensorflow"
    severity = Severity.STALE
    fix_safety = "verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee == "tensorflow.TensorArray"

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        grows = event.kwargs.get("dynamic_size")
        if not event.frame.capture.jit or not isinstance(grows, Const) or grows.value is not True:
            return
        trained = event.frame.capture.reason == "keras"
        what = "grows, which XLA cannot differentiate" if trained else "grows: XLA makes an empty tensor of it"
        yield self.suspect(event, f"`{source_of(event.at)}` {what}", severity=Severity.BREAK if trained else None)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        from ..fixing.tensorflow.xla import without_xla_fix

        return without_xla_fix(suspicion.event, context)
