"""TFC102: Python asks a tensor for a truth that AutoGraph cannot provide."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Branch, Event, Operate
from ..flow.tensorflow.values import TFTensor, dtype_class, tf_tensor_in
from ..flow.values import Mapping, Sequence, contains_tensor
from ..rule import Rule, Suspicion, source_of

_PYTHON = {
    "bool": "`bool()` of a tensor needs its value",
    "filter": "a comprehension's filter asks a tensor for its truth, and AutoGraph does not convert it",
    "max": "the builtin `max` compares tensors in Python; use `tf.maximum`",
    "min": "the builtin `min` compares tensors in Python; use `tf.minimum`",
    "match": "`match` compares a tensor in Python",
}


class TensorTruth(Rule):
    """The truth of a tensor where AutoGraph cannot give it.

    AutoGraph turns `if`, `while`, `and`, `or` and `not` on *boolean* tensors into graph operations. It does so neither for a tensor of
    numbers (`if n:`), nor for `bool(t)`, `t in [...]`, `max(a, b)` or the filter of a comprehension: those raise while tracing.

    Bad:
        import tensorflow as tf

        def f(n, x):
            if n:
                return x * 2.0
            return x

        def make_args(i):
            return tf.constant(i), tf.constant(3.0)
    Good:
        import tensorflow as tf

        def f(n, x):
            if tf.not_equal(n, 0):
                return x * 2.0
            return x

        def make_args(i):
            return tf.constant(i), tf.constant(3.0)
    """

    code = "TFC102"
    name = "tensor-truth"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "safe or verify"
    listens = (Branch, Operate)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Operate):
            yield from self._membership(event)
            return
        assert isinstance(event, Branch)
        tensor = tf_tensor_in(event.test)
        if tensor is None or tensor.kind == "symbolic" or event.kind in ("assert", "value"):
            return
        if event.kind in _PYTHON:
            yield self.suspect(event, f"`{source_of(event.at)}`: {_PYTHON[event.kind]}", event.test)
        elif isinstance(event.test, TFTensor) and dtype_class(tensor.dtype) in ("int", "float", "string", "complex") and not tensor.python:
            message = f"`{source_of(event.at)}` is a tensor of dtype {tensor.dtype}: a graph branches on boolean tensors only"
            yield self.suspect(event, message, event.test)

    def _membership(self, event: Operate) -> Iterator[Suspicion]:
        if event.operator not in ("In", "NotIn") or tf_tensor_in(event.left) is None or not isinstance(event.right, (Sequence, Mapping)):
            return
        if isinstance(event.right, Mapping) or contains_tensor(event.right) is not None or event.right.elements != []:
            yield self.suspect(event, f"`{source_of(event.at)}` compares a tensor with each element in Python", event.left)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, (Branch, Operate))
        from ..fixing.tensorflow.truth import truth_fix

        return truth_fix(event, context)
