"""PTC205: Python `in` on a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Event, Operate
from ..flow.values import Tensor
from ..rule import Rule, Suspicion, source_of


class TensorMembership(Rule):
    """Python `in` on a tensor asks for its data.

    `value in tensor` compares and then needs the answer as a Python bool.

    Bad:
        import torch

        def f(x):
            if 1.0 in x:
                return x * 2
            return x

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            return torch.where((x == 1.0).any(), x * 2, x)

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC205"
    name = "tensor-membership"
    severity = Severity.BREAK
    graph_break = "GB0124"
    listens = (Operate,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Operate)
        if event.operator in ("In", "NotIn") and isinstance(event.right, Tensor):
            yield self.suspect(event, f"`{source_of(event.at)}` asks a tensor for its data", event.right)
