"""PTC302: backward() inside the captured function."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of


class BackwardWhileCaptured(Rule):
    """`backward()` inside the captured function.

    The backward pass belongs to the autograd engine, not to the graph. Capture the forward computation and the loss, and call
    `backward()` on what comes back.

    Bad:
        import torch

        def f(x):
            loss = (x * 2).sum()
            loss.backward()
            return loss.detach()

        def make_args():
            return (torch.randn(4, 3, requires_grad=True),)
    Good:
        import torch

        def f(x):
            loss = (x * 2).sum()
            return loss

        def make_args():
            return (torch.randn(4, 3, requires_grad=True),)
    """

    code = "PTC302"
    name = "backward-while-captured"
    severity = Severity.BREAK
    graph_break = "GB0123"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee in ("Tensor.backward", "torch.autograd.backward", "torch.autograd.grad")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee in ("Tensor.backward", "torch.autograd.backward"):
            yield self.suspect(event, f"`{source_of(event.at)}` runs the backward pass inside the captured function", event.receiver)
        elif event.callee == "torch.autograd.grad":
            yield self.suspect(
                event,
                f"`{source_of(event.at)}` runs the backward pass inside the captured function",
                when=("not under `trace_autograd_ops`",) if not event.args else (),
                graph_break="GB9186",
            )
