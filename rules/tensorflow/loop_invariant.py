"""TFC107: a loop of the graph changes the shape or dtype of what it carries."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Event, Staged
from ..flow.tensorflow.staging import assigned_in
from ..flow.tensorflow.values import STATIC_AXIS, TFTensor, python_dtype
from ..flow.values import Const, Scalar, Value
from ..rule import Rule, Suspicion, source_of
from .branch_mismatch import mismatch


class LoopInvariant(Rule):
    """A tensor loop gives a variable another shape or dtype than it began with.

    What a loop of the graph carries from round to round keeps its dtype and its static shape. A tensor that grows by `tf.concat`, or a
    counter that starts as an int and becomes a float, raises while tracing. Collect in a `tf.TensorArray`, declare the shape with
    `tf.autograph.experimental.set_loop_options`, or start with the right dtype.

    Bad:
        import tensorflow as tf

        def f(n):
            out = tf.zeros([0])
            for k in tf.range(n):
                out = tf.concat([out, tf.cast([k], tf.float32)], axis=0)
            return out

        def make_args(i):
            return (tf.constant(2 + i),)
    Good:
        import tensorflow as tf

        def f(n):
            out = tf.TensorArray(tf.float32, size=n, element_shape=[])
            for k in tf.range(n):
                out = out.write(k, tf.cast(k, tf.float32))
            return out.stack()

        def make_args(i):
            return (tf.constant(2 + i),)
    """

    code = "TFC107"
    name = "loop-invariant"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Staged,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Staged)
        after = event.sides[0]
        if event.kind not in ("for", "while") or after is None:
            return
        statement = next((s for s in event.frame.module.loops_at(event.at)), None)
        if statement is None or _declares_shapes(event):
            return
        names = assigned_in(statement.body)
        for name in sorted(names):
            before, later = event.before.get(name), after.get(name)
            if before is None or later is None:
                continue
            grown = _grows(name, statement.body)
            grows = isinstance(before, TFTensor) and isinstance(later, TFTensor) and later.shape is None and not before.unsized and not before.dynamic
            if grown is not None and grows:
                yield self.suspect(event, f"`{name}` grows in each round of the tensor loop over `{source_of(event.at)}`", later, at=grown)
                return
            problem = _changed_shape(before, later) or _changed_dtype(before, later)
            if problem:
                yield self.suspect(event, f"`{name}` {problem} in the tensor loop over `{source_of(event.at)}`", later)
                return

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Staged) and event.sides[0] is not None
        loop = event.frame.module.loops_at(event.at)[0]
        before: dict[str, TFTensor] = {}
        after: dict[str, TFTensor] = {}
        for name in assigned_in(loop.body):
            old, new = event.before.get(name), event.sides[0].get(name)
            if not isinstance(old, TFTensor) or not isinstance(new, TFTensor):
                continue
            if _changed_dtype(old, new):
                return Declined("a dtype changes, too")
            if _changed_shape(old, new) or (_grows(name, loop.body) is not None and new.shape is None):
                before[name], after[name] = old, new
        if not before or not isinstance(loop, (ast.For, ast.While)):
            return None
        from ..fixing.tensorflow.loop_shapes import shape_invariants_fix

        return shape_invariants_fix(loop, before, after, context)


def _grows(name: str, body: list[ast.stmt]) -> ast.stmt | None:
    """The statement of a loop that concatenates something to a name, ``x = tf.concat([x, y], 0)``."""
    for statement in body:
        for item in ast.walk(statement):
            if not (isinstance(item, ast.Assign) and isinstance(item.value, ast.Call) and isinstance(item.value.func, ast.Attribute)):
                continue
            if item.value.func.attr != "concat" or [ast.unparse(t) for t in item.targets] != [name] or not item.value.args:
                continue
            parts = item.value.args[0]
            if isinstance(parts, (ast.List, ast.Tuple)) and len(parts.elts) > 1 and any(isinstance(e, ast.Name) and e.id == name for e in parts.elts):
                return item
    return None


def _declares_shapes(event: Staged) -> bool:
    first, last = event.at.lineno, event.frame.module.loops_at(event.at)[0].end_lineno or event.at.lineno
    return "set_loop_options" in event.frame.module.excerpt(first, last)


def _changed_shape(before: Value, later: Value) -> str:
    if not (isinstance(before, TFTensor) and isinstance(later, TFTensor)) or before.shape is None or later.shape is None:
        return ""
    if before.kind != "tensor" or before.unsized:
        return ""
    if len(before.shape) != len(later.shape):
        return f"changes its rank from {len(before.shape)} to {len(later.shape)}"
    for a, b in zip(before.shape, later.shape):
        if isinstance(a, int) and (b is None or (isinstance(b, int) and a != b)):
            return f"changes its shape from {_shown(before)} to {_shown(later)}"
    return ""


def _shown(tensor: TFTensor) -> str:
    return str([a if a != STATIC_AXIS else "?" for a in tensor.shape or ()])


def _changed_dtype(before: Value, later: Value) -> str:
    if isinstance(before, (Const, Scalar)) and not python_dtype(before):
        return ""
    if not isinstance(later, TFTensor) or (isinstance(before, TFTensor) and before.likely) or later.likely:
        return ""
    found = mismatch(before, later)
    return f"is {found} before and after a round" if found.startswith("of dtype") else ""
