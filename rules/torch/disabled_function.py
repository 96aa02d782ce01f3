"""PTC608: a function that is closed to capture is called."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import Function
from ..rule import Rule, Suspicion


class DisabledFunction(Rule):
    """A function behind `torch.compiler.disable` is called.

    The decorator says that the function runs eagerly: the graph ends before it and another begins behind it.

    Bad:
        import torch

        @torch.compiler.disable
        def helper(x):
            return x * 2

        def f(x):
            return helper(x + 1) + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def helper(x):
            return x * 2

        def f(x):
            return helper(x + 1) + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC608"
    name = "disabled-function"
    severity = Severity.BREAK
    graph_break = "GB0098"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee in ("torch.compiler.disable", "torch._dynamo.graph_break")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee == "torch.compiler.disable" and isinstance(event.receiver, Function):
            yield self.suspect(event, f"`{event.receiver.qualname}` is closed to capture by `torch.compiler.disable`")
        elif event.callee == "torch._dynamo.graph_break":
            yield self.suspect(event, "the graph is split on purpose", graph_break="GB0025")
