"""TFC106: a loop is left in a way that a graph has not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Event, Leave
from ..flow.frame import Stage
from ..rule import Rule, Suspicion


class LoopExit(Rule):
    """A `return` or `break` that a tensor decides leaves a loop.

    AutoGraph lowers `break` and `continue` in a loop over a tensor. It cannot lower a `return` from inside such a loop, nor a `break` or
    `return` that a tensor decides inside a Python loop (`for _ in range(10)`, `while True`), where the loop itself unrolls.

    Bad:
        import tensorflow as tf

        def f(x):
            for v in x:
                if v > 2:
                    return v * 100
            return tf.constant(0)

        def make_args(i):
            return (tf.constant([1, 2, 3]) - i,)
    Good:
        import tensorflow as tf

        def f(x):
            result = tf.constant(0)
            for v in x:
                if v > 2:
                    result = v * 100
                    break
            return result

        def make_args(i):
            return (tf.constant([1, 2, 3]) - i,)
    """

    code = "TFC106"
    name = "loop-exit"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Leave,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Leave)
        stages = event.frame.staging
        loops = [i for i, stage in enumerate(stages) if stage.kind in ("for", "while")]
        if not loops or event.kind == "continue":
            return
        left: list[Stage] = [stages[i] for i in loops] if event.kind == "return" else [stages[loops[-1]]]
        inner = stages[loops[-1] + 1 :] if event.kind == "break" else stages[loops[0] + 1 :]
        at = _region(left[0].node, event.at)
        if event.kind == "return" and any(stage.tensor for stage in left):
            yield self.suspect(event, "`return` inside a loop of the graph: AutoGraph cannot lower it", at=at)
        elif not any(stage.tensor for stage in left) and any(stage.kind == "if" and stage.tensor for stage in inner):
            yield self.suspect(event, f"`{event.kind}` that a tensor decides, inside a Python loop, which unrolls and cannot end early", at=at)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Leave)
        from ..fixing.tensorflow.exits import exit_fix

        return exit_fix(event, context)


_REGIONS: dict[tuple[ast.AST, ast.AST], ast.stmt] = {}


def _region(loop: ast.AST, leaves: ast.expr | ast.stmt) -> ast.stmt:
    """From the head of a loop, where TensorFlow reports the fault, to the statement that leaves it, which is to be changed."""
    key = (loop, leaves)
    if key not in _REGIONS:
        region = ast.copy_location(ast.Pass(), leaves)
        region.lineno, region.col_offset = getattr(loop, "lineno", leaves.lineno), getattr(loop, "col_offset", leaves.col_offset)
        _REGIONS[key] = region
    return _REGIONS[key]
