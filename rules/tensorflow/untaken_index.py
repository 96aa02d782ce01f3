"""TFC113: an index that is invalid in the branch that is not taken."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Event, Index
from ..flow.frame import Frame
from ..flow.tensorflow.values import TFTensor
from ..flow.values import Const
from ..index.source import unparsed
from ..rule import Rule, Suspicion, source_of


class UntakenIndex(Rule):
    """An index that a tensor `if` is to protect.

    `if tf.size(x) >= 2: y = x[1]` is safe in eager code. In a graph both sides are traced whatever the size is, and where the static shape
    shows that there is no element 1, tracing raises. Ask `x.shape` in Python when the size is static, or clamp the index.

    Bad:
        import tensorflow as tf

        def f(x):
            if tf.size(x) >= 2:
                y = x[1] - x[0]
            else:
                y = x[0] * 0.0
            return y

        def make_args(i):
            return (tf.constant([3.0 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            if x.shape[0] >= 2:
                y = x[1] - x[0]
            else:
                y = x[0] * 0.0
            return y

        def make_args(i):
            return (tf.constant([3.0 + i]),)
    """

    code = "TFC113"
    name = "untaken-index"
    framework = "tensorflow"
    severity = Severity.BREAK
    listens = (Index,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Index)
        base, index = event.base, event.index
        if not isinstance(base, TFTensor) or event.store or not (isinstance(index, Const) and type(index.value) is int):
            return
        axis = base.shape[0] if base.shape else None
        if isinstance(axis, int):
            if not -axis <= index.value < axis:
                yield self.suspect(event, f"`{source_of(event.at)}` is out of range for the static shape, and is traced even where it would not be taken", base)
        elif index.value >= 1 and base.nominal and isinstance(event.at, ast.Subscript) and _is_guarded(event.at.value, event.frame):
            message = f"`{source_of(event.at)}` is traced even where the tensor test around it is false, and raises if the static shape has no such element"
            yield self.suspect(event, message, base, when=(f"the first axis of `{source_of(event.at.value)}` is known and shorter",))


def _is_guarded(base: ast.expr, frame: Frame) -> bool:
    """Whether a tensor test of the size of the indexed tensor stands around."""
    name = unparsed(base)
    for stage in frame.staging:
        if stage.kind == "if" and stage.tensor and stage.side == "body" and isinstance(stage.node, ast.If):
            for item in ast.walk(stage.node.test):
                if isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute) and item.func.attr in ("size", "shape") and item.args and unparsed(item.args[0]) == name:
                    return True
    return False
