"""PTC204: a tensor is used where Python needs an integer."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Event, Index
from ..flow.values import Array, Instance, Mapping, Sequence, Tensor, tensor_in
from ..rule import Rule, Suspicion, source_of


class TensorAsIndex(Rule):
    """A tensor used where Python needs an integer: a slice bound, the index of a list, a computed 0-d index.

    Python asks the tensor for its value (`__index__`), which ends the graph. An index that is a one-axis tensor, or one that
    the caller gives, stays in it.

    Bad:
        import torch

        def f(x, n):
            return x[: n.sum()] * 2

        def make_args():
            return (torch.randn(4, 3), torch.tensor([1, 1]))
    Good:
        import torch

        def f(x, n):
            keep = torch.arange(x.shape[0]) < n.sum()
            return x * keep.unsqueeze(1) * 2

        def make_args():
            return (torch.randn(4, 3), torch.tensor([1, 1]))
    """

    code = "PTC204"
    name = "tensor-as-index"
    severity = Severity.BREAK
    graph_break = "GB0124"
    listens = (Index,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Index)
        parts = event.index.elements if isinstance(event.index, Sequence) and event.index.kind == "tuple" and event.index.elements else [event.index]
        for part in parts:
            if isinstance(part, Sequence) and part.kind == "slice":
                bounds = [p for p in part.elements or [] if tensor_in(p) is not None]
                if bounds and not isinstance(event.base, Array):
                    yield self.suspect(event, f"a bound of `{source_of(event.at)}` is read out of a tensor", bounds[0])
                    return
            tensor = tensor_in(part)
            if tensor is None:
                continue
            if isinstance(event.base, (Sequence, Instance)) or (isinstance(event.base, Mapping) and event.base.kind == "dict" and event.base.entries):
                if isinstance(event.base, Instance) and "#children" not in event.base.attributes:
                    continue
                yield self.suspect(event, f"`{source_of(event.at)}` indexes a Python container by a tensor's value", part)
                return
            if isinstance(event.base, Tensor) and tensor.rank == 0 and tensor.dtype == "int" and not tensor.nominal:
                yield self.suspect(event, f"`{source_of(event.at)}` indexes by a computed 0-d tensor, whose value is read", part, graph_break="GB0033")
                return
