"""TFC104: the two sides of a tensor branch do not fit together."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Event, Returns, Staged
from ..flow.tensorflow.liveness import live_after
from ..flow.tensorflow.values import TFTensor, dtype_class, python_dtype
from ..flow.values import (
    NONE,
    UNKNOWN,
    BoundMethod,
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapping,
    Partial,
    Scalar,
    Sequence,
    Value,
)
from ..rule import Rule, Suspicion, source_of


class BranchMismatch(Rule):
    """The sides of a tensor `if` leave different things behind.

    Both sides of a branch on a tensor become graphs that must give back the same names with the same structure and dtype. A name set on
    one side only, a `None` on one side, an int against a float, a function or object chosen by the branch, or a `return` on one side only
    raises while tracing.

    Bad:
        import tensorflow as tf

        def f(x):
            if tf.reduce_sum(x) > 0:
                scale = tf.constant(2.0)
            return x * scale

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    Good:
        import tensorflow as tf

        def f(x):
            scale = tf.constant(1.0)
            if tf.reduce_sum(x) > 0:
                scale = tf.constant(2.0)
            return x * scale

        def make_args(i):
            return (tf.constant([1.0 + i]),)
    """

    code = "TFC104"
    name = "branch-mismatch"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Staged, Returns)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Returns):
            yield from self._returns(event)
        elif isinstance(event, Staged) and event.kind in ("if", "ternary"):
            yield from self._sides(event)

    def _sides(self, event: Staged) -> Iterator[Suspicion]:
        first, second = event.sides
        if first is None or second is None:
            return
        before = event.before
        ranked = _rank_of(event.at)
        if ranked and ranked in before and (_ranks(first.get(ranked)) != _ranks(second.get(ranked)) or _adds_axis(ranked, event)):
            message = f"`{source_of(event.at)}` branches on a tensor: both sides are traced, and the rank of `{ranked}` is unknown after it; ask `{ranked}.shape.rank`"
            yield self.suspect(event, message, when=(f"what follows needs the rank of `{ranked}`",))
            return
        changed = [n for n in {**first, **second} if first.get(n) is not second.get(n) and "[" not in n and "." not in n]
        for name in sorted(changed):
            left, right = first.get(name), second.get(name)
            if event.kind == "if" and not live_after(name, event.at, event.frame):
                continue
            if left is None or right is None:
                if name not in before:
                    yield self.suspect(event, f"`{name}` is set on one side only of the tensor branch `{source_of(event.at)}` and read after it")
                    return
                continue
            problem = mismatch(left, right)
            if problem:
                what = f"`{name}` is" if name else "the conditional expression gives"
                yield self.suspect(event, f"{what} {problem} by the sides of the tensor branch `{source_of(event.at)}`")
                return

    def _returns(self, event: Returns) -> Iterator[Suspicion]:
        staged = [(node, value, [s for s in stages if s.tensor and s.kind == "if"]) for node, value, stages in event.records]
        inside = [(value, stages) for _, value, stages in staged if stages]
        if not inside:
            return
        value, stages = inside[0]
        statement = stages[0].node
        if not isinstance(statement, ast.If):
            return
        for node, other, _ in staged:
            if getattr(node, "lineno", 0) < statement.lineno and not isinstance(node, ast.FunctionDef):
                continue
            if (other is NONE) != (value is NONE) and UNKNOWN not in (value, other) and None not in (value, other):
                if isinstance(node, ast.FunctionDef) or other is NONE or value is NONE:
                    if value is NONE and isinstance(node, ast.FunctionDef):
                        continue
                    yield self.suspect(event, f"the tensor branch `{source_of(statement.test)}` returns a value on one side only", at=statement.test)
                    return
            elif problem := mismatch(value, other):
                yield self.suspect(event, f"the value returned is {problem} by the sides of the tensor branch `{source_of(statement.test)}`", at=statement.test)
                return

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        from ..fixing.tensorflow.branches import branch_fix

        return branch_fix(event, context)


def _rank_of(test: ast.AST) -> str:
    """The name whose ``tf.rank`` a test compares."""
    for item in ast.walk(test):
        if isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute) and item.func.attr == "rank" and item.args and isinstance(item.args[0], ast.Name):
            return item.args[0].id
    return ""


def _ranks(value: Value | None) -> int | None:
    return value.rank if isinstance(value, TFTensor) else None


def _adds_axis(name: str, event: Staged) -> bool:
    """Whether the body of the branch gives a name another rank."""
    body = next((n.body for n in ast.walk(event.frame.module.tree) if isinstance(n, ast.If) and n.test is event.at), [])
    for statement in body:
        if isinstance(statement, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in statement.targets):
            value = statement.value
            if isinstance(value, ast.Subscript) and any(isinstance(n, ast.Constant) and n.value is None for n in ast.walk(value.slice)):
                return True
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("expand_dims", "squeeze"):
                return True
    return False


def mismatch(left: Value, right: Value) -> str:
    """How two values differ that both sides of a graph's branch must give alike, in words; "" if they may be alike."""
    if UNKNOWN in (left, right) or left is right:
        return ""
    if (left is NONE) != (right is NONE):
        return "None on one side and set on the other" if _plain(left) and _plain(right) else ""
    chosen = (Function, BoundMethod, Class, External, Partial)
    if isinstance(left, chosen) and isinstance(right, chosen):
        return "a different function or class" if left.key() != right.key() else ""
    if isinstance(left, (Sequence, Mapping)) != isinstance(right, (Sequence, Mapping)):
        plain = right if isinstance(left, (Sequence, Mapping)) else left
        return "given another structure" if isinstance(plain, TFTensor) else ""
    if isinstance(left, Sequence) and isinstance(right, Sequence):
        if left.elements is not None and right.elements is not None:
            if len(left.elements) != len(right.elements):
                return f"given {len(left.elements)} and {len(right.elements)} elements" if left.kind == right.kind else ""
            return next((found for a, b in zip(left.elements, right.elements) if (found := mismatch(a, b))), "")
        return ""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        if left.other is None and right.other is None and set(left.entries) != set(right.entries):
            return "given other keys"
        return ""
    a, b = _dtype(left), _dtype(right)
    if a and b and dtype_class(a) != dtype_class(b):
        return f"of dtype {a} and {b}"
    return f"of dtype {a} and {b}" if a and b and a != b and a not in ("int", "float") and b not in ("int", "float") else ""


def _plain(value: Value) -> bool:
    return value is NONE or isinstance(value, (TFTensor, Const, Scalar, Sequence, Mapping, Instance))


def _dtype(value: Value) -> str:
    if isinstance(value, TFTensor):
        return value.dtype if not value.likely else ""
    if isinstance(value, (Const, Scalar)):
        return python_dtype(value)
    return ""
