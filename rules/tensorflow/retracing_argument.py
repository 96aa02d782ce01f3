"""TFC701: an argument that makes the function be traced again and again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import CalledWith, Entered, Event
from ..flow.tensorflow.values import STATIC_AXIS, TFTensor
from ..flow.values import Class, Function, Instance, Mapping, Scalar, Sequence, Value
from ..rule import Rule, Suspicion, source_of


class RetracingArgument(Rule):
    """An argument of a captured function that changes from call to call and is no tensor.

    TensorFlow traces once for each value of a Python number, string, list or object, and once for each shape. A step counter or a learning
    rate given as a Python number means a new trace, and a new graph that is never freed, at every call. Give a tensor; for shapes
    declare an `input_signature` with None, or `reduce_retracing=True`.

    Bad:
        import tensorflow as tf

        def f(x, step):
            return x * step

        def make_args(i):
            return tf.constant(2), i
    Good:
        import tensorflow as tf

        def f(x, step):
            return x * step

        def make_args(i):
            return tf.constant(2), tf.constant(i)
    """

    code = "TFC701"
    name = "retracing-argument"
    framework = "tensorflow"
    severity = Severity.RETRACE
    fix_safety = "verify"
    listens = (Entered, CalledWith)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, CalledWith):
            message = f"`{source_of(event.at)}` is a Python value that changes from call to call: `{event.function}` is traced anew for each"
            yield self.suspect(event, message, likely=True)
            return
        assert isinstance(event, Entered)
        for name, value in event.arguments.items():
            what = _varies(value, event.relaxed)
            if what:
                yield self.suspect(event, f"`{name}` is {what}: each new value is traced anew", at=event.parameters.get(name))
                return

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        from ..fixing.tensorflow.arguments import argument_fix

        return argument_fix(event, context)


def _varies(value: Value, relaxed: bool) -> str:
    """How an argument differs from call to call, in words; "" if it does not."""
    if isinstance(value, TFTensor):
        return "a tensor whose shape changes from call to call" if not relaxed and value.shape is not None and STATIC_AXIS in value.shape else ""
    if isinstance(value, Scalar) and value.default is None and value.type in ("int", "float", "str"):
        return f"a Python {value.type} that changes from call to call"
    if isinstance(value, Function):
        return "a function made anew at each call" if isinstance(value.node, ast.Lambda) and "." in value.qualname else ""
    if isinstance(value, Instance) and isinstance(value.cls, Class) and value.fresh:
        return f"an object of `{value.cls.name}` made anew at each call"
    if isinstance(value, Sequence) and value.elements is not None and value.kind in ("list", "tuple"):
        return next((f"a {value.kind} that holds {found}" for e in value.elements if (found := _varies(e, True))), "")
    if isinstance(value, Mapping) and value.other is not None:
        return "a dict whose keys change from call to call"
    return ""
