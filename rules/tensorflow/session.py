"""TFC801: sessions and placeholders."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Call, Event, Legacy
from ..rule import Rule, Suspicion, source_of

_CALLS = {
    "tensorflow.compat.v1.placeholder", "tensorflow.compat.v1.sparse_placeholder", "tensorflow.compat.v1.Session.run", "tensorflow.compat.v1.InteractiveSession.run",
    "tensorflow.compat.v1.placeholder_with_default",
}  # fmt: skip

_NAMES = {"tensorflow.compat.v1.placeholder", "tensorflow.compat.v1.sparse_placeholder", "tensorflow.compat.v1.Session", "tensorflow.compat.v1.InteractiveSession"}


class Session(Rule):
    """TensorFlow 1's sessions and placeholders in code that is captured.

    A placeholder has no value outside a `Session`, and a session cannot run inside a graph that is being traced. What a placeholder fed is
    a parameter of a function; what `sess.run` fetched is what it returns.

    Bad:
        import tensorflow as tf

        def f(x):
            a = tf.compat.v1.placeholder(tf.float32, [])
            return a + x

        def make_args(i):
            return (tf.constant(1.0 + i),)
    Good:
        import tensorflow as tf

        def f(x):
            return x + x

        def make_args(i):
            return (tf.constant(1.0 + i),)
    """

    code = "TFC801"
    name = "session"
    framework = "tensorflow"
    severity = Severity.BREAK
    listens = (Call, Legacy)

    def concerns(self, callee: str) -> bool:
        return callee in _CALLS

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Legacy):
            if event.name in _NAMES:
                severity = Severity.LEGACY if event.graph_mode else Severity.BREAK
                words = "belongs to a graph and session of TensorFlow 1" if event.graph_mode else "does not work in eager code: it needs a graph and session of TensorFlow 1"
                yield self.suspect(event, f"`{source_of(event.at)}` {words}", severity=severity)
            return
        assert isinstance(event, Call)
        if "as_default" in event.frame.entered_by:
            return
        yield self.suspect(event, f"`{source_of(event.at, 50)}` needs a graph and a session of TensorFlow 1")
