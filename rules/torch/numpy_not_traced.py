"""PTC607: a numpy call that torch does not trace."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import Array, Sequence
from ..rule import Rule, Suspicion, source_of

_UNTRACED = {
    "numpy.random.choice", "numpy.random.permutation", "numpy.random.default_rng", "numpy.random.RandomState", "numpy.vectorize",
    "numpy.random.multinomial", "numpy.random.beta", "numpy.random.dirichlet", "numpy.random.poisson", "numpy.random.binomial", "numpy.load", "numpy.save",
}  # fmt: skip


class NumpyNotTraced(Rule):
    """A numpy call that has no counterpart in torch.

    Dynamo runs much of numpy through torch; random choices, objects, strings and scalars read out of arrays it does not.

    Bad:
        import numpy as np

        import torch

        def f(x):
            order = np.random.permutation(4)
            return x * 2, order

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import numpy as np

        import torch

        def f(x):
            order = torch.randperm(4)
            return x * 2, order

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC607"
    name = "numpy-not-traced"
    severity = Severity.BREAK
    graph_break = "GB0294"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.startswith(("numpy.", "ndarray."))

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        name = event.callee
        if name in _UNTRACED:
            yield self.suspect(event, f"`{source_of(event.at)}` is not traced")
        elif name == "numpy.prod" and event.args and isinstance(event.args[0], Sequence) and event.args[0].kind == "size":
            yield self.suspect(event, f"`{source_of(event.at)}` turns sizes into an array; use math.prod", graph_break="GB0033")
        elif name in ("ndarray.item", "ndarray.tolist") and isinstance(event.receiver, Array) and not event.receiver.constant:
            yield self.suspect(event, f"`{source_of(event.at)}` reads Python numbers out of an array", graph_break="GB0124")
