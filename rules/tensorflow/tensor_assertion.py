"""TFC108: an ``assert`` on a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Branch, Event
from ..flow.tensorflow.values import tf_tensor_in
from ..rule import Rule, Suspicion, source_of


class TensorAssertion(Rule):
    """An `assert` on a tensor.

    AutoGraph leaves `assert` alone, so Python asks the symbolic tensor for its truth and raises. Use `tf.debugging.assert_*` or
    `tf.debugging.Assert`, which check each time the graph runs; they raise `InvalidArgumentError` instead of `AssertionError`.

    Bad:
        import tensorflow as tf

        def f(x):
            assert tf.reduce_all(x > 0), "need positive"
            return tf.math.log(x)

        def make_args(i):
            return (tf.constant([1.0, 2.0 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            tf.debugging.Assert(tf.reduce_all(x > 0), ["need positive"])
            return tf.math.log(x)

        def make_args(i):
            return (tf.constant([1.0, 2.0 + i]),)
    """

    code = "TFC108"
    name = "tensor-assertion"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Branch,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Branch)
        tensor = tf_tensor_in(event.test)
        if event.kind == "assert" and tensor is not None and not tensor.likely and not event.frame.capture.asserts:
            yield self.suspect(event, f"`assert` on a tensor, `{source_of(event.at)}`, is not converted by AutoGraph", event.test)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Branch)
        from ..fixing.tensorflow.assertion import assertion_fix

        return assertion_fix(event, context)
