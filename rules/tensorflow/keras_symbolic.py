"""TFC601: an operation of TensorFlow on a symbolic input of Keras."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.tensorflow.values import TFTensor
from ..flow.values import contains_tensor
from ..rule import Rule, Suspicion, source_of


class KerasSymbolic(Rule):
    """A function of TensorFlow is given a symbolic input of Keras.

    What `keras.Input` gives stands for data while a functional model is built; Keras 3 accepts it in layers and `keras.ops` only. A
    function of TensorFlow raises on it. Use `keras.ops`, or put the operation into a layer's `call`.

    Bad:
        import tensorflow as tf

        inputs = tf.keras.Input((3,))

        def f(x):
            hidden = tf.nn.relu(inputs)
            return tf.keras.Model(inputs, hidden)(x)

        def make_args(i):
            return (tf.ones([1, 3]) - i,)
    Good:
        import keras
        import tensorflow as tf

        inputs = tf.keras.Input((3,))
        model = tf.keras.Model(inputs, keras.ops.relu(inputs))

        def f(x):
            return model(x)

        def make_args(i):
            return (tf.ones([1, 3]) - i,)
    """

    code = "TFC601"
    name = "keras-symbolic"
    framework = "tensorflow"
    severity = Severity.BREAK
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.startswith("tensorflow.") and not callee.startswith(("tensorflow.keras", "tensorflow.is_tensor", "tensorflow.nest", "tensorflow.data"))

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        for value in (*event.args, *event.kwargs.values()):
            found = contains_tensor(value, 1)
            if isinstance(found, TFTensor) and found.kind == "symbolic":
                yield self.suspect(event, f"`{source_of(event.at)}` is given a symbolic input of Keras, which functions of TensorFlow refuse", value)
                return
