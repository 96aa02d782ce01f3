"""TFC201: the value of a tensor is read on the host."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Attribute, Call, Event
from ..flow.tensorflow.values import tf_tensor_in
from ..flow.values import contains_tensor
from ..rule import Rule, Suspicion, source_of

_METHODS = {"tf.Tensor.numpy", "tf.Variable.numpy", "tf.Tensor.__array__", "tf.Tensor.item", "tf.Tensor.tolist", "tf.Tensor.eval"}
_COPIES = {"copy.deepcopy", "pickle.dumps", "json.dumps", "hash", "joblib.dump"}
_ATTRIBUTES = {"tf.Tensor.device", "tf.Tensor.backing_device"}


class HostRead(Rule):
    """The value of a symbolic tensor is asked for while the graph is traced.

    A symbolic tensor has no value yet: `.numpy()`, `get_weights()`, `copy.deepcopy(t)` or `hash(t)` raise. Stay in TensorFlow's own
    operations, or move the host code out of the captured function.

    Bad:
        import tensorflow as tf

        def f(x):
            m = tf.reduce_mean(x).numpy()
            return x - m

        def make_args(i):
            return (tf.constant([1.0, 2.0 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            m = tf.reduce_mean(x)
            return x - m

        def make_args(i):
            return (tf.constant([1.0, 2.0 + i]),)
    """

    code = "TFC201"
    name = "host-read"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "safe or verify"
    listens = (Call, Attribute)

    def concerns(self, callee: str) -> bool:
        return callee in _METHODS or callee in _COPIES or callee.endswith((".get_weights", ".set_weights"))

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Attribute):
            if event.name in _ATTRIBUTES and not event.frame.tries:
                yield self.suspect(event, f"`{source_of(event.at)}` is empty for a symbolic tensor", event.receiver)
            return
        assert isinstance(event, Call)
        if event.callee in _METHODS:
            yield self.suspect(event, f"`{source_of(event.at)}` reads a value that a symbolic tensor does not have", event.receiver)
        elif event.callee in _COPIES:
            given = event.args[0] if event.args else None
            if given is not None and contains_tensor(given) is not None:
                yield self.suspect(event, f"`{source_of(event.at)}` needs the value of a symbolic tensor", given)
        elif event.callee.startswith(("keras.", "tf_keras.")) and tf_tensor_in(event.receiver) is None:
            yield self.suspect(event, f"`{source_of(event.at)}` moves weights to the host, which a graph cannot")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        from ..fixing.tensorflow.host_reads import host_read_fix

        return host_read_fix(event, context)
