"""Attributes: of objects, modules, classes, tensors and names outside the project."""

from __future__ import annotations

import ast

from .calls import Super, call
from .binding import Arguments
from .classes import decorator_names, external_bases, find_member, is_module_class
from .dispatch import evaluate, evaluates
from .capture import TENSORFLOW
from .events import Attribute
from .frame import Frame
from .names import member_of
from .truth import path_of
from .values import (
    NONE,
    SIZE,
    STATIC_ANY,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    UNKNOWN,
    Array,
    BoundMethod,
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapping,
    Method,
    ModuleRef,
    Partial,
    Scalar,
    Sequence,
    Tensor,
    Union,
    Value,
    Why,
    join_all,
)


@evaluates(ast.Attribute)
def _attribute_expression(node: ast.Attribute, frame: Frame) -> Value:
    path = path_of(node)
    if path is not None and path in frame.env:
        return frame.env[path]
    return attribute(evaluate(node.value, frame), node.attr, node, frame)


def attribute(base: Value, name: str, node: ast.AST, frame: Frame) -> Value:
    """``base.name``."""
    if isinstance(base, Instance):
        return instance_attribute(base, name, node, frame)
    if isinstance(base, Tensor):
        return tensor_attribute(base, name, node, frame)
    if isinstance(base, (External, ModuleRef)):
        found = member_of(base, name)
        if isinstance(base, External):
            return external_value(found, node, frame)
        return found
    if isinstance(base, Union):
        values = [attribute(member, name, node, frame) for member in base.members if member is not NONE]
        return join_all(values) if values else UNKNOWN
    if isinstance(base, Class):
        return class_attribute(base, name, frame)
    if isinstance(base, Super):
        return _super_attribute(base, name, node, frame)
    if isinstance(base, Mapping) and base.kind != "dict":
        if name in base.entries:
            return base.entries[name]
        return Method(base, name)
    if isinstance(base, Array):
        return _array_attribute(base, name)
    if isinstance(base, (Sequence, Mapping, Scalar, Const)):
        if isinstance(base, Const) and base.value is None:
            return UNKNOWN
        if isinstance(base, Sequence) and base.kind == "size" and name in ("rank", "ndims", "dims"):
            return members.shape_method(base, name) or UNKNOWN
        if isinstance(base, Scalar) and base.type.startswith("tensorflow.dtype"):
            return STATIC_ANY
        if isinstance(base, Scalar) and base.type in ("", "torch.device", "torch.dtype"):
            return _scalar_attribute(base, name)
        return Method(base, name)
    if isinstance(base, Partial) and name == "func":
        return base.function
    if isinstance(base, (Function, BoundMethod)) and name in ("__name__", "__qualname__", "__doc__", "__module__"):
        return STATIC_STR
    if isinstance(base, BoundMethod) and name == "__self__":
        return base.receiver
    return UNKNOWN


def _scalar_attribute(base: Scalar, name: str) -> Value:
    if base.type == "torch.device":
        return STATIC_STR if name == "type" else STATIC_INT
    if base.type == "torch.dtype":
        return STATIC_BOOL if name.startswith("is_") else STATIC_INT
    return Scalar("") if name in ("value", "name") else UNKNOWN


def external_value(value: Value, node: ast.AST, frame: Frame) -> Value:
    """Constants of the frameworks in place of their names (``torch.float32``, ``math.pi``)."""
    if isinstance(value, External):
        known = externals.constant(value.name)
        if known is not None:
            return known
        if isinstance(node, (ast.expr, ast.stmt)):
            frame.engine.emit(Attribute(node, frame, value.name, value))
    return value


