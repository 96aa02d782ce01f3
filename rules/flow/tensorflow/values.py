"""Abstract values of TensorFlow: tensors with their axes, axes that are not known while tracing, and objects that hold tensors."""

from __future__ import annotations

from collections.abc import Hashable

from ..values import SIZE, UNKNOWN, Const, External, Instance, Scalar, Sequence, Tensor, Value, Why, tensor_in

STATIC_AXIS = "static"
"""An axis that tracing knows and the analyzer does not."""
Axis = int | str | None
"""The length of an axis: a number, :data:`STATIC_AXIS`, or None when tracing itself does not know it."""

FLOATS = ("float16", "bfloat16", "float32", "float64", "float")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "int")


class TFTensor(Tensor):
    """A tensor of TensorFlow.

    Attributes:
        dtype: its name ("float32"), its class when only that is known ("float", "int"), or "".
        shape: the axes, or None when nothing is known of them.
        kind: "tensor", "variable", "ragged", "sparse" or "symbolic" (a Keras input).
        python: whether an eager run has a Python number in its place, with other rules for dtypes.
        unsized: whether axes that are not known here may be unknown while tracing too, in the words of a condition.
    """

    __slots__ = ("kind", "python", "shape", "unsized")

    def __init__(
        self,
        dtype: str = "",
        shape: tuple[Axis, ...] | None = None,
        why: Why | None = None,
        likely: bool = False,
        nominal: bool = False,
        kind: str = "tensor",
        python: bool = False,
        unsized: str = "",
    ) -> None:
        super().__init__(dtype, None if shape is None else len(shape), why, likely, nominal)
        self.shape = shape
        self.kind = kind
        self.python = python
        self.unsized = unsized

    def key(self) -> Hashable:
        return ("T", self.dtype, self.shape, self.likely, self.nominal, self.kind, self.python, self.unsized)

    def replace(self, **changes: object) -> TFTensor:
        names = ("dtype", "shape", "why", "likely", "nominal", "kind", "python", "unsized")
        fields = {name: getattr(self, name) for name in names}
        fields.update(changes)
        return TFTensor(**fields)

    def joined(self, other: Tensor) -> Tensor:
        if not isinstance(other, TFTensor):
            return Tensor(why=self.why or other.why, likely=True)
        return TFTensor(
            self.dtype if self.dtype == other.dtype else dtype_class(self.dtype) if dtype_class(self.dtype) == dtype_class(other.dtype) else "",
            joined_shapes(self.shape, other.shape),
            self.why or other.why,
            self.likely or other.likely,
            self.nominal and other.nominal,
            self.kind if self.kind == other.kind else "tensor",
            self.python and other.python,
            self.unsized or other.unsized,
        )

    @property
    def dynamic(self) -> bool:
        """Whether an axis is sure not to be known while tracing."""
        return self.shape is not None and None in self.shape


class UnknownAxis(Const):
    """None, read from a shape for an axis that is not known while tracing."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: TFTensor | None) -> None:
        super().__init__(None)
        self.tensor = tensor

    def key(self) -> Hashable:
        return ("axis", None)


class MaybeAxis(Scalar):
    """The length of an axis that is known in most traces; ``when`` says in which it is None."""

    __slots__ = ("tensor", "when")

    def __init__(self, when: str, tensor: TFTensor | None) -> None:
        super().__init__("int", "shape")
        self.when = when
        self.tensor = tensor

    def key(self) -> Hashable:
        return ("axis?", self.when)


def dtype_class(dtype: str) -> str:
    """"float", "int", "bool", "string", "complex" or ""."""
    if dtype in FLOATS:
        return "float"
    if dtype in INTEGERS:
        return "int"
    return "complex" if dtype.startswith("complex") else dtype if dtype in ("bool", "string") else ""


def joined_shapes(a: tuple[Axis, ...] | None, b: tuple[Axis, ...] | None) -> tuple[Axis, ...] | None:
    """The axes that cover both."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None if None in (x, y) else STATIC_AXIS for x, y in zip(a, b))


