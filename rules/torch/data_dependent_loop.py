"""PTC103: a loop whose length is read out of a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import tensor_in
from ..rule import Rule, Suspicion, source_of


class DataDependentLoop(Rule):
    """A Python loop whose number of rounds is a tensor.

    A loop is unrolled while tracing, so its length must be known then. A length that is a tensor is read out of the data first.

    Bad:
        import torch

        def f(x, n):
            for _ in range(n.sum()):
                x = x * 2
            return x

        def make_args():
            return (torch.randn(4, 3), torch.tensor([1, 1]))
    Good:
        import torch

        def f(x, n):
            for _ in range(2):
                x = x * 2
            return x * n.sum()

        def make_args():
            return (torch.randn(4, 3), torch.tensor([1, 1]))
    """

    code = "PTC103"
    name = "data-dependent-loop"
    severity = Severity.BREAK
    graph_break = "GB0059"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee == "range"

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee != "range":
            return
        for value in event.args:
            if tensor_in(value) is not None:
                yield self.suspect(event, f"the length of `{source_of(event.at)}` is read out of a tensor", value)
                return
