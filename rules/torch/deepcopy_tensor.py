"""PTC301: copy.deepcopy of a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import contains_tensor
from ..rule import Rule, Suspicion, source_of


class DeepcopyTensor(Rule):
    """`copy.deepcopy` of a tensor.

    Dynamo follows `deepcopy` through Python containers but not into a tensor. `clone` copies the data inside the graph; a copy
    without history is `detach().clone()`.

    Bad:
        import copy

        import torch

        def f(x):
            y = copy.deepcopy(x)
            return y.add_(1)

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import copy

        import torch

        def f(x):
            y = x.clone()
            return y.add_(1)

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC301"
    name = "deepcopy-tensor"
    severity = Severity.BREAK
    graph_break = "GB4198"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee == "copy.deepcopy"

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee == "copy.deepcopy" and event.args and contains_tensor(event.args[0]) is not None:
            yield self.suspect(event, f"`{source_of(event.at)}` copies a tensor outside the graph", event.args[0])
