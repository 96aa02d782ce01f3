"""TFC402: a size that XLA cannot know."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.tensorflow.values import tf_tensor_in
from ..flow.values import Const, Sequence
from ..rule import Rule, Suspicion, source_of

_SIZED = {"tensorflow.range": (0, "start"), "tensorflow.reshape": (1, "shape"), "tensorflow.zeros": (0, "shape"), "tensorflow.ones": (0, "shape"), "tensorflow.fill": (0, "dims"), "tensorflow.nn.top_k": (1, "k"), "tensorflow.math.top_k": (1, "k")}


class XlaDynamicShape(Rule):
    """A size that depends on data, in code that XLA compiles.

    XLA compiles for fixed sizes. A `TensorArray` that grows, `tf.range(n)` or a reshape by a tensor that the inputs decide either raises or
    gives other values than eager code does. Give a fixed size, or turn `jit_compile` off.

    Bad:
        import tensorflow as tf

        TF_FUNCTION_KWARGS = dict(jit_compile=True)

        def f(x, n):
            return tf.reshape(x, [n, -1])

        def make_args(i):
            return tf.range(12), tf.constant([2, 3, 4][i % 3])
    Good:
        import tensorflow as tf

        TF_FUNCTION_KWARGS = dict(jit_compile=True)

        def f(x):
            return tf.reshape(x, [4, -1])

        def make_args(i):
            return (tf.range(12) + i,)
    """

    code = "TFC402"
    name = "xla-dynamic-shape"
    framework = "tensorflow"
    severity = Severity.BREAK
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee in _SIZED or callee == "tensorflow.TensorArray"

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if not event.frame.capture.jit:
            return
        if event.callee == "tensorflow.TensorArray":
            grows = event.kwargs.get("dynamic_size")
            if isinstance(grows, Const) and grows.value is True:
                yield self.suspect(event, f"`{source_of(event.at)}` grows, which XLA can neither size nor differentiate")
            return
        position, name = _SIZED[event.callee]
        given = [event.argument(position, name)] if event.callee != "tensorflow.range" else list(event.args)
        for value in given:
            parts = value.elements or [] if isinstance(value, Sequence) else [value]
            tensor = next((t for p in parts if (t := tf_tensor_in(p)) is not None), None)
            if tensor is not None and tensor.nominal:
                yield self.suspect(event, f"`{source_of(event.at)}` takes a size from the data, which XLA must know when it compiles", tensor)
                return
