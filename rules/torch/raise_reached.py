"""PTC610: a raise that is reached whatever the data is."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Event, Raise
from ..rule import Rule, Suspicion, source_of


class RaiseReached(Rule):
    """A `raise` that is reached whatever the data is.

    Every call of the captured function ends in this exception, so there is nothing to capture.

    Bad:
        import torch

        def f(x):
            y = x * 2
            raise NotImplementedError("later")
            return y

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            y = x * 2
            return y

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC610"
    name = "raise-reached"
    severity = Severity.BREAK
    graph_break = "GB0088"
    listens = (Raise,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Raise)
        frame = event.frame
        if frame.protected or frame.engine.depth > 1:
            return
        yield self.suspect(event, f"`{source_of(event.at)}` is reached in every call")
