"""TFC502: a random number that is drawn while tracing."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of

_SEEDS = {"tensorflow.random.set_seed", "keras.utils.set_random_seed", "numpy.random.seed", "random.seed", "tensorflow.compat.v1.set_random_seed"}
_NO_DRAW = {"random.Random", "numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator", "random.SystemRandom", "random.getstate", "random.setstate"}


class FrozenRandom(Rule):
    """A random number of Python or NumPy is drawn inside the captured function.

    It is drawn once, while tracing, and stays in the graph as a constant: every call uses the same "random" number. Draw with `tf.random`.
    Setting a seed in there resets the generator while tracing only, so that the graph does not repeat what eager code repeats.

    Bad:
        import numpy as np
        import tensorflow as tf

        def f(x):
            return x * float(np.random.uniform(0.2, 0.8))

        def make_args(i):
            return (tf.ones([2]),)

        def canon(results):
            return len({str(r) for r in results})
    Good:
        import tensorflow as tf

        def f(x):
            return x * tf.random.uniform([], 0.2, 0.8)

        def make_args(i):
            return (tf.ones([2]),)

        def canon(results):
            return len({str(r) for r in results})
    """

    code = "TFC502"
    name = "frozen-random"
    framework = "tensorflow"
    severity = Severity.STALE
    fix_safety = "verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        if callee in _SEEDS:
            return True
        return callee.startswith(("random.", "numpy.random.", "secrets.")) and callee not in _NO_DRAW

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Call)
        capture = event.frame.capture
        if (capture.mapped and not capture.pipeline) or capture.reason == "constructor":
            return
        if event.callee in _SEEDS:
            yield self.suspect(event, f"`{source_of(event.at)}` sets the seed while tracing only: the graph does not start its stream anew at each call")
        else:
            yield self.suspect(event, f"`{source_of(event.at)}` is drawn once, while tracing, and is a constant of the graph")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Call)
        from ..fixing.tensorflow.draws import draw_fix

        return draw_fix(event, context)
