"""Asks rules for their fixes, with the values of the flagged function over all of its calls."""

from __future__ import annotations

import ast

from ..finding import Declined, Fix
from ..flow.engine import Engine
from ..flow.frame import Activation
from ..flow.values import External, Value
from ..rule import Rule, Suspicion
from .context import FixContext


MAX_RUNS = 40
"""Runs of a function whose values are joined; one that is called in more ways is left alone."""


class Offers:
    """Finds the fix of each suspicion; a flagged function is interpreted again, once, with its values recorded."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._types: dict[int, dict[ast.expr, Value]] = {}

    def offer(self, suspicion: Suspicion, activation: Activation) -> tuple[Fix | None, str | None]:
        """The fix, or why there is none."""
        if type(suspicion.rule).fix is Rule.fix or activation.function is None:
            return None, None
        function = activation.function
        if len(self.engine.by_node[id(function.node)]) > MAX_RUNS:
            return None, "the function is called in too many ways to know the values in it"
        lines = function.module.lines
        context = FixContext(function.node, self._values(activation), lines, self._names(activation))
        answer = suspicion.rule.fix(suspicion, context)
        if isinstance(answer, Declined):
            return None, answer.reason
        return answer, None

    def _values(self, activation: Activation) -> dict[ast.expr, Value]:
        assert activation.function is not None
        node = activation.function.node
        if id(node) not in self._types:
            engine = self.engine
            types: dict[ast.expr, Value] = {}
            engine.recording = {node: types}
            engine.muted += 1
            try:
                for known in list(engine.by_node[id(node)]):
                    replay = Activation(known.function, known.module, known.key, known.arguments)
                    engine._interpret(replay)
            finally:
                engine.muted -= 1
                engine.recording = None
            self._types[id(node)] = types
        return self._types[id(node)]

    def _names(self, activation: Activation) -> dict[str, str]:
        from ..flow.names import lookup

        module = activation.module
        names: dict[str, str] = {}
        for name, bindings in module.bindings.items():
            if any(isinstance(b.statement, (ast.Import, ast.ImportFrom)) for b in bindings):
                value = lookup(module, name)
                names[name] = value.name if isinstance(value, External) else ""
            else:
                names[name] = ""
        return names
