"""TFC306: an item of a tensor is assigned."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Event, Index
from ..flow.tensorflow.values import TFTensor
from ..rule import Rule, Suspicion, source_of


class ItemAssignment(Rule):
    """An item or slice of a tensor is assigned.

    Tensors of TensorFlow cannot be changed in place, in eager code neither. Make a new one: `tf.tensor_scatter_nd_update` for an index,
    `tf.where` for a mask; a `tf.Variable` has `v[i].assign(x)`.

    Bad:
        import tensorflow as tf

        def f(x):
            y = tf.identity(x)
            y[0] = 9.0
            return y

        def make_args(i):
            return (tf.constant([1.0 + i, 2.0]),)
    Good:
        import tensorflow as tf

        def f(x):
            y = tf.identity(x)
            y = tf.tensor_scatter_nd_update(y, [[0]], [9.0])
            return y

        def make_args(i):
            return (tf.constant([1.0 + i, 2.0]),)
    """

    code = "TFC306"
    name = "item-assignment"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Index,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Index)
        if event.store and isinstance(event.base, TFTensor):
            yield self.suspect(event, f"`{source_of(event.at)} = ...`: a tensor of TensorFlow cannot be changed in place", event.base)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Index)
        from ..fixing.tensorflow.scatter import scatter_fix

        return scatter_fix(event, context)
