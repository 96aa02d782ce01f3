"""What a captured function is called with: its signature, a provider of inputs beside it, its calls, annotations, defaults and use."""

from __future__ import annotations

import ast

from ...index.module import Module
from ...index.source import unparsed
from ...index.walk import walk
from ..annotation import annotated
from ..binding import Arguments, evaluate_arguments
from ..calls import call
from ..engine import Engine
from ..events import Entered
from ..frame import Activation, Frame
from ..names import lookup
from ..values import (
    NONE,
    STATIC_ANY,
    UNKNOWN,
    Const,
    Function,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Union,
    Value,
    Why,
    join,
    join_all,
    partly_unknown,
)
from .doors import signature
from .uses import Uses
from .values import TFTensor, python_dtype

PROVIDERS = ("make_args", "make_inputs", "example_inputs", "sample_inputs", "get_inputs")
"""Names of functions that give example inputs for the captured function beside them, as ``g2s verify`` takes them."""
BATCH = "the batch axis is unknown while tracing"
UNSIZED = "an axis of the inputs is unknown while tracing"


def provided(function: Function) -> list[Value] | None:
    """The arguments that a provider of inputs in the function's module gives, None without one that fits."""
    module = function.module
    for name in PROVIDERS:
        if name not in module.bindings:
            continue
        provider = lookup(module, name)
        if not isinstance(provider, Function) or isinstance(provider.node, ast.Lambda):
            continue
        engine = module.project.engine
        frame = engine.module_frame(module)
        engine.muted += 1
        try:
            value = call(provider, Arguments([Scalar("int") for _ in provider.node.args.args]), frame, provider.node)
        finally:
            engine.muted -= 1
        found = _as_tuple(value)
        if found is not None:
            return found
    return None


def spread(element: Value, function: Function, skip_first: bool, arguments: dict[str, Value]) -> None:
    """Give the parameters of a function what a Dataset gives to it: a tuple is spread over them."""
    spec = function.node.args
    names = [p.arg for p in [*spec.posonlyargs, *spec.args][1 if skip_first else 0 :]]
    parts = element.elements if isinstance(element, Sequence) and element.kind == "tuple" and element.elements is not None else [element]
    for name, value in zip(names, parts):
        if value is not UNKNOWN:
            arguments[name] = value


def announce(engine: Engine, activation: Activation, function: Function, skip_first: bool) -> None:
    """Tell the rules with what a captured function is entered."""
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    parameters = {p.arg: p for p in positional[1 if skip_first else 0 :]}
    example = provided(function) or []
    declared = signature(function.options, "", 0)
    relaxed = declared is not None or activation.capture.unsized
    frame = Frame(engine, function.module, function, activation, {})
    at = positional[0] if positional else function.node
    arguments = dict(zip(parameters, example)) if declared is None else {name: UNKNOWN for name, _ in zip(parameters, example)}
    per_object = skip_first and function.traced and _made_often(function)
    event = Entered(at, frame, arguments, parameters, relaxed, None if declared is None else len(declared), len(example), per_object)  # type: ignore[arg-type]
    engine.emit(event)


def _made_often(function: Function) -> bool:
    """Whether the module makes several objects of the class that a method belongs to."""
    name = function.owner.name if function.owner is not None else ""
    text = function.module.text
    if not name or text.count(name + "(") < 2:
        return False
    calls = [n for n in walk(function.module.tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name]
    return len(calls) > 1


def _as_tuple(value: Value) -> list[Value] | None:
    if isinstance(value, Sequence) and value.kind == "tuple" and value.elements is not None:
        return list(value.elements)
    if isinstance(value, Union):
        parts = [found for m in value.members if (found := _as_tuple(m)) is not None]
        if parts and len({len(p) for p in parts}) == 1:
            return [join_all(column) for column in zip(*parts)]
    return None


def called_with(function: Function) -> list[Arguments]:
    """The arguments of the calls of a module-level function in its module, as far as they are known there."""
    module, name = function.module, function.qualname
    if "." in name or module.text.count(name + "(") < 2:
        return []
    engine = module.project.engine
    found = []
    for node in walk(module.tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name):
            continue
        frame = engine.module_frame(module)
        engine.muted += 1
        try:
            found.append(evaluate_arguments(node, frame))
        finally:
            engine.muted -= 1
    return found


def entry_arguments(function: Function, skip_first: bool, called_by_keras: str = "", unsized: str = "") -> dict[str, Value]:
    """The parameters of a captured function, as its callers may give them.

    Args:
        function: the entry.
        skip_first: whether the first parameter is the receiver.
        called_by_keras: "call", "train_step" ... when Keras calls it.
        unsized: the condition under which axes of its inputs are unknown, "" when they are known.
    """
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args][1 if skip_first else 0 :]
    defaults = _defaults(spec)
    declared = signature(function.options, function.module.shown, function.node.lineno) or []
    example = provided(function) if not called_by_keras else None
    calls = called_with(function) if example is None and not called_by_keras and not declared else []
    used = Uses(function)
    bound: dict[str, Value] = {}
    for position, parameter in enumerate(positional):
        given = example[position] if example is not None and position < len(example) else None
        if given is None or partly_unknown(given):
            seen = [a.get(position, parameter.arg) for a in calls]
            known = [v for v in seen if v is not None and not partly_unknown(v)]
            given = join_all(known) if known and len(known) == len(seen) else given
        if position < len(declared):
            value = declared[position]
            if isinstance(value, TFTensor) and given is not None and python_dtype(given):
                value = value.replace(python=True)
            bound[parameter.arg] = value
            continue
        bound[parameter.arg] = _one(parameter, position, defaults.get(parameter.arg), given, function.module, used, called_by_keras, unsized)
    for parameter in spec.kwonlyargs:
        bound[parameter.arg] = _one(parameter, 99, defaults.get(parameter.arg), None, function.module, used, called_by_keras, unsized)
    if spec.vararg is not None:
        rest = example[len(positional) :] if example is not None else None
        bound[spec.vararg.arg] = Sequence("tuple", [_nominal(v, "", spec.vararg, function.module) for v in rest]) if rest else Sequence("tuple", None, UNKNOWN)
    if spec.kwarg is not None:
        bound[spec.kwarg.arg] = Mapping(None, UNKNOWN)
    return bound