def instance_attribute(base: Instance, name: str, node: ast.AST, frame: Frame) -> Value:
    """An attribute of an object: its own, a property, a method, or one of its class."""
    if name in base.attributes:
        if frame.capture.framework == TENSORFLOW and isinstance(node, ast.expr) and not base.local and not frame.engine.muted:
            frame.engine.leaks.read(base, name, node, frame)
        return base.attributes[name]
    cls = base.cls
    if isinstance(cls, External):
        return _external_attribute(base, cls.name, name, node, frame)
    found = frame.engine.member(cls, name)
    if found is not None:
        _owner, statement, value = found
        names = decorator_names(statement)
        if {"property", "cached_property", "lazy_property", "abstractproperty"} & set(names):
            return call(value, Arguments([base]), frame, node) if isinstance(value, (Function, BoundMethod)) else UNKNOWN
        if "staticmethod" in names:
            return value
        if "classmethod" in names:
            return BoundMethod(cls, value)
        if isinstance(value, (Function, Method)) and isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return BoundMethod(base, value)
        if isinstance(value, Function) and isinstance(value.node, ast.Lambda):
            return BoundMethod(base, value)
        return value
    keras_kind = kind_of(cls)
    if name in _VARIABLE_LISTS and isinstance(node, ast.expr):
        frame.engine.emit(Attribute(node, frame, name, base))
    if keras_kind or "tensorflow.Module" in external_bases(cls):
        known = keras_functions.layer_attribute(base, name)
        return known if known is not None else Method(base, name)
    if name == "training" and is_module_class(cls):
        return STATIC_BOOL
    if name == "__class__":
        return cls
    if name == "__dict__":
        return Mapping(dict(base.attributes))
    if is_module_class(cls):
        return _module_attribute(base, name)
    if any(b.startswith("torch.nn.") for b in external_bases(cls)):
        return Method(base, name)
    getter = frame.engine.member(cls, "__getattr__")
    if getter is not None:
        return UNKNOWN
    return UNKNOWN


_MODULE_METHODS = {
    "parameters", "named_parameters", "buffers", "named_buffers", "modules", "named_modules", "children", "named_children", "register_buffer",
    "register_parameter", "register_module", "add_module", "train", "eval", "to", "cuda", "cpu", "float", "half", "double", "apply",
    "state_dict", "load_state_dict", "zero_grad", "requires_grad_", "register_forward_hook", "register_forward_pre_hook",
    "register_full_backward_hook", "get_submodule", "get_parameter", "get_buffer", "extra_repr", "type", "_get_name", "compile",
    "append", "extend", "insert", "keys", "values", "items", "pop", "update", "__len__", "register_backward_hook", "share_memory",
}  # fmt: skip


def _module_attribute(base: Instance, name: str) -> Value:
    if name in _MODULE_METHODS:
        return Method(base, name)
    if name in ("_modules", "_parameters", "_buffers"):
        return Mapping(None, UNKNOWN)
    for external in external_bases(base.cls):
        if external.startswith("torch.nn.") and external != "torch.nn.Module":
            return _external_attribute(base, external, name)
    return UNKNOWN


_VARIABLE_LISTS = {"trainable_variables", "trainable_weights", "variables", "weights", "losses"}


def _external_attribute(base: Instance, class_name: str, name: str, node: ast.AST | None = None, frame: Frame | None = None) -> Value:
    if objects.is_tensorflow(class_name):
        if name in _VARIABLE_LISTS and frame is not None and isinstance(node, ast.expr):
            frame.engine.emit(Attribute(node, frame, name, base))
        known = keras_functions.layer_attribute(base, name) if class_name.startswith(("keras.", "tf_keras.")) or class_name == "tensorflow.Module" else None
        return known if known is not None else Method(base, name)
    if class_name.startswith("torch.nn."):
        if name in _MODULE_METHODS:
            return Method(base, name)
        if name == "training":
            return STATIC_BOOL
        if name in ("weight", "bias", "in_proj_weight", "in_proj_bias"):
            rank = 1 if name == "bias" else None
            return Tensor("float", rank, Why(f"`{name}` of a {class_name}"), grad="leaf")
        if name in ("running_mean", "running_var"):
            return Tensor("float", 1, Why(f"`{name}` of a {class_name}"))
        if name == "num_batches_tracked":
            return Tensor("int", 0, Why(f"`{name}` of a {class_name}"))
        return Scalar("") if not name.startswith("__") else UNKNOWN
    return Method(base, name)


