"""Calls: what is called, with what, and what comes back."""

from __future__ import annotations

import ast

from .binding import Arguments, evaluate_arguments
from .capture import TENSORFLOW
from .classes import find_member, is_module_class
from .dispatch import evaluate, evaluates
from .events import Call
from .frame import Frame
from .values import (
    Why,
    NONE,
    UNKNOWN,
    BoundMethod,
    Class,
    External,
    Function,
    Instance,
    Mapping,
    Method,
    ModuleRef,
    Partial,
    Sequence,
    Tensor,
    Union,
    Unknown,
    Value,
    join_all,
)


@evaluates(ast.Call)
def _call_expression(node: ast.Call, frame: Frame) -> Value:
    function = node.func
    if isinstance(function, ast.Name) and function.id == "super" and "super" not in frame.env:
        return _super(node, frame)
    if isinstance(function, ast.Attribute):
        receiver = evaluate(function.value, frame)
        if isinstance(receiver, Union) and UNKNOWN in receiver.members:
            # a method of what may be a tensor and may be anything: each alternative is called
            arguments = evaluate_arguments(node, frame)
            parts = [call(attributes.attribute(m, function.attr, function, frame), arguments, frame, node) for m in receiver.members if m is not NONE]
            return join_all(parts)
        callee = attributes.attribute(receiver, function.attr, function, frame)
    else:
        callee = evaluate(function, frame)
    return call(callee, evaluate_arguments(node, frame), frame, node)


def call(callee: Value, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of calling a value."""
    if isinstance(callee, Function):
        return frame.engine.call_function(callee, arguments, frame, node)
    if isinstance(callee, BoundMethod):
        return call(callee.function, arguments.with_first(callee.receiver), frame, node)
    if isinstance(callee, Method):
        return _call_method(callee, arguments, frame, node)
    if isinstance(callee, External):
        return externals.call_external(callee.name, arguments, frame, node)
    if isinstance(callee, Instance):
        return _call_instance(callee, arguments, frame, node)
    if isinstance(callee, Class):
        return instances.instantiate(callee, arguments, frame, node)
    if isinstance(callee, Partial):
        merged = Arguments([*callee.args, *arguments.args], {**callee.kwargs, **arguments.kwargs}, arguments.rest, arguments.extra)
        return call(callee.function, merged, frame, node)
    if isinstance(callee, Union):
        results = [call(member, arguments, frame, node) for member in callee.members if member is not NONE]
        return join_all(results) if results else UNKNOWN
    if isinstance(callee, Unknown):
        _call_back(arguments, frame, node)
        if frame.capture.framework == TENSORFLOW:
            return named_like_an_operation(arguments, frame, node)
    return UNKNOWN


def _call_back(arguments: Arguments, frame: Frame, node: ast.AST) -> None:
    """An unknown callable given a function first will most likely call it with the other arguments (checkpointing, vmap)."""
    if arguments.args and isinstance(arguments.args[0], (Function, BoundMethod)):
        call(arguments.args[0], Arguments(arguments.args[1:], {}, arguments.rest), frame, node)


def _call_method(callee: Method, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    if callee.name == "closed" and isinstance(callee.receiver, Function):
        emit_call("torch.compiler.disable", callee.receiver, arguments, UNKNOWN, frame, node)
        return _annotated_result(callee.receiver, frame)
    if callee.name == "opaque" and isinstance(callee.receiver, Function):
        return _annotated_result(callee.receiver, frame)
    return methods.call_method(callee.receiver, callee.name, arguments, frame, node)


def _annotated_result(function: Function, frame: Frame) -> Value:
    """The result of a function that is not looked into: what it declares, or a tensor if it is given one."""
    node = function.node
    if not isinstance(node, ast.Lambda) and node.returns is not None:
        return annotation.annotated(node.returns, function.module, Why(f"`{node.name}` is annotated to return it", function.module.shown, node.lineno))
    return UNKNOWN


def _call_instance(callee: Instance, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    cls = callee.cls
    if isinstance(cls, External) and objects.is_tensorflow(cls.name):
        return keras_functions.call_layer(callee, arguments, frame, node)
    if isinstance(cls, Class) and kind_of(cls):
        found = frame.engine.member(cls, "call")
        if found is not None:
            return call(as_keras_calls(found[2], callee), arguments.with_first(callee), frame, node)
        children = callee.attributes.get("#children")
        if isinstance(children, Sequence):
            return _run_children(children, arguments, frame, node)
    if isinstance(cls, Class):
        for name in ("__call__", "forward"):
            found = frame.engine.member(cls, name)
            if found is not None and (name == "__call__" or is_module_class(cls)):
                if name == "__call__" and is_module_class(cls) and find_member(cls, "forward") is None:
                    pass
                if name in callee.attributes:
                    return call(callee.attributes[name], arguments, frame, node)
                return call(found[2], arguments.with_first(callee), frame, node)
        children = callee.attributes.get("#children")
        if isinstance(children, Sequence):
            return _run_children(children, arguments, frame, node)
        for base in classes.external_bases(cls):
            if base.startswith("torch.nn.") and base != "torch.nn.Module":
                return torch_modules.call_module(base, callee, arguments, frame, node)
        return UNKNOWN
    children = callee.attributes.get("#children")
    if cls.name == "torch.nn.Sequential" and isinstance(children, Sequence):
        return _run_children(children, arguments, frame, node)
    return torch_modules.call_module(cls.name, callee, arguments, frame, node)


def _run_children(children: Sequence, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """Feed the input through the modules of an ``nn.Sequential``."""
    value = arguments.args[0] if arguments.args else UNKNOWN
    if children.elements is None:
        return call(children.any(), Arguments([value]), frame, node)
    for child in children.elements:
        value = call(child, Arguments([value]), frame, node)
    return value


def emit_call(
    name: str, receiver: Value | None, arguments: Arguments, result: Value, frame: Frame, node: ast.AST
) -> None:
    """Tell the rules that something outside the project is called."""
    if frame.engine.hears_call(name, frame.capture.framework) and isinstance(node, (ast.expr, ast.stmt)):
        frame.engine.emit(
            Call(node, frame, name, receiver, tuple(arguments.args), arguments.kwargs, result, arguments.exact)
        )


def _super(node: ast.Call, frame: Frame) -> Value:
    """``super()``: the receiver, seen from behind the class that defines the running method."""
    function = frame.function
    while function is not None and function.owner is None:
        return UNKNOWN
    if function is None or function.owner is None or isinstance(function.node, ast.Lambda):
        return UNKNOWN
    parameters = [*function.node.args.posonlyargs, *function.node.args.args]
    receiver = frame.env.get(parameters[0].arg, UNKNOWN) if parameters else UNKNOWN
    return Super(receiver, function.owner)


class Super(Value):
    """What ``super()`` gives."""

    __slots__ = ("after", "receiver")

    def __init__(self, receiver: Value, after: Class) -> None:
        self.receiver = receiver
        self.after = after

    def key(self) -> object:
        return ("super", self.receiver.key(), self.after.key())


from . import annotation, attributes, classes, externals, instances, methods, torch_modules  # noqa: E402
from .tensorflow import keras_functions, objects  # noqa: E402
from .tensorflow.results import named_like_an_operation  # noqa: E402
from .tensorflow.keras import as_keras_calls, kind_of  # noqa: E402  (these call back into this module)

__all__ = ["Mapping", "ModuleRef", "Super", "Tensor", "call", "emit_call"]