def tf_tensor_in(value: Value | None) -> TFTensor | None:
    """The tensor of TensorFlow that a value is or may be."""
    found = tensor_in(value) if value is not None else None
    return found if isinstance(found, TFTensor) else None


def axis_value(axis: Axis, tensor: TFTensor | None) -> Value:
    """What reading an axis from a static shape gives."""
    if axis is None:
        return UnknownAxis(tensor)
    if isinstance(axis, int):
        return Const(axis)
    return MaybeAxis(tensor.unsized, tensor) if tensor is not None and tensor.unsized else SIZE


def axis_of(value: Value | None) -> Axis:
    """The axis that a value makes when it is given as a size."""
    if isinstance(value, UnknownAxis):
        return None
    if isinstance(value, Const) and isinstance(value.value, int) and not isinstance(value.value, bool):
        return value.value if value.value >= 0 else STATIC_AXIS
    if isinstance(value, Const) and value.value is None:
        return None
    return None if isinstance(value, TFTensor) else STATIC_AXIS


def shape_of(value: Value | None) -> tuple[Axis, ...] | None:
    """The axes that a ``shape=`` argument describes."""
    if isinstance(value, Sequence) and value.elements is not None:
        return tuple(axis_of(element) for element in value.elements)
    if isinstance(value, Const) and isinstance(value.value, int) and not isinstance(value.value, bool):
        return (value.value,)
    return None


def static_shape(tensor: TFTensor) -> Sequence:
    """The ``TensorShape`` of a tensor."""
    if tensor.shape is None:
        return Sequence("size", None, MaybeAxis(tensor.unsized, tensor) if tensor.unsized else SIZE)
    return Sequence("size", [axis_value(axis, tensor) for axis in tensor.shape])


def dtype_named(value: Value | None) -> str:
    """The dtype that a ``dtype=`` argument names, "" when it is not known."""
    if isinstance(value, Scalar) and value.type.startswith("tensorflow.dtype:"):
        return value.type.partition(":")[2]
    if isinstance(value, Const) and isinstance(value.value, str):
        return value.value if dtype_class(value.value) else ""
    if isinstance(value, External):
        short = value.name.rpartition(".")[2].rstrip("_")
        if value.name.startswith("builtins."):
            return {"float": "float32", "int": "int32", "bool": "bool", "str": "string"}.get(short, "")
        return short if dtype_class(short) else ""
    return ""


def python_dtype(value: Value) -> str:
    """The dtype of the tensor that a Python number becomes."""
    kind = type(value.value).__name__ if isinstance(value, Const) else value.type if isinstance(value, Scalar) else ""
    return {"bool": "bool", "int": "int32", "float": "float32", "str": "string", "complex": "complex128"}.get(kind, "")


def is_object(value: Value | None, *names: str) -> bool:
    """Whether a value is an object of one of these classes, by the last part of their names."""
    return isinstance(value, Instance) and isinstance(value.cls, External) and value.cls.name.rpartition(".")[2] in names


def made(name: str, /, **attributes: Value) -> Instance:
    """An object of a class of TensorFlow."""
    key: tuple[Hashable, ...] = tuple((k, v.key()) for k, v in attributes.items())
    instance = Instance(External(name), key)
    instance.attributes.update(attributes)
    return instance


def dataset(element: Value) -> Instance:
    """A ``tf.data.Dataset`` of such elements."""
    return made("tensorflow.data.Dataset", **{"#element": element})


def element_of_dataset(value: Value) -> Value:
    """What iterating over a dataset gives."""
    return value.attributes.get("#element", UNKNOWN) if isinstance(value, Instance) else UNKNOWN


def batched(value: Value, axis: Axis, unsized: str = "") -> Value:
    """The value with a leading axis put before each tensor in it."""
    if isinstance(value, TFTensor):
        shape = None if value.shape is None else (axis, *value.shape)
        return value.replace(shape=shape, unsized=unsized or value.unsized)
    if isinstance(value, Sequence) and value.elements is not None:
        return Sequence(value.kind, [batched(element, axis, unsized) for element in value.elements])
    return value

