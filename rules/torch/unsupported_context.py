"""PTC604: a context manager that Dynamo does not enter."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Enter, Event
from ..rule import Rule, Suspicion, source_of

_CONTEXTS = {
    "threading.Lock": "GB0142", "threading.RLock": "GB0142", "threading.Semaphore": "GB0142", "torch.autograd.set_detect_anomaly": "GB0142",
    "torch.autograd.detect_anomaly": "GB0142", "torch.random.fork_rng": "GB0142",
    "warnings.catch_warnings": "GB0142", "builtins.open": "GB0059", "torch.profiler.profile": "GB0142", "tempfile.TemporaryDirectory": "GB0142",
    "tempfile.NamedTemporaryFile": "GB0142", "torch.backends.cudnn.flags": "GB0142",
}  # fmt: skip


class UnsupportedContext(Rule):
    """A context manager that Dynamo does not enter.

    Locks, anomaly detection and forked random state change the world outside the graph. Enter them around the compiled call.

    Bad:
        import threading

        import torch

        lock = threading.Lock()

        def f(x):
            with lock:
                y = x * 2
            return y + 1

        def make_args():
            return (torch.randn(4, 3),)
    Good:
        import threading

        import torch

        lock = threading.Lock()

        def f(x):
            y = x * 2
            return y + 1

        def make_args():
            return (torch.randn(4, 3),)
    """

    code = "PTC604"
    name = "unsupported-context"
    severity = Severity.BREAK
    graph_break = "GB0142"
    listens = (Enter,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Enter)
        known = _CONTEXTS.get(event.callee)
        if known is not None:
            yield self.suspect(event, f"`with {source_of(event.at)}` is not entered while tracing", graph_break=known)
