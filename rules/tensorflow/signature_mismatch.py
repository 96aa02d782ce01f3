"""TFC704: a captured function is called with what its signature does not declare."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Entered, Event
from ..rule import Rule, Suspicion


class SignatureMismatch(Rule):
    """A function with an `input_signature` is given an argument that the signature does not declare.

    An `input_signature` must describe every argument by a `tf.TensorSpec`. A Python flag beyond it raises at the call. Make one
    `tf.function` for each value of the flag, or make the flag a tensor and declare it.

    Bad:
        import tensorflow as tf

        TF_FUNCTION_KWARGS = dict(input_signature=[tf.TensorSpec([None], tf.float32)])

        def f(x, training=False):
            if training:
                return x * 2.0
            return x

        def make_args(i):
            return tf.ones([2 + i]), True
    Good:
        import tensorflow as tf

        TF_FUNCTION_KWARGS = dict(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.bool)])

        def f(x, training=False):
            if training:
                return x * 2.0
            return x

        def make_args(i):
            return tf.ones([2 + i]), tf.constant(True)
    """

    code = "TFC704"
    name = "signature-mismatch"
    framework = "tensorflow"
    severity = Severity.BREAK
    listens = (Entered,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Entered)
        if event.signature is not None and event.given > event.signature:
            extra = list(event.arguments)[event.signature : event.given]
            yield self.suspect(event, f"`{extra[0] if extra else 'an argument'}` is given to a function whose `input_signature` declares {event.signature} parameter(s)", at=event.parameters.get(extra[0]) if extra else None)
