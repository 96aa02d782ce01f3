"""Tests: what a test's outcome is while tracing, and what it teaches about the names in it."""

from __future__ import annotations

import ast

from .capture import TENSORFLOW
from .conditions import Condition, condition, outcomes
from .dispatch import evaluate
from .events import Branch
from .frame import Frame
from .values import (
    Why,
    NONE,
    Array,
    BoundMethod,
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapping,
    Method,
    ModuleRef,
    Partial,
    Scalar,
    Sequence,
    Tensor,
    Union,
    Unknown,
    Value,
    join_all,
    members_of,
    tensor_in,
)

Narrowing = dict[str, Value]
_UNCONVERTED = {
    "if": "`if` on a tensor",
    "while": "`while` on a tensor",
    "ternary": "a conditional expression on a tensor",
    "and": "`and` of tensors",
    "or": "`or` of tensors",
    "not": "`not` of a tensor",
}


class Outcome:
    """The outcome of a test.

    Attributes:
        decided: True or False when tracing decides it, None otherwise.
        data: whether the data of a tensor decides it.
        condition: the test in the user's words, and its negation.
        when_true, when_false: values of names (``x``, ``self.y``) on each side.
    """

    __slots__ = ("condition", "data", "decided", "negation", "when_false", "when_true")

    def __init__(
        self,
        decided: bool | None,
        condition: Condition | str = "",
        negation: Condition | str = "",
        data: bool = False,
        when_true: Narrowing | None = None,
        when_false: Narrowing | None = None,
    ) -> None:
        self.decided = decided
        self.condition = condition
        self.negation = negation
        self.data = data
        self.when_true = when_true or {}
        self.when_false = when_false or {}


def truth(value: Value) -> bool | None:
    """The truth of a value when tracing knows it."""
    if isinstance(value, Const):
        try:
            return bool(value.value)
        except Exception:
            return None
    if isinstance(value, (Function, BoundMethod, Class, ModuleRef, Partial, Method)):
        return True
    if isinstance(value, Instance):
        return None if _sized(value) else True
    if isinstance(value, Sequence):
        return bool(value.elements) if value.elements is not None else None
    if isinstance(value, Mapping):
        return True if value.entries and value.other is None else None
    if isinstance(value, External):
        return True
    if isinstance(value, Union):
        outcomes = {truth(m) for m in value.members}
        return outcomes.pop() if len(outcomes) == 1 else None
    return None


def _sized(value: Instance) -> bool:
    return isinstance(value.cls, External) or any(classes.find_member(value.cls, name) is not None for name in ("__len__", "__bool__"))


def path_of(node: ast.expr) -> str | None:
    """The dotted path of a name or attribute chain ("self.cache"), by which a narrowing is stored."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = path_of(node.value)
        return f"{base}.{node.attr}" if base is not None else None
    if isinstance(node, ast.NamedExpr):
        return path_of(node.target)
    return None


def test(node: ast.expr, frame: Frame, kind: str, statement: ast.stmt | None = None, message: ast.expr | None = None) -> Outcome:
    """Evaluate ``node`` as a test of that kind."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = test(node.operand, frame, kind, statement, message)
        decided = None if inner.decided is None else not inner.decided
        return Outcome(decided, inner.negation, inner.condition, inner.data, inner.when_false, inner.when_true)
    if isinstance(node, ast.BoolOp):
        return _bool_op(node, frame, kind, statement, message)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        outcome = _comparison(node, frame)
        if outcome is not None:
            return outcome
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance" and len(node.args) == 2:
        outcome = _isinstance(node, frame)
        if outcome is not None:
            return outcome
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "bool"
        and len(node.args) == 1
        and not isinstance(node.args[0], ast.Starred)
        and tensor_in(evaluate(node.args[0], frame)) is None
    ):
        return test(node.args[0], frame, kind, statement, message)
    return of_value(evaluate(node, frame), node, frame, kind, statement, message)


def of_value(
    value: Value, node: ast.expr, frame: Frame, kind: str, statement: ast.stmt | None = None, message: ast.expr | None = None
) -> Outcome:
    """The outcome of asking for the truth of an evaluated expression."""
    data = tensor_in(value) is not None or any(isinstance(m, Array) and not m.constant for m in members_of(value))
    if data:
        if frame.capture.framework == TENSORFLOW and not frame.capture.converted and kind not in ("assert", "filter", "value"):
            needs_conversion(node, frame, _UNCONVERTED.get(kind, "the truth of a tensor"), value)
        else:
            frame.engine.emit(Branch(node, frame, value, kind, statement, message))
    decided = truth(value)
    path = path_of(node)
    when_true, when_false = {}, {}
    if path is not None and isinstance(value, Union):
        truthy = [m for m in value.members if truth(m) is not False]
        falsy = [m for m in value.members if truth(m) is not True]
        if truthy:
            when_true[path] = join_all(truthy)
        if falsy:
            when_false[path] = join_all(falsy)
        if not data and NONE in value.members:
            return Outcome(decided, condition(node, "`{}` is given"), condition(node, "`{}` is not given"), data, when_true, when_false)
    if isinstance(node, ast.Attribute) and node.attr == "training":
        return Outcome(decided, "training", "not training", data, when_true, when_false)
    return Outcome(decided, *outcomes(node), data, when_true, when_false)


