"""Methods of built-in kinds of values: tensors, arrays, lists, dicts, strings, modules of torch, and external objects."""

from __future__ import annotations

import ast

from .binding import Arguments
from .calls import call, emit_call
from .capture import TENSORFLOW
from .frame import Frame
from .torch_functions import tensor_result
from .values import (
    NONE,
    STATIC_ANY,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    UNKNOWN,
    Array,
    Class,
    Const,
    External,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Value,
    Why,
    join,
)


def call_method(receiver: Value, name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of ``receiver.name(...)``."""
    if isinstance(receiver, TFTensor):
        result = members.call_method(receiver, name, arguments, frame, node)
        emit_call(("tf.Variable." if receiver.kind == "variable" else "tf.Tensor.") + name, receiver, arguments, result, frame, node)
        return result
    if isinstance(receiver, Tensor):
        result = tensor_result(name, receiver, arguments, frame, node)
        emit_call("Tensor." + name, receiver, arguments, result, frame, node)
        return result
    if frame.capture.framework == TENSORFLOW and isinstance(receiver, (Sequence, Mapping, Instance)):
        staging.mutated(node, receiver, name, arguments.args, frame)
    if isinstance(receiver, Sequence) and receiver.kind == "size":
        of_shape = members.shape_method(receiver, name)
        if of_shape is not None:
            return of_shape
    if isinstance(receiver, Sequence):
        result = _sequence_method(receiver, name, arguments, frame, node)
        emit_call("list." + name, receiver, arguments, result, frame, node)
        return result
    if isinstance(receiver, Mapping):
        result = _mapping_method(receiver, name, arguments)
        if frame.capture.framework == TENSORFLOW:
            emit_call("dict." + name, receiver, arguments, result, frame, node)
        return result
    if isinstance(receiver, Array):
        result = _array_method(receiver, name, arguments)
        emit_call("ndarray." + name, receiver, arguments, result, frame, node)
        return result
    if isinstance(receiver, Instance):
        return _object_method(receiver, name, arguments, frame, node)
    if isinstance(receiver, (Scalar, Const)):
        result = _text_method(name, receiver)
        emit_call("str." + name, receiver, arguments, result, frame, node)
        return result
    return UNKNOWN


def _sequence_method(receiver: Sequence, name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    value = arguments.args[0] if arguments.args else UNKNOWN
    if name in ("append", "add", "appendleft"):
        if receiver.elements is not None and not frame.protected and not frame.conditions and len(receiver.elements) < 64 and frame.types is None:
            receiver.elements.append(value)
        else:
            receiver.add(value)
        return NONE
    if name in ("extend", "update", "extendleft"):
        if isinstance(value, Sequence) and value.elements is not None and receiver.elements is not None and not frame.protected and not frame.conditions:
            if len(receiver.elements) < 64:
                receiver.elements.extend(value.elements)
                return NONE
        if not (isinstance(value, Sequence) and value.elements == []):
            receiver.add(expressions.element_of(value))
        return NONE
    if name == "insert":
        receiver.add(arguments.args[1] if len(arguments.args) > 1 else UNKNOWN)
        return NONE
    if name in ("pop", "popleft"):
        if receiver.elements and not frame.protected and not frame.conditions and (not arguments.args or isinstance(value, Const)):
            try:
                return receiver.elements.pop(value.value if isinstance(value, Const) else -1)  # type: ignore[arg-type]
            except (IndexError, TypeError):
                return UNKNOWN
        return receiver.any()
    if name in ("index", "count", "numel", "__len__"):
        return Scalar("int", "shape" if receiver.kind == "size" else "static")
    if name in ("copy", "union", "intersection", "difference"):
        return Sequence(receiver.kind, list(receiver.elements) if receiver.elements is not None else None, receiver.element)
    if name in ("values", "indices") and receiver.kind == "namedtuple":
        return receiver
    if name in ("values",):
        return receiver
    return NONE if name in ("sort", "reverse", "clear", "remove", "discard") else UNKNOWN


def _mapping_method(receiver: Mapping, name: str, arguments: Arguments) -> Value:
    key = arguments.args[0] if arguments.args else UNKNOWN
    default = arguments.args[1] if len(arguments.args) > 1 else None
    if name in ("get", "pop", "setdefault"):
        if isinstance(key, Const) and isinstance(key.value, (str, int, bool, float, type(None))):
            if key.value in receiver.entries:
                found = receiver.entries[key.value]
                if name == "pop" and receiver.other is None:
                    receiver.entries.pop(key.value)
                return found
            if receiver.other is None:
                if name == "setdefault" and default is not None:
                    receiver.put(key, default, weak=True)
                return default if default is not None else NONE
            return UNKNOWN if receiver.other is UNKNOWN else join(receiver.other, default if default is not None else NONE)
        known = receiver.any()
        return UNKNOWN if known is UNKNOWN else join(known, default if default is not None else NONE)
    if name == "items":
        if receiver.other is None and len(receiver.entries) <= 8:
            return Sequence("iterator", [Sequence("tuple", [Const(k), v]) for k, v in receiver.entries.items()])
        return Sequence("iterator", None, Sequence("tuple", [STATIC_ANY, receiver.any()]))
    if name == "values":
        if receiver.other is None and receiver.kind == "dict":
            return Sequence("iterator", list(receiver.entries.values()))
        return Sequence("iterator", None, receiver.any())
    if name == "keys":
        return Sequence("iterator", [Const(k) for k in receiver.entries]) if receiver.other is None else Sequence("iterator", None, STATIC_ANY)
    if name == "update":
        if isinstance(key, Mapping):
            for k, v in key.entries.items():
                receiver.put(Const(k), v, weak=True)
            if key.other is not None:
                receiver.other = key.other if receiver.other is None else join(receiver.other, key.other)
        elif arguments.args:
            receiver.other = UNKNOWN
        for k, v in arguments.kwargs.items():
            receiver.put(Const(k), v, weak=True)
        return NONE
    if name == "copy":
        return Mapping(dict(receiver.entries), receiver.other, receiver.kind)
    if name == "to_tuple":
        return Sequence("tuple", None, receiver.any())
    return UNKNOWN


def _array_method(receiver: Array, name: str, arguments: Arguments) -> Value:
    if name in ("item", "tolist"):
        origin = "static" if receiver.constant else "data"
        return Scalar(receiver.dtype, origin) if name == "item" else Sequence("list", None, Scalar(receiver.dtype, origin))
    if name in ("any", "all", "sum", "mean", "max", "min", "prod", "std", "argmax", "argmin") and not arguments.args and "axis" not in arguments.kwargs:
        return Array("bool" if name in ("any", "all") else "int" if name.startswith("arg") else receiver.dtype, True, receiver.constant)
    if name == "astype":
        return Array("", receiver.scalar, receiver.constant)
    return Array(receiver.dtype, False, receiver.constant)


def _text_method(name: str, receiver: Scalar | Const) -> Value:
    if name in ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower", "is_integer", "isnumeric"):
        return STATIC_BOOL
    if name in ("split", "rsplit", "splitlines", "partition", "rpartition"):
        return Sequence("list", None, STATIC_STR)
    if name in ("find", "count", "index", "bit_length", "rfind"):
        return STATIC_INT
    return STATIC_STR


def _object_method(receiver: Instance, name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """A method that an object has from a class outside the project."""
    cls = receiver.cls
    if isinstance(cls, External) and objects.is_tensorflow(cls.name):
        result = objects.call_method(receiver, name, arguments, frame, node)
        emit_call(f"{cls.name}.{name}", receiver, arguments, result, frame, node)
        return result
    if isinstance(cls, Class) and (kind_of(cls) or "tensorflow.Module" in classes.external_bases(cls)):
        result = keras_functions.keras_method(receiver, name, arguments, frame, node)
        emit_call(f"keras.{kind_of(cls) or 'module'}.{name}", receiver, arguments, result, frame, node)
        return result
    if isinstance(cls, Class) or cls.name.startswith("torch.nn."):
        result = _module_method(receiver, name, arguments, frame, node)
        if name != "__init__":
            base = "torch.nn.Module" if not isinstance(cls, Class) or classes.is_module_class(cls) else (classes.external_bases(cls) or ["?"])[0]
            emit_call(f"{base}.{name}", receiver, arguments, result, frame, node)
        return result
    if cls.name == "logging.Logger":
        result = STATIC_BOOL if name == "isEnabledFor" else NONE
        emit_call("logging.Logger." + name, receiver, arguments, result, frame, node)
        return result
    result = UNKNOWN
    if cls.name.startswith("torch.distributions."):
        why = Why(f"`{name}` of a {cls.name}", frame.module.shown, getattr(node, "lineno", 0))
        result = Tensor("float" if name != "sample" or "Categorical" not in cls.name else "int", None, why)
    emit_call(f"{cls.name}.{name}", receiver, arguments, result, frame, node)
    return result


def _module_method(receiver: Instance, name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    if name == "register_buffer" or name == "register_parameter":
        target, value = (arguments.get(i, k) for i, k in ((0, "name"), (1, "tensor" if name == "register_buffer" else "param")))
        if isinstance(target, Const) and isinstance(target.value, str) and value is not None:
            if isinstance(value, Tensor):
                value = value.replace(why=Why(f"buffer `{target.value}`" if name == "register_buffer" else f"parameter `{target.value}`", frame.module.shown, getattr(node, "lineno", 0)))
            elif value is UNKNOWN:
                value = Tensor("", None, Why(f"buffer `{target.value}`", frame.module.shown, getattr(node, "lineno", 0)))
            before = receiver.attributes.get(target.value)
            receiver.attributes[target.value] = value if before is None else join(before, value)
        return NONE
    if name in ("add_module", "register_module"):
        if len(arguments.args) == 2 and isinstance(arguments.args[0], Const):
            receiver.attributes[str(arguments.args[0].value)] = arguments.args[1]
        return NONE
    if name in ("parameters", "buffers"):
        return Sequence("iterator", None, Tensor("", None, Why(f"one of the module's {name}"), grad="leaf" if name == "parameters" else ""))
    if name in ("named_parameters", "named_buffers"):
        tensor = Tensor("", None, Why("one of the module's parameters"), grad="leaf" if name == "named_parameters" else "")
        return Sequence("iterator", None, Sequence("tuple", [STATIC_STR, tensor]))
    if name in ("train", "eval", "to", "cuda", "cpu", "float", "half", "double", "requires_grad_", "apply"):
        return receiver
    if name == "forward":
        return call(receiver, arguments, frame, node)
    if name == "__init__":
        children = receiver.attributes
        if isinstance(receiver.cls, Class):
            for base in external_bases_of(receiver):
                if base in ("torch.nn.Sequential", "torch.nn.ModuleList") and arguments.args:
                    first = arguments.args[0]
                    children["#children"] = Sequence("list", list(arguments.args)) if base.endswith("Sequential") else first
        return NONE
    if name.startswith("register_") and name.endswith("hook"):
        return Instance(External("torch.utils.hooks.RemovableHandle"), "made")
    if name == "get_parameter" or name == "get_buffer":
        return Tensor("", None, Why("a parameter of the module"))
    if name in ("append", "extend") and isinstance(receiver.attributes.get("#children"), Sequence):
        children_list = receiver.attributes["#children"]
        assert isinstance(children_list, Sequence)
        if name == "append" and arguments.args:
            children_list.add(arguments.args[0])
        return NONE
    if name == "__call__":
        return call(receiver, arguments, frame, node)
    return UNKNOWN


def external_bases_of(receiver: Instance) -> list[str]:
    """The dotted names of the classes outside the project that an object's class inherits from."""
    return classes.external_bases(receiver.cls)


from . import classes, expressions  # noqa: E402
from .tensorflow import keras_functions, members, objects, staging  # noqa: E402
from .tensorflow.keras import kind_of  # noqa: E402
from .tensorflow.values import TFTensor  # noqa: E402  (these call back into this module)

__all__ = ["STATIC_ANY", "External", "call_method"]
