"""TFC309: a tensor of one trace is used in another."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Severity
from ..flow.events import Change, Event, Leaked, Returns
from ..flow.tensorflow.staging import is_outer
from ..flow.tensorflow.values import TFTensor
from ..flow.values import contains_tensor
from ..index.walk import walk
from ..rule import Rule, Suspicion, source_of


class LeakedTensor(Rule):
    """A symbolic tensor of one trace is kept and used in the next.

    A tensor made while tracing belongs to that trace. Kept on an object, in a global or in a `functools` cache, it is read by the next
    trace (another shape, another dtype, another graph) and raises there. Keep the value in a `tf.Variable`, or compute it anew.

    Bad:
        import functools
        import tensorflow as tf

        @functools.lru_cache(None)
        def mask(n):
            return tf.linalg.band_part(tf.ones([n, n]), -1, 0)

        def f(x):
            return tf.matmul(mask(x.shape[-1]), x, transpose_b=True)

        def make_args(i):
            return (tf.ones([1 + i, 3]),)
    Good:
        import tensorflow as tf

        def mask(n):
            return tf.linalg.band_part(tf.ones([n, n]), -1, 0)

        def f(x):
            return tf.matmul(mask(x.shape[-1]), x, transpose_b=True)

        def make_args(i):
            return (tf.ones([1 + i, 3]),)
    """

    code = "TFC309"
    name = "leaked-tensor"
    framework = "tensorflow"
    severity = Severity.BREAK
    listens = (Returns, Change, Leaked)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Leaked):
            yield self.suspect(event, f"`{source_of(event.at)}` holds a tensor of another captured function's trace", event.value)
            return
        if isinstance(event, Returns):
            if event.frame.capture.reason != "cache":
                return
            for node, value, _ in event.records:
                if isinstance(node, ast.Return) and contains_tensor(value) is not None and not event.frame.capture.staged:
                    yield self.suspect(event, "the cache keeps this tensor of one trace and hands it to the next, where it raises", value, at=node, when=("traced more than once",))
                    return
            return
        assert isinstance(event, Change)
        if event.what != "attribute" or not isinstance(event.value, TFTensor) or event.value.kind == "variable" or not is_outer(event.target, event.holder, event.frame):
            return
        if not isinstance(event.target, ast.Attribute) or event.frame.function is None:
            return
        name = ast.unparse(event.target)
        for item in walk(event.frame.function.node):
            if isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Load) and item.lineno < event.target.lineno and ast.unparse(item) == name:
                yield self.suspect(event, f"`{source_of(item)}` holds a tensor of an earlier trace, which the next one may not use", event.value, at=item, when=("traced more than once",))
                return
