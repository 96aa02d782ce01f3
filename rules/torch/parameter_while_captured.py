"""PTC304: nn.Parameter is made inside the captured function."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of


class ParameterWhileCaptured(Rule):
    """An `nn.Parameter` made inside the captured function.

    Parameters are inputs of a graph. Make them in the constructor.

    Bad:
        import torch

        def f(x):
            w = torch.nn.Parameter(torch.ones(3))
            return x * w

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        W = torch.nn.Parameter(torch.ones(3))

        def f(x):
            return x * W

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC304"
    name = "parameter-while-captured"
    severity = Severity.BREAK
    graph_break = "GB0264"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.startswith("torch.nn.") and callee.endswith("Parameter")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
            yield self.suspect(event, f"`{source_of(event.at)}` makes a parameter inside the captured function")
