"""What TensorFlow's functions give back: models of the ones whose shape or effect matters, tables for the rest."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ...frameworks.tensorflow import tables
from ..binding import Arguments
from ..frame import Frame
from ..values import (
    FALSE,
    NONE,
    SIZE,
    STATIC_ANY,
    STATIC_BOOL,
    STATIC_INT,
    UNKNOWN,
    BoundMethod,
    Const,
    External,
    Function,
    Instance,
    Partial,
    Scalar,
    Sequence,
    Value,
    Why,
    contains_tensor,
    join_all,
)
from . import doors, higher_order, keras_functions
from .results import by_entry
from .values import (
    STATIC_AXIS,
    Axis,
    TFTensor,
    axis_of,
    dataset,
    dtype_class,
    dtype_named,
    made,
    python_dtype,
    shape_of,
    tf_tensor_in,
)

Model = Callable[[str, Arguments, Why, Frame], Value]
_MODELS: dict[str, Model] = {}


def _model(*names: str) -> Callable[[Model], Model]:
    def register(function: Model) -> Model:
        for name in names:
            _MODELS[name] = function
        return function

    return register


def call_tensorflow(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of calling something of TensorFlow or Keras, by its dotted name."""
    if name in doors.FUNCTIONS:
        return doors.traced(arguments.args[0], Arguments([], arguments.kwargs)) if arguments.args else UNKNOWN
    if name.startswith(("keras.", "tf_keras.")):
        return keras_functions.call_keras(name, arguments, frame, node)
    found, result = higher_order.call_with_functions(name, arguments, frame, node)
    if found:
        return result
    short = name.removeprefix("tensorflow.").removeprefix("compat.v1.")
    why = Why(f"returned by tf.{short}", frame.module.shown, getattr(node, "lineno", 0))
    model = _MODELS.get(short) or _MODELS.get(_ALIASES.get(short, ""))
    if model is not None:
        return model(short, arguments, why, frame)
    if short.rpartition(".")[2][:1].isupper():
        return _object(name, short, arguments)
    return _by_table(short, arguments, why)


