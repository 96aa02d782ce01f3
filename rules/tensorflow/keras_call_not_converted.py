"""TFC101: control flow on tensors in code that Keras calls."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Event, Unconverted
from ..rule import Rule, Suspicion, source_of


class KerasCallNotConverted(Rule):
    """Control flow on a tensor in code that Keras calls.

    Keras 3 runs `call`, `train_step`, losses, metrics and `Lambda` layers as they are: AutoGraph does not convert them, nor what they
    call. A tensor `if`, `while`, `for`, `float()` or `int()` in there raises while `fit` traces, although the same code in a plain
    function under `tf.function` is converted. Decorate the innermost function with `@tf.function`, or use `tf.cond` and `tf.where`.

    Bad:
        import tensorflow as tf

        class Gate(tf.keras.layers.Layer):
            def call(self, x):
                if tf.reduce_sum(x) > 1.5:
                    return x * 2.0
                return x

        gate = Gate()

        def f(x):
            return gate(x)

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    Good:
        import tensorflow as tf

        class Gate(tf.keras.layers.Layer):
            @tf.function
            def call(self, x):
                if tf.reduce_sum(x) > 1.5:
                    return x * 2.0
                return x

        gate = Gate()

        def f(x):
            return gate(x)

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    """

    code = "TFC101"
    name = "keras-call-not-converted"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Unconverted,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Unconverted)
        if event.frame.capture.reason != "keras":
            return
        message = f"{event.what}, `{source_of(event.node)}`, raises here: Keras calls this code and AutoGraph does not convert it"
        yield self.suspect(event, message, event.value)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Unconverted)
        from ..fixing.tensorflow.decorating import decorate_fix

        made = decorate_fix(event, context)
        if isinstance(made, Fix):
            return made
        from ..fixing.tensorflow.unconverted import unconverted_fix

        other = unconverted_fix(event, context)
        return other if isinstance(other, Fix) else made
