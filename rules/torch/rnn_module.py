"""PTC602: nn.LSTM, nn.GRU and nn.RNN are not captured."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of

_MODULES = ("torch.nn.LSTM.__call__", "torch.nn.GRU.__call__", "torch.nn.RNN.__call__")


class RnnModule(Rule):
    """`nn.LSTM`, `nn.GRU` and `nn.RNN` are not captured by default.

    Dynamo leaves the graph around them unless `torch._dynamo.config.allow_rnn` is set.

    Bad:
        import torch

        rnn = torch.nn.GRU(3, 3)

        def f(x):
            y, _ = rnn(x * 2)
            return y + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        cell = torch.nn.GRUCell(3, 3)

        def f(x):
            y = cell(x * 2)
            return y + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC602"
    name = "rnn-module"
    severity = Severity.BREAK
    graph_break = "GB0014"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee in _MODULES

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee in _MODULES:
            yield self.suspect(event, f"`{source_of(event.at)}` runs {event.callee[:-9]}, which is not captured by default")
