"""PTC504: a tensor is turned into text."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event, Operate
from ..flow.values import contains_tensor
from ..rule import Rule, Suspicion, source_of

from ..flow.operators import type_of_text as is_text


class FormattedTensor(Rule):
    """A tensor is turned into text by `str`, `repr`, `format` or `%`.

    The text needs the data. Format outside the captured function, or format what is known while tracing: shape, dtype, device.

    Bad:
        import torch

        def f(x):
            name = str(x.sum())
            return x + len(name) * 0

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            name = str(x.shape)
            return x + len(name) * 0

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC504"
    name = "formatted-tensor"
    severity = Severity.BREAK
    graph_break = "GB0059"
    listens = (Call, Operate,)

    def concerns(self, callee: str) -> bool:
        return callee in ("str", "repr", "format", "ascii", "str.format")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Operate):
            if event.operator == "Mod" and is_text(event.left) and contains_tensor(event.right) is not None:
                yield self.suspect(event, f"`{source_of(event.at)}` formats a tensor", event.right, graph_break="GB0208")
            return
        assert isinstance(event, Call)
        if event.callee in ("str", "repr", "format", "ascii") and event.args and contains_tensor(event.args[0]) is not None:
            yield self.suspect(event, f"`{source_of(event.at)}` formats a tensor", event.args[0])
        elif event.callee == "str.format":
            tensors = [v for v in (*event.args, *event.kwargs.values()) if contains_tensor(v) is not None]
            if tensors:
                yield self.suspect(event, f"`{source_of(event.at)}` formats a tensor", tensors[0])