def _defaults(spec: ast.arguments) -> dict[str, ast.expr]:
    positional = [*spec.posonlyargs, *spec.args]
    defaults = dict(zip([p.arg for p in positional[len(positional) - len(spec.defaults) :]], spec.defaults))
    defaults.update({p.arg: d for p, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None})
    return defaults


def _one(
    parameter: ast.arg, position: int, default: ast.expr | None, given: Value | None, module: Module, used: Uses, by_keras: str, unsized: str
) -> Value:
    name = parameter.arg
    if given is not None and not partly_unknown(given):
        return _nominal(given, unsized, parameter, module)
    if by_keras:
        return _from_keras(name, position, default, by_keras, parameter, module)
    if parameter.annotation is not None:
        why = Why(f"parameter `{name}` is annotated `{unparsed(parameter.annotation)}`", module.shown, parameter.lineno)
        promised = annotated(parameter.annotation, module, why)
        if isinstance(promised, Tensor) and not isinstance(promised, TFTensor):
            promised = UNKNOWN
        if promised is not UNKNOWN:
            promised = _nominal(promised, unsized, parameter, module)
            return join(promised, NONE) if isinstance(default, ast.Constant) and default.value is None else promised
    guess: Value = UNKNOWN
    if name in used.tensor or (default is None and used.may_be_tensor(name)):
        guess = TFTensor("", None, Why(f"parameter `{name}` is used like a tensor", module.shown, parameter.lineno), True, True, unsized=unsized)
    if default is None:
        return guess
    if isinstance(default, ast.Constant):
        if default.value is None:
            return Union((NONE, guess)) if isinstance(guess, TFTensor) else UNKNOWN
        kind = type(default.value).__name__
        return Scalar(kind if kind in ("bool", "int", "float", "str") else "", default=Const(default.value))
    return STATIC_ANY if isinstance(default, (ast.UnaryOp, ast.BinOp, ast.Attribute)) else UNKNOWN


def _from_keras(name: str, position: int, default: ast.expr | None, method: str, parameter: ast.arg, module: Module) -> Value:
    """What Keras gives to one of the methods that it calls."""
    why = Why(f"parameter `{name}`, which Keras gives to `{method}`", module.shown, parameter.lineno)
    if name == "training":
        return Union((NONE, Scalar("bool")))
    if name in ("mask", "attention_mask") and isinstance(default, ast.Constant) and default.value is None:
        return UNKNOWN
    if method in ("train_step", "test_step", "predict_step") and position == 0:
        return Sequence("tuple", None, TFTensor("", None, why, True, True, unsized=BATCH))
    if method in ("update_state", "result") and position > 1:
        return Union((NONE, TFTensor("float32", None, why, unsized=BATCH)))
    if isinstance(default, ast.Constant):
        return Scalar(type(default.value).__name__, default=Const(default.value)) if default.value is not None else UNKNOWN
    if position == 0 or (method in ("loss", "update_state", "metric") and position <= 1):
        return TFTensor("float32" if method == "call" else "", None, why, position > 0 or method == "call", True, unsized=BATCH)
    return UNKNOWN


def _nominal(value: Value, unsized: str, parameter: ast.arg, module: Module) -> Value:
    """A value as it arrives in the captured function: tensors are inputs, containers are the caller's."""
    if isinstance(value, TFTensor):
        why = value.why or Why(f"parameter `{parameter.arg}`", module.shown, parameter.lineno)
        return value.replace(nominal=True, unsized=unsized, why=why)
    if isinstance(value, Const) and value.value is not None and isinstance(value.value, (bool, int, float, str)):
        return Scalar(type(value.value).__name__, default=value)
    if isinstance(value, Union):
        return Union(tuple(_nominal(m, unsized, parameter, module) for m in value.members))
    return value


__all__ = ["BATCH", "PROVIDERS", "UNSIZED", "Frame", "entry_arguments", "provided"]
