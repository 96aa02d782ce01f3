"""Functions that would gain from ``tf.function``, those that carry it for nothing, and which fact is missing for the rest."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .analyze import Settings
from .discover import discover
from .finding import Severity
from .flow.capture import AUTOGRAPH
from .flow.engine import Engine
from .flow.entries import start
from .flow.frame import Activation
from .flow.instances import entry_instance
from .flow.names import define_class, lookup
from .flow.tensorflow import keras
from .flow.tensorflow.doors import makes_graph
from .flow.tensorflow.entries import mentions_tensorflow, named
from .flow.tensorflow.inputs import BATCH, UNSIZED
from .flow.tensorflow.values import TFTensor
from .flow.values import NONE, UNKNOWN, Class, Const, External, Function, Instance, Mapping, Scalar, Sequence as Container, Union, Value, contains_tensor
from .index.module import Module
from .index.project import Project
from .index.walk import walk
from .registry import all_rules

_GROWN = {BATCH, UNSIZED}
"""Conditions that a plain ``tf.function`` does not meet: it knows the shapes of what it is called with."""


@dataclass(frozen=True)
class Candidate:
    """A function and what to do about ``tf.function``: "add", "remove" or "leave", with the reason."""

    path: str
    line: int
    name: str
    verdict: str
    reason: str
    decorator: str = ""
    """The text of the decorator to add."""


def candidates(paths: Sequence[Path], settings: Settings, sources: dict[Path, str] | None = None) -> list[Candidate]:
    """Judge the functions of the files under ``paths``; to be called on a thread with a large stack.

    Args:
        paths: files and folders whose functions are judged.
        settings: see :class:`Settings`.
        sources: texts that stand in for files' contents.
    """
    found = discover([settings.root] if settings.whole_project else list(paths), settings)
    named_files = discover(list(paths), settings).files
    project = Project(settings.root, list(dict.fromkeys([*found.files, *named_files])), sources)
    engine = Engine(project, all_rules())
    result: list[Candidate] = []
    for path in named_files:
        text = project.text(path)
        module = project.module_of(path) if text is not None and mentions_tensorflow(text) else None
        if module is not None:
            result.extend(_of_module(engine, module))
    return sorted(result, key=lambda c: (c.path, c.line))


def _of_module(engine: Engine, module: Module) -> Iterator[Candidate]:
    name = next((n for n in ("tf", "tensorflow") if isinstance(v := lookup(module, n), External) and v.name == "tensorflow"), "")
    for statement in module.tree.body:
        if isinstance(statement, ast.FunctionDef):
            yield _judged(engine, module, statement, None, name)
        elif isinstance(statement, ast.ClassDef):
            for member in statement.body:
                if isinstance(member, ast.FunctionDef):
                    yield _judged(engine, module, member, statement, name)


def _judged(engine: Engine, module: Module, node: ast.FunctionDef, owner: ast.ClassDef | None, name: str) -> Candidate:
    qualname = f"{owner.name}.{node.name}" if owner is not None else node.name
    if any(makes_graph(d, module) for d in node.decorator_list):
        if owner is None and _only_called_from_graphs(module, node):
            return Candidate(module.shown, node.lineno, qualname, "remove", "only functions that are captured themselves call it")
        return Candidate(module.shown, node.lineno, qualname, "leave", "it carries tf.function already")
    reason = _unfit(node, module, name) or _unclean(engine, module, node, owner)
    if reason:
        return Candidate(module.shown, node.lineno, qualname, "leave", reason)
    return Candidate(module.shown, node.lineno, qualname, "add", "it computes with tensors, and nothing in it keeps it from being captured", f"@{name}.function")


def _unfit(node: ast.FunctionDef, module: Module, name: str) -> str:
    """What the syntax alone says against a function."""
    if not name:
        return "its module does not import TensorFlow by name"
    decorators = [ast.unparse(d) for d in node.decorator_list]
    if any(d != "staticmethod" for d in decorators):
        return f"it is decorated with `{next(d for d in decorators if d != 'staticmethod')}`"
    if node.name.startswith("__") and node.name != "__call__":
        return "Python calls it by itself"
    if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in walk(node)):
        return "it is a generator"
    body = [s for s in node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if not body or all(isinstance(s, (ast.Pass, ast.Raise)) for s in body):
        return "it does nothing"
    for item in walk(node):
        if isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Store) and isinstance(item.value, ast.Attribute):
            return f"it changes `{ast.unparse(item)}`, an object that outlives the call"
    calls = sum(isinstance(n, ast.Call) and ast.unparse(n.func).startswith(name + ".") for n in walk(node))
    operators = sum(isinstance(n, (ast.BinOp, ast.Compare)) for n in walk(node))
    if not calls and not operators and not any(isinstance(n, ast.Call) for s in body for n in walk(s)):
        return "it computes nothing"
    return ""


def _unclean(engine: Engine, module: Module, node: ast.FunctionDef, owner: ast.ClassDef | None) -> str:
    """What the analyzer says against a function, run as ``tf.function`` would take it."""
    receiver: Value | None = None
    static = any(ast.unparse(d) == "staticmethod" for d in node.decorator_list)
    cls = define_class(owner, module, owner.name) if owner is not None else None
    if cls is not None:
        kind = keras.kind_of(cls)
        if node.name in keras.CALLED.get(kind, ()) and node.name != "call":
            return "Keras calls it, and makes a graph of what it calls"
        if node.name in ("build", "get_config", "from_config", "compute_output_shape"):
            return "Keras calls it outside of graphs"
        if not static:
            receiver = entry_instance(engine, cls, engine.module_frame(module))
            if not isinstance(receiver, Instance):
                return "the object that it belongs to is not known"
    function = Function(node, module, f"{owner.name}.{node.name}" if owner is not None else node.name, cls)
    try:
        entry = named(function.behind(AUTOGRAPH, traced=True), receiver, module)
        activation = start(engine, entry)
    except (RecursionError, RuntimeError):
        return "it is nested too deeply to be followed"
    given = [v for k, v in activation.arguments.items() if v is not receiver]
    if not any(contains_tensor(v) is not None for v in given):
        return "no parameter is known to be a tensor"
    blocker = _blocker(activation)
    if blocker:
        return blocker
    return _result_problem(activation.result)


def _blocker(activation: Activation) -> str:
    """The first finding in a function, or in what it calls, that holds for a plain ``tf.function``."""
    seen = {id(activation)}
    stack = [activation]
    while stack:
        current = stack.pop()
        for suspicion, conditions, _ in current.suspicions.values():
            severity = suspicion.severity or suspicion.rule.severity
            words = {str(c) for c in conditions}
            if severity in (Severity.BREAK, Severity.STALE) and not words & _GROWN:
                return f"{suspicion.rule.code} in `{current.name}`, line {suspicion.at.lineno}: {suspicion.message}"
        for child, _, _ in current.calls.values():
            if id(child) not in seen:
                seen.add(id(child))
                stack.append(child)
    return ""


def _result_problem(result: Value | None) -> str:
    """Why a result cannot come out of a graph as it is, "" if it can."""
    if result is None:
        return "it gives back nothing but raises"
    members = result.members if isinstance(result, Union) else (result,)
    for value in members:
        if isinstance(value, (TFTensor,)) or value is UNKNOWN:
            continue
        if isinstance(value, (Container, Mapping)):
            if isinstance(value, Container) and value.kind in ("iterator", "set", "size"):
                return f"it gives back a {value.kind}"
            continue
        if value is NONE:
            if len(members) == 1:
                return "it gives back nothing"
            continue
        if isinstance(value, (Const, Scalar)):
            return "it gives back a Python value, which would become a tensor"
        if isinstance(value, Instance) and isinstance(value.cls, Class):
            return f"it gives back an object of `{value.cls.name}`"
        return "it gives back what a graph may not be able to"
    return ""


def _only_called_from_graphs(module: Module, node: ast.FunctionDef) -> bool:
    """Whether every mention of a private function in its module is a call in a function that carries ``tf.function``."""
    if not node.name.startswith("_"):
        return False
    mentions = 0
    for outer in walk(module.tree):
        if not isinstance(outer, ast.FunctionDef) or outer is node:
            continue
        inside = [n for n in walk(outer) if isinstance(n, ast.Name) and n.id == node.name]
        if inside and not any(makes_graph(d, module) for d in outer.decorator_list):
            return False
        mentions += len(inside)
    total = sum(isinstance(n, ast.Name) and n.id == node.name for n in walk(module.tree))
    return mentions > 0 and mentions == total
