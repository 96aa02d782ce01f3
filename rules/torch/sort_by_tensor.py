"""PTC606: Python sorts by the values of tensors."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event
from ..flow.values import Sequence, Value, members_of, only_tensor
from ..rule import Rule, Suspicion, source_of

from ..flow.binding import Arguments
from ..flow.calls import call
from ..flow.expressions import element_of


def _key_value(key: Value, element: Value, event: Call) -> Value:
    """What the key function gives for an element."""
    engine = event.frame.engine
    engine.muted += 1
    try:
        return call(key, Arguments([element]), event.frame, event.at)
    finally:
        engine.muted -= 1


def _compares_tensors(value: Value) -> bool:
    for member in members_of(value):
        if only_tensor(member) is not None:
            return True
        if isinstance(member, Sequence) and any(only_tensor(e) is not None for e in member.elements or []):
            return True
    return False


class SortByTensor(Rule):
    """Python sorts by the values of tensors.

    `sorted` compares the keys, and a comparison of tensors is data. Sort with `torch.sort` or `argsort`, or by names alone.

    Bad:
        import torch

        def f(x):
            rows = sorted([x[0], x[1]], key=lambda row: row.sum())
            return rows[0] + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import torch

        def f(x):
            order = x[:2].sum(1).argsort()
            return x[:2][order][0] + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC606"
    name = "sort-by-tensor"
    severity = Severity.BREAK
    graph_break = "GB0207"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        return callee in ("sorted", "list.sort", "max", "min")

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        if event.callee not in ("sorted", "list.sort") and not (event.callee in ("max", "min") and "key" in event.kwargs):
            return
        source = event.args[0] if event.args else event.receiver
        if source is None:
            return
        element = element_of(source)
        key = event.kwargs.get("key")
        if key is None:
            # a pair compares by its first part alone as long as these differ
            keyed: Value | None = element
        else:
            keyed = _key_value(key, element, event)
        if keyed is not None and _compares_tensors(keyed):
            yield self.suspect(event, f"`{source_of(event.at)}` sorts by the values of tensors", keyed, graph_break="GB0193" if event.callee == "max" else None)
