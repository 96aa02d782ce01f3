"""TFC204: a tensor is used as an index of a Python container."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Event, Index
from ..flow.tensorflow.values import tf_tensor_in
from ..flow.values import Array, Mapping, Sequence, Value, contains_tensor
from ..rule import Rule, Suspicion, source_of


class TensorAsIndex(Rule):
    """A tensor is an index of a list, tuple, dict or NumPy array.

    Python needs the number at once, and a symbolic tensor has none. Hold the table in a tensor and use `tf.gather`; choose between
    functions with `tf.switch_case`.

    Bad:
        import tensorflow as tf

        WEIGHTS = [1.0, 10.0, 100.0]

        def f(k):
            return WEIGHTS[k] * 2.0

        def make_args(i):
            return (tf.constant(i),)
    Good:
        import tensorflow as tf

        WEIGHTS = [1.0, 10.0, 100.0]

        def f(k):
            return tf.gather(WEIGHTS, k) * 2.0

        def make_args(i):
            return (tf.constant(i),)
    """

    code = "TFC204"
    name = "tensor-as-index"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Index,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Index)
        found = contains_tensor(event.index, 1)
        if found is None or tf_tensor_in(found) is None:
            return
        if isinstance(event.base, (Sequence, Mapping, Array)):
            yield self.suspect(event, f"`{source_of(event.at)}` needs the value of a tensor to look into {_words(event.base)}", event.index)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Index)
        from ..fixing.tensorflow.gathering import gather_fix

        return gather_fix(event, context)


def _words(base: Value) -> str:
    if isinstance(base, Array):
        return "a NumPy array"
    if isinstance(base, Mapping):
        return "a dict"
    assert isinstance(base, Sequence)
    return {"size": "a shape", "iterator": "an iterator"}.get(base.kind, f"a {base.kind}")