def class_attribute(cls: Class, name: str, frame: Frame) -> Value:
    """``Class.name``."""
    found = frame.engine.member(cls, name)
    if name == "apply" and found is None and any(base.endswith("autograd.Function") for base in external_bases(cls)):
        forward = frame.engine.member(cls, "forward")
        if forward is not None:
            return Partial(forward[2], [] if find_member(cls, "setup_context") is not None else [UNKNOWN], {})
    if found is None:
        if name in ("__name__", "__qualname__", "__module__", "__doc__"):
            return STATIC_STR
        return Scalar("") if instances.is_enum(cls) else UNKNOWN
    _, statement, value = found
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        if instances.is_enum(cls):
            return Scalar("")
    if "classmethod" in decorator_names(statement):
        return BoundMethod(cls, value)
    return value


def _super_attribute(base: Super, name: str, node: ast.AST, frame: Frame) -> Value:
    receiver = base.receiver
    cls = receiver.cls if isinstance(receiver, Instance) else receiver
    if not isinstance(cls, Class):
        return UNKNOWN
    found = frame.engine.member(cls, name, base.after)
    if found is None:
        if name == "__init__":
            return Method(receiver, "__init__")
        if isinstance(receiver, Instance) and kind_of(cls):
            if name == "call":
                return Instance(External(next(b for b in external_bases(cls) if "keras" in b)), "super")
            return Method(receiver, name)
        if isinstance(receiver, Instance) and is_module_class(cls):
            for external in external_bases(cls):
                if external.startswith("torch.nn.") and external != "torch.nn.Module":
                    return BoundMethod(receiver, External(f"{external}.{name}")) if name != "forward" else Instance(External(external), "super")
            return Method(receiver, name)
        return UNKNOWN
    _, statement, value = found
    names = decorator_names(statement)
    if "property" in names:
        return call(value, Arguments([receiver]), frame, node)
    if "staticmethod" in names:
        return value
    return BoundMethod(cls if "classmethod" in names else receiver, value)


_SIZES = {"ndim", "itemsize", "nbytes"}
_FLAGS = {
    "is_cuda", "requires_grad", "is_leaf", "is_sparse", "is_quantized", "is_meta", "is_nested", "is_mps", "is_xpu", "is_cpu", "is_mkldnn",
    "retains_grad", "is_xla",
}  # fmt: skip


def tensor_attribute(base: Tensor, name: str, node: ast.AST, frame: Frame) -> Value:
    """An attribute of a tensor: sizes and flags are known while tracing."""
    if isinstance(base, TFTensor):
        return members.tensor_attribute(base, name, node, frame)
    if name == "shape":
        return Sequence("size", [SIZE] * base.rank) if base.rank is not None else Sequence("size", None, SIZE)
    if name in _SIZES:
        return Const(base.rank) if name == "ndim" and base.rank is not None else STATIC_INT
    if name in _FLAGS:
        return STATIC_BOOL
    if name in ("dtype", "device"):
        return Scalar(f"torch.{name}")
    if name in ("T", "mT", "H", "mH", "real", "imag", "data"):
        return base.replace(grad="", nominal=base.nominal and name == "data")
    if name == "grad":
        return Union((NONE, Tensor("float", base.rank, Why("`.grad` of a tensor"))))
    if name in ("layout", "names", "grad_fn", "_version", "name"):
        if isinstance(node, (ast.expr, ast.stmt)):
            frame.engine.emit(Attribute(node, frame, f"Tensor.{name}", base))
        return Scalar("")
    if name.startswith("__") and name.endswith("__") and name not in ("__len__", "__getitem__", "__class__"):
        return Method(base, name)
    return Method(base, name)


def _array_attribute(base: Array, name: str) -> Value:
    if name == "shape":
        return Sequence("size", None, SIZE)
    if name in ("ndim", "size", "itemsize", "nbytes"):
        return STATIC_INT
    if name == "dtype":
        return Scalar("numpy.dtype")
    if name in ("T", "real", "imag", "flat"):
        return base
    return Method(base, name)


from . import externals, instances  # noqa: E402
from .tensorflow import keras_functions, members, objects  # noqa: E402
from .tensorflow.keras import kind_of  # noqa: E402
from .tensorflow.values import TFTensor  # noqa: E402  (these call back into this module)

__all__ = ["attribute", "find_member", "instance_attribute"]
