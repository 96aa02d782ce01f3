"""Modules of ``torch.nn``: construction and what calling them gives."""

from __future__ import annotations

import ast

from .binding import Arguments
from .calls import emit_call
from .frame import Frame
from .values import (
    NONE,
    SIZE,
    UNKNOWN,
    Const,
    External,
    Instance,
    Mapping,
    Sequence,
    Tensor,
    Value,
    Why,
    contains_tensor,
    join,
)

_KEEPS_DTYPE = {"Identity", "Dropout", "Flatten", "Unflatten", "ZeroPad2d", "PixelShuffle", "MaxPool2d", "Upsample"}
_RANKS = {"Conv1d": 3, "Conv2d": 4, "Conv3d": 5, "BatchNorm2d": 4, "MaxPool2d": None}
_LOSSES = ("Loss",)


def make_module(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The object that constructing a class of ``torch.nn`` gives."""
    short = name.rpartition(".")[2]
    if short in ("ModuleList", "Sequential", "ParameterList"):
        return _container(name, short, arguments)
    if short in ("ModuleDict", "ParameterDict"):
        source = arguments.args[0] if arguments.args else None
        if isinstance(source, Mapping):
            return Mapping(dict(source.entries), source.other, "moduledict")
        return Mapping(None, None, "moduledict")
    if short in ("Parameter", "UninitializedParameter", "Buffer"):
        source_tensor = contains_tensor(arguments.args[0]) if arguments.args else None
        tensor = Tensor(
            source_tensor.dtype if source_tensor is not None else "float",
            source_tensor.rank if source_tensor is not None else None,
            Why(f"made by torch.nn.{short}", frame.module.shown, getattr(node, "lineno", 0)),
            grad="leaf" if short != "Buffer" else "",
        )
        return tensor
    known = tuple((k, v.value) for k, v in arguments.kwargs.items() if isinstance(v, Const) and isinstance(v.value, (bool, int, str)))
    instance = Instance(External(name), known)
    instance.attributes.update({k: v for k, v in arguments.kwargs.items() if k not in ("weight", "bias", "device", "dtype")})
    if isinstance(arguments.kwargs.get("bias"), Const) and arguments.kwargs["bias"].value is False:  # type: ignore[attr-defined]
        instance.attributes["bias"] = NONE
    if short.startswith("TransformerEncoder") and arguments.args and isinstance(arguments.args[0], Instance):
        instance.attributes["layers"] = Sequence("modulelist", None, arguments.args[0])
    return instance


def _container(name: str, short: str, arguments: Arguments) -> Value:
    if short == "Sequential":
        children: Value = Sequence("list", list(arguments.args)) if arguments.rest is None else Sequence("list", None, arguments.rest)
        if len(arguments.args) == 1 and isinstance(arguments.args[0], Mapping):
            mapping = arguments.args[0]
            children = Sequence("list", list(mapping.entries.values())) if mapping.other is None else Sequence("list", None, mapping.any())
        instance = Instance(External(name), ("sequential", children.key()))
        instance.attributes["#children"] = children
        return instance
    source = arguments.args[0] if arguments.args else Sequence("list", [])
    if isinstance(source, Sequence) and source.elements is not None:
        return Sequence("list", list(source.elements))
    from .expressions import element_of

    return Sequence("list", None, element_of(source))


def call_module(name: str, module: Instance, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of calling a module of ``torch.nn``."""
    result = _module_result(name, arguments, frame, node)
    emit_call(name + ".__call__" if name.startswith("torch.nn.") else name, module, arguments, result, frame, node)
    return result


def _module_result(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    if not name.startswith("torch.nn."):
        return UNKNOWN
    short = name[9:]
    given = contains_tensor(arguments.args[0]) if arguments.args else None
    why = Why(f"returned by {name}", frame.module.shown, getattr(node, "lineno", 0))
    if short in ("LSTM", "GRU", "RNN"):
        output = Tensor("float", 3, why)
        hidden: Value = Tensor("float", 3, why) if short != "LSTM" else Sequence("tuple", [Tensor("float", 3, why), Tensor("float", 3, why)])
        return Sequence("tuple", [output, hidden])
    if short == "LSTMCell":
        return Sequence("tuple", [Tensor("float", 2, why), Tensor("float", 2, why)])
    if short == "MultiheadAttention":
        return Sequence("tuple", [Tensor("float", 3, why), join(NONE, Tensor("float", None, why))])
    if short in _KEEPS_DTYPE or short.startswith("Dropout"):
        return arguments.args[0] if arguments.args and short in ("Identity",) else Tensor(
            given.dtype if given is not None else "", given.rank if given is not None else None, given.why if given is not None else why
        )
    if short.endswith(_LOSSES):
        return Tensor("float", None, why)
    rank = _RANKS.get(short)
    if rank is None and given is not None and short in ("Linear", "LayerNorm", "ReLU", "GELU", "SiLU", "Tanh", "Sigmoid", "Softmax", "RMSNorm"):
        rank = given.rank
    if short == "Embedding" and given is not None and given.rank is not None:
        rank = given.rank + 1
    return Tensor("float", rank, why)


__all__ = ["SIZE", "call_module", "make_module"]
