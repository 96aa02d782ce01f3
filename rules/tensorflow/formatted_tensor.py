"""TFC203: a tensor is turned into text."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event, Format, Operate
from ..flow.tensorflow.values import tf_tensor_in
from ..flow.values import Const, Scalar, contains_tensor, type_name
from ..rule import Rule, Suspicion, source_of


class FormattedTensor(Rule):
    """A tensor is formatted into text.

    While the graph is traced the text says `Tensor("Sum:0", shape=(), dtype=float32)`, not the number, and it is made once. Build text
    in the graph with `tf.strings.as_string` and `tf.strings.join`, or format outside the captured function.

    Bad:
        import tensorflow as tf

        def f(x):
            name = f"step-{tf.reduce_sum(x)}"
            return tf.strings.length(name)

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            name = tf.strings.join(["step-", tf.strings.as_string(tf.reduce_sum(x), precision=1)])
            return tf.strings.length(name)

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    """

    code = "TFC203"
    name = "formatted-tensor"
    framework = "tensorflow"
    severity = Severity.STALE
    listens = (Format, Call, Operate)

    def concerns(self, callee: str) -> bool:
        return callee in ("str", "repr", "format", "str.format", "ascii")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if event.frame.in_message:
            return
        found = None
        if isinstance(event, Format):
            found = event.value
        elif isinstance(event, Call):
            found = next((v for v in (*event.args, *event.kwargs.values()) if contains_tensor(v) is not None), None)
        elif isinstance(event, Operate) and event.operator == "Mod" and isinstance(event.left, (Const, Scalar)) and type_name(event.left) == "str":
            found = event.right
        tensor = contains_tensor(found) if found is not None else None
        if tensor is not None and tf_tensor_in(tensor) is not None:
            yield self.suspect(event, f"`{source_of(event.at)}` is made once, while tracing, and holds the name of a symbolic tensor instead of its value", found)
