"""PTC102: an assert on a tensor whose message must be computed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Branch, Event
from ..flow.values import tensor_in
from ..rule import Rule, Suspicion, source_of


class DataDependentAssert(Rule):
    """An `assert` on a tensor whose message is computed.

    Dynamo turns an assert on a tensor into one inside the graph, but only with a constant message: a message that is put
    together from values makes it end the graph at the test.

    Bad:
        import torch

        def f(x):
            assert (x > -9).all(), f"too small: {x.min()}"
            return x + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            assert (x > -9).all(), "too small"
            return x + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC102"
    name = "data-dependent-assert"
    severity = Severity.BREAK
    graph_break = "GB0170"
    fix_safety = "verify"
    listens = (Branch,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Branch)
        if event.kind != "assert" or tensor_in(event.test) is None:
            return
        if event.message is None or (isinstance(event.message, ast.Constant) and isinstance(event.message.value, str)):
            return
        yield self.suspect(event, f"assert on a tensor's value with a computed message, `{source_of(event.at)}`, splits the graph", event.test)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Branch)
        from ..fixing.raise_guard import guard_fix

        return guard_fix(event, context)
