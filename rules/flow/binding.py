"""Binding of a call's arguments to a function's parameters."""

from __future__ import annotations

import ast

from .dispatch import evaluate
from .capture import TENSORFLOW
from .events import Iterate
from .frame import Frame
from .values import UNKNOWN, Const, Function, Mapping, Scalar, Sequence, Tensor, Value, join, join_all


class Arguments:
    """The evaluated arguments of a call; ``rest`` joins what ``*args`` of unknown length may add, ``extra`` what ``**kwargs`` may."""

    __slots__ = ("args", "extra", "kwargs", "rest")

    def __init__(
        self, args: list[Value] | None = None, kwargs: dict[str, Value] | None = None, rest: Value | None = None, extra: Value | None = None
    ) -> None:
        self.args = args if args is not None else []
        self.kwargs = kwargs if kwargs is not None else {}
        self.rest = rest
        self.extra = extra

    @property
    def exact(self) -> bool:
        """Whether every argument is known."""
        return self.rest is None and self.extra is None

    def with_first(self, *values: Value) -> Arguments:
        """The same call with arguments put before the others."""
        return Arguments([*values, *self.args], self.kwargs, self.rest, self.extra)

    def get(self, position: int, name: str) -> Value | None:
        """The argument at a position or under a name."""
        if name in self.kwargs:
            return self.kwargs[name]
        if position < len(self.args):
            return self.args[position]
        return None


def evaluate_arguments(node: ast.Call, frame: Frame) -> Arguments:
    """Evaluate the arguments of a call."""
    result = Arguments()
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            value = evaluate(argument.value, frame)
            if frame.capture.framework == TENSORFLOW and isinstance(value, Tensor):
                frame.engine.emit(Iterate(argument.value, frame, value, "star"))
            if isinstance(value, Sequence) and value.elements is not None and result.rest is None:
                result.args.extend(value.elements)
            else:
                element = value.any() if isinstance(value, Sequence) else UNKNOWN
                result.rest = element if result.rest is None else join(result.rest, element)
        else:
            value = evaluate(argument, frame)
            if result.rest is None:
                result.args.append(value)
            else:
                result.rest = join(result.rest, value)
    for keyword in node.keywords:
        value = evaluate(keyword.value, frame)
        if keyword.arg is not None:
            result.kwargs[keyword.arg] = value
        elif isinstance(value, Mapping):
            for key, item in value.entries.items():
                if isinstance(key, str):
                    result.kwargs.setdefault(key, item)
            if value.other is not None:
                result.extra = value.other if result.extra is None else join(result.extra, value.other)
        else:
            result.extra = UNKNOWN
    return result


def bind(function: Function, arguments: Arguments, defaults_frame: Frame) -> dict[str, Value]:
    """The parameters' values. A parameter that the call does not give takes its default as a constant.

    Args:
        function: what is called.
        arguments: the evaluated arguments.
        defaults_frame: where the default expressions are evaluated.
    """
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    bound: dict[str, Value] = {}
    kwargs = dict(arguments.kwargs)
    for position, parameter in enumerate(positional):
        if position < len(arguments.args):
            bound[parameter.arg] = arguments.args[position]
        elif parameter.arg in kwargs:
            bound[parameter.arg] = kwargs.pop(parameter.arg)
        else:
            default = _default(spec, position, len(positional), defaults_frame)
            if arguments.rest is not None:
                bound[parameter.arg] = arguments.rest if default is None else join(arguments.rest, default)
            elif arguments.extra is not None:
                bound[parameter.arg] = arguments.extra if default is None else _maybe(default, arguments.extra)
            else:
                bound[parameter.arg] = default if default is not None else UNKNOWN
    for parameter, default_node in zip(spec.kwonlyargs, spec.kw_defaults):
        if parameter.arg in kwargs:
            bound[parameter.arg] = kwargs.pop(parameter.arg)
        elif default_node is not None:
            default = evaluate(default_node, defaults_frame)
            bound[parameter.arg] = default if arguments.extra is None else _maybe(default, arguments.extra)
        else:
            bound[parameter.arg] = arguments.extra if arguments.extra is not None else UNKNOWN
    if spec.vararg is not None:
        more = arguments.args[len(positional) :]
        if arguments.rest is None:
            bound[spec.vararg.arg] = Sequence("tuple", more)
        else:
            bound[spec.vararg.arg] = Sequence("tuple", None, join_all([*more, arguments.rest]))
    if spec.kwarg is not None:
        bound[spec.kwarg.arg] = Mapping(dict(kwargs), arguments.extra)
    return bound


def _maybe(default: Value, extra: Value) -> Value:
    """A parameter that ``**kwargs`` of unknown content may give: its default decides nothing."""
    if isinstance(default, Const) and default.value is not None:
        return Scalar(type(default.value).__name__ if isinstance(default.value, (bool, int, float, str)) else "", default=default)
    return join(default, extra)


def _default(spec: ast.arguments, position: int, count: int, frame: Frame) -> Value | None:
    index = position - (count - len(spec.defaults))
    return evaluate(spec.defaults[index], frame) if index >= 0 else None
