"""PTC502: a logger is called inside the captured function."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of

_METHODS = {
    "debug", "info", "warning", "warn", "error", "exception", "critical", "log", "isEnabledFor", "warning_once", "warning_advice", "info_once", "basicConfig",
    "setLevel", "getEffectiveLevel",
}  # fmt: skip


class LoggingWhileCaptured(Rule):
    """A logger is called inside the captured function.

    Dynamo does not trace the `logging` module: the call ends the graph, even where its level is off.

    Bad:
        import logging

        import torch

        logger = logging.getLogger(__name__)

        def f(x):
            y = x * 2
            logger.info("doubled")
            return y + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import logging

        import torch

        logger = logging.getLogger(__name__)

        def f(x):
            y = x * 2
            if not torch.compiler.is_compiling():
                logger.info("doubled")
            return y + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC502"
    name = "logging-while-captured"
    severity = Severity.BREAK
    graph_break = "GB0291"
    fix_safety = "verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee.startswith("logging.")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        owner, _, method = event.callee.rpartition(".")
        if owner in ("logging", "logging.Logger") and method in _METHODS:
            yield self.suspect(event, f"`{source_of(event.at)}` calls a logger, which splits the graph")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Call)
        from ..fixing.compiling_guard import skip_while_compiling_fix

        return skip_while_compiling_fix(event, context)
