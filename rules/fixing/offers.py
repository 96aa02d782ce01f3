"""Asks rules for their fixes, with the values of the flagged function over all of its calls."""

from __future__ import annotations

import ast

from ..finding import Declined, Fix
from ..flow.engine import Engine
from ..flow.frame import Activation
from ..flow.names import canonical
from ..flow.values import Value
from ..index.module import Module
from ..rule import Rule, Suspicion
from .context import FixContext


MAX_RUNS = 40
"""Runs of a function whose values are joined; one that is called in more ways is left alone."""


class Offers:
    """Finds the fix of each suspicion; a flagged function is interpreted again, once, with its values recorded."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._types: dict[int, dict[ast.expr, Value]] = {}
        self._module_names: dict[str, dict[str, str]] = {}

    def offer(self, suspicion: Suspicion, activation: Activation) -> tuple[Fix | None, str | None]:
        """The fix, or why there is none."""
        if type(suspicion.rule).fix is Rule.fix or activation.function is None:
            return None, None
        function = activation.function
        if len(self.engine.by_node[id(function.node)]) > MAX_RUNS:
            return None, "the function is called in too many ways to know the values in it"
        lines = function.module.lines
        context = FixContext(function.node, lambda: self._values(activation), lines, self._names(activation))
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
                    replay = Activation(known.function, known.module, known.key, known.arguments, known.capture)
                    engine._interpret(replay)
            finally:
                engine.muted -= 1
                engine.recording = None
            self._types[id(node)] = types
        return self._types[id(node)]

    def _names(self, activation: Activation) -> dict[str, str]:
        module = activation.module
        if module.name not in self._module_names:
            self._module_names[module.name] = {
                name: _imported(name, [binding.statement for binding in bindings], module) for name, bindings in module.bindings.items()
            }
        return self._module_names[module.name]


def _imported(name: str, statements: list[ast.stmt], module: Module) -> str:
    """The dotted name outside the project that a module-level name is imported from, "" for any other binding."""
    dotted = set()
    for statement in statements:
        if isinstance(statement, ast.Import):
            dotted |= {a.name if a.asname == name else name for a in statement.names if name in (a.asname, a.name.partition(".")[0])}
        elif isinstance(statement, ast.ImportFrom):
            dotted |= {canonical(f"{module.absolute(statement)}.{a.name}") for a in statement.names if (a.asname or a.name) == name}
        else:
            return ""
    only = dotted.pop() if len(dotted) == 1 else ""
    return "" if module.project.is_package(only.partition(".")[0]) else only
