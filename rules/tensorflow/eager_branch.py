"""TFC111: code that asks whether it runs eagerly."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.tensorflow.values import TFTensor
from ..flow.values import Const
from ..rule import Rule, Suspicion, source_of

_EAGER_ONLY = {"numpy", "device", "backing_device", "_numpy", "item", "tolist"}


class EagerBranch(Rule):
    """Code that tells an eager tensor from a symbolic one by its attributes.

    `hasattr(x, "numpy")` is true for a tensor in eager code and false while a graph is traced, so the two run different code without a
    word. Say which one you mean with `tf.executing_eagerly()`, or write code that needs no such test.

    Bad:
        import tensorflow as tf

        def f(x):
            if hasattr(x, "numpy"):
                return x * 2.0
            return x

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            return x * 2.0

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    """

    code = "TFC111"
    name = "eager-branch"
    framework = "tensorflow"
    severity = Severity.STALE
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee == "hasattr"

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        asked = event.argument(1, "name")
        if isinstance(event.argument(0, "obj"), TFTensor) and isinstance(asked, Const) and asked.value in _EAGER_ONLY:
            yield self.suspect(event, f"`{source_of(event.at)}` is true in eager code and false in the graph", event.args[0])
