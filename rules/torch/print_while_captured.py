"""PTC501: print inside the captured function."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of

_PRINTS = {"print", "input", "breakpoint", "pprint.pprint", "sys.stdout.write", "sys.stderr.write", "sys.stdout.flush"}


class PrintWhileCaptured(Rule):
    """`print` inside the captured function.

    Printing is a side effect that no graph holds, so Dynamo ends the graph, prints, and starts another one. Keep it out of the
    compiled call, or out of its way with `torch.compiler.is_compiling()`.

    Bad:
        import torch

        def f(x):
            y = x * 2
            print("doubled")
            return y + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            y = x * 2
            if not torch.compiler.is_compiling():
                print("doubled")
            return y + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC501"
    name = "print-while-captured"
    severity = Severity.BREAK
    graph_break = "GB0059"
    fix_safety = "verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee in _PRINTS

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee in _PRINTS:
            yield self.suspect(event, f"`{source_of(event.at)}` is a side effect that splits the graph")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Call)
        from ..fixing.compiling_guard import skip_while_compiling_fix

        return skip_while_compiling_fix(event, context)
