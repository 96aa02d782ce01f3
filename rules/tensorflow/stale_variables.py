"""TFC305: variables that are not there yet, or not the optimizer's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Attribute, Call, Event
from ..flow.tensorflow.keras import kind_of
from ..flow.tensorflow.values import TFTensor, tf_tensor_in
from ..flow.values import FALSE, Class, Instance, Sequence, Value
from ..index.walk import walk
from ..rule import Rule, Suspicion, source_of

_LISTS = {"trainable_variables", "trainable_weights", "variables", "weights"}


class StaleVariables(Rule):
    """Variables are read before the model has made them, or an optimizer is given variables that are not its own.

    A Keras model makes its variables when it is first called. A list of them that is read before, inside the captured function, is empty
    in the trace that is kept, so that nothing is trained, without a word. And an optimizer that has made its slots for one set of
    variables cannot make them for a second one inside a graph.

    Bad:
        import tensorflow as tf

        class Tiny(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.d = tf.keras.layers.Dense(1, kernel_initializer="ones")

            def call(self, x):
                return self.d(x)

        model = Tiny()
        opt = tf.keras.optimizers.SGD(0.1)

        def f(x):
            variables = model.trainable_variables
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(model(x))
            opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
            return loss

        def make_args(i):
            return (tf.ones([2, 3]),)
    Good:
        import tensorflow as tf

        class Tiny(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.d = tf.keras.layers.Dense(1, kernel_initializer="ones")

            def call(self, x):
                return self.d(x)

        model = Tiny()
        opt = tf.keras.optimizers.SGD(0.1)

        def f(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(model(x))
            variables = model.trainable_variables
            opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
            return loss

        def make_args(i):
            return (tf.ones([2, 3]),)
    """

    code = "TFC305"
    name = "stale-variables"
    framework = "tensorflow"
    severity = Severity.STALE
    listens = (Attribute, Call)

    def concerns(self, callee: str) -> bool:
        return callee.endswith(".apply_gradients")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Attribute):
            model = event.receiver
            if event.name in _LISTS and isinstance(model, Instance) and self._called_later(event, model):
                yield self.suspect(event, f"`{source_of(event.at)}` is empty in the first trace: the model makes its variables when it is called, further down")
            return
        assert isinstance(event, Call)
        pairs = event.args[0] if event.args else None
        given = _variable_in(pairs) if pairs is not None else None
        if given is not None and given.nominal and event.frame.activation.is_entry:
            yield self.suspect(event, f"`{source_of(event.at, 50)}` is given variables that the caller passes: the optimizer keeps the slots of the first ones", given)

    def _called_later(self, event: Attribute, model: Instance) -> bool:
        """Whether the function calls a model below the read that nothing has built before."""
        at = event.at
        if not isinstance(at, ast.Attribute) or event.frame.function is None or not _is_unbuilt(model):
            return False
        source = ast.unparse(at.value)
        module = event.frame.module.text
        if f"{source}.build(" in module:
            return False
        for item in walk(event.frame.function.node):
            if isinstance(item, ast.Call) and item.lineno > at.lineno and ast.unparse(item.func) == source:
                return True
        return False


def _is_unbuilt(model: Instance) -> bool:
    if isinstance(model.cls, Class):
        return kind_of(model.cls) in ("model", "layer")
    return model.attributes.get("#built") is FALSE


def _variable_in(pairs: Value) -> TFTensor | None:
    """The variable in pairs of a gradient and a variable."""
    if not isinstance(pairs, Sequence):
        return None
    for element in pairs.elements if pairs.elements is not None else [pairs.any()]:
        if isinstance(element, Sequence) and element.elements is not None and len(element.elements) == 2:
            tensor = tf_tensor_in(element.elements[1])
            if tensor is not None and tensor.kind == "variable":
                return tensor
    return None
