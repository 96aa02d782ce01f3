"""PTC101: Python asks for the truth of a tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Branch, Event
from ..flow.values import Array, tensor_in
from ..rule import Rule, Suspicion, source_of

_WORDS = {
    "if": "`if` on",
    "while": "`while` on",
    "ternary": "conditional expression on",
    "and": "`and` asks for the truth of",
    "or": "`or` asks for the truth of",
    "not": "`not` asks for the truth of",
    "filter": "comprehension filtered by",
    "match": "`match` on",
    "bool": "truth of",
}


class DataDependentBranch(Rule):
    """A Python branch whose test is the data of a tensor.

    Python must know the value before it can go on, so Dynamo ends the graph at the test, reads the tensor back from the device
    and starts a second graph behind it. Shapes, dtypes, devices and flags of a config are known while tracing and do no such thing.

    Bad:
        import torch

        def f(x):
            if x.mean() > 0:
                y = x * 2
            else:
                y = x - 1
            return y.relu()

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            y = torch.where(x.mean() > 0, x * 2, x - 1)
            return y.relu()

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC101"
    name = "data-dependent-branch"
    severity = Severity.BREAK
    graph_break = "GB0170"
    fix_safety = "verify"
    listens = (Branch,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Branch)
        if event.kind == "assert" or (tensor_in(event.test) is None and not isinstance(event.test, Array)):
            return
        what = _WORDS.get(event.kind, "truth of")
        yield self.suspect(event, f"{what} a tensor's value, `{source_of(event.at)}`, splits the graph", event.test)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Branch)
        from ..fixing.branch_to_where import where_fix
        from ..fixing.raise_guard import guard_fix

        if isinstance(event.statement, ast.If) and event.statement.body and isinstance(event.statement.body[-1], ast.Raise):
            return guard_fix(event, context)
        return where_fix(event, context)
