"""PTC605: a class statement inside the captured function."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Define, Event
from ..rule import Rule, Suspicion


class ClassDefinedWhileCaptured(Rule):
    """A `class` statement inside the captured function.

    Building a class is not traced. Define it at module level.

    Bad:
        import torch

        def f(x):
            class Scale:
                factor = 2
            return x * Scale.factor

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        class Scale:
            factor = 2

        def f(x):
            return x * Scale.factor

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC605"
    name = "class-defined-while-captured"
    severity = Severity.BREAK
    graph_break = "GB8977"
    listens = (Define,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Define)
        yield self.suspect(event, "a class is defined inside the captured function")
