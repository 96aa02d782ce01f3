"""PTC403: one_hot without num_classes."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import Const, tensor_in
from ..rule import Rule, Suspicion, source_of


class OneHotWithoutClasses(Rule):
    """`one_hot` without `num_classes` reads the largest label.

    The number of columns is then the largest label plus one, which is data. Pass `num_classes`.

    Bad:
        import torch
        import torch.nn.functional as F

        def f(labels):
            return F.one_hot(labels) * 2

        def make_args():
            return (torch.tensor([0, 2, 1]),)
    Good:
        import torch
        import torch.nn.functional as F

        def f(labels):
            return F.one_hot(labels, num_classes=3) * 2

        def make_args():
            return (torch.tensor([0, 2, 1]),)
    """

    code = "PTC403"
    name = "one-hot-without-classes"
    severity = Severity.BREAK
    graph_break = "GB0246"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.endswith("one_hot")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee not in ("torch.nn.functional.one_hot", "torch.one_hot") or not event.exact:
            return
        classes = event.argument(1, "num_classes")
        if classes is None or (isinstance(classes, Const) and classes.value == -1):
            yield self.suspect(event, f"`{source_of(event.at)}` reads the number of classes out of the labels; pass `num_classes`", *event.args)
        elif tensor_in(classes) is not None:
            yield self.suspect(event, f"the number of classes of `{source_of(event.at)}` is read out of a tensor", classes, graph_break="GB0124")
