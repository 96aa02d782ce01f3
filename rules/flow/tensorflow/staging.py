"""Branches and loops that a tensor decides: each side is traced into a graph of its own, and the names it sets must agree."""

from __future__ import annotations

import ast

from ...index.walk import walk
from ..capture import TENSORFLOW
from ..events import Change, Leave
from ..frame import Frame
from ..values import (
    BoundMethod,
    Class,
    Const,
    Function,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Value,
    Why,
)
from .values import TFTensor, is_object, python_dtype, tf_tensor_in

_ASSIGNED: dict[ast.AST, frozenset[str]] = {}


def traces(frame: Frame) -> bool:
    """Whether TensorFlow is tracing the function."""
    return frame.capture.framework == TENSORFLOW


def is_staged(value: Value, frame: Frame) -> bool:
    """Whether a loop over such a value, in a function that AutoGraph converts, is a loop of the graph."""
    return frame.capture.converted and (tf_tensor_in(value) is not None or is_object(value, "Dataset", "DatasetV2", "Iterator"))


def assigned_in(body: list[ast.stmt]) -> frozenset[str]:
    """Names that a body binds, nested functions and classes aside."""
    if not body:
        return frozenset()
    known = _ASSIGNED.get(body[0])
    if known is None:
        names = set()
        stack: list[ast.AST] = list(body)
        while stack:
            item = stack.pop()
            if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store):
                names.add(item.id)
            elif isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(item.name)
                continue
            elif isinstance(item, ast.Lambda):
                continue
            stack.extend(ast.iter_child_nodes(item))
        known = _ASSIGNED[body[0]] = frozenset(names)
    return known


def carry(frame: Frame, body: list[ast.stmt], line: int) -> None:
    """Turn the Python numbers that a tensor loop changes into the tensors that the graph carries from round to round."""
    for name in assigned_in(body):
        value = frame.env.get(name)
        if isinstance(value, (Const, Scalar)) and python_dtype(value) in ("int32", "float32", "bool"):
            why = Why(f"`{name}` is carried by a loop of the graph", frame.module.shown, line)
            frame.env[name] = TFTensor(python_dtype(value), (), why, python=True)


def leave(node: ast.stmt, frame: Frame, kind: str) -> None:
    """Tell the rules of a ``return``, ``break`` or ``continue`` inside something staged."""
    if any(stage.tensor for stage in frame.staging):
        frame.engine.emit(Leave(node, frame, kind))


_MUTATORS = {"append", "extend", "insert", "pop", "popleft", "appendleft", "remove", "clear", "add", "discard", "update", "setdefault", "popitem", "sort", "reverse", "put", "put_nowait", "subtract"}


def root_of(node: ast.expr) -> str:
    """The leftmost name of a chain of attributes and items."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def changed(what: str, at: ast.expr | ast.stmt, target: ast.expr, holder: Value | None, value: Value, frame: Frame, again: bool = False) -> None:
    """Tell the rules that Python state changes."""
    if traces(frame):
        frame.engine.emit(Change(at, frame, what, target, holder, value, again))


def mutated(node: ast.AST, receiver: Value, name: str, args: list[Value], frame: Frame) -> None:
    """Tell the rules that a method changes a container."""
    if name in _MUTATORS and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        value = args[-1] if args else Const(None)
        changed(name, node, node.func.value, receiver, value, frame)


def is_outer(target: ast.expr, holder: Value | None, frame: Frame) -> str:
    """Whether the state that a target names outlives the captured call, in words; "" if it is the function's own.

    Args:
        target: the container or object that is changed, or the name that is bound.
        holder: its value, when known.
        frame: the run of the function.
    """
    function = frame.function
    if isinstance(holder, Instance):
        return "" if holder.local else "an object"
    if isinstance(holder, Class):
        return "a class"
    root = root_of(target)
    if not root or function is None:
        return ""
    if root in frame.handed and isinstance(target, ast.Name):
        return "" if function.inner and root in (function.closure or {}) else "an outer name"
    if isinstance(target, ast.Attribute):
        base = frame.env.get(root)
        if isinstance(base, Instance):
            return "" if base.local else "an object"
    parameters = {p.arg for p in (*function.node.args.posonlyargs, *function.node.args.args, *function.node.args.kwonlyargs)}
    if root in parameters:
        return "an argument"
    if root in local_names(function):
        return ""
    if root in (function.closure or {}):
        return "" if function.inner else "an outer name"
    return "a global" if root not in frame.env else ""


_LOCALS: dict[ast.AST, frozenset[str]] = {}


def local_names(function: Function) -> frozenset[str]:
    """Names that a function binds in its own body."""
    node = function.node
    known = _LOCALS.get(node)
    if known is None:
        body = [] if isinstance(node, ast.Lambda) else node.body
        handed = {name for item in body for n in walk(item) if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}
        comprehended = {n.id for item in body for n in walk(item) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        known = _LOCALS[node] = frozenset((assigned_in(body) | comprehended) - handed)
    return known


__all__ = ["BoundMethod", "Mapping", "Sequence", "assigned_in", "carry", "changed", "is_outer", "is_staged", "leave", "mutated", "root_of", "traces"]
