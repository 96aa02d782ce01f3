"""PTC207: a function of the math module is given a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import tensor_in
from ..rule import Rule, Suspicion, source_of


class PythonMathOnTensor(Rule):
    """A function of Python's `math` module called on a tensor.

    It converts the tensor to a Python float first. The function of the same name in torch stays in the graph.

    Bad:
        import math

        import torch

        def f(x):
            return x / math.sqrt(x.abs().sum())

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import math

        import torch

        def f(x):
            return x / torch.sqrt(x.abs().sum())

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC207"
    name = "python-math-on-tensor"
    severity = Severity.BREAK
    graph_break = "GB0033"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.startswith("math.") or callee == "round"

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee.startswith("math.") or event.callee in ("round", "math.floor"):
            for value in event.args:
                if tensor_in(value) is not None:
                    yield self.suspect(event, f"`{source_of(event.at)}` turns a tensor into a Python number", value)
                    return
