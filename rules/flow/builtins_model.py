"""Python's builtins: what each gives back for abstract arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .events import Branch
from .binding import Arguments
from .frame import Frame
from .values import (
    join,
    DATA,
    FALSE,
    NONE,
    STATIC_ANY,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    TRUE,
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
    Union,
    Value,
    contains_tensor,
    join_all,
    members_of,
    origin_of,
    tensor_in,
)

Model = Callable[[Arguments, Frame, ast.AST], Value]
BUILTINS: dict[str, Model] = {}


def _model(*names: str) -> Callable[[Model], Model]:
    def register(function: Model) -> Model:
        for name in names:
            BUILTINS[name] = function
        return function

    return register


def _first(arguments: Arguments) -> Value:
    return arguments.args[0] if arguments.args else UNKNOWN


@_model("len")
def _len(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    value = _first(arguments)
    if isinstance(value, Sequence) and value.elements is not None:
        return Const(len(value.elements))
    if isinstance(value, Mapping) and value.other is None and value.kind == "dict":
        return Scalar("int")
    if tensor_in(value) is not None:
        return Scalar("int", "shape")
    if isinstance(value, Const) and isinstance(value.value, (str, bytes)):
        return Const(len(value.value))
    if isinstance(value, Instance) and isinstance(value.cls, Class):
        found = frame.engine.member(value.cls, "__len__")
        if found is not None:
            return calls.call(found[2], Arguments([value]), frame, node)
    return STATIC_INT


@_model("int", "float", "bool", "complex")
def _number(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    kind = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    value = _first(arguments)
    if not arguments.args and arguments.exact:
        return Const({"int": 0, "float": 0.0, "bool": False}.get(kind, 0))
    if isinstance(value, Const):
        try:
            return Const({"int": int, "float": float, "bool": bool}[kind](value.value))
        except Exception:
            return Scalar(kind)
    if kind == "bool":
        known = truth.truth(value)
        if known is not None:
            return TRUE if known else FALSE
    if contains_tensor(value) is not None or (isinstance(value, Array) and not value.constant):
        return Scalar(kind, DATA)
    return Scalar(kind, origin_of(value) if isinstance(value, (Scalar, Const)) else "static")


@_model("str", "repr", "format", "ascii", "chr", "hex", "bin")
def _text(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    value = _first(arguments)
    return Const(str(value.value)) if isinstance(value, Const) and isinstance(value.value, (str, int)) and len(arguments.args) == 1 else STATIC_STR


@_model("range")
def _range(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    numbers = [a.value for a in arguments.args if isinstance(a, Const) and isinstance(a.value, int)]
    if arguments.exact and len(numbers) == len(arguments.args) and numbers:
        try:
            values = range(*numbers)
        except (TypeError, ValueError):
            return Sequence("range", None, STATIC_INT)
        if len(values) <= 8:
            return Sequence("range", [Const(v) for v in values])
        return Sequence("range", None, STATIC_INT)
    return Sequence("range", None, STATIC_INT)


@_model("zip")
def _zip(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    if arguments.exact and arguments.args and all(isinstance(a, Sequence) and a.elements is not None for a in arguments.args):
        rows = zip(*[a.elements for a in arguments.args if isinstance(a, Sequence) and a.elements is not None])
        return Sequence("iterator", [Sequence("tuple", list(row)) for row in rows])
    return Sequence("iterator", None, Sequence("tuple", [expressions.element_of(a) for a in arguments.args]))


@_model("enumerate")
def _enumerate(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    value = _first(arguments)
    if isinstance(value, Sequence) and value.elements is not None and len(value.elements) <= 8 and len(arguments.args) == 1:
        return Sequence("iterator", [Sequence("tuple", [Const(i), e]) for i, e in enumerate(value.elements)])
    return Sequence("iterator", None, Sequence("tuple", [STATIC_INT, expressions.element_of(value)]))


@_model("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter")
def _sequence(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else "list"
    kind = {"sorted": "list", "reversed": "iterator", "iter": "iterator", "frozenset": "set"}.get(name, name)
    if not arguments.args:
        return Sequence(kind, [])
    value = arguments.args[0]
    if name == "iter" and is_object(value, "Dataset", "DatasetV2"):
        return made("tensorflow.data.Iterator", **{"#element": element_of_dataset(value)})
    if isinstance(value, Sequence) and value.elements is not None:
        elements = list(value.elements)
        return Sequence(kind, elements[::-1] if name == "reversed" else elements) if name != "sorted" else Sequence(kind, None, value.any())
    if isinstance(value, Mapping) and value.other is None and value.kind == "dict":
        return Sequence(kind, [Const(k) for k in value.entries])
    return Sequence(kind, None, expressions.element_of(value))


@_model("dict")
def _dict(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    return externals._ordered_dict(arguments) if arguments.args else Mapping(dict(arguments.kwargs), arguments.extra)


@_model("sum")
def _sum(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    element = expressions.element_of(_first(arguments))
    start = arguments.args[1] if len(arguments.args) > 1 else Const(0)
    return operators.binary("Add", element, start if not isinstance(start, Const) else element, frame, node)


@_model("max", "min")
def _extreme(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    values = [expressions.element_of(arguments.args[0])] if len(arguments.args) == 1 else list(arguments.args)
    if not values:
        return UNKNOWN
    if all(isinstance(v, Const) and isinstance(v.value, (int, float)) for v in values) and len(arguments.args) > 1 and arguments.exact:
        pick = max if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "max" else min
        return Const(pick(v.value for v in values if isinstance(v, Const)))  # type: ignore[type-var]
    sure = next((v for v in values if isinstance(v, Tensor)), None)
    return sure if sure is not None else join_all(values)


@_model("abs", "round", "pow", "divmod")
def _arithmetic(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    value = _first(arguments)
    return value if isinstance(value, (Tensor, Array, Scalar)) else STATIC_ANY if isinstance(value, Const) else UNKNOWN


@_model("isinstance", "issubclass", "callable")
def _isinstance(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance" and len(arguments.args) == 2:
        classes = arguments.args[1]
        asked = classes.elements if isinstance(classes, Sequence) and classes.elements is not None else [classes]
        verdicts = [[kinds.is_kind(m, k) for k in asked] for m in members_of(arguments.args[0])]
        if all(True in v for v in verdicts):
            return TRUE
        if all(set(v) == {False} for v in verdicts):
            return FALSE
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "callable":
        value = _first(arguments)
        if isinstance(value, (Function, Class)):
            return TRUE
        if isinstance(value, (Tensor, Const, Sequence)):
            return FALSE
    return STATIC_BOOL


@_model("hasattr")
def _hasattr(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    value, name = _first(arguments), arguments.args[1] if len(arguments.args) > 1 else UNKNOWN
    if isinstance(value, Instance) and isinstance(name, Const) and isinstance(name.value, str) and isinstance(value.cls, Class):
        if name.value in value.attributes or frame.engine.member(value.cls, name.value) is not None:
            return STATIC_BOOL if name.value in frame.engine.mutated_attributes(value.cls) else TRUE
    if isinstance(value, Tensor) and isinstance(name, Const) and isinstance(name.value, str):
        if name.value in parameters._TENSOR_METHODS:
            return TRUE
    return STATIC_BOOL


@_model("getattr")
def _getattr(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    value, name = _first(arguments), arguments.args[1] if len(arguments.args) > 1 else UNKNOWN
    if isinstance(name, Const) and isinstance(name.value, str):
        found = attributes.attribute(value, name.value, node, frame)
        if len(arguments.args) > 2 and found is UNKNOWN and isinstance(value, Instance) and isinstance(arguments.args[2], Const):
            return UNKNOWN
        return found
    return UNKNOWN


@_model("setattr")
def _setattr(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    if len(arguments.args) == 3 and isinstance(arguments.args[0], Instance) and isinstance(arguments.args[1], Const):
        attributes, name = arguments.args[0].attributes, str(arguments.args[1].value)
        before = attributes.get(name)
        attributes[name] = arguments.args[2] if before is None else join(before, arguments.args[2])
    return NONE


@_model("type")
def _type(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    value = _first(arguments)
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, Tensor):
        return External("torch.Tensor")
    return UNKNOWN


@_model("any", "all")
def _any(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    value = _first(arguments)
    if tensor_in(expressions.element_of(value)) is not None and isinstance(node, ast.expr):
        frame.engine.emit(Branch(node, frame, expressions.element_of(value), "bool", frame.statement))
    return STATIC_BOOL


@_model("map", "filter")
def _map(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    if len(arguments.args) < 2:
        return UNKNOWN
    elements = [expressions.element_of(a) for a in arguments.args[1:]]
    result = calls.call(arguments.args[0], Arguments(elements), frame, node)
    is_map = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "map"
    return Sequence("iterator", None, result if is_map else elements[0])


@_model("next")
def _next(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    return expressions.element_of(_first(arguments))


@_model("print", "setattr_", "delattr")
def _nothing(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    return NONE


@_model("id", "hash", "ord")
def _integer(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    return STATIC_INT


@_model("slice")
def _slice(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    parts = list(arguments.args)
    if len(parts) == 1:
        parts = [NONE, parts[0], NONE]
    return Sequence("slice", [*parts, NONE][:3])


from . import attributes, calls, expressions, externals, kinds, operators, parameters, truth  # noqa: E402  (these call back into this module)
from .tensorflow.values import element_of_dataset, is_object, made  # noqa: E402

__all__ = ["BUILTINS", "Union"]
