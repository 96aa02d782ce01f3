"""PTC305: a tensor is resized, or its storage is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import Tensor
from ..rule import Rule, Suspicion, source_of

_LAYOUT = {"Tensor.unsqueeze_", "Tensor.squeeze_", "Tensor.t_", "Tensor.transpose_"}
_BREAKS = {
    "Tensor.resize_": "GB0126",
    "Tensor.data_ptr": "GB5976",
    "Tensor.random_": "GB0107",
    "Tensor.storage_offset": "GB0208",
    "Tensor.untyped_storage": "GB0208",
    "Tensor.storage": "GB0208",
    "Tensor.is_shared": "GB0208",
    "Tensor.is_pinned": "GB0208",
    "Tensor.share_memory_": "GB0208",
    "Tensor.apply_": "GB0055",
    "Tensor.map_": "GB0055",
    **dict.fromkeys(_LAYOUT, "GB0148"),
}


class StorageChanged(Rule):
    """A tensor's storage is resized, replaced or looked at.

    Where a tensor lies in memory is not part of a graph: `resize_`, `data_ptr`, `untyped_storage`, in-place changes of the
    layout of an input and `random_()` end it.

    Bad:
        import torch

        def f(x):
            y = x * 2
            y.resize_(2, 6)
            return y + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            y = (x * 2).reshape(2, 6)
            return y + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC305"
    name = "storage-changed"
    severity = Severity.BREAK
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee in _BREAKS

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        name = event.callee
        known = _BREAKS.get(name)
        if known is None:
            return
        if name in _LAYOUT and not (isinstance(event.receiver, Tensor) and event.receiver.nominal):
            return
        yield self.suspect(event, f"`{source_of(event.at)}` reaches for a tensor's storage", event.receiver, graph_break=known)
