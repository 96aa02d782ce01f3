"""PTC203: int(), float() or bool() of a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..flow.values import Array, tensor_in
from ..rule import Rule, Suspicion, source_of

_CONVERSIONS = {"int", "float", "bool", "complex", "builtins.int"}


class ScalarConversion(Rule):
    """`int()`, `float()`, `bool()` of a tensor read a Python number out of it.

    They call `.item()`: the graph ends, the value is copied to the host. Keep the tensor, or take the number as an argument
    from whoever knows it.

    Bad:
        import torch

        def f(x, index):
            size = int(index.max()) + 1
            return torch.zeros(size, 3) + x.sum()

        def make_args():
            return (torch.randn(4, 3), torch.tensor([0, 2, 1]))
    Good:
        import torch

        def f(x, index):
            size = index.shape[0]
            return torch.zeros(size, 3) + x.sum()

        def make_args():
            return (torch.randn(4, 3), torch.tensor([0, 2, 1]))
    """

    code = "PTC203"
    name = "scalar-conversion"
    severity = Severity.BREAK
    graph_break = "GB0124"
    fix_safety = "safe or verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee in _CONVERSIONS

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee not in _CONVERSIONS or len(event.args) != 1:
            return
        value = event.args[0]
        array = isinstance(value, Array) and not value.constant
        if tensor_in(value) is not None or array:
            yield self.suspect(
                event,
                f"`{source_of(event.at)}` reads a Python number out of a tensor and splits the graph",
                value,
                graph_break="GB0033" if array else None,
            )

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Call)
        from ..fixing.item_stays_tensor import item_fix

        return item_fix(event, context)
