"""PTC303: requires_grad is changed while tracing."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event, Store
from ..flow.values import Const, Tensor, Value
from ..rule import Rule, Suspicion, source_of

def _is(value: Value | None, constant: object) -> bool:
    return isinstance(value, Const) and value.value is constant


class RequiresGradChanged(Rule):
    """`requires_grad` of a tensor is changed, or a leaf is created, while tracing.

    A new leaf of the autograd graph cannot be made inside the captured one. Set the flag before the call, or use `detach()`.

    Bad:
        import torch

        def f(x):
            y = torch.zeros(3, requires_grad=True)
            return x + y

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            y = torch.zeros(3)
            return x + y

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC303"
    name = "requires-grad-changed"
    severity = Severity.BREAK
    graph_break = "GB0225"
    listens = (Call, Store,)

    def concerns(self, callee: str) -> bool:
        return callee == "Tensor.requires_grad_" or (callee.startswith("torch.") and not callee.endswith("__call__"))

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Store):
            if event.name == "requires_grad" and isinstance(event.receiver, Tensor):
                yield self.suspect(event, f"`{source_of(event.at)}` is assigned while tracing", event.receiver, graph_break="GB0206")
            return
        assert isinstance(event, Call)
        if event.callee == "Tensor.requires_grad_" and not _is(event.argument(0, "requires_grad"), False):
            nominal = isinstance(event.receiver, Tensor) and event.receiver.nominal
            yield self.suspect(
                event, f"`{source_of(event.at)}` makes a leaf while tracing", event.receiver, graph_break="GB0125" if nominal else "GB8985"
            )
        elif event.callee.startswith("torch.") and _is(event.kwargs.get("requires_grad"), True) and isinstance(event.result, Tensor):
            yield self.suspect(event, f"`{source_of(event.at)}` makes a leaf while tracing")
