"""Decorators: which leave a function as it is, which close it to capture, and which replace it."""

from __future__ import annotations

import ast

from .binding import Arguments, evaluate_arguments
from .tensorflow import doors
from .dispatch import evaluate
from .frame import Frame
from .values import BoundMethod, Class, External, Function, Instance, Method, Partial, Value

CLOSED = {
    "torch.compiler.disable",
    "torch._dynamo.disable",
    "torch._disable_dynamo",
    "torch._dynamo.decorators.disable",
    "torch._dynamo.disallow_in_graph",
}
"""Decorators behind which nothing is captured: calling the function ends the graph."""
OPAQUE = {
    "torch.compiler.allow_in_graph",
    "torch._dynamo.allow_in_graph",
    "torch._dynamo.nonstrict_trace",
    "torch.compiler.assume_constant_result",
    "torch._dynamo.assume_constant_result",
    "torch.library.custom_op",
    "torch.library.impl",
    "torch.library.register_fake",
    "torch.compiler.nested_compile_region",
}
"""Decorators behind which Dynamo does not look: the function is a node of the graph, or a constant."""


def apply_decorators(function: Function, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> Value:
    """The value that a decorated ``def`` binds."""
    value: Value = function
    engine = frame.engine
    for decorator in reversed(node.decorator_list):
        engine.muted += 1
        outer, engine.decorating = engine.decorating, engine.depth
        try:
            target = evaluate(decorator.func if isinstance(decorator, ast.Call) else decorator, frame)
            name = target.name if isinstance(target, External) else ""
            if name in CLOSED:
                return Method(function, "closed")
            if name in OPAQUE:
                return Method(function, "opaque")
            if name.startswith(("tensorflow", "functools", "keras")) and isinstance(value, Function):
                value = doors.decorated(name, value, decorator, frame)
                continue
            if isinstance(target, (Function, Class, BoundMethod, Partial, Instance)):
                value = _apply(target, decorator, value, frame)
        finally:
            engine.muted -= 1
            engine.decorating = outer
    return value


def _apply(target: Value, decorator: ast.expr, value: Value, frame: Frame) -> Value:
    """Call a decorator of the project; what it gives back counts only if it is callable."""
    from .calls import call

    if isinstance(decorator, ast.Call):
        target = call(target, evaluate_arguments(decorator, frame), frame, decorator)
    result = call(target, Arguments([value]), frame, decorator) if target is not value else value
    if isinstance(result, (Function, BoundMethod, Partial)):
        return result
    if isinstance(result, Instance) and isinstance(result.cls, Class):
        from .classes import find_member

        if find_member(result.cls, "__call__") is not None:
            return result
    return value
