"""Annotations: the abstract value that a declared type promises."""

from __future__ import annotations

import ast

from ..index.module import Module
from .kinds import TENSOR_CLASSES
from .names import lookup
from .tensorflow.values import TFTensor, dataset
from .values import (
    NONE,
    UNKNOWN,
    Array,
    Class,
    External,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Value,
    Why,
    join_all,
)

TF_CLASSES = {
    "tensorflow.Tensor": "tensor",
    "tensorflow.Variable": "variable",
    "tensorflow.RaggedTensor": "ragged",
    "tensorflow.SparseTensor": "sparse",
    "keras.KerasTensor": "symbolic",
}
"""Classes of TensorFlow's tensors, with their kind."""
_SCALARS = {"int", "float", "bool", "str"}
_LISTS = {"list": "list", "List": "list", "Sequence": "list", "Iterable": "list", "tuple": "tuple", "Tuple": "tuple", "Set": "set", "set": "set"}
_MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict"}
_SHAPED = {"Float": "float", "Int": "int", "Int64": "int", "Int32": "int", "Bool": "bool", "Num": "", "Shaped": "", "Float32": "float", "Complex": "complex"}


def annotated(node: ast.expr | None, module: Module, why: Why, depth: int = 0) -> Value:
    """The value that an annotation promises, Unknown where it says nothing.

    Args:
        node: the annotation.
        module: where it is written, for looking up names.
        why: the proof of a tensor that it promises.
    """
    if node is None or depth > 6:
        return UNKNOWN
    if isinstance(node, ast.Constant):
        if node.value is None:
            return NONE
        if isinstance(node.value, str):
            try:
                return annotated(ast.parse(node.value.strip(), mode="eval").body, module, why, depth + 1)
            except (SyntaxError, ValueError):
                return UNKNOWN
        return UNKNOWN
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _either([annotated(node.left, module, why, depth + 1), annotated(node.right, module, why, depth + 1)])
    if isinstance(node, ast.Subscript):
        return _generic(node, module, why, depth)
    return _named(node, module, why, depth)


def _either(values: list[Value]) -> Value:
    return join_all(values)


def _generic(node: ast.Subscript, module: Module, why: Why, depth: int) -> Value:
    name = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id if isinstance(node.value, ast.Name) else ""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Optional":
        return _either([annotated(parts[0], module, why, depth + 1), NONE])
    if name == "Union":
        return _either([annotated(part, module, why, depth + 1) for part in parts])
    if name in ("Annotated", "Final", "ClassVar", "Required", "NotRequired", "Unpack"):
        return annotated(parts[0], module, why, depth + 1) if name != "Unpack" else UNKNOWN
    if name == "Literal":
        kinds = {type(p.value).__name__ for p in parts if isinstance(p, ast.Constant)}
        return Scalar(kinds.pop()) if len(kinds) == 1 else Scalar("")
    if name in ("tuple", "Tuple"):
        if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis:
            return Sequence("tuple", None, annotated(parts[0], module, why, depth + 1))
        return Sequence("tuple", [annotated(part, module, why, depth + 1) for part in parts])
    if name in _LISTS:
        return Sequence(_LISTS[name], None, annotated(parts[0], module, why, depth + 1))
    if name in _MAPPINGS:
        return Mapping(None, annotated(parts[-1], module, why, depth + 1))
    if name in _SHAPED and parts:
        inner = annotated(parts[0], module, why, depth + 1)
        return Tensor(_SHAPED[name], None, why) if isinstance(inner, Tensor) else inner
    return annotated(node.value, module, why, depth + 1)


def _named(node: ast.expr, module: Module, why: Why, depth: int) -> Value:
    target = lookup_path(node, module)
    if isinstance(target, External):
        name = target.name.removeprefix("builtins.")
        if name in TF_CLASSES:
            return TFTensor("", None, why, kind=TF_CLASSES[name])
        if name in ("tensorflow.data.Dataset",):
            return dataset(UNKNOWN)
        if name in ("tensorflow.DType", "tensorflow.dtypes.DType"):
            return Scalar("tensorflow.dtype")
        if name in TENSOR_CLASSES:
            return Tensor(TENSOR_CLASSES[name], None, why)
        if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
            return Tensor("", None, why, grad="leaf")
        if name in _SCALARS:
            return Scalar(name)
        if name in ("torch.Size",):
            return Sequence("size", None, Scalar("int", "shape"))
        if name in ("torch.device", "torch.dtype"):
            return Scalar(name)
        if name in ("list", "tuple", "set"):
            return Sequence(name, None, None)
        if name in ("dict", "collections.OrderedDict"):
            return Mapping(None, None)
        if name in ("numpy.ndarray",):
            return Array()
        if name.startswith("torch.nn.") and "functional" not in name:
            return Instance(target, "annotated")
        if not name.startswith("typing."):
            return UNKNOWN
    if isinstance(target, Class):
        return module.project.engine.annotated_instance(target)
    return _alias(node, module, why, depth)


def _alias(node: ast.expr, module: Module, why: Why, depth: int) -> Value:
    """The type that a module-level alias stands for (``OptTensor = Optional[Tensor]``), here or where it is imported from."""
    if not isinstance(node, ast.Name):
        return UNKNOWN
    for binding in module.live_bindings(node.id)[-1:]:
        statement = binding.statement
        if isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Subscript, ast.BinOp, ast.Name, ast.Attribute)):
            return annotated(statement.value, module, why, depth + 1)
        if isinstance(statement, ast.ImportFrom):
            origin = module.project.module(module.absolute(statement))
            name = next((a.name for a in statement.names if (a.asname or a.name) == node.id), None)
            if origin is not None and name is not None and origin is not module:
                return annotated(ast.Name(name, ast.Load()), origin, why, depth + 1)
    return UNKNOWN


def lookup_path(node: ast.expr, module: Module) -> Value:
    """The value of a dotted name at module level, without running anything."""
    from .names import member_of

    if isinstance(node, ast.Name):
        return lookup(module, node.id)
    if isinstance(node, ast.Attribute):
        base = lookup_path(node.value, module)
        return member_of(base, node.attr)
    return UNKNOWN
