"""AutoGraph: which functions it converts, which it leaves alone and why, and what the ones left alone cannot do with tensors.

Measured on TensorFlow 2.21: it refuses a function that holds ``for``/``else``, ``while``/``else``, ``match``, the walrus, a private
name, ``yield`` or an ``async def`` anywhere in it, and everything that such a function calls then runs as it is, too.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ...frameworks.tensorflow import tables
from ..capture import TENSORFLOW, TORCH, Capture
from ..events import Unconverted
from ..values import Function, Tensor, Value
from .values import TFTensor

if TYPE_CHECKING:
    from ..frame import Activation, Frame

_OFF: dict[ast.AST, tuple[str, ast.expr | ast.stmt | None] | None] = {}


def entered(function: Function, current: Capture, frame: Frame | None) -> Capture:
    """The capture under which a function runs that is called under ``current``."""
    door = function.door
    if door is not None:
        if function.traced:
            return door
        if current.framework == TORCH:
            return current
        staged = _staged(frame) or current.staged
        return current.replace(converted=False, reason=door.reason, staged=staged)
    staged = _staged(frame) or current.staged
    if staged != current.staged:
        current = current.replace(staged=staged)
    if not current.converted:
        if current.reason == "syntax":
            return current.replace(reason="outer syntax")
        return current
    if function.inner:
        return current  # AutoGraph converted it together with the function that it stands in
    off = left_alone(function)
    return current if off is None else current.replace(converted=False, reason=off[0])


def _staged(frame: Frame | None) -> str:
    if frame is None:
        return ""
    kinds = {stage.kind for stage in frame.staging if stage.tensor}
    return "loop" if kinds & {"for", "while"} else "branch" if kinds else ""


def left_alone(function: Function) -> tuple[str, ast.expr | ast.stmt | None] | None:
    """Why AutoGraph does not convert a function, and the syntax that is at fault; None if it does convert it."""
    node = function.node
    if node not in _OFF:
        _OFF[node] = _why_left_alone(function)
    return _OFF[node]


def _why_left_alone(function: Function) -> tuple[str, ast.expr | ast.stmt | None] | None:
    node = function.node
    if function.qualname.rpartition(".")[2] == "__init__":
        return "constructor", None
    name = function.module.name
    if any(name == prefix or name.startswith(prefix + ".") for prefix in tables.unconverted_packages()):
        return "library", None
    if isinstance(node, ast.Lambda):
        return ("lambda", node) if _has_twin(node, function) else None
    found = _refused(node)
    if found is None:
        return None
    return ("generator" if isinstance(found, (ast.Yield, ast.YieldFrom)) else "syntax"), found


def _refused(node: ast.AST) -> ast.expr | ast.stmt | None:
    """The first syntax in a function that AutoGraph does not take."""
    first: ast.expr | ast.stmt | None = None
    tests = {item.test for item in ast.walk(node) if isinstance(item, ast.If)}
    for item in ast.walk(node):
        if isinstance(item, ast.NamedExpr) and item in tests:
            continue  # the one place where AutoGraph takes the walrus
        refused = (
            isinstance(item, (ast.Match, ast.NamedExpr, ast.Yield, ast.YieldFrom))
            or (isinstance(item, (ast.For, ast.While)) and bool(item.orelse))
            or (isinstance(item, ast.Attribute) and item.attr.startswith("__") and not item.attr.endswith("__"))
            or (isinstance(item, ast.AsyncFunctionDef) and item is not node)
        )
        if refused and isinstance(item, (ast.expr, ast.stmt)) and (first is None or item.lineno < first.lineno):
            first = item
    return first


def _has_twin(node: ast.Lambda, function: Function) -> bool:
    """Whether another lambda with the same parameters stands on the same line: AutoGraph cannot tell their sources apart."""
    twins = function.module.lambdas_by_line.get(node.lineno, ())
    names = [p.arg for p in node.args.args]
    return sum([p.arg for p in twin.args.args] == names for twin in twins) > 1


def needs_conversion(node: ast.expr | ast.stmt, frame: Frame, what: str, value: Value | None = None) -> None:
    """Tell the rules that something needs AutoGraph in a function which it leaves alone.

    Args:
        node: where it happens.
        frame: the run of the function.
        what: the construct, in words ("`if` on a tensor").
        value: the tensor.
    """
    capture = frame.capture
    if capture.reason == "outer syntax":
        frame.activation.wants_conversion = True
        return
    at: ast.expr | ast.stmt = node
    if capture.reason == "syntax" and frame.function is not None:
        off = left_alone(frame.function)
        if off is not None and off[1] is not None:
            at = off[1]
    frame.engine.emit(Unconverted(at, frame, what, node, value))


def pass_on(activation: Activation, frame: Frame) -> None:
    """A callee could not be converted because its caller could not: the caller's syntax is at fault."""
    if not activation.wants_conversion or frame.capture.framework != TENSORFLOW:
        return
    if frame.capture.reason == "outer syntax":
        frame.activation.wants_conversion = True
    elif frame.capture.reason == "syntax" and frame.statement is not None and activation.function is not None:
        needs_conversion(frame.statement, frame, f"`{activation.function.qualname}`, which it calls, tests tensors")



def as_tensorflow(bound: dict[str, Value]) -> None:
    """Take what a parameter's use says of it for a tensor of TensorFlow, which is the framework at work."""
    for name, value in bound.items():
        if isinstance(value, Tensor) and not isinstance(value, TFTensor):
            bound[name] = TFTensor("", None, value.why, True, value.nominal)
