"""TFC802: names that TensorFlow 2 no longer has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Attribute, Call, Event, Legacy
from ..frameworks.tensorflow import tables
from ..rule import Rule, Suspicion, source_of

_MODULES = {"contrib", "app", "flags", "layers", "estimator", "logging", "gfile", "python_io", "spectral", "user_ops", "resource_loader", "losses", "metrics"}
_V1_GONE = {"layers", "estimator", "keras.backend.get_session", "train.get_or_create_global_step", "nn.rnn_cell.LSTMCell", "nn.rnn_cell.GRUCell", "nn.rnn_cell.BasicLSTMCell"}
_OLD_ARGUMENTS = {"keep_dims": "keepdims", "reduction_indices": "axis"}


@lru_cache(maxsize=1)
def _removed() -> dict[str, str | None]:
    names: dict[str, str | None] = {f"tensorflow.{name.removeprefix('tf.')}": new for name, new in tables.removed().items()}
    names.update({f"tensorflow.{name}": None for name in _MODULES if f"tensorflow.{name}" not in names})
    names.update({f"tensorflow.compat.v1.{name}": None for name in _V1_GONE})
    return names


def _hint(name: str) -> str:
    new = _removed()[name]
    return f"; it is `{new}` now" if new else ""


class RemovedApi(Rule):
    """A name of TensorFlow 1 that TensorFlow 2 does not have any more.

    `tf.contrib`, `tf.layers`, `tf.estimator`, `tf.app`, `tf.log` and several hundred others raise `AttributeError` when the function is
    traced. Many were only renamed.

    Bad:
        import tensorflow as tf

        def f(x):
            return tf.reduce_sum(tf.log(tf.to_float(x)), keep_dims=True)

        def make_args(i):
            return (tf.constant([1, 2 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            return tf.reduce_sum(tf.math.log(tf.cast(x, tf.float32)), keepdims=True)

        def make_args(i):
            return (tf.constant([1, 2 + i]),)
    """

    code = "TFC802"
    name = "removed-api"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "safe"
    listens = (Attribute, Call, Legacy)

    def concerns(self, callee: str) -> bool:
        return callee.startswith("tensorflow.")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Legacy):
            if event.name in _removed():
                yield self.suspect(event, f"`{source_of(event.at)}` is not part of TensorFlow 2{_hint(event.name)}", severity=Severity.LEGACY)
            return
        if isinstance(event, Attribute):
            if event.name not in _removed() or event.frame.function is None:
                return
            yield self.suspect(event, f"`{source_of(event.at)}` is not part of TensorFlow 2{_hint(event.name)}")
            return
        assert isinstance(event, Call)
        old = next((name for name in event.kwargs if name in _OLD_ARGUMENTS), None)
        if old is not None and event.callee.startswith(("tensorflow.reduce_", "tensorflow.math.reduce_", "tensorflow.norm", "tensorflow.argmax")):
            yield self.suspect(event, f"`{source_of(event.at, 50)}`: `{old}` is called `{_OLD_ARGUMENTS[old]}` now")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        from ..fixing.tensorflow.renames import rename_fix

        return rename_fix(event, context)
