"""TFC302: a Python container is changed inside a loop or branch of the graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Change, Event
from ..flow.frame import Stage
from ..flow.tensorflow.staging import assigned_in, is_outer, root_of
from ..flow.tensorflow.values import tf_tensor_in
from ..flow.values import UNKNOWN, Instance, Value, contains_tensor
from ..rule import Rule, Suspicion, source_of


class LoopCollection(Rule):
    """A list, dict or object is changed inside a loop or branch of the graph.

    The body of a tensor loop is traced once, into a graph of its own; what it puts into a Python list is a tensor of that inner graph,
    which nothing outside may use. The same goes for what a *called* function changes (an outer list, `nonlocal`, an attribute). Use a
    `tf.TensorArray`, or return the new value and assign it in the loop.

    Bad:
        import tensorflow as tf

        def f(x):
            outs = []
            for v in x:
                outs.append(v * 2.0)
            return tf.stack(outs)

        def make_args(i):
            return (tf.constant([1.0, 2.0 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            outs = tf.TensorArray(tf.float32, size=tf.shape(x)[0], element_shape=[])
            for k in tf.range(tf.shape(x)[0]):
                outs = outs.write(k, x[k] * 2.0)
            return outs.stack()

        def make_args(i):
            return (tf.constant([1.0, 2.0 + i]),)
    """

    code = "TFC302"
    name = "loop-collection"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Change,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Change)
        frame = event.frame
        if frame.capture.lists and event.what == "append":
            yield self.suspect(event, f"`{source_of(event.at, 40)}` raises: `Feature.LISTS` is broken, leave it out", event.value)
            return
        stages = [stage for stage in frame.staging if stage.tensor]
        if not _holds_tensor(event) or _is_variable(event.holder):
            return
        if not stages:
            if frame.capture.staged and self._in_callee(event):
                where = "loop" if frame.capture.staged == "loop" else "branch"
                yield self.suspect(event, f"`{source_of(event.at, 40)}` changes what belongs to a caller, which calls it inside a {where} of the graph", event.value)
            return
        if is_outer(event.target, event.holder, frame):
            return
        if not any(_made_before(event, stage) for stage in stages) or _said_for_root(event, stages[0], self.code):
            return
        if event.what in ("name", "attribute"):
            return
        if event.what == "item" and _is_fixed_key(event, frame.staging):
            return
        where = "loop" if any(stage.kind in ("for", "while") for stage in stages) else "branch"
        yield self.suspect(event, f"`{source_of(event.at, 40)}` keeps a tensor of the {where}'s own graph in a Python container", event.value)

    def _in_callee(self, event: Change) -> bool:
        function = event.frame.function
        if function is None:
            return False
        if event.what == "attribute":
            return isinstance(event.holder, Instance) and event.holder.local and not event.holder.staged and function.qualname.rpartition(".")[2] != "__init__"
        root = root_of(event.target)
        if event.what == "name":
            return function.inner and root in (function.closure or {})
        return root in (function.closure or {}) and function.inner

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Change)
        from ..fixing.tensorflow.array_for_list import array_fix

        return array_fix(event, context)


def _holds_tensor(event: Change) -> bool:
    value: Value = event.value
    if event.what in ("pop", "popleft"):
        return event.holder is not None and contains_tensor(event.holder) is not None
    return value is not UNKNOWN and contains_tensor(value) is not None


def _is_variable(value: Value | None) -> bool:
    tensor = tf_tensor_in(value)
    return tensor is not None and tensor.kind == "variable"


def _made_before(event: Change, stage: Stage) -> bool:
    """Whether the container was there before the loop or branch began, and not made anew within."""
    root = root_of(event.target)
    body = getattr(stage.node, "body", [])
    return root in stage.env and not (isinstance(body, list) and root in assigned_in([*body]) and stage.env.get(root) is not event.frame.env.get(root))


def _is_fixed_key(event: Change, stages: list[Stage]) -> bool:
    """Whether the key is written out, which AutoGraph carries like a name; the key of a Python loop inside the tensor loop is not."""
    at = event.at
    if not isinstance(at, ast.Subscript):
        return True
    if isinstance(at.slice, ast.Constant):
        return True
    names = {n.id for n in ast.walk(at.slice) if isinstance(n, ast.Name)}
    inner = False
    for stage in stages:
        inner = inner or (stage.tensor and stage.kind in ("for", "while"))
        if inner and not stage.tensor and isinstance(stage.node, ast.For):
            if names & {n.id for n in ast.walk(stage.node.target) if isinstance(n, ast.Name)}:
                return False
    return True


def _said_for_root(event: Change, stage: Stage, code: str) -> bool:
    """Whether a change of the same container in the same loop was reported already."""
    root = root_of(event.target)
    put = root_of(event.at.args[0]) if isinstance(event.at, ast.Call) and event.at.args else root
    first, last = getattr(stage.node, "lineno", 0), getattr(stage.node, "end_lineno", 0) or 0
    for rule, at in event.frame.activation.suspicions:
        if rule == code and at is not event.at and first <= getattr(at, "lineno", 0) <= last:
            target = at.func if isinstance(at, ast.Call) else at
            if isinstance(target, ast.expr) and root_of(target) in (root, put):
                return True
    return False
