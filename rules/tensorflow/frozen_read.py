"""TFC307: state of the outside world is read while tracing, and never again."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event, Index
from ..flow.values import Const, External, Scalar, Value, type_name
from ..rule import Rule, Suspicion, source_of

_READS = {
    "os.environ.get", "os.getenv", "os.listdir", "os.path.getmtime", "os.getcwd", "os.getpid", "glob.glob", "socket.gethostname", "platform.node",
    "psutil.cpu_percent",
}  # fmt: skip
_FILES = {"tensorflow.io.read_file", "tensorflow.io.gfile.GFile", "tensorflow.io.gfile.exists", "tensorflow.io.gfile.listdir", "tensorflow.io.gfile.glob"}


class FrozenRead(Rule):
    """Something that may change is read while the graph is traced.

    An environment variable, a directory, a file whose path is a constant: the graph keeps what was there when it was traced. Read it
    outside and pass it as an argument, or keep it in a `tf.Variable`.

    Bad:
        import os
        import tensorflow as tf

        def f(x):
            return x * float(os.environ["G2S_EXAMPLE_SCALE"])

        def make_args(i):
            os.environ["G2S_EXAMPLE_SCALE"] = str(1.0 + i)
            return (tf.constant(2.0),)
    Good:
        import os
        import tensorflow as tf

        def f(x, scale):
            return x * scale

        def make_args(i):
            os.environ["G2S_EXAMPLE_SCALE"] = str(1.0 + i)
            return tf.constant(2.0), tf.constant(float(os.environ["G2S_EXAMPLE_SCALE"]))
    """

    code = "TFC307"
    name = "frozen-read"
    framework = "tensorflow"
    severity = Severity.STALE
    fix_safety = "verify"
    listens = (Call, Index)

    def concerns(self, callee: str) -> bool:
        return callee in _READS or callee in _FILES

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Index):
            if isinstance(event.base, External) and event.base.name == "os.environ" and not event.store:
                yield self.suspect(event, f"`{source_of(event.at)}` is read once, while tracing")
            return
        assert isinstance(event, Call)
        if event.callee == "tensorflow.io.read_file":
            if not _is_fixed(event.argument(0, "filename")):
                return
        yield self.suspect(event, f"`{source_of(event.at)}` is read once, while tracing")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        from ..fixing.tensorflow.host_values import host_value_fix

        return host_value_fix(suspicion.event.at, context)



def _is_fixed(path: Value | None) -> bool:
    """Whether a path is a Python string, which makes what is read from it a constant of the graph."""
    return isinstance(path, (Const, Scalar)) and type_name(path) in ("str", "")
