"""TFC602: an operation that XLA cannot compile."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event, Loop
from ..flow.tensorflow.values import is_object
from ..frameworks.tensorflow import tables
from ..rule import Rule, Suspicion, source_of

_HOST = {"tensorflow.print", "tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.compat.v1.py_func", "tensorflow.io.read_file", "tensorflow.io.write_file"}


@lru_cache(maxsize=1)
def _without_kernel() -> frozenset[str]:
    return frozenset("tensorflow." + name.removeprefix("tf.") for name in tables.without_xla_kernel())


class XlaUnsupported(Rule):
    """An operation without a kernel for XLA, in code that XLA compiles.

    With `jit_compile=True` (which Keras' `compile(jit_compile="auto")` means where a GPU is visible) every operation needs an XLA kernel.
    `tf.print`, `tf.py_function`, strings, ragged tensors and some linear algebra have none. Leave it out, or turn `jit_compile` off.

    Bad:
        import tensorflow as tf

        TF_FUNCTION_KWARGS = dict(jit_compile=True)

        def f(x):
            return tf.strings.length(tf.strings.as_string(x))

        def make_args(i):
            return (tf.constant([1, 2 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            return tf.strings.length(tf.strings.as_string(x))

        def make_args(i):
            return (tf.constant([1, 2 + i]),)
    """

    code = "TFC602"
    name = "xla-unsupported"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Call, Loop)

    def concerns(self, callee: str) -> bool:
        return callee in _HOST or (callee.startswith("tensorflow.") and callee in _without_kernel())

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Loop):
            if event.frame.capture.jit and is_object(event.iterable, "Dataset", "DatasetV2", "Iterator"):
                yield self.suspect(event, f"XLA cannot iterate over a Dataset, `{source_of(event.at)}`, and this code is compiled with `jit_compile=True`")
            return
        assert isinstance(event, Call)
        if event.frame.capture.jit:
            yield self.suspect(event, f"`{source_of(event.at)}` has no kernel for XLA, and this code is compiled with `jit_compile=True`")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        from ..fixing.tensorflow.xla import without_xla_fix

        return without_xla_fix(suspicion.event, context)
