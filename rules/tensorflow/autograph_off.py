"""TFC105: AutoGraph leaves a function alone that needs it."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Event, Unconverted
from ..rule import Rule, Suspicion, source_of

_WHY = {
    "syntax": "AutoGraph refuses a whole function that holds `{syntax}`, so {what}, `{source}`, raises",
    "generator": "{what}, `{source}`, raises: AutoGraph does not convert generators",
    "lambda": "{what}, `{source}`, raises: AutoGraph cannot tell two lambdas on one line apart",
    "constructor": "{what}, `{source}`, raises: AutoGraph converts neither a constructor nor what it calls",
    "custom_gradient": "{what}, `{source}`, raises: AutoGraph does not convert a function behind `tf.custom_gradient`",
    "recompute_grad": "{what}, `{source}`, raises: AutoGraph does not convert a function behind `tf.recompute_grad`",
    "do_not_convert": "{what}, `{source}`, raises: the function is marked `do_not_convert`",
    "cache": "{what}, `{source}`, raises: AutoGraph cannot see through functools' cache",
    "option": "{what}, `{source}`, raises: `autograph=False`",
    "library": "{what}, `{source}`, raises: AutoGraph does not convert this package",
}


class AutographOff(Rule):
    """Something in a function keeps AutoGraph from converting it.

    `match`, the walrus, `for`/`else`, `while`/`else`, a private name (`self.__x`) and `yield` switch AutoGraph off for the whole function
    and for all that it calls, with nothing but a log line; so do `tf.custom_gradient`, `tf.recompute_grad`, `functools.cache`,
    `autograph=False` and constructors. A tensor `if` or loop in there then raises. The finding points at the syntax at fault where
    there is one.

    Bad:
        import tensorflow as tf

        def f(x):
            if (n := x.shape.rank) == 1:
                x = x + float(n)
            if tf.reduce_sum(x) > 2.5:
                x = -x
            return x

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            n = x.shape.rank
            if n == 1:
                x = x + float(n)
            if tf.reduce_sum(x) > 2.5:
                x = -x
            return x

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    """

    code = "TFC105"
    name = "autograph-off"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "safe or verify"
    listens = (Unconverted,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Unconverted)
        words = _WHY.get(event.frame.capture.reason)
        if words is None:
            return
        message = words.format(syntax=source_of(event.at, 30), what=event.what, source=source_of(event.node, 40))
        yield self.suspect(event, message[0].upper() + message[1:] if message.startswith("Auto") else message, event.value)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Unconverted)
        from ..fixing.tensorflow.syntax import syntax_fix

        return syntax_fix(event, context)
