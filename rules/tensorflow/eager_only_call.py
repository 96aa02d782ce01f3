"""TFC205: a call that works only in eager code."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of

_METHODS = ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch", "save", "save_weights", "load_weights", "export")
_SAVING = {
    "tensorflow.train.Checkpoint.save", "tensorflow.train.CheckpointManager.save", "tensorflow.train.Checkpoint.restore", "tensorflow.saved_model.save",
    "tensorflow.saved_model.load", "keras.models.load_model", "keras.saving.load_model",
}  # fmt: skip


class EagerOnlyCall(Rule):
    """A call that TensorFlow allows only outside a graph.

    `fit`, `predict`, `evaluate`, saving, restoring and `Dataset.as_numpy_iterator` start graphs or files of their own and raise while
    another one is traced. Call the model itself (`model(x, training=False)`), and save outside.

    Bad:
        import tensorflow as tf

        DATA = tf.data.Dataset.range(3, output_type=tf.int32)

        def f(x):
            for v in DATA.as_numpy_iterator():
                x = x + int(v)
            return x

        def make_args(i):
            return (tf.constant(10 + i),)
    Good:
        import tensorflow as tf

        DATA = tf.data.Dataset.range(3, output_type=tf.int32)

        def f(x):
            for v in DATA:
                x = x + v
            return x

        def make_args(i):
            return (tf.constant(10 + i),)
    """

    code = "TFC205"
    name = "eager-only-call"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        first, _, last = callee.rpartition(".")
        return callee in _SAVING or last == "as_numpy_iterator" or (last in _METHODS and first.startswith(("keras.", "tf_keras.")))

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        yield self.suspect(event, f"`{source_of(event.at)}` works in eager code only")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        from ..fixing.tensorflow.datasets import dataset_fix

        return dataset_fix(event, context)
