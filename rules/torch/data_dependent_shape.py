"""PTC401: an operator whose output size depends on the data."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..flow.values import tensor_in
from ..frameworks.torch.tables import members
from ..rule import Rule, Suspicion, source_of

_COMPOSED = {"argwhere", "unique", "where", "ctc_loss"}
"""Functions that are made of operators of such a size."""
_ELSEWHERE = {"index", "one_hot"}
"""Operators that a rule of their own speaks of: masks, and the number of classes."""


class DataDependentShape(Rule):
    """An operator whose output size depends on the data.

    How many elements `nonzero`, `unique` or `masked_select` give is known only once they have run, so Dynamo ends the graph
    there. Work with a mask of fixed size, pass the size where the operator takes one, or hoist the call.

    Bad:
        import torch

        def f(x):
            index = torch.nonzero(x > 0)
            return index + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            mask = x > 0
            return mask + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC401"
    name = "data-dependent-shape"
    severity = Severity.BREAK
    graph_break = "GB0036"
    fix_safety = "verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        name = callee.rpartition(".")[2]
        known = name in _COMPOSED or (name in members("dynamic_output_shape") and name not in _ELSEWHERE)
        return known and callee.startswith(("torch.", "Tensor."))

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        name = event.callee.rpartition(".")[2]
        method = event.callee.startswith("Tensor.")
        values = ((event.receiver,) if method and event.receiver is not None else ()) + event.args
        if name == "where" and (len(values) + len(event.kwargs) != 1 or not event.exact):
            return
        if name == "repeat_interleave":
            repeats = event.kwargs.get("repeats", values[1] if len(values) > 1 else values[0] if values else None)
            if repeats is None or tensor_in(repeats) is None or "output_size" in event.kwargs:
                return
            yield self.suspect(event, f"the size of `{source_of(event.at)}` depends on the data of the repeats", repeats)
            return
        yield self.suspect(event, f"the size of `{source_of(event.at)}` depends on the data", *values)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Call)
        from ..fixing.mask_store import mask_store_fix

        return mask_store_fix(event, context)