_ALIASES = {
    **{f"math.{n}": n for n in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_all", "reduce_any", "reduce_prod", "argmax", "argmin", "add", "multiply", "subtract", "divide", "equal", "not_equal", "less", "greater", "less_equal", "greater_equal", "logical_and", "logical_or", "logical_not", "is_nan", "is_inf", "is_finite", "abs", "maximum", "minimum", "pow", "square", "sqrt", "exp", "log", "sin", "cos", "tanh", "sigmoid", "negative", "add_n", "reduce_logsumexp", "count_nonzero", "reduce_std", "reduce_variance", "reduce_euclidean_norm")},
    "linalg.matmul": "matmul", "linalg.norm": "norm", "nn.sigmoid": "sigmoid", "nn.tanh": "tanh", "linalg.matrix_transpose": "transpose",
    "tile": "expand_dims",
}  # fmt: skip


def first_tensor(arguments: Arguments) -> TFTensor | None:
    """The first argument that is a tensor, or the first tensor in it."""
    for value in (*arguments.args, *arguments.kwargs.values()):
        found = contains_tensor(value)
        if isinstance(found, TFTensor):
            return found
    return None


def converted(value: Value | None, why: Why) -> TFTensor | None:
    """The tensor that TensorFlow makes of an argument."""
    if value is None:
        return None
    found = tf_tensor_in(value)
    if found is not None:
        return found
    if isinstance(value, (Const, Scalar)) and python_dtype(value):
        return TFTensor(python_dtype(value), (), why)
    if isinstance(value, Sequence):
        inner = converted(value.any(), why) if value.elements or value.element is not None else None
        length: Axis = len(value.elements) if value.elements is not None else STATIC_AXIS
        shape = None if inner is None or inner.shape is None else (length, *inner.shape)
        return TFTensor(inner.dtype if inner is not None else "", shape, why)
    return None


@_model("constant", "convert_to_tensor", "identity", "stop_gradient", "Variable", "as_tensor")
def _constant(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    given = arguments.get(0, "value") or arguments.get(0, "initial_value") or arguments.get(0, "input")
    tensor = converted(given, why)
    dtype = dtype_named(arguments.kwargs.get("dtype") or (arguments.args[1] if len(arguments.args) > 1 else None))
    shape = shape_of(arguments.kwargs.get("shape"))
    kind = "variable" if short == "Variable" else "tensor"
    if tensor is None:
        return TFTensor(dtype, shape, why, kind=kind)
    return tensor.replace(
        dtype=dtype or tensor.dtype, shape=shape if shape is not None else tensor.shape, why=why if kind == "variable" else tensor.why or why,
        nominal=False, kind=kind, python=False,
    )  # fmt: skip


@_model("cast", "to_float", "dtypes.cast")
def _cast(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    tensor = converted(arguments.get(0, "x"), why)
    dtype = dtype_named(arguments.get(1, "dtype"))
    if tensor is None:
        return TFTensor(dtype, None, why)
    return tensor.replace(dtype=dtype, python=False, nominal=False, why=tensor.why or why)


@_model("zeros", "ones", "fill", "random.normal", "random.uniform", "random.truncated_normal", "random.stateless_normal", "random.stateless_uniform", "eye")
def _filled(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    given = arguments.get(0, "shape") or arguments.get(0, "dims")
    shape = shape_of(given) if short != "eye" else None
    named = arguments.kwargs.get("dtype") or (arguments.args[1] if short in ("zeros", "ones") and len(arguments.args) > 1 else None)
    dtype = dtype_named(named) if named is not None else ""
    if short == "fill":
        value = arguments.get(1, "value")
        tensor = converted(value, why)
        dtype = tensor.dtype if tensor is not None else ""
    elif named is None:
        dtype = "float32"
    return TFTensor(dtype, shape, why)


@_model("zeros_like", "ones_like", "clip_by_value", "abs", "negative", "square", "sqrt", "exp", "log", "sin", "cos", "tanh", "sigmoid", "nn.relu", "nn.softmax", "nn.log_softmax", "nn.relu6", "nn.leaky_relu", "nn.gelu", "nn.elu", "nn.softplus", "sign", "round", "math.log", "math.exp", "floor", "cumsum", "math.cumsum", "sort", "reverse", "roll", "nn.dropout", "debugging.check_numerics", "clip_by_norm", "math.softplus", "nn.l2_normalize", "math.l2_normalize", "nn.bias_add", "nn.batch_normalization", "random.shuffle")
def _alike(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    tensor = converted(arguments.args[0] if arguments.args else next(iter(arguments.kwargs.values()), None), why)
    if tensor is None:
        return TFTensor("", None, why)
    dtype = dtype_named(arguments.kwargs.get("dtype")) if short.endswith("_like") else ""
    return TFTensor(dtype or tensor.dtype, tensor.shape, why, unsized=tensor.unsized)


_TESTS = ("equal", "not_equal", "less", "greater", "less_equal", "greater_equal", "logical_and", "logical_or", "logical_not", "is_nan", "is_inf", "is_finite", "logical_xor")


@_model("add", "multiply", "subtract", "divide", "maximum", "minimum", "pow", "math.mod", "math.floormod", "math.divide_no_nan", "truediv", "math.squared_difference", *_TESTS)
def _elementwise(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    parts = [converted(v, why) for v in arguments.args[:2]]
    known = [p for p in parts if p is not None]
    dtype = "bool" if short in _TESTS else next((p.dtype for p, v in zip(parts, arguments.args) if p is not None and tf_tensor_in(v) is not None), "")
    shape = broadcast(*[p.shape for p in known]) if known and len(known) == len(parts) else None
    return TFTensor(dtype, shape, why, unsized=next((p.unsized for p in known if p.unsized), ""))


def broadcast(*shapes: tuple[Axis, ...] | None) -> tuple[Axis, ...] | None:
    """The shape of an elementwise operation."""
    known = [s for s in shapes if s is not None]
    if len(known) < len(shapes) or not known:
        return None
    length = max(len(s) for s in known)
    result: list[Axis] = []
    for position in range(length):
        axes = [s[position - length + len(s)] for s in known if position - length + len(s) >= 0]
        wide = [a for a in axes if a != 1]
        result.append(wide[0] if wide and all(a == wide[0] for a in wide) else 1 if not wide else next((a for a in wide if isinstance(a, int)), STATIC_AXIS if STATIC_AXIS in wide else None))
    return tuple(result)


@_model("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "reduce_all", "reduce_any", "reduce_logsumexp", "norm", "count_nonzero", "reduce_std", "reduce_variance", "reduce_euclidean_norm")
def _reduction(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    tensor = converted(arguments.args[0] if arguments.args else next(iter(arguments.kwargs.values()), None), why)
    dtype = "bool" if short in ("reduce_all", "reduce_any") else "int64" if short == "count_nonzero" else tensor.dtype if tensor is not None else ""
    axis = arguments.kwargs.get("axis") or (arguments.args[1] if len(arguments.args) > 1 and short != "norm" else None)
    keep = arguments.kwargs.get("keepdims")
    if (axis is None or axis is NONE) and (keep is None or keep is FALSE):
        return TFTensor(dtype, (), why)
    shape = None
    if tensor is not None and tensor.shape is not None and isinstance(axis, Const) and isinstance(axis.value, int) and keep is None:
        rank = len(tensor.shape)
        if -rank <= axis.value < rank:
            shape = tuple(a for i, a in enumerate(tensor.shape) if i != axis.value % rank)
    return TFTensor(dtype, shape, why, unsized=tensor.unsized if tensor is not None else "")


@_model("argmax", "argmin")
def _argument(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    return TFTensor(dtype_named(arguments.kwargs.get("output_type")) or "int64", None, why)


@_model("shape")
def _shape(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    tensor = first_tensor(arguments)
    return TFTensor(dtype_named(arguments.kwargs.get("out_type")) or "int32", (len(tensor.shape),) if tensor is not None and tensor.shape is not None else None, why)


@_model("size", "rank")
def _size(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    return TFTensor("int32", (), why)


@_model("range")
def _range(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    numbers = [a.value for a in arguments.args if isinstance(a, Const) and isinstance(a.value, (int, float))]
    dtype = dtype_named(arguments.kwargs.get("dtype"))
    if not dtype:
        parts = [converted(a, why) for a in arguments.args]
        dtype = next((p.dtype for p in parts if p is not None and dtype_class(p.dtype) == "float"), "int32" if all(p is not None for p in parts) else "")
    axis: Axis = None if any(tf_tensor_in(a) is not None for a in arguments.args) else STATIC_AXIS
    if numbers and len(numbers) == len(arguments.args) and all(isinstance(n, int) for n in numbers):
        try:
            axis = len(range(*[int(n) for n in numbers]))
        except (TypeError, ValueError):
            axis = STATIC_AXIS
    elif len(numbers) == 1 and float(numbers[0]).is_integer():
        axis = int(numbers[0])
    return TFTensor(dtype, (axis,), why)


@_model("reshape", "ensure_shape", "broadcast_to")
def _reshape(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    tensor = converted(arguments.get(0, "tensor"), why)
    given = arguments.get(1, "shape")
    shape = shape_of(given)
    if shape is not None and tensor is not None and tensor.dynamic:
        elements = given.elements if isinstance(given, Sequence) and given.elements is not None else [given]
        shape = tuple(None if isinstance(e, Const) and e.value == -1 else a for a, e in zip(shape, elements))
    return TFTensor(tensor.dtype if tensor is not None else "", shape, why, unsized=tensor.unsized if tensor is not None else "")


@_model("expand_dims")
def _keeps_dtype(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    tensor = converted(arguments.args[0] if arguments.args else next(iter(arguments.kwargs.values()), None), why)
    shape = None
    axis = arguments.get(1, "axis")
    if short == "expand_dims" and tensor is not None and tensor.shape is not None and isinstance(axis, Const) and axis.value in (0, -1):
        shape = (1, *tensor.shape) if axis.value == 0 else (*tensor.shape, 1)
    return TFTensor(tensor.dtype if tensor is not None else "", shape, why, unsized=tensor.unsized if tensor is not None else "")


@_model("concat", "stack", "add_n", "hstack", "vstack")
def _gathered(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    values = arguments.get(0, "values") or arguments.get(0, "inputs")
    parts = [converted(v, why) for v in values.elements] if isinstance(values, Sequence) and values.elements is not None else []
    inner = converted(values.any(), why) if isinstance(values, Sequence) else tf_tensor_in(values)
    dtype = inner.dtype if inner is not None else ""
    shape: tuple[Axis, ...] | None = None
    if parts and all(p is not None and p.shape is not None for p in parts):
        shapes = [p.shape for p in parts if p is not None and p.shape is not None]
        if short == "add_n":
            shape = shapes[0]
        elif short == "stack" and "axis" not in arguments.kwargs and len(arguments.args) == 1:
            shape = (len(shapes), *shapes[0])
        elif short == "concat" and isinstance(axis := arguments.get(1, "axis"), Const) and axis.value in (0, -1) and len({len(s) for s in shapes}) == 1 and shapes[0]:
            position = 0 if axis.value == 0 else len(shapes[0]) - 1
            lengths = [s[position] for s in shapes]
            total: Axis = sum(n for n in lengths if isinstance(n, int)) if all(isinstance(n, int) for n in lengths) else None if None in lengths else STATIC_AXIS
            shape = (*shapes[0][:position], total, *shapes[0][position + 1 :])
    return TFTensor(dtype, shape, why, unsized=inner.unsized if inner is not None else "")


@_model("unstack", "split")
def _parts(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    tensor = converted(arguments.args[0] if arguments.args else None, why)
    element = TFTensor(tensor.dtype if tensor is not None else "", tensor.shape[1:] if tensor is not None and tensor.shape and short == "unstack" else None, why)
    count = arguments.get(1, "num_or_size_splits" if short == "split" else "num")
    if isinstance(count, Const) and isinstance(count.value, int) and count.value <= 16:
        return Sequence("list", [element] * count.value)
    if short == "unstack" and tensor is not None and tensor.shape and isinstance(tensor.shape[0], int) and tensor.shape[0] <= 16 and "axis" not in arguments.kwargs:
        return Sequence("list", [element] * tensor.shape[0])
    return Sequence("list", None, element)


@_model("boolean_mask")
def _masked(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    tensor = converted(arguments.get(0, "tensor"), why)
    mask = tf_tensor_in(arguments.get(1, "mask"))
    shape: tuple[Axis, ...] | None = (None,) if tensor is not None and tensor.rank == 1 else None
    if tensor is not None and tensor.shape is not None and mask is not None and mask.shape is not None and len(mask.shape) <= len(tensor.shape):
        shape = (None, *tensor.shape[len(mask.shape) :])
    return TFTensor(tensor.dtype if tensor is not None else "", shape, why)


@_model("where")
def _where(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    if len(arguments.args) + len(arguments.kwargs) < 3:
        condition = tf_tensor_in(arguments.args[0] if arguments.args else None)
        return TFTensor("int64", (None, len(condition.shape)) if condition is not None and condition.shape is not None else None, why)
    parts = [converted(v, why) for v in (arguments.get(1, "x"), arguments.get(2, "y"), arguments.get(0, "condition"))]
    dtype = next((p.dtype for p in parts[:2] if p is not None and p.dtype), "")
    shape = broadcast(*[p.shape for p in parts if p is not None]) if all(p is not None for p in parts) else None
    return TFTensor(dtype, shape, why, unsized=next((p.unsized for p in parts if p is not None and p.unsized), ""))


@_model("gather")
def _gather(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    tensor = converted(arguments.args[0] if arguments.args else None, why)
    indices = converted(arguments.get(1, "indices"), why)
    shape = None
    if tensor is not None and tensor.shape and indices is not None and indices.shape is not None and not {"axis", "batch_dims"} & set(arguments.kwargs):
        shape = (*indices.shape, *tensor.shape[1:])
    return TFTensor(tensor.dtype if tensor is not None else "", shape, why)


@_model("is_tensor", "is_symbolic_tensor")
def _is_tensor(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    value = arguments.args[0] if arguments.args else UNKNOWN
    return Const(True) if isinstance(value, TFTensor) else STATIC_BOOL


@_model("executing_eagerly")
def _eagerly(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    return STATIC_BOOL if frame.capture.framework != "tensorflow" else FALSE


@_model("inside_function")
def _inside(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    return STATIC_BOOL if frame.capture.framework != "tensorflow" else Const(True)


@_model("TensorSpec")
def _spec(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    shape, dtype = arguments.get(0, "shape") or NONE, arguments.get(1, "dtype") or UNKNOWN
    return made("tensorflow.TensorSpec", shape=shape, dtype=dtype)


@_model("TensorShape")
def _tensor_shape(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    given = arguments.args[0] if arguments.args else UNKNOWN
    if isinstance(given, Sequence):
        return Sequence("size", list(given.elements) if given.elements is not None else None, given.element)
    return Sequence("size", None, SIZE)


@_model("TensorArray")
def _tensor_array(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    named = arguments.get(0, "dtype")
    element = TFTensor(dtype_named(named), shape_of(arguments.kwargs.get("element_shape")), why)
    dynamic = arguments.kwargs.get("dynamic_size", FALSE)
    return made("tensorflow.TensorArray", **{"#element": element, "dynamic_size": dynamic})


@_model("data.Dataset.range")
def _dataset_range(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    return dataset(TFTensor(dtype_named(arguments.kwargs.get("output_type")) or "int64", (), Why("an element of a Dataset")))


@_model("data.Dataset.from_tensor_slices", "data.Dataset.from_tensors")
def _dataset_of(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    given = arguments.args[0] if arguments.args else UNKNOWN
    return dataset(_sliced(given, short.endswith("slices")))


def _sliced(value: Value, slices: bool) -> Value:
    if isinstance(value, Sequence) and value.kind in ("tuple", "namedtuple") and value.elements is not None:
        return Sequence("tuple", [_sliced(element, slices) for element in value.elements])
    tensor = converted(value, Why("an element of a Dataset"))
    if tensor is None:
        return TFTensor("", None, Why("an element of a Dataset"))
    shape = tensor.shape[1:] if slices and tensor.shape else tensor.shape
    return TFTensor(tensor.dtype, shape, Why("an element of a Dataset"))


@_model("data.Dataset.from_generator")
def _dataset_generated(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    declared = doors.signature({"input_signature": Sequence("tuple", [arguments.kwargs.get("output_signature", UNKNOWN)])}, "", 0)
    return dataset(declared[0] if declared else UNKNOWN)


@_model("data.Dataset.zip")
def _dataset_zip(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    parts = arguments.args[0].elements if arguments.args and isinstance(arguments.args[0], Sequence) else arguments.args
    return dataset(Sequence("tuple", [p.attributes.get("#element", UNKNOWN) if isinstance(p, Instance) else UNKNOWN for p in parts or []]))


@_model("unique", "unique_with_counts", "nn.top_k", "math.top_k", "nn.moments", "linalg.eig", "linalg.eigh", "linalg.qr", "meshgrid")
def _tuple(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    tensor = first_tensor(arguments)
    dtype = tensor.dtype if tensor is not None else ""
    if short == "meshgrid":
        return Sequence("list", [TFTensor(dtype, None, why) for _ in arguments.args])
    first = TFTensor(dtype, (None,) if short.startswith("unique") else None, why)
    second = TFTensor("int32" if short in ("unique", "unique_with_counts", "nn.top_k", "math.top_k") else dtype, None, why)
    return Sequence("namedtuple", [first, second, second] if short.endswith("counts") else [first, second])


@_model("gradients")
def _gradients(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    return Sequence("list", None, TFTensor("float32", None, why))


@_model("print", "no_op", "group", "summary.scalar", "summary.image", "summary.histogram")
def _nothing(short: str, arguments: Arguments, why: Why, frame: Frame) -> Value:
    return NONE


def _object(name: str, short: str, arguments: Arguments) -> Value:
    if short in ("Session", "InteractiveSession", "Graph", "GradientTape", "Module") or not short.startswith("data.experimental"):
        return made(name, **{k: v for k, v in arguments.kwargs.items() if isinstance(v, (Const, Function, BoundMethod, Partial, Instance))})
    return UNKNOWN


def _by_table(short: str, arguments: Arguments, why: Why) -> Value:
    """What the generated tables say of a function that has no model here."""
    entry = tables.functions().get(f"tf.{short}")
    return UNKNOWN if entry is None else by_entry(entry, first_tensor(arguments), arguments, why)


def constant_value(name: str) -> Value | None:
    """The value of a name of TensorFlow that is a constant: dtypes, above all."""
    short = name.removeprefix("tensorflow.").removeprefix("dtypes.").removeprefix("compat.v1.")
    if short != name and "." not in short:
        if dtype_class(short) and short not in ("float", "int"):
            return Scalar("tensorflow.dtype:" + short)
        if short in ("newaxis",):
            return NONE
        if short in ("AUTO_REUSE", "__version__"):
            return STATIC_ANY
    return None


__all__ = ["STATIC_INT", "External", "axis_of", "call_tensorflow", "constant_value", "converted", "first_tensor", "join_all"]
