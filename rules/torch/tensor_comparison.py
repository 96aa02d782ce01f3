"""PTC206: torch.equal, torch.allclose: a Python bool about two tensors."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of

_READERS = {"equal", "allclose", "is_nonzero"}


class TensorComparison(Rule):
    """`torch.equal`, `torch.allclose` and `is_nonzero` answer with a Python bool.

    The answer depends on the data, so the graph ends before it. `(a == b).all()` is the same answer as a tensor, when the
    shapes are equal.

    Bad:
        import torch

        def f(x):
            if torch.equal(x, x.abs()):
                return x * 2
            return x

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            same = (x == x.abs()).all()
            return torch.where(same, x * 2, x)

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC206"
    name = "tensor-comparison"
    severity = Severity.BREAK
    graph_break = "GB0033"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.rpartition(".")[2] in _READERS and callee.startswith(("torch.", "Tensor."))

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee.rpartition(".")[2] in _READERS and event.callee.startswith(("torch.", "Tensor.")):
            yield self.suspect(event, f"`{source_of(event.at)}` answers with a Python bool about data", event.receiver, *event.args)
