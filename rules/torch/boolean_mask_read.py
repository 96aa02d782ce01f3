"""PTC402: elements are selected by a boolean mask."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Event, Index
from ..flow.values import UNKNOWN, Sequence, Tensor, tensor_in
from ..rule import Rule, Suspicion, source_of


class BooleanMaskRead(Rule):
    """Elements are selected by a boolean mask: `x[mask]`.

    The number of selected elements depends on the mask's data. A reduction can weight by the mask instead; a store of one
    number, `x[mask] = 0`, is captured as it is.

    Bad:
        import torch

        def f(x):
            return x[x > 0].sum()

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            return torch.where(x > 0, x, 0).sum()

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC402"
    name = "boolean-mask-read"
    severity = Severity.BREAK
    graph_break = "GB0036"
    listens = (Index,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Index)
        if not isinstance(event.base, Tensor) and event.base is not UNKNOWN:
            return
        parts = event.index.elements if isinstance(event.index, Sequence) and event.index.kind in ("tuple", "list") and event.index.elements else [event.index]
        masks = [p for p in parts if (t := tensor_in(p)) is not None and t.dtype == "bool"]
        if not masks:
            return
        if event.store and not event.augmented:
            stored = tensor_in(event.stored) if event.stored is not None else None
            if stored is None or stored.rank == 0:
                return
            yield self.suspect(event, f"values are stored through the boolean mask of `{source_of(event.at)}`", *masks)
            return
        yield self.suspect(event, f"the size of `{source_of(event.at)}` depends on the data of its boolean mask", *masks)
