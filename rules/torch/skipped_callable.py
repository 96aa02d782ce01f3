"""PTC601: a callable that Dynamo does not trace."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of

from ..frameworks.torch.skipped import effect_of


class SkippedCallable(Rule):
    """A callable that Dynamo does not trace: it ends the graph, calls it, and goes on.

    Clocks, random numbers of Python, files, processes, pickling and most C extensions lie outside of what can be captured. Call
    them before, and pass in what they give.

    Bad:
        import time

        import torch

        def f(x):
            started = time.time()
            return x * 2, started

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import time

        import torch

        def f(x, started):
            return x * 2, started

        def make_args():
            return (torch.randn(4, 3), time.time())
    """

    code = "PTC601"
    name = "skipped-callable"
    severity = Severity.BREAK
    graph_break = "GB0007"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return effect_of(callee) is not None

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        known = effect_of(event.callee)
        if known is not None:
            yield self.suspect(event, f"`{source_of(event.at)}` is not traced and splits the graph", graph_break=known)
