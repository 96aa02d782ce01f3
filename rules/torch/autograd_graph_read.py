"""PTC306: grad_fn of a tensor that the captured function computed."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Attribute, Event
from ..flow.values import Tensor
from ..rule import Rule, Suspicion, source_of


class AutogradGraphRead(Rule):
    """`grad_fn` of a tensor that the captured function computed.

    While tracing there is no autograd graph yet. Whether a gradient is wanted can be asked with `requires_grad`.

    Bad:
        import torch

        def f(x):
            y = x * 2
            if y.grad_fn is not None:
                return y + 1
            return y - 1

        def make_args():
            return (torch.randn(4, 3, requires_grad=True),)
    Good:
        import torch

        def f(x):
            y = x * 2
            if y.requires_grad:
                return y + 1
            return y - 1

        def make_args():
            return (torch.randn(4, 3, requires_grad=True),)
    """

    code = "PTC306"
    name = "autograd-graph-read"
    severity = Severity.BREAK
    graph_break = "GB0104"
    listens = (Attribute,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Attribute)
        if event.name == "Tensor.grad_fn" and isinstance(event.receiver, Tensor) and not event.receiver.nominal:
            yield self.suspect(event, f"`{source_of(event.at)}` asks for the autograd graph while tracing", event.receiver)
