"""PTC201: a Python number is read out of a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of


class TensorItem(Rule):
    """`.item()` reads a Python number out of a tensor.

    The number is needed before the graph has run: Dynamo ends the graph, copies the value to the host and goes on with it.
    Arithmetic that keeps the 0-d tensor does not.

    Bad:
        import torch

        def f(x):
            scale = x.abs().max().item()
            return x * scale

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            scale = x.abs().max().detach()
            return x * scale

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC201"
    name = "tensor-item"
    severity = Severity.BREAK
    graph_break = "GB0124"
    fix_safety = "safe or verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee == "Tensor.item"

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee == "Tensor.item":
            yield self.suspect(event, f"`{source_of(event.at)}` reads a Python number out of a tensor and splits the graph", event.receiver)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Call)
        from ..fixing.item_stays_tensor import item_fix

        return item_fix(event, context)
