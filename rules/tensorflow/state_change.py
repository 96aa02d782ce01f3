"""TFC301: Python state that outlives the call is changed while tracing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Change, Event
from ..flow.tensorflow.staging import is_outer
from ..flow.tensorflow.values import tf_tensor_in
from ..flow.values import UNKNOWN, Function, Instance, Value, contains_tensor
from ..rule import Rule, Suspicion, source_of


class StateChange(Rule):
    """A Python object that outlives the call is changed while the graph is traced.

    The change happens once for each trace, not once for each call: a counter stays at 1, a history keeps one entry, and that entry is a
    symbolic tensor that nobody can read. Keep counters in a `tf.Variable`; return what the host should keep, and let it keep it.

    Bad:
        import tensorflow as tf

        COUNT = 0

        def f(x):
            global COUNT
            COUNT += 1
            return x + float(COUNT)

        def make_args(i):
            return (tf.constant(1.0 + i),)

        def observe():
            return COUNT
    Good:
        import tensorflow as tf

        COUNT = tf.Variable(0.0)

        def f(x):
            COUNT.assign_add(1.0)
            return x + COUNT

        def make_args(i):
            return (tf.constant(1.0 + i),)

        def observe():
            return COUNT
    """

    code = "TFC301"
    name = "state-change"
    framework = "tensorflow"
    severity = Severity.STALE
    fix_safety = "verify"
    listens = (Change,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Change)
        frame = event.frame
        outer = is_outer(event.target, event.holder, frame)
        if not outer or frame.capture.reason == "constructor" or _already_said(event, self.code):
            return
        if _fills_once(event) or (frame.function is not None and frame.function.qualname.endswith(("__enter__", "__exit__"))):
            return
        if event.what in ("attribute", "name") and not _tells(event.value, event.again):
            return
        if event.what == "attribute" and _is_kept_by_keras(event):
            return
        if outer == "an argument" and _is_inner_call(event):
            return
        held = tf_tensor_in(event.value) is not None or contains_tensor(event.value) is not None
        what = f"`{source_of(event.at, 40)}` changes {outer} once, while tracing, not at each call"
        if outer == "an argument" and held:
            yield self.suspect(event, f"`{source_of(event.at, 40)}` changes a container that the caller passed, which a captured function may not", event.value, severity=Severity.BREAK)
            return
        kept = ", and what it keeps is a symbolic tensor" if held else ""
        if isinstance(event.value, Function) or (event.value is UNKNOWN and outer == "an outer name"):
            return
        if held and _variable_lost(event):
            yield self.suspect(event, f"`{source_of(event.at, 40)}` replaces a tf.Variable by a tensor; use `assign_add`", event.value, severity=Severity.BREAK if event.again and _augmented(event) else None)
            return
        read_outside = held and event.what == "attribute" and not event.again
        when = (f"`{source_of(event.target)}` is read outside the captured function",) if read_outside else ()
        yield self.suspect(event, what + kept, event.value if held else None, when=when)

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Change)
        from ..fixing.tensorflow.counters import counter_fix

        made = counter_fix(event, context)
        if isinstance(made, Fix):
            return made
        from ..fixing.tensorflow.on_host import on_host_fix
        from ..fixing.tensorflow.variables import assign_fix

        from ..fixing.tensorflow.host_values import host_value_fix

        declined = on_host_fix(event.at, context)
        for made in (assign_fix(event, context), declined, host_value_fix(event.at, context)):
            if isinstance(made, Fix):
                return made
        return declined


def _tells(value: Value, again: bool) -> bool:
    """Whether a value differs from call to call, as far as is known."""
    if again:
        return True
    tensor = contains_tensor(value)
    return tensor is not None and getattr(tensor, "kind", "") != "variable"


def _fills_once(event: Change) -> bool:
    """Whether a Python test of the same container or attribute stands around the change, as around a cache that is filled when it is empty."""
    if isinstance(event.frame.statement, ast.AugAssign):
        return False
    wanted = ast.unparse(event.target)
    for stage in event.frame.staging:
        if stage.kind == "if" and not stage.tensor and isinstance(stage.node, ast.If) and wanted in ast.unparse(stage.node.test):
            return True
    return False


def _is_kept_by_keras(event: Change) -> bool:
    """Whether the object is a layer that is given a layer or variable of its own, which Keras tracks."""
    return isinstance(event.value, Instance)


def _augmented(event: Change) -> bool:
    return isinstance(event.frame.statement, ast.AugAssign)


def _variable_lost(event: Change) -> bool:
    if event.what != "attribute" or not isinstance(event.target, ast.Attribute) or not isinstance(event.holder, Instance):
        return False
    before = tf_tensor_in(event.holder.attributes.get(event.target.attr))
    return before is not None and before.kind == "variable"


def _is_inner_call(event: Change) -> bool:
    """Whether captured code passed the container: its caller is part of the graph, and sees the change."""
    return not event.frame.activation.is_entry


def _already_said(event: Change, code: str) -> bool:
    """Whether the other side of the same tensor branch was found to do the same: both happen, and one finding says so."""
    for stage in event.frame.staging:
        if stage.kind == "if" and stage.tensor and stage.side == "orelse" and isinstance(stage.node, ast.If):
            last = stage.node.orelse[0].lineno
            for rule, at in event.frame.activation.suspicions:
                if rule == code and stage.node.lineno <= getattr(at, "lineno", 0) < last:
                    return True
    return False
