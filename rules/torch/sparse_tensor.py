"""PTC603: a sparse tensor is made or used."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import Tensor
from ..rule import Rule, Suspicion, source_of

_MAKERS = {
    "Tensor.to_sparse", "Tensor.to_sparse_csr", "Tensor.to_sparse_coo", "Tensor.to_sparse_csc", "torch.sparse_coo_tensor",
    "torch.sparse_csr_tensor", "torch.nested.nested_tensor", "torch.sparse_tensor", "torch.sparse.FloatTensor", "torch.nested.to_padded_tensor",
}  # fmt: skip
_USERS = ("Tensor.to_dense", "Tensor.coalesce", "torch.sparse.mm")


class SparseTensor(Rule):
    """A sparse tensor is made or used.

    Dynamo does not trace tensors of a sparse layout. Use the dense form, or keep the sparse part out of the captured function.

    Bad:
        import torch

        def f(x):
            return x.to_sparse().to_dense() * 2

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            return x * 2

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC603"
    name = "sparse-tensor"
    severity = Severity.BREAK
    graph_break = "GB0277"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee in _MAKERS or callee in _USERS

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        layout = event.kwargs.get("layout")
        if event.callee in _MAKERS and layout is None:
            yield self.suspect(event, f"`{source_of(event.at)}` makes a sparse or nested tensor", event.receiver, *event.args)
        elif event.callee in _USERS and any(
            isinstance(v, Tensor) and v.layout == "sparse" for v in (event.receiver, *event.args)
        ):
            yield self.suspect(event, f"`{source_of(event.at)}` uses a sparse tensor", event.receiver, graph_break="GB0015")
