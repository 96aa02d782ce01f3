"""TFC103: Python iterates over a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Event, Iterate
from ..flow.tensorflow.values import tf_tensor_in
from ..rule import Rule, Suspicion, source_of

_HOW = {
    "unpack": "unpacking a tensor into names",
    "comprehension": "a comprehension over a tensor",
    "star": "unpacking a tensor with `*`",
    "for": "a `for` over a tensor",
}


class TensorIteration(Rule):
    """Python, not AutoGraph, iterates over a tensor.

    A plain `for` over a tensor becomes a loop of the graph. `enumerate`, `zip`, `map`, `sum`, `any`, `list`, unpacking (`a, b = t`) and
    comprehensions stay Python's own, which a symbolic tensor refuses. Use `tf.unstack` where the length is known, or an index loop.

    Bad:
        import tensorflow as tf

        def f(pair):
            low, high = pair
            return high - low

        def make_args(i):
            return (tf.constant([1.0, 4.0 + i]),)
    Good:
        import tensorflow as tf

        def f(pair):
            low, high = tf.unstack(pair)
            return high - low

        def make_args(i):
            return (tf.constant([1.0, 4.0 + i]),)
    """

    code = "TFC103"
    name = "tensor-iteration"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "safe or verify"
    listens = (Iterate,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Iterate)
        tensor = tf_tensor_in(event.iterable)
        if tensor is not None and (tensor.likely or tensor.kind in ("ragged", "symbolic")):
            return  # what is only taken for a tensor is more likely a tuple where it is unpacked
        what = _HOW.get(event.by, f"`{event.by}()` over a tensor") if tensor is not None else f"`{event.by}()` over a Dataset"
        yield self.suspect(event, f"{what}, `{source_of(event.at)}`, iterates in Python, which a symbolic tensor refuses", event.iterable)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Iterate)
        from ..fixing.tensorflow.iteration import iteration_fix

        return iteration_fix(event, context)
