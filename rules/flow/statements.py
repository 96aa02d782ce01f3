"""Statements: the order in which a body runs, and what each statement does to the local names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .binding import Arguments
from .calls import call
from .dispatch import evaluate
from .events import Define, Enter, Index, Iterate, Loop, Operate, Raise, Staged, Store
from .expressions import element_of, hashable, make_function
from .frame import Frame, Stage
from .names import define_class, import_from, import_module
from .operators import binary
from .truth import narrow, path_of, test
from .values import (
    contains_tensor,
    tensor_in,
    Why,
    NONE,
    STATIC_INT,
    UNKNOWN,
    Array,
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Value,
    join,
    join_all,
)

MAX_PASSES = 3
"""Times that a loop body is interpreted before its names are taken as they are."""


def execute(body: list[ast.stmt], frame: Frame) -> bool:
    """Run statements in order; True if the end is reached."""
    depth = len(frame.conditions)
    try:
        for statement in body:
            frame.statement = statement
            handler = _STATEMENTS.get(type(statement))
            if handler is not None and not handler(statement, frame):
                return False
        return True
    finally:
        del frame.conditions[depth:]


def _expression(node: ast.Expr, frame: Frame) -> bool:
    if isinstance(node.value, ast.Constant):
        return True
    evaluate(node.value, frame)
    return not _never_returns(node.value)


def _never_returns(node: ast.expr) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("exit", "_exit")):
        return False
    return isinstance(node.func.value, ast.Name) and node.func.value.id in ("sys", "os")


def _assign(node: ast.Assign, frame: Frame) -> bool:
    value = evaluate(node.value, frame)
    for target in node.targets:
        assign(target, value, frame, node.value)
    return True


def _annotated_assign(node: ast.AnnAssign, frame: Frame) -> bool:
    if node.value is None:
        return True
    value = evaluate(node.value, frame)
    if value is UNKNOWN:
        why = Why(f"`{ast.unparse(node.target)}` is annotated", frame.module.shown, node.lineno)
        value = annotation.annotated(node.annotation, frame.module, why)
    assign(node.target, value, frame, node.value)
    return True


def _augmented_assign(node: ast.AugAssign, frame: Frame) -> bool:
    reading = _as_load(node.target)
    if isinstance(node.target, ast.Subscript):
        base = evaluate(node.target.value, frame)
        index = evaluate(node.target.slice, frame)
        right = evaluate(node.value, frame)
        frame.engine.emit(Index(node.target, frame, base, index, True, right, augmented=True))
        if not isinstance(base, Tensor):
            staging.changed("item", node.target, node.target.value, base, right, frame, again=True)
        return True
    left, right = evaluate(reading, frame), evaluate(node.value, frame)
    if isinstance(left, Sequence) and left.kind == "list" and isinstance(right, Sequence):
        staging.changed("extend", node, node.target, left, right.any(), frame)
        _extend(left, right)
        return True
    if staging.traces(frame) and (contains_tensor(left) is not None or contains_tensor(right) is not None):
        frame.engine.emit(Operate(node, frame, type(node.op).__name__, left, right))
    assign(node.target, binary(type(node.op).__name__, left, right, frame, node), frame, node.value)
    return True


def _extend(left: Sequence, right: Sequence) -> None:
    for element in right.elements if right.elements is not None else [right.element] if right.element is not None else []:
        left.add(element)


_LOADS: dict[ast.expr, ast.expr] = {}


def _as_load(target: ast.expr) -> ast.expr:
    """The target of an augmented assignment as an expression that is read."""
    known = _LOADS.get(target)
    if known is None:
        if isinstance(target, ast.Name):
            known = ast.Name(target.id, ast.Load())
        elif isinstance(target, ast.Attribute):
            known = ast.Attribute(target.value, target.attr, ast.Load())
        else:
            known = target
        known = ast.copy_location(known, target) if known is not target else target
        _LOADS[target] = known
    return known


def assign(target: ast.expr, value: Value, frame: Frame, source: ast.expr) -> None:
    """Bind a target to a value."""
    if isinstance(target, ast.Name):
        if target.id in frame.handed:
            again = any(isinstance(n, ast.Name) and n.id == target.id for n in ast.walk(source)) or isinstance(frame.statement, ast.AugAssign)
            staging.changed("name", target, target, None, value, frame, again)
        _forget(target.id, frame)
        frame.env[target.id] = value
        if frame.types is not None:
            before = frame.types.get(target)
            frame.types[target] = value if before is None else join(before, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(target.elts, value, frame, source)
    elif isinstance(target, ast.Attribute):
        _assign_attribute(target, value, frame)
    elif isinstance(target, ast.Subscript):
        _assign_item(target, value, frame)
    elif isinstance(target, ast.Starred):
        assign(target.value, Sequence("list", None, element_of(value)), frame, source)


def _forget(name: str, frame: Frame) -> None:
    """Drop what was learnt about attributes of a name that is bound anew."""
    if name.partition(".")[0] not in frame.learnt:
        return
    prefix = name + "."
    bracket = name + "["
    stale = [key for key in frame.env if key.startswith(prefix) or key.startswith(bracket)]
    for key in stale:
        del frame.env[key]


def _unpack(targets: list[ast.expr], value: Value, frame: Frame, source: ast.expr) -> None:
    if isinstance(value, Tensor) and staging.traces(frame):
        frame.engine.emit(Iterate(source, frame, value, "unpack"))
    if isinstance(value, Sequence) and value.elements is not None and not any(isinstance(t, ast.Starred) for t in targets):
        if len(value.elements) == len(targets):
            for target, element in zip(targets, value.elements):
                assign(target, element, frame, source)
            return
    if isinstance(value, Sequence) and value.elements is not None:
        star = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
        if star is not None and len(value.elements) >= len(targets) - 1:
            tail = len(targets) - star - 1
            end = len(value.elements) - tail
            for target, element in zip(targets[:star], value.elements[:star]):
                assign(target, element, frame, source)
            starred = targets[star]
            assert isinstance(starred, ast.Starred)
            assign(starred.value, Sequence("list", value.elements[star:end]), frame, source)
            for target, element in zip(targets[star + 1 :], value.elements[end:]):
                assign(target, element, frame, source)
            return
    alternatives = [m for m in getattr(value, "members", ()) if isinstance(m, Sequence)]
    if alternatives:
        for position, target in enumerate(targets):
            parts = [m.elements[position] if m.elements is not None and position < len(m.elements) else m.any() for m in alternatives]
            assign(target, join_all(parts), frame, source)
        return
    element = element_of(value)
    for target in targets:
        assign(target, element, frame, source)


def _assign_attribute(target: ast.Attribute, value: Value, frame: Frame) -> None:
    base = evaluate(target.value, frame)
    if staging.traces(frame) and isinstance(base, Instance) and not base.local and not frame.engine.muted:
        if isinstance(value, Tensor) and getattr(value, "kind", "") != "variable" and frame.capture.reason != "constructor":
            frame.engine.leaks.written(base, target.attr, frame)
    if staging.traces(frame) and isinstance(base, (Instance, Class)):
        staging.changed("attribute", target, target, base, value, frame, _reads(frame.statement, target))
    elif base is UNKNOWN and isinstance(value, Tensor) and isinstance(target.value, ast.Attribute) and staging.traces(frame):
        staging.changed("attribute", target, target, None, value, frame)
    path = path_of(target)
    if path is not None:
        _forget(path, frame)
        frame.env[path] = value
        frame.learnt.add(path.partition(".")[0])
    if isinstance(base, Instance):
        if isinstance(value, Function) and value.closure is None and frame.engine.depth > 200:
            return
        setter = _setter(base, target.attr)
        if setter is not None:
            call(setter, Arguments([base, value]), frame, target)
            return
        before = base.attributes.get(target.attr)
        base.attributes[target.attr] = value if before is None or (_in_constructor(frame, base) and before is NONE) else join(before, value)
    elif isinstance(base, (Tensor, External)):
        frame.engine.emit(Store(target, frame, target.attr, base, value))
    elif isinstance(base, Class):
        before = base.attributes.get(target.attr)
        base.attributes[target.attr] = value if before is None else join(before, value)


def _reads(statement: ast.stmt | None, target: ast.Attribute) -> bool:
    """Whether the statement that assigns an attribute also reads it."""
    if isinstance(statement, ast.AugAssign):
        return True
    value = getattr(statement, "value", None)
    sums = [n for n in ast.walk(value) if isinstance(n, ast.BinOp)] if isinstance(value, ast.expr) else []
    return any(isinstance(n, ast.Attribute) and n.attr == target.attr for item in sums for n in ast.walk(item))


def _in_constructor(frame: Frame, base: Instance) -> bool:
    function = frame.function
    return function is not None and function.qualname.endswith("__init__") and not frame.conditions


def _setter(base: Instance, name: str) -> Value | None:
    if not isinstance(base.cls, Class):
        return None
    for statement in base.cls.node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == name and statement.decorator_list:
            decorator = statement.decorator_list[0]
            if isinstance(decorator, ast.Attribute) and decorator.attr == "setter":
                return Function(statement, base.cls.module, f"{base.cls.qualname}.{name}", base.cls, base.cls.closure)
    return None


def _assign_item(target: ast.Subscript, value: Value, frame: Frame) -> None:
    base = evaluate(target.value, frame)
    index = evaluate(target.slice, frame)
    frame.engine.emit(Index(target, frame, base, index, True, value))
    if not isinstance(base, Tensor):
        staging.changed("item", target, target.value, base, value, frame)
    path = path_of(target.value)
    if path is not None:
        if isinstance(target.slice, ast.Constant) and isinstance(base, Mapping):
            frame.env[f"{path}[{target.slice.value!r}]"] = value
            frame.learnt.add(path.partition(".")[0])
    if isinstance(base, Mapping):
        base.put(hashable(index), value, weak=True)
    elif isinstance(base, Sequence) and base.kind != "tuple":
        if base.elements is not None and isinstance(index, Const) and isinstance(index.value, int) and -len(base.elements) <= index.value < len(base.elements):
            base.elements[index.value] = join(base.elements[index.value], value)
        else:
            base.add(value)


def _if(node: ast.If, frame: Frame) -> bool:
    outcome = test(node.test, frame, "if", node)
    if outcome.decided is True:
        narrow(frame, outcome.when_true)
        return execute(node.body, frame)
    if outcome.decided is False:
        narrow(frame, outcome.when_false)
        return execute(node.orelse, frame)
    base = frame.env
    sides = []
    tracing = staging.traces(frame)
    tensor = tracing and outcome.data and frame.capture.converted
    for body, condition, narrowing, side in (
        (node.body, outcome.condition, outcome.when_true, "body"),
        (node.orelse, outcome.negation, outcome.when_false, "orelse"),
    ):
        frame.env = dict(base)
        narrow(frame, narrowing)
        if not tensor:
            frame.conditions.append(condition)
        if tracing:
            frame.staging.append(Stage("if", node, tensor, base, side))
        try:
            alive = execute(body, frame)
        finally:
            if not tensor:
                frame.conditions.pop()
            if tracing:
                frame.staging.pop()
        sides.append((alive, frame.env))
    (first, first_env), (second, second_env) = sides
    if tensor:
        frame.engine.emit(Staged(node.test, frame, "if", base, (first_env if first else None, second_env if second else None)))
    if first and second:
        frame.env = join_envs(first_env, second_env)
        return True
    if not first and not second:
        return False
    frame.env = first_env if first else second_env
    if not outcome.data and not _only_raises(node.orelse if first else node.body):
        frame.conditions.append(outcome.condition if first else outcome.negation)
    return True


def _only_raises(body: list[ast.stmt]) -> bool:
    """Whether a branch ends in a raise: whoever runs on is the normal case."""
    return bool(body) and isinstance(body[-1], (ast.Raise, ast.Assert))


def join_envs(a: dict[str, Value], b: dict[str, Value]) -> dict[str, Value]:
    """The local names where two ways of a body meet."""
    result = dict(a)
    for name, value in b.items():
        other = a.get(name)
        if other is None:
            if "." not in name and "[" not in name:
                result[name] = value
        elif other is not value:
            result[name] = join(other, value)
    for name in a:
        if ("." in name or "[" in name) and name not in b:
            del result[name]
    return result


def iterate(iterable: Value, node: ast.expr, frame: Frame) -> Value:
    """What each round of a loop over ``iterable`` gets; the rules hear of it."""
    frame.engine.emit(Loop(node, frame, iterable))
    if isinstance(iterable, Instance) and isinstance(iterable.cls, Class) and "#children" not in iterable.attributes:
        found = frame.engine.member(iterable.cls, "__iter__")
        if found is not None:
            return element_of(call(found[2], Arguments([iterable]), frame, node))
    return element_of(iterable)


def _for(node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    iterable = evaluate(node.iter, frame)
    if isinstance(iterable, Sequence) and iterable.elements == [] and iterable.kind != "list":
        return execute(node.orelse, frame)
    element = iterate(iterable, node.iter, frame)
    breaks, continues = frame.breaks, frame.continues
    frame.breaks, frame.continues = [], []
    frame.protected += 1
    tracing = staging.traces(frame)
    staged = tracing and staging.is_staged(iterable, frame)
    if tracing and not staged and tf_tensor_in(iterable) is not None:
        needs_conversion(node.iter, frame, "a `for` over a tensor", iterable)
    start = frame.env
    if staged:
        frame.env = dict(start)
        staging.carry(frame, node.body, node.lineno)
    if tracing:
        frame.staging.append(Stage("for", node, staged, start))
    first: dict[str, Value] | None = None
    try:
        for number in range(MAX_PASSES):
            before = frame.env
            frame.env = dict(before)
            assign(node.target, element, frame, node.iter)
            alive = execute(node.body, frame)
            after = frame.env if alive else None
            first = after if number == 0 else first
            if _settle(frame, before, after):
                break
    finally:
        frame.protected -= 1
        if tracing:
            frame.staging.pop()
        left, frame.breaks, frame.continues = frame.breaks, breaks, continues
    if staged:
        frame.engine.emit(Staged(node.iter, frame, "for", start, (first,)))
    alive = execute(node.orelse, frame)
    return _meet_breaks(frame, left, alive)


def _while(node: ast.While, frame: Frame) -> bool:
    breaks, continues = frame.breaks, frame.continues
    frame.breaks, frame.continues = [], []
    endless = False
    start, stage = frame.env, None
    first: dict[str, Value] | None = None
    try:
        for number in range(MAX_PASSES):
            before = frame.env
            frame.env = dict(before)
            outcome = test(node.test, frame, "while", node)
            endless = outcome.decided is True
            if staging.traces(frame) and stage is None:
                stage = Stage("while", node, outcome.data and frame.capture.converted, start)
                frame.staging.append(stage)
                if stage.tensor:
                    staging.carry(frame, node.body, node.lineno)
            if outcome.decided is False:
                break
            narrow(frame, outcome.when_true)
            frame.protected += 1
            try:
                alive = execute(node.body, frame)
            finally:
                frame.protected -= 1
            first = frame.env if alive and number == 0 else first
            if _settle(frame, before, frame.env if alive else None):
                break
    finally:
        if stage is not None:
            frame.staging.remove(stage)
        left, frame.breaks, frame.continues = frame.breaks, breaks, continues
    if stage is not None and stage.tensor:
        frame.engine.emit(Staged(node.test, frame, "while", start, (first,)))
    alive = not endless and execute(node.orelse, frame)
    return _meet_breaks(frame, left, alive)


def _settle(frame: Frame, before: dict[str, Value], after: dict[str, Value] | None) -> bool:
    """Join what a round of a loop did into its start; True when nothing changed any more."""
    env = before
    for other in ([after] if after is not None else []) + frame.continues:
        env = join_envs(env, other)
    frame.continues = []
    stable = all(name in before and (before[name] is value or before[name].key() == value.key()) for name, value in env.items())
    frame.env = env
    return stable


def _meet_breaks(frame: Frame, left: list[dict[str, Value]], alive: bool) -> bool:
    if not alive and not left:
        return False
    envs = ([frame.env] if alive else []) + left
    env = envs[0]
    for other in envs[1:]:
        env = join_envs(env, other)
    frame.env = env
    return True


def _break(node: ast.Break, frame: Frame) -> bool:
    frame.breaks.append(frame.env)
    staging.leave(node, frame, "break")
    return False


def _continue(node: ast.Continue, frame: Frame) -> bool:
    frame.continues.append(frame.env)
    staging.leave(node, frame, "continue")
    return False


def _return(node: ast.Return, frame: Frame) -> bool:
    value = evaluate(node.value, frame) if node.value is not None else NONE
    frame.returns.append(value)
    if staging.traces(frame):
        frame.returned.append((node, value, tuple(frame.staging)))
        staging.leave(node, frame, "return")
    return False


def _raise(node: ast.Raise, frame: Frame) -> bool:
    if not frame.conditions or staging.traces(frame):
        frame.in_message += 1
        try:
            value = evaluate(node.exc, frame) if node.exc is not None else UNKNOWN
        finally:
            frame.in_message -= 1
        frame.engine.emit(Raise(node, frame, value))
    return False


def _assert(node: ast.Assert, frame: Frame) -> bool:
    outcome = test(node.test, frame, "assert", node, node.msg)
    if outcome.decided is not False:
        narrow(frame, outcome.when_true)
    return True


def _with(node: ast.With | ast.AsyncWith, frame: Frame) -> bool:
    plain = False
    for item in node.items:
        manager = evaluate(item.context_expr, frame)
        name = _manager_name(item.context_expr, manager, frame)
        frame.engine.emit(Enter(item.context_expr, frame, name, manager))
        target = item.context_expr.func if isinstance(item.context_expr, ast.Call) else item.context_expr
        frame.entered_by.append(name or (target.attr if isinstance(target, ast.Attribute) else ""))
        entered: Value = UNKNOWN
        if isinstance(manager, Instance) and isinstance(manager.cls, Class):
            found = frame.engine.member(manager.cls, "__enter__")
            if found is not None:
                entered = call(found[2], Arguments([manager]), frame, item.context_expr)
            plain = True
        elif isinstance(manager, Instance):
            entered = manager
        elif isinstance(manager, Sequence) and manager.kind == "iterator":
            entered = manager.any()
            plain = True
        if item.optional_vars is not None:
            assign(item.optional_vars, entered, frame, item.context_expr)
    frame.protected += plain
    try:
        alive = execute(node.body, frame)
    finally:
        frame.protected -= plain
        del frame.entered_by[len(frame.entered_by) - len(node.items) :]
    for item in node.items:
        if plain:
            manager = evaluate(item.context_expr, frame) if isinstance(item.context_expr, ast.Name) else UNKNOWN
            if isinstance(manager, Instance) and isinstance(manager.cls, Class):
                found = frame.engine.member(manager.cls, "__exit__")
                if found is not None:
                    call(found[2], Arguments([manager, NONE, NONE, NONE]), frame, item.context_expr)
    return alive


def _manager_name(node: ast.expr, manager: Value, frame: Frame) -> str:
    target = node.func if isinstance(node, ast.Call) else node
    if isinstance(manager, Instance) and isinstance(manager.cls, External):
        return manager.cls.name
    if isinstance(manager, External):
        return manager.name
    frame.engine.muted += 1
    try:
        value = evaluate(target, frame)
    finally:
        frame.engine.muted -= 1
    return value.name if isinstance(value, External) else ""


def _try(node: ast.Try, frame: Frame) -> bool:
    frame.protected += 1
    start = frame.env
    frame.env = dict(start)
    frame.tries.append(node)
    try:
        alive = execute(node.body, frame)
    finally:
        frame.tries.pop()
        frame.protected -= 1
    envs = []
    middle = join_envs(start, frame.env)
    if alive:
        if execute(node.orelse, frame):
            envs.append(frame.env)
    muted = 0 if any(isinstance(s, (ast.Import, ast.ImportFrom)) for s in node.body) else 1
    for handler in node.handlers:
        frame.env = dict(middle)
        if handler.name:
            frame.env[handler.name] = UNKNOWN
        frame.conditions.append("an exception is caught")
        frame.engine.muted += muted
        try:
            if execute(handler.body, frame):
                envs.append(frame.env)
        finally:
            frame.engine.muted -= muted
            frame.conditions.pop()
    if not envs:
        frame.env = middle
        execute(node.finalbody, frame)
        return False
    env = envs[0]
    for other in envs[1:]:
        env = join_envs(env, other)
    frame.env = env
    return execute(node.finalbody, frame)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> bool:
    function = make_function(node, frame)
    value = frame.engine.decorated(function, node, frame.module, frame)
    frame.env[node.name] = value
    return True


def _class(node: ast.ClassDef, frame: Frame) -> bool:
    if frame.function is not None:
        frame.engine.emit(Define(node, frame))
    frame.env[node.name] = define_class(node, frame.module, node.name, dict(frame.env))
    return True


def _hand(node: ast.Global | ast.Nonlocal, frame: Frame) -> bool:
    frame.handed.update(node.names)
    return True


def _delete(node: ast.Delete, frame: Frame) -> bool:
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.env.pop(target.id, None)
    return True


def _import(node: ast.Import, frame: Frame) -> bool:
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        frame.env[name] = import_module(frame.module, alias.name if alias.asname else name)
    return True


def _import_from(node: ast.ImportFrom, frame: Frame) -> bool:
    for alias in node.names:
        if alias.name != "*":
            frame.env[alias.asname or alias.name] = import_from(frame.module, frame.module.absolute(node), alias.name)
    return True


def _match(node: ast.Match, frame: Frame) -> bool:
    subject = evaluate(node.subject, frame)
    if tensor_in(subject) is not None and any(isinstance(c.pattern, (ast.MatchValue, ast.MatchOr)) for c in node.cases):
        truth.of_value(subject, node.subject, frame, "match", node)
    base, envs = frame.env, []
    exhaustive = False
    for case in node.cases:
        frame.env = dict(base)
        for part in ast.walk(case.pattern):
            bound = getattr(part, "name", None)
            if isinstance(bound, str):
                frame.env[bound] = subject if part is case.pattern else element_of(subject)
        if isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None:
            exhaustive = True
        if case.guard is not None:
            test(case.guard, frame, "if", node)
        frame.conditions.append(f"`{ast.unparse(node.subject)}` matches `{ast.unparse(case.pattern)}`")
        try:
            if execute(case.body, frame):
                envs.append(frame.env)
        finally:
            frame.conditions.pop()
    if not exhaustive:
        envs.append(base)
    if not envs:
        return False
    env = envs[0]
    for other in envs[1:]:
        env = join_envs(env, other)
    frame.env = env
    return True


_STATEMENTS: dict[type, Callable[[Any, Frame], bool]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated_assign,
    ast.AugAssign: _augmented_assign,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Delete: _delete,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Match: _match,
    ast.Global: _hand,
    ast.Nonlocal: _hand,
}


from . import annotation, truth  # noqa: E402
from .tensorflow import staging  # noqa: E402
from .tensorflow.autograph import needs_conversion  # noqa: E402
from .tensorflow.values import tf_tensor_in  # noqa: E402  (these call back into this module)

__all__ = ["STATIC_INT", "Array", "Scalar", "assign", "execute", "iterate", "join_envs"]
