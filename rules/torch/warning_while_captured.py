"""PTC503: warnings.warn inside the captured function."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of


class WarningWhileCaptured(Rule):
    """`warnings.warn` inside the captured function.

    Dynamo does not trace the `warnings` module: the call ends the graph.

    Bad:
        import warnings

        import torch

        def f(x):
            warnings.warn("slow path")
            return x + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import warnings

        import torch

        def f(x):
            if not torch.compiler.is_compiling():
                warnings.warn("slow path")
            return x + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC503"
    name = "warning-while-captured"
    severity = Severity.BREAK
    graph_break = "GB0007"
    fix_safety = "verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.startswith("warnings.")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee in ("warnings.warn", "warnings.warn_explicit", "warnings.simplefilter", "warnings.filterwarnings"):
            yield self.suspect(event, f"`{source_of(event.at)}` splits the graph")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Call)
        from ..fixing.compiling_guard import skip_while_compiling_fix

        return skip_while_compiling_fix(event, context)
