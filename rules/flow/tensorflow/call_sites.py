"""Eager code that calls captured functions: what it gives them that changes from call to call, and where it makes them anew.

This code is not captured, so it is not interpreted: it is read as it is written, which shows loop counters, step numbers kept on an object,
and what is computed from them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ...index.module import Module
from ...index.source import unparsed
from ...index.walk import walk
from ..capture import AUTOGRAPH, TENSORFLOW
from ..engine import Engine
from ..entries import Entry, evaluate_in, walk_scopes
from ..events import CalledWith, MakesGraph
from ..frame import Activation, Frame
from ..values import BoundMethod, Function, contains_tensor
from . import doors

_COUNTS = ("range", "enumerate", "itertools.count", "count", "trange", "tqdm.trange")
_TENSORS = ("tf.", "tensorflow.", "np.", "numpy.", "jnp.")
_ONCE = ("main", "__init__", "build", "setup", "run", "fit", "train", "test", "evaluate", "__main__")


def look_at(engine: Engine, module: Module, captured: set[str]) -> Iterator[tuple[Entry, Activation]]:
    """Runs of the module's eager functions in which the rules suspect something.

    Args:
        engine: what has interpreted the captured functions.
        module: where the eager code stands.
        captured: the last parts of the names of all captured functions.
    """
    wanted = _wanted(frozenset(captured))
    if not wanted.search(module.text):
        return
    runs: dict[ast.AST, tuple[Entry, Activation, Frame]] = {}
    for statement in module.tree.body:
        if not wanted.search(module.excerpt(statement.lineno, statement.end_lineno or statement.lineno)):
            continue
        for node, scopes in walk_scopes(statement):
            if not isinstance(node, (ast.Call, ast.FunctionDef)):
                continue
            functions = [s for s in scopes if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))]
            if not functions or any(a.capture.framework == TENSORFLOW for f in functions for a in engine.by_node.get(id(f), ())):
                continue
            events: Iterable[CalledWith | MakesGraph] = ()
            if isinstance(node, ast.Call):
                events = _call(engine, module, node, scopes, functions, captured, runs)
            elif isinstance(node, ast.FunctionDef) and node.decorator_list:
                events = _nested(engine, module, node, functions, runs)
            for event in events:
                engine.emit(event)
    for entry, activation, _ in runs.values():
        if activation.suspicions:
            yield entry, activation


@lru_cache(maxsize=4)
def _wanted(captured: frozenset[str]) -> re.Pattern[str]:
    """What a text must hold to be worth a look: a call of a captured function, or ``tf.function`` inside another function."""
    names = "|".join(sorted(map(re.escape, captured)))
    made = doors.MENTION.pattern
    return re.compile(rf"\b(?:{names})\(|{made}" if names else made)


def _frame(engine: Engine, module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef, runs: dict[ast.AST, tuple[Entry, Activation, Frame]]) -> Frame:
    if node not in runs:
        function = Function(node, module, node.name)
        activation = Activation(function, module, ("eager", id(node)), {}, AUTOGRAPH)
        runs[node] = (Entry(function, None, module, True, AUTOGRAPH), activation, Frame(engine, module, function, activation, {}))
    return runs[node][2]


def _call(
    engine: Engine,
    module: Module,
    node: ast.Call,
    scopes: tuple[ast.AST, ...],
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef],
    captured: set[str],
    runs: dict[ast.AST, tuple[Entry, Activation, Frame]],
) -> Iterator[CalledWith | MakesGraph]:
    last = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
    inner = functions[-1]
    if last == "function":
        if doors.makes_graph(node.func, module) and _is_made_per_call(node, inner, module):
            yield MakesGraph(node, _frame(engine, module, inner, runs))
        return
    if last not in captured or not (node.args or node.keywords):
        return
    changing = [a for a in [*node.args, *(k.value for k in node.keywords)] if _changes(a, _varying(inner, scopes))]
    if not changing:
        return
    callee = evaluate_in(engine, module, node.func, scopes)
    target = callee.function if isinstance(callee, BoundMethod) else callee
    if not (isinstance(target, Function) and target.traced) or "input_signature" in target.options:
        return
    for argument in changing:
        value = evaluate_in(engine, module, argument, scopes)
        if contains_tensor(value) is None:
            yield CalledWith(argument, _frame(engine, module, inner, runs), target.qualname, value)
            return


def _nested(
    engine: Engine,
    module: Module,
    node: ast.FunctionDef,
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef],
    runs: dict[ast.AST, tuple[Entry, Activation, Frame]],
) -> Iterator[MakesGraph]:
    """A decorated function inside another one, which calls it and lets it go."""
    outer = functions[-1]
    decorator = next((d for d in node.decorator_list if doors.makes_graph(d, module)), None)
    if decorator is None or outer.name.lstrip("_") in _ONCE or not outer.args.args:
        return
    uses = [n for n in walk(outer) if isinstance(n, ast.Name) and n.id == node.name and isinstance(n.ctx, ast.Load)]
    called = {id(n.func) for n in walk(outer) if isinstance(n, ast.Call)}
    in_loop = {id(n) for loop in walk(outer) if isinstance(loop, (ast.For, ast.While)) for n in walk(loop)}
    if uses and all(id(n) in called and id(n) not in in_loop for n in uses):
        yield MakesGraph(decorator, _frame(engine, module, outer, runs))


def _is_made_per_call(node: ast.Call, inner: ast.FunctionDef | ast.AsyncFunctionDef, module: Module) -> bool:
    """Whether a ``tf.function(...)`` is made at each call: called on the spot, or returned to functions that use it once and drop it."""
    for item in walk(inner):
        if isinstance(item, ast.Call) and item.func is node:
            return inner.name.lstrip("_") not in _ONCE
    if not any(isinstance(item, ast.Return) and item.value is node for item in walk(inner)):
        return False
    for statement in module.tree.body:
        for item, scopes in walk_scopes(statement):
            if not (isinstance(item, ast.Assign) and isinstance(item.value, ast.Call) and unparsed(item.value.func).rpartition(".")[2] == inner.name):
                continue
            around = [s for s in scopes if isinstance(s, ast.FunctionDef)]
            targets = [t.id for t in item.targets if isinstance(t, ast.Name)]
            if around and targets and around[-1].name.lstrip("_") not in _ONCE:
                if any(isinstance(c, ast.Call) and isinstance(c.func, ast.Name) and c.func.id in targets for c in walk(around[-1])):
                    return True
    return False


_VARYING: dict[ast.AST, set[str]] = {}


def _varying(function: ast.FunctionDef | ast.AsyncFunctionDef, scopes: tuple[ast.AST, ...]) -> set[str]:
    """Names and attributes of ``self`` that hold Python numbers which change from call to call."""
    if function not in _VARYING:
        _VARYING[function] = _find_varying(function, scopes)
    return _VARYING[function]


def _find_varying(function: ast.FunctionDef | ast.AsyncFunctionDef, scopes: tuple[ast.AST, ...]) -> set[str]:
    found: set[str] = set()
    for cls in (s for s in scopes if isinstance(s, ast.ClassDef)):
        for item in walk(cls):
            if isinstance(item, ast.AugAssign) and isinstance(item.target, ast.Attribute) and isinstance(item.value, ast.Constant):
                found.add(unparsed(item.target))
    for item in walk(function):
        if isinstance(item, ast.For) and isinstance(item.iter, ast.Call):
            name = unparsed(item.iter.func)
            target = item.target
            if name == "enumerate" and isinstance(target, ast.Tuple) and target.elts:
                target = target.elts[0]
            if name in _COUNTS and isinstance(target, ast.Name):
                found.add(target.id)
        elif isinstance(item, ast.AugAssign) and isinstance(item.target, ast.Name) and isinstance(item.value, ast.Constant):
            found.add(item.target.id)
    for _ in range(2):
        for item in walk(function):
            if isinstance(item, ast.Assign):
                for target, value in _pairs(item):
                    if isinstance(target, ast.Name) and _changes(value, found):
                        found.add(target.id)
    return found


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == len(node.value.elts):
            yield from zip(target.elts, node.value.elts)
        else:
            yield target, node.value


def _changes(node: ast.expr, varying: set[str]) -> bool:
    """Whether an expression is a Python number computed from one that changes."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        return unparsed(node) in varying
    if isinstance(node, ast.BinOp):
        return _changes(node.left, varying) or _changes(node.right, varying)
    if isinstance(node, ast.UnaryOp):
        return _changes(node.operand, varying)
    if isinstance(node, ast.Call):
        name = unparsed(node.func)
        if name.startswith(_TENSORS) or (isinstance(node.func, ast.Attribute) and node.func.attr in ("sample", "get_batch", "next_batch", "numpy")):
            return False
        return any(_changes(a, varying) for a in node.args)
    return False