def _bool_op(node: ast.BoolOp, frame: Frame, kind: str, statement: ast.stmt | None, message: ast.expr | None) -> Outcome:
    conjunction = isinstance(node.op, ast.And)
    saved, depth = frame.env, len(frame.conditions)
    frame.env = dict(saved)
    data = False
    narrowed: Narrowing = {}
    undecided: list[Outcome] = []
    decided: bool | None = conjunction
    try:
        for operand in node.values:
            outcome = test(operand, frame, kind, statement, message)
            data = data or outcome.data
            if outcome.decided is not None and outcome.decided is not conjunction:
                decided = outcome.decided if not undecided else (outcome.decided if not data else None)
                if not undecided:
                    return Outcome(decided)
                break
            if outcome.decided is None:
                decided = None
                undecided.append(outcome)
                frame.conditions.append(outcome.condition if conjunction else outcome.negation)
            side = outcome.when_true if conjunction else outcome.when_false
            narrowed.update(side)
            narrow(frame, side)
    finally:
        walrus = {k: v for k, v in frame.env.items() if k not in saved}
        frame.env = saved
        frame.env.update(walrus)
        del frame.conditions[depth:]
    if len(undecided) == 1:
        only = undecided[0]
        pair = (only.condition, only.negation)
        other = only.when_false if conjunction else only.when_true
    else:
        pair = outcomes(node)
        other = {}
    if conjunction:
        return Outcome(decided, *pair, data, narrowed, other)
    return Outcome(decided, *pair, data, other, narrowed)


def _comparison(node: ast.Compare, frame: Frame) -> Outcome | None:
    operator = node.ops[0]
    if not isinstance(operator, (ast.Is, ast.IsNot)):
        return None
    left, right = evaluate(node.left, frame), evaluate(node.comparators[0], frame)
    if not isinstance(right, Const):
        return Outcome(None, *outcomes(node))
    same: list[Value] = []
    rest: list[Value] = []
    for member in members_of(left):
        if isinstance(member, Const):
            (same if member.value is right.value else rest).append(member)
        elif isinstance(member, Unknown) or (isinstance(member, Scalar) and right.value is not None):
            same.append(right)
            rest.append(member)
        else:
            rest.append(member)
    decided = None if same and rest else bool(same)
    path = path_of(node.left)
    yes = {path: join_all(same)} if path is not None and same and rest else {}
    no = {path: join_all(rest)} if path is not None and same and rest else {}
    if right.value is None:
        words = condition(node.left, "`{}` is not given"), condition(node.left, "`{}` is given")
    else:
        words = condition(node.left, f"`{{}} is {right.value!r}`"), condition(node.left, f"not `{{}} is {right.value!r}`")
    if isinstance(operator, ast.IsNot):
        return Outcome(None if decided is None else not decided, words[1], words[0], False, no, yes)
    return Outcome(decided, *words, False, yes, no)


def _isinstance(node: ast.Call, frame: Frame) -> Outcome | None:
    value, classes = evaluate(node.args[0], frame), evaluate(node.args[1], frame)
    asked = classes.elements if isinstance(classes, Sequence) and classes.elements is not None else [classes]
    yes, no = [], []
    for member in members_of(value):
        verdicts = [kinds.is_kind(member, kind) for kind in asked]
        if True in verdicts:
            yes.append(member)
        elif None in verdicts:
            narrowed = [_kind_value(kind) for kind, verdict in zip(asked, verdicts) if verdict is None]
            known = [v for v in narrowed if v is not None]
            yes.append(join_all(known) if len(known) == len(narrowed) and known and isinstance(member, Unknown) else member)
            no.append(member)
        else:
            no.append(member)
    path = path_of(node.args[0])
    decided = None if yes and no else bool(yes)
    when_true = {path: join_all(yes)} if path is not None and yes else {}
    when_false = {path: join_all(no)} if path is not None and no else {}
    return Outcome(decided, *outcomes(node), False, when_true, when_false)


def _kind_value(kind: Value) -> Value | None:
    """What a value of that class is."""
    if isinstance(kind, External):
        if kind.name in kinds.TENSOR_CLASSES:
            return Tensor(why=Why(f"tested with isinstance against {kind.name}"))
        if kind.name in ("builtins.int", "builtins.float", "builtins.bool", "builtins.str"):
            return Scalar(kind.name[9:])
    return None


def narrow(frame: Frame, narrowing: Narrowing) -> None:
    """Take over what one side of a test teaches; attribute paths are kept as extra names."""
    for path, value in narrowing.items():
        frame.env[path] = value
        if "." in path:
            frame.learnt.add(path.partition(".")[0])


from . import classes, kinds  # noqa: E402
from .tensorflow.autograph import needs_conversion  # noqa: E402  (these call back into this module)
