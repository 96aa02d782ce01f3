"""TFC206: a number that became a tensor no longer adapts its dtype."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event, Operate
from ..flow.tensorflow.values import TFTensor, dtype_class, python_dtype
from ..flow.values import Const, External, Scalar, Value
from ..frameworks.tensorflow import tables
from ..rule import Rule, Suspicion, source_of

_ARITHMETIC = {"Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "Lt", "LtE", "Gt", "GtE"}


class DtypeCoercion(Rule):
    """A Python number that the graph turned into a tensor meets a tensor of another dtype.

    In eager code `x * 3` adapts the 3 to the dtype of `x`. Once the number is a tensor (declared in an `input_signature`, made by
    `int()`, `len()` or `range()`, or carried by a tensor loop) it has a dtype of its own, and TensorFlow does not mix dtypes. Cast it.
    The same goes for a dtype that is given where an operation expects its `name`.

    Bad:
        import tensorflow as tf

        DATA = tf.data.Dataset.range(3, output_type=tf.int32)

        def f(x):
            return x * len(DATA)

        def make_args(i):
            return (tf.constant(10 + i),)
    Good:
        import tensorflow as tf

        DATA = tf.data.Dataset.range(3, output_type=tf.int32)

        def f(x):
            return x * tf.cast(len(DATA), x.dtype)

        def make_args(i):
            return (tf.constant(10 + i),)
    """

    code = "TFC206"
    name = "dtype-coercion"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Operate, Call)

    def concerns(self, callee: str) -> bool:
        return callee.startswith("tensorflow.")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Call):
            yield from self._name(event)
            return
        assert isinstance(event, Operate)
        if event.operator not in _ARITHMETIC:
            return
        left, right = event.left, event.right
        for one, other in ((left, right), (right, left)):
            if not isinstance(one, TFTensor) or not one.python or one.likely:
                continue
            problem = _clash(one, other)
            if problem:
                yield self.suspect(event, f"`{source_of(event.at)}` mixes dtypes: {problem}", one)
                return

    def _name(self, event: Call) -> Iterator[Suspicion]:
        entry = tables.functions().get("tf." + event.callee.removeprefix("tensorflow."))
        if entry is None or "name" not in entry.parameters:
            return
        given = event.argument(entry.parameters.index("name"), "name")
        if isinstance(given, (Scalar, External)) and (isinstance(given, External) or given.type.startswith("tensorflow.dtype")):
            yield self.suspect(event, f"`{source_of(event.at)}` gives a dtype where the operation expects its name")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        from ..fixing.tensorflow.casts import cast_fix

        return cast_fix(event, context)


def _clash(number: TFTensor, other: Value) -> str:
    if isinstance(other, TFTensor):
        if other.likely or not other.dtype or not number.dtype or other.dtype in ("int", "float"):
            return ""
        return f"{number.dtype} and {other.dtype}" if other.dtype != number.dtype else ""
    if isinstance(other, (Const, Scalar)) and dtype_class(number.dtype) == "int" and python_dtype(other) == "float32":
        return f"{number.dtype} and a Python float"
    return ""
