"""TFC304: a variable is created at each call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..flow.tensorflow.keras import external_kind
from ..flow.values import Instance
from ..rule import Rule, Suspicion, source_of

_CREATES = {
    "tensorflow.Variable", "tensorflow.random.Generator.from_seed", "tensorflow.random.Generator.from_non_deterministic_state", "tensorflow.random.Generator",
    "tensorflow.compat.v1.get_variable", "tensorflow.compat.v1.Variable", "keras.random.SeedGenerator", "keras.Variable",
}  # fmt: skip


class VariableCreation(Rule):
    """A variable, layer, optimizer or generator is created inside the captured function.

    A captured function may create variables only while it is traced for the first time, and must not create them again: `tf.Variable`,
    `tf.random.Generator`, a Keras layer, metric or optimizer made in its body raises. Create it once, outside; a value that nothing
    remembers can be a plain tensor.

    Bad:
        import tensorflow as tf

        def f(x):
            v = tf.Variable(3.0)
            return x * v

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    Good:
        import tensorflow as tf

        V = tf.Variable(3.0)

        def f(x):
            return x * V

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    """

    code = "TFC304"
    name = "variable-creation"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        if callee in _CREATES:
            return True
        last = callee.rpartition(".")[2]
        if callee in ("keras.optimizer.__init__", "keras.metric.__init__"):
            return True
        return last[:1].isupper() and last != "Layer" and external_kind(callee) in ("layer", "optimizer", "metric")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        frame = event.frame
        if frame.capture.mapped and event.callee not in _CREATES:
            return
        name = frame.function.qualname.rpartition(".")[2] if frame.function is not None else ""
        if name in ("build", "__init__") and frame.capture.reason == "keras":
            return
        if any(_once(stage.node) for stage in frame.staging):
            return
        if event.callee.endswith(".__init__") and not (isinstance(event.receiver, Instance) and event.receiver.local):
            return
        if external_kind(event.callee) in ("layer", "metric") and not _is_stateful(event.callee):
            return
        yield self.suspect(event, f"`{source_of(event.at, 40)}` creates variables at each call, which a captured function may not")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Call)
        from ..fixing.tensorflow.creation import hoist_fix

        return hoist_fix(event, context)


_STATELESS = {
    "Activation", "ReLU", "LeakyReLU", "ELU", "Softmax", "Flatten", "Reshape", "Permute", "RepeatVector", "Add", "Subtract", "Multiply", "Average",
    "Maximum", "Minimum", "Concatenate", "Dot", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "AveragePooling1D", "AveragePooling2D", "AveragePooling3D",
    "GlobalMaxPooling1D", "GlobalMaxPooling2D", "GlobalAveragePooling1D", "GlobalAveragePooling2D", "ZeroPadding1D", "ZeroPadding2D", "Cropping1D",
    "Cropping2D", "UpSampling1D", "UpSampling2D", "UpSampling3D", "Lambda", "Masking", "Rescaling", "Resizing", "CenterCrop", "Identity", "InputLayer", "MaxPool2D", "AvgPool2D", "MaxPool1D", "AvgPool1D",
    "UnitNormalization", "ThresholdedReLU",
}  # fmt: skip


def _is_stateful(callee: str) -> bool:
    return callee.rpartition(".")[2] not in _STATELESS


def _once(node: ast.AST) -> bool:
    """Whether a branch is taken only until something has been created."""
    if not isinstance(node, ast.If):
        return False
    text = ast.unparse(node.test)
    return "None" in text or "hasattr" in text or (text.startswith("not ") and "isinstance" not in text) or "built" in text
