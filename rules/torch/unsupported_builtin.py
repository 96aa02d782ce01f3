"""PTC609: a Python builtin that Dynamo cannot trace."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import Scalar, tensor_in
from ..rule import Rule, Suspicion, source_of

_INTERPRETER = {"eval", "exec", "globals", "locals", "compile", "open"}


class UnsupportedBuiltin(Rule):
    """A Python builtin that Dynamo cannot trace.

    `eval`, `globals`, `locals` and `pow` of a tensor need the interpreter itself. Write the expression directly.

    Bad:
        import torch

        def f(x):
            return pow(x.abs(), 2) + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            return x.abs() ** 2 + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC609"
    name = "unsupported-builtin"
    severity = Severity.BREAK
    graph_break = "GB0059"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee in _INTERPRETER or callee in ("pow", "divmod", "round")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee in _INTERPRETER:
            yield self.suspect(event, f"`{source_of(event.at)}` needs the interpreter and splits the graph")
        elif event.callee == "pow" and event.args and tensor_in(event.args[0]) is not None:
            yield self.suspect(event, f"`{source_of(event.at)}` is not traced; write `**`", event.args[0])
        elif event.callee == "divmod" and any(isinstance(v, Scalar) and v.origin == "shape" for v in event.args):
            yield self.suspect(event, f"`{source_of(event.at)}` of a size is not traced; write `//` and `%`", graph_break="GB0088")
        elif event.callee == "round" and event.args and tensor_in(event.args[0]) is not None:
            yield self.suspect(event, f"`{source_of(event.at)}` is not traced; use torch.round", event.args[0], graph_break="GB6270")
