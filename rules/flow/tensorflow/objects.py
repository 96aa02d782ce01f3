"""Methods of TensorFlow's own objects: datasets, tensor arrays, optimizers, tapes, generators of random numbers, strategies."""

from __future__ import annotations

import ast

from ..binding import Arguments
from ..frame import Frame
from ..values import (
    FALSE,
    NONE,
    STATIC_ANY,
    STATIC_BOOL,
    UNKNOWN,
    Const,
    External,
    Instance,
    Mapping,
    Sequence,
    Value,
    Why,
    join,
    join_all,
)
from . import higher_order
from .functions import converted
from .values import STATIC_AXIS, TFTensor, batched, dataset, element_of_dataset, made, shape_of

_SAME_ELEMENTS = {"shuffle", "repeat", "prefetch", "cache", "take", "skip", "filter", "apply", "with_options", "take_while", "shard", "concatenate", "rebatch", "ignore_errors", "snapshot", "unique"}
_TAKES_FUNCTION = {"map", "filter", "flat_map", "interleave", "take_while", "reduce", "scan", "group_by_window", "bucket_by_sequence_length", "map_with_legacy_function"}


def is_tensorflow(name: str) -> bool:
    """Whether a dotted name is one of TensorFlow or Keras."""
    return name.startswith(("tensorflow.", "keras.", "tf_keras.")) or name in ("tensorflow", "keras", "tf_keras")


def call_method(receiver: Instance, name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of a method of an object of TensorFlow."""
    assert isinstance(receiver.cls, External)
    short = receiver.cls.name.rpartition(".")[2]
    why = Why(f"returned by `{name}` of a {receiver.cls.name}", frame.module.shown, getattr(node, "lineno", 0))
    if ".data." in receiver.cls.name or short in ("Dataset", "DatasetV2"):
        return _dataset_method(receiver, name, arguments, frame, node)
    if short == "TensorArray":
        return _array_method(receiver, name, arguments, why)
    if short == "GradientTape":
        return _tape_method(name, arguments, why)
    if short == "Generator" or receiver.cls.name.startswith("tensorflow.random."):
        if name in ("normal", "uniform", "truncated_normal", "binomial", "uniform_full_int"):
            return TFTensor("float32", shape_of(arguments.get(0, "shape")), why)
        if name in ("from_seed", "from_non_deterministic_state"):
            return made("tensorflow.random.Generator")
        return UNKNOWN
    if short == "Reference" and name == "deref":
        return receiver.attributes.get("#tensor", UNKNOWN)
    if "distribute" in receiver.cls.name:
        return _strategy_method(name, arguments, frame, node)
    if name in ("apply_gradients", "minimize", "update_state", "reset_state", "reset_states", "build", "watch", "save", "close", "flush"):
        return NONE
    if name == "result":
        return TFTensor("float32", None, why)
    if name in ("predict", "predict_on_batch", "numpy"):
        return UNKNOWN
    if name in ("get_weights",):
        from ..values import Array

        return Sequence("list", None, Array())
    return UNKNOWN


def _dataset_method(receiver: Instance, name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    element = element_of_dataset(receiver)
    function = arguments.args[0] if arguments.args else arguments.kwargs.get("map_func", UNKNOWN)
    if name in _TAKES_FUNCTION:
        given = element if name != "reduce" else Sequence("tuple", [function, element])
        if name == "reduce" and len(arguments.args) > 1:
            given, function = Sequence("tuple", [arguments.args[0], element]), arguments.args[1]
        result = higher_order.traced_by_dataset(function, given, frame, node)
        if name == "map":
            return dataset(result)
        if name in ("flat_map", "interleave"):
            return dataset(element_of_dataset(result))
        if name == "reduce":
            return join(result, arguments.args[0]) if arguments.args else result
    if name in _SAME_ELEMENTS:
        return receiver
    if name in ("batch", "padded_batch"):
        drop = arguments.kwargs.get("drop_remainder", FALSE)
        fixed = isinstance(drop, Const) and drop.value is True
        return dataset(batched(element, STATIC_AXIS if fixed else None))
    if name == "unbatch":
        return dataset(UNKNOWN)
    if name == "enumerate":
        return dataset(Sequence("tuple", [TFTensor("int64", (), Why("a position in a Dataset")), element]))
    if name in ("cardinality", "__len__"):
        return TFTensor("int64", (), Why("the cardinality of a Dataset"))
    if name in ("range", "from_tensor_slices", "from_tensors", "from_generator", "zip"):
        from .functions import call_tensorflow

        return call_tensorflow(f"tensorflow.data.Dataset.{name}", arguments, frame, node)
    if name == "as_numpy_iterator":
        return Sequence("iterator", None, UNKNOWN)
    if name in ("get_next", "__next__"):
        return element
    return UNKNOWN


def _array_method(receiver: Instance, name: str, arguments: Arguments, why: Why) -> Value:
    element = receiver.attributes.get("#element", UNKNOWN)
    if name == "write":
        given = converted(arguments.get(1, "value"), why)
        if isinstance(element, TFTensor) and given is not None and element.shape is None:
            changed = made("tensorflow.TensorArray", **{"#element": given.replace(dtype=element.dtype or given.dtype), "dynamic_size": receiver.attributes.get("dynamic_size", FALSE)})
            return changed
        return receiver
    if name in ("unstack", "scatter", "split"):
        return receiver
    if name == "read":
        return element
    if name in ("stack", "concat", "gather"):
        return batched(element, None) if name == "stack" else TFTensor(element.dtype if isinstance(element, TFTensor) else "", None, why)
    if name == "size":
        return TFTensor("int32", (), why)
    return UNKNOWN


def _tape_method(name: str, arguments: Arguments, why: Why) -> Value:
    if name not in ("gradient", "jacobian", "batch_jacobian"):
        return NONE
    sources = arguments.get(1, "sources")
    if isinstance(sources, Sequence):
        made_of = Sequence(sources.kind, [_gradient(s, why) for s in sources.elements]) if sources.elements is not None else Sequence("list", None, _gradient(sources.any(), why))
        return made_of
    if isinstance(sources, Mapping):
        return Mapping({k: _gradient(v, why) for k, v in sources.entries.items()}, sources.other)
    return _gradient(sources if sources is not None else UNKNOWN, why)


def _gradient(source: Value, why: Why) -> Value:
    if isinstance(source, TFTensor):
        return TFTensor(source.dtype, source.shape, why)
    return UNKNOWN


def _strategy_method(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    from ..calls import call

    if name in ("run", "experimental_run_v2", "call_for_each_replica") and arguments.args:
        given = arguments.kwargs.get("args")
        inputs = list(given.elements) if isinstance(given, Sequence) and given.elements is not None else arguments.args[1:]
        return call(arguments.args[0], Arguments(inputs), frame, node)
    if name == "reduce":
        return arguments.args[1] if len(arguments.args) > 1 else UNKNOWN
    return UNKNOWN




__all__ = ["STATIC_ANY", "STATIC_BOOL", "call_method", "is_tensorflow", "join_all"]
