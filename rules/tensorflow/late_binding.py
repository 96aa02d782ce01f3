"""TFC112: a closure made in a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Change, Event, Staged
from ..flow.tensorflow.staging import assigned_in
from ..flow.values import Function
from ..rule import Rule, Suspicion


class LateBinding(Rule):
    """A closure that sees a loop variable.

    In eager Python every `lambda` of a loop sees the variable's *last* value; in a converted function each sees the value it was made
    with. And a `lambda` made before a tensor loop does not see what the loop changes. Bind the value: `lambda v, k=k: v * k`.

    Bad:
        import tensorflow as tf

        def f(x):
            fns = []
            for k in range(3):
                fns.append(lambda v: v * float(k))
            return tf.stack([g(x) for g in fns])

        def make_args(i):
            return (tf.constant(1.0 + i),)
    Good:
        import tensorflow as tf

        def f(x):
            fns = []
            for k in range(3):
                fns.append(lambda v, k=k: v * float(k))
            return tf.stack([g(x) for g in fns])

        def make_args(i):
            return (tf.constant(1.0 + i),)
    """

    code = "TFC112"
    name = "late-binding"
    framework = "tensorflow"
    severity = Severity.STALE
    fix_safety = "suggest"
    listens = (Change, Staged)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Change):
            if not isinstance(event.value, Function) or not event.value.inner or not event.frame.capture.converted:
                return
            free = _free(event.value.node)
            for stage in event.frame.staging:
                if isinstance(stage.node, ast.For):
                    bound = {n.id for n in ast.walk(stage.node.target) if isinstance(n, ast.Name)} & free
                    if bound:
                        name = sorted(bound)[0]
                        yield self.suspect(event, f"the closure sees `{name}` as it is now; in eager code it sees the loop's last value")
                        return
        elif isinstance(event, Staged) and event.kind in ("for", "while"):
            loops = event.frame.module.loops_at(event.at)
            changed = assigned_in(loops[0].body) if loops else frozenset()
            for name, value in event.before.items():
                if isinstance(value, Function) and value.inner and isinstance(value.node, ast.Lambda):
                    seen = _free(value.node) & changed & set(event.before)
                    target = _first_assignment(loops[0].body, sorted(seen)[0]) if seen else None
                    if target is not None:
                        message = f"`{name}` was made before the tensor loop and does not see that it changes `{sorted(seen)[0]}`"
                        yield self.suspect(event, message, at=target)
                        return

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        from ..fixing.tensorflow.binding import bind_fix

        return bind_fix(event, context)


def _free(node: ast.AST) -> set[str]:
    arguments = getattr(node, "args", None)
    own = {p.arg for p in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)} if isinstance(arguments, ast.arguments) else set()
    body = node.body if isinstance(node, ast.Lambda) else node
    return {n.id for n in ast.walk(body) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - own


def _first_assignment(body: list[ast.stmt], name: str) -> ast.expr | None:
    for statement in body:
        for item in ast.walk(statement):
            if isinstance(item, ast.Name) and item.id == name and isinstance(item.ctx, ast.Store):
                return item
    return None
