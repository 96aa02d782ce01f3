"""Keras' functions and the objects of its own classes: what making and calling them gives."""

from __future__ import annotations

import ast

from ...frameworks.tensorflow import tables
from ..binding import Arguments
from ..calls import call, emit_call
from ..capture import KERAS
from ..frame import Frame
from ..values import (
    FALSE,
    NONE,
    STATIC_ANY,
    TRUE,
    UNKNOWN,
    BoundMethod,
    Const,
    External,
    Function,
    Instance,
    Mapping,
    Partial,
    Sequence,
    Value,
    Why,
    join_all,
)
from .keras import as_keras_calls, external_kind
from .results import by_entry
from .values import Axis, TFTensor, axis_of, dtype_named, shape_of, tf_tensor_in

_KEEPS_SHAPE = {
    "Dropout", "Activation", "ReLU", "LeakyReLU", "PReLU", "ELU", "Softmax", "BatchNormalization", "LayerNormalization", "GroupNormalization",
    "UnitNormalization", "GaussianNoise", "GaussianDropout", "AlphaDropout", "SpatialDropout1D", "SpatialDropout2D", "Masking", "Identity", "Rescaling",
}  # fmt: skip


def call_keras(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of calling something of Keras by its dotted name."""
    rest = name.partition(".")[2]
    why = Why(f"returned by {name}", frame.module.shown, getattr(node, "lineno", 0))
    if rest in ("Input", "layers.Input"):
        return _input(arguments, why)
    if rest in ("Sequential",):
        return _sequential(name, arguments)
    last = rest.rpartition(".")[2]
    if last[:1].isupper():
        instance = Instance(External(name), tuple((k, v.key()) for k, v in enumerate_arguments(arguments)))
        instance.attributes.update({f"#{k}": v for k, v in enumerate_arguments(arguments)})
        instance.local = frame.capture.framework == "tensorflow" and not frame.engine.muted
        return instance
    if rest.startswith("ops."):
        return _operation(last, arguments, why, frame, node)
    if rest.startswith(("losses.", "metrics.")) and not last.startswith(("get", "serialize", "deserialize")):
        return TFTensor("float32", None, why)
    if rest.startswith("activations.") and last not in ("get", "serialize", "deserialize"):
        tensor = tf_tensor_in(arguments.args[0]) if arguments.args else None
        return tensor.replace(nominal=False) if tensor is not None else TFTensor("float32", None, why)
    if rest.startswith("random.") and last in ("normal", "uniform", "truncated_normal", "dropout", "randint"):
        return TFTensor("float32", shape_of(arguments.get(0, "shape")), why)
    if rest.startswith("utils.") or rest.startswith(("config.", "backend.")):
        return UNKNOWN if last not in ("floatx", "epsilon", "image_data_format") else STATIC_ANY
    return UNKNOWN


def enumerate_arguments(arguments: Arguments) -> list[tuple[str, Value]]:
    """The arguments with a name or their position."""
    return [*((str(i), v) for i, v in enumerate(arguments.args)), *arguments.kwargs.items()]


def _input(arguments: Arguments, why: Why) -> Value:
    shape = shape_of(arguments.get(0, "shape"))
    batch = axis_of(arguments.kwargs["batch_size"]) if "batch_size" in arguments.kwargs else None
    return TFTensor(dtype_named(arguments.kwargs.get("dtype")) or "float32", None if shape is None else (batch, *shape), Why("a symbolic input of Keras", why.path, why.line), kind="symbolic")


def _sequential(name: str, arguments: Arguments) -> Value:
    layers = arguments.get(0, "layers")
    elements = list(layers.elements) if isinstance(layers, Sequence) and layers.elements is not None else []
    children = Sequence("list", elements) if layers is None or (isinstance(layers, Sequence) and layers.elements is not None) else Sequence("list", None, UNKNOWN)
    instance = Instance(External(name), ("sequential", children.key()))
    instance.attributes["#children"] = Sequence("list", [e for e in elements if not isinstance(e, TFTensor)]) if elements else children
    instance.attributes["#built"] = TRUE if any(isinstance(e, TFTensor) for e in elements) else FALSE
    return instance


_TESTS = {"equal", "not_equal", "less", "greater", "less_equal", "greater_equal", "logical_and", "logical_or", "logical_not", "isnan", "isinf", "isfinite", "any", "all"}


def _operation(short: str, arguments: Arguments, why: Why, frame: Frame, node: ast.AST) -> Value:
    if short in ("cond", "while_loop", "map", "scan", "fori_loop", "vectorized_map"):
        from .higher_order import call_with_functions

        known = {"map": "map_fn"}.get(short, short)
        found, result = call_with_functions(f"tensorflow.{known}", arguments, frame, node)
        return result if found else UNKNOWN
    if short == "shape":
        tensor = tf_tensor_in(arguments.args[0]) if arguments.args else None
        return Sequence("tuple", [TFTensor("int32", (), why) if a is None else Const(a) if isinstance(a, int) else STATIC_ANY for a in tensor.shape]) if tensor is not None and tensor.shape is not None else Sequence("tuple", None, STATIC_ANY)
    tensor = next((t for v in arguments.args if (t := tf_tensor_in(v)) is not None), None)
    if short in _TESTS:
        return TFTensor("bool", () if short in ("any", "all") and len(arguments.args) == 1 and not arguments.kwargs else None, why)
    if short == "cast":
        return TFTensor(dtype_named(arguments.get(1, "dtype")), tensor.shape if tensor is not None else None, why)
    if short in ("sum", "mean", "max", "min", "prod") and len(arguments.args) == 1 and not arguments.kwargs:
        return TFTensor(tensor.dtype if tensor is not None else "", (), why)
    entry = tables.functions().get(f"keras.ops.{short}")
    if entry is None or entry.result != "Tensor":
        return by_entry(entry, tensor, arguments, why) if entry is not None else UNKNOWN
    return TFTensor(tensor.dtype if tensor is not None else "", None, why)


def call_layer(layer: Instance, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of calling an object of one of Keras' own classes."""
    assert isinstance(layer.cls, External)
    name = layer.cls.name
    kind = external_kind(name)
    short = name.rpartition(".")[2]
    given = arguments.args[0] if arguments.args else next(iter(arguments.kwargs.values()), UNKNOWN)
    tensor = tf_tensor_in(given)
    why = Why(f"returned by a {name}", frame.module.shown, getattr(node, "lineno", 0))
    children = layer.attributes.get("#children")
    if isinstance(children, Sequence):
        value: Value = given
        for child in children.elements if children.elements is not None else [children.any()]:
            value = call(child, Arguments([value]), frame, node)
        return value if isinstance(value, TFTensor) else TFTensor("float32", None, why)
    emit_call("keras.layer.__call__" if kind in ("layer", "model") else f"keras.{kind}.__call__", layer, arguments, UNKNOWN, frame, node)
    if short == "Lambda":
        function = layer.attributes.get("#0") or layer.attributes.get("#function")
        if isinstance(function, Function):
            function = function.behind(KERAS) if function.door is None else function
        if isinstance(function, (Function, BoundMethod, Partial)):
            return call(function, arguments, frame, node)
    if kind == "loss":
        return TFTensor("float32", (), why)
    if kind == "initializer":
        return TFTensor("float32", shape_of(arguments.args[0] if arguments.args else None), why)
    if kind != "layer" or "return_attention_scores" in arguments.kwargs or short in ("TFSMLayer", "RNN", "StackedRNNCells"):
        return UNKNOWN
    shape: tuple[Axis, ...] | None = None
    if tensor is not None and tensor.shape is not None:
        if short in _KEEPS_SHAPE:
            shape = tensor.shape
        elif short == "Dense" and tensor.shape:
            shape = (*tensor.shape[:-1], axis_of(layer.attributes.get("#0") or layer.attributes.get("#units")))
        elif short == "Embedding":
            shape = (*tensor.shape, axis_of(layer.attributes.get("#1") or layer.attributes.get("#output_dim")))
    if short in ("LSTM", "GRU", "SimpleRNN", "RNN", "Bidirectional") and layer.attributes.get("#return_state") is not None:
        return Sequence("list", None, TFTensor("float32", None, why))
    dtype = "float32" if tensor is None or tensor.dtype in ("int32", "int64", "int", "") else tensor.dtype
    return TFTensor(dtype, shape, why, unsized=tensor.unsized if tensor is not None else "")


def layer_attribute(layer: Instance, name: str) -> Value | None:
    """An attribute of a Keras object that Keras makes; None for a method."""
    if name in layer.attributes:
        return layer.attributes[name]
    if name in ("trainable_variables", "trainable_weights", "weights", "variables", "non_trainable_variables", "non_trainable_weights"):
        return Sequence("list", None, TFTensor("float32", None, Why(f"one of the {name}"), kind="variable"))
    if name in ("losses",):
        return Sequence("list", None, TFTensor("float32", (), Why("one of the losses")))
    if name == "metrics":
        return Sequence("list", None, UNKNOWN)
    if name in ("kernel", "bias", "gamma", "beta", "moving_mean", "embeddings", "iterations", "learning_rate", "seed_generator"):
        return TFTensor("float32" if name != "iterations" else "int64", None, Why(f"`{name}` of a Keras object"), kind="variable")
    if name in ("optimizer", "loss", "compiled_loss", "compiled_metrics", "stop_training"):
        return UNKNOWN
    if name in ("name", "dtype", "compute_dtype", "variable_dtype", "built", "trainable", "units", "filters", "activation", "training"):
        return STATIC_ANY if name != "activation" else UNKNOWN
    if name in ("layers",):
        return layer.attributes.get("#children", Sequence("list", None, UNKNOWN))
    return None


def keras_method(instance: Instance, name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of a method that a class of the project has from Keras."""
    why = Why(f"returned by `{name}` of a Keras object", frame.module.shown, getattr(node, "lineno", 0))
    if name in ("add_weight", "add_variable"):
        shape = arguments.kwargs.get("shape")
        if shape is None:
            shape = next((a for a in arguments.args if isinstance(a, Sequence)), None)
        dtype = dtype_named(arguments.kwargs.get("dtype")) or "float32"
        return TFTensor(dtype, shape_of(shape) if shape is not None else (), why, kind="variable")
    if name in ("compute_loss", "compiled_loss"):
        return TFTensor("float32", (), why)
    if name in ("compute_metrics", "get_metrics_result"):
        return Mapping(None, TFTensor("float32", (), why))
    if name == "__call__":
        return call(instance, arguments, frame, node)
    if name in ("__init__", "build", "add_loss", "compile"):
        return NONE
    return UNKNOWN


def children_results(children: Sequence, given: Value, frame: Frame, node: ast.AST) -> Value:
    """Feed an input through layers, one after the other."""
    value = given
    for child in children.elements or []:
        value = call(child, Arguments([value]), frame, node)
    return value


__all__ = ["as_keras_calls", "call_keras", "call_layer", "join_all", "keras_method", "layer_attribute"]
