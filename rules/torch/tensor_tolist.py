"""PTC202: a Python list is read out of a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..flow.values import tensor_in
from ..rule import Rule, Suspicion, source_of


class TensorToList(Rule):
    """`.tolist()` reads Python numbers out of a tensor.

    The numbers are needed before the graph has run, so Dynamo ends it. `torch.arange(a, b).tolist()` is `range(a, b)`; sizes
    are better passed as Python ints by whoever knows them.

    Bad:
        import torch

        def f(x, lengths):
            sizes = lengths.long().tolist()
            return x * sizes[0]

        def make_args():
            return (torch.randn(4, 3), torch.tensor([1, 3]))
    Good:
        import torch

        def f(x, lengths):
            sizes = lengths.long()
            return x * sizes[0]

        def make_args():
            return (torch.randn(4, 3), torch.tensor([1, 3]))
    """

    code = "PTC202"
    name = "tensor-tolist"
    severity = Severity.BREAK
    graph_break = "GB0033"
    fix_safety = "safe"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee == "Tensor.tolist"

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee == "Tensor.tolist":
            tensor = tensor_in(event.receiver) if event.receiver is not None else None
            known = "GB0109" if tensor is not None and tensor.dtype == "float" else None
            yield self.suspect(event, f"`{source_of(event.at)}` reads Python numbers out of a tensor and splits the graph", event.receiver, graph_break=known)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Call)
        from ..fixing.arange_tolist import arange_fix

        return arange_fix(event, context)
