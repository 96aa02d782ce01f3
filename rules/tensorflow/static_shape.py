"""TFC401: an axis is read from a static shape that does not know it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event, Index, Raise, SizeTest
from ..flow.tensorflow.values import MaybeAxis, TFTensor, UnknownAxis, tf_tensor_in
from ..flow.values import Const, Sequence, Value
from ..rule import Rule, Suspicion, source_of

_ARITHMETIC = {"Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "MatMult"}
_ORDER = {"Lt", "LtE", "Gt", "GtE"}
_LIKES_NONE = {"tensorflow.TensorShape", "tensorflow.TensorSpec", "keras.Input", "tensorflow.ensure_shape", "tensorflow.compat.v1.placeholder", "tensorflow.TensorArray", "tensorflow.debugging.assert_shapes"}
_SIZED = ("tensorflow.reshape", "tensorflow.zeros", "tensorflow.ones", "tensorflow.fill", "tensorflow.range", "tensorflow.random.", "tensorflow.eye", "tensorflow.tile", "tensorflow.broadcast_to", "tensorflow.linspace", "tensorflow.one_hot", "tensorflow.sequence_mask", "tensorflow.cast", "tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.slice", "tensorflow.sqrt", "tensorflow.math.")
_PYTHON_SIZED = {"range", "int", "float", "min", "max", "sum"}


class StaticShape(Rule):
    """An axis is read from `x.shape` where the graph does not know it.

    `x.shape[0]` is None for an axis that a signature leaves open, that `reduce_retracing` relaxed, or that a batch or mask makes. Arithmetic
    with it raises; `x[: y.shape[0]]` silently means everything, and `x.shape[0] == 2` is silently false. `tf.shape(x)[0]` is the
    number that the graph computes when it runs.

    Bad:
        import tensorflow as tf

        TF_FUNCTION_KWARGS = dict(input_signature=[tf.TensorSpec([None, 3], tf.float32)])

        def f(x):
            return tf.reshape(x, [x.shape[0] * 3])

        def make_args(i):
            return (tf.ones([2 + i, 3]),)
    Good:
        import tensorflow as tf

        TF_FUNCTION_KWARGS = dict(input_signature=[tf.TensorSpec([None, 3], tf.float32)])

        def f(x):
            return tf.reshape(x, [tf.shape(x)[0] * 3])

        def make_args(i):
            return (tf.ones([2 + i, 3]),)
    """

    code = "TFC401"
    name = "static-shape"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (SizeTest, Call, Index, Raise)

    def concerns(self, callee: str) -> bool:
        return callee.startswith(("tensorflow.", "numpy.", "math.", "keras.layer")) or callee in _PYTHON_SIZED

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, SizeTest):
            yield from self._operator(event)
        elif isinstance(event, Raise):
            yield from self._refusal(event)
        elif isinstance(event, Index):
            yield from self._slice(event)
        elif isinstance(event, Call):
            yield from self._call(event)

    def _operator(self, event: SizeTest) -> Iterator[Suspicion]:
        axis = _unknown(event.left) or _unknown(event.right)
        other = event.right if _unknown(event.left) is not None else event.left
        if axis is None or (isinstance(other, Const) and other.value is None and not isinstance(other, UnknownAxis)):
            return
        shown = source_of(event.at)
        if event.operator in _ARITHMETIC or event.operator in _ORDER:
            if isinstance(other, Sequence):
                return
            yield self._say(event, axis, f"`{shown}` computes with an axis that is not known while tracing (None)")
        elif event.operator in ("Eq", "NotEq"):
            answer = "true" if (event.operator == "Eq") == (_unknown(other) is not None) else "false"
            yield self._say(event, axis, f"`{shown}` compares an axis that is not known while tracing: None makes it {answer}, whatever the sizes", Severity.STALE)

    def _slice(self, event: Index) -> Iterator[Suspicion]:
        if not isinstance(event.base, TFTensor):
            return
        parts = event.index.elements or [] if isinstance(event.index, Sequence) and event.index.kind == "tuple" else [event.index]
        for part in parts:
            if isinstance(part, Sequence) and part.kind == "slice":
                for bound in part.elements or []:
                    axis = _unknown(bound)
                    if axis is not None:
                        yield self._say(event, axis, f"`{source_of(event.at)}`: an axis that is not known while tracing is None, and the slice takes everything", Severity.STALE)
                        return

    def _call(self, event: Call) -> Iterator[Suspicion]:
        if event.callee in _LIKES_NONE:
            return
        if event.callee.startswith("keras.layer"):
            yield from self._layer(event)
            return
        if event.callee.startswith(("numpy.", "math.")) or event.callee in _PYTHON_SIZED:
            for value in event.args:
                axis = _unknown(value)
                if axis is None and isinstance(value, Sequence):
                    axis = next((a for e in value.elements or ([value.element] if value.element is not None else []) if (a := _unknown(e)) is not None), None)
                if axis is not None and event.callee not in ("numpy.array", "numpy.asarray", "numpy.ndim"):
                    yield self._say(event, axis, f"`{source_of(event.at)}` computes with an axis that is not known while tracing (None)")
                    return
            return
        if event.callee == "tensorflow.unstack":
            yield from self._unstack(event)
            return
        if not event.callee.startswith(_SIZED):
            return
        for value in (*event.args, *event.kwargs.values()):
            elements = [value]
            if isinstance(value, Sequence):
                elements = value.elements if value.elements is not None else [value.any()]
            for element in elements:
                axis = _unknown(element)
                if axis is not None:
                    yield self._say(event, axis, f"`{source_of(event.at)}` is given an axis that is not known while tracing (None)")
                    return

    def _refusal(self, event: Raise) -> Iterator[Suspicion]:
        """A ``raise`` of the code's own for a shape that is not fully known."""
        stages = event.frame.staging
        if not stages or stages[-1].tensor or not isinstance(stages[-1].node, ast.If) or not event.frame.capture.unsized:
            return
        test = source_of(stages[-1].node.test, 200)
        if "is_fully_defined" in test or "None in " in test:
            yield self.suspect(event, f"raised when `{source_of(stages[-1].node.test)}`", when=("an axis of the inputs is unknown while tracing",))

    def _unstack(self, event: Call) -> Iterator[Suspicion]:
        tensor = event.argument(0, "value")
        if event.argument(1, "num") is not None or not isinstance(tensor, TFTensor) or "axis" in event.kwargs:
            return
        message = f"`{source_of(event.at)}` needs the length of an axis that is not known while tracing; give `num=`"
        if tensor.shape and tensor.shape[0] is None:
            yield self.suspect(event, message, tensor)
        elif tensor.shape is None and tensor.unsized:
            yield self.suspect(event, message, tensor, when=(tensor.unsized,))

    def _layer(self, event: Call) -> Iterator[Suspicion]:
        tensor = tf_tensor_in(event.args[0]) if event.args else None
        name = getattr(getattr(event.receiver, "cls", None), "name", "")
        if tensor is not None and tensor.shape and tensor.shape[-1] is None and name.endswith((".Dense", ".Conv1D", ".Conv2D", ".LayerNormalization", ".BatchNormalization", ".LSTM", ".GRU")):
            yield self.suspect(event, f"`{source_of(event.at)}`: the layer must know the last axis of its input, which is unknown while tracing", tensor)

    def _say(self, event: Event, axis: UnknownAxis | MaybeAxis, message: str, severity: Severity | None = None) -> Suspicion:
        when = (axis.when,) if isinstance(axis, MaybeAxis) else ()
        return self.suspect(event, message, axis.tensor, when=when, severity=severity)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        from ..fixing.tensorflow.shapes import shape_fix

        return shape_fix(event, context)


def _unknown(value: Value | None) -> UnknownAxis | MaybeAxis | None:
    return value if isinstance(value, (UnknownAxis, MaybeAxis)) else None
