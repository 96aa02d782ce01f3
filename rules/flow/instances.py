"""Objects: construction, dataclasses, enums and modules of ``torch.nn``."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import TYPE_CHECKING

from .annotation import annotated
from .binding import Arguments
from .capture import TENSORFLOW
from .classes import ancestry, decorator_names, external_bases, find_member, is_module_class
from .frame import Frame
from .tensorflow.keras import kind_of
from .values import (
    UNKNOWN,
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

if TYPE_CHECKING:
    from .engine import Engine

_ENUMS = {"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"}


def is_dataclass(cls: Value) -> bool:
    """Whether a class makes its constructor from annotated fields."""
    return any(
        isinstance(item, Class) and {"dataclass", "define", "frozen"} & set(decorator_names(item.node)) for item in ancestry(cls)
    ) or any(name in ("typing.NamedTuple", "pydantic.BaseModel", "flax.struct.PyTreeNode") for name in external_bases(cls))


def is_enum(cls: Value) -> bool:
    """Whether a class is an ``Enum``."""
    return any(name in _ENUMS for name in external_bases(cls))


def instantiate(cls: Class, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The object that calling a class makes."""
    engine = frame.engine
    if is_enum(cls):
        return Scalar("")
    identity: Hashable = (
        tuple([v.key() for v in arguments.args]),
        tuple([(k, v.key()) for k, v in arguments.kwargs.items()]),
        arguments.exact,
    )
    if "autograd.Function" in "".join(external_bases(cls)):
        return UNKNOWN
    return _made(engine, cls, identity, arguments, frame, node)


def entry_instance(engine: Engine, cls: Class, frame: Frame) -> Value:
    """The object that a captured method belongs to: its constructor's arguments are the caller's affair."""
    key = (cls.key(), "entry")
    if key in engine.instances:
        return engine.instances[key]
    instance = Instance(cls, "entry")
    engine.instances[key] = instance
    constructor = engine.member(cls, "__init__")
    if constructor is not None and isinstance(constructor[1], ast.FunctionDef):
        from .parameters import constructor_arguments

        owner, _, value = constructor
        statement = constructor[1]
        from .calls import call

        call(value, Arguments([instance], constructor_arguments(statement, owner.module)), frame, statement)
    elif is_dataclass(cls):
        _fill_fields(engine, instance, cls, None)
    _build(engine, instance)
    _soften(engine, instance)
    return instance


def _build(engine: Engine, instance: Instance) -> None:
    """Run the ``build`` of a Keras layer, which Keras calls before the first ``call``."""
    if not isinstance(instance.cls, Class) or not kind_of(instance.cls):
        return
    found = engine.member(instance.cls, "build")
    if found is not None and isinstance(found[1], ast.FunctionDef):
        from .calls import call

        frame = engine.module_frame(instance.cls.module)
        engine.muted += 1
        try:
            call(found[2], Arguments([instance, Sequence("tuple", None, Scalar("int"))]), frame, found[1])
        finally:
            engine.muted -= 1


def instance_from_annotation(engine: Engine, cls: Class) -> Value:
    """An object of which only the class is known."""
    if is_enum(cls):
        return Scalar("")
    if find_member(cls, "__torch_function__") is not None or "torch.Tensor" in external_bases(cls):
        return Tensor("", None, Why(f"annotated as {cls.name}, a kind of tensor"))
    key = (cls.key(), "annotated")
    if key in engine.instances:
        return engine.instances[key]
    instance = Instance(cls, "annotated")
    engine.instances[key] = instance
    if is_dataclass(cls):
        _fill_fields(engine, instance, cls, None)
    elif is_module_class(cls):
        frame = engine.module_frame(cls.module)
        made = entry_instance(engine, cls, frame)
        engine.instances[key] = made  # type: ignore[assignment]
        return made
    else:
        instance.open = True
    return instance


def _made(engine: Engine, cls: Class, identity: Hashable, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    key = (cls.key(), identity)
    known = engine.instances.get(key)
    if known is not None:
        return known
    instance = Instance(cls, identity)
    instance.local = frame.capture.framework == TENSORFLOW and not engine.muted
    instance.fresh = frame.function is not None
    instance.staged = bool(frame.capture.staged) or any(stage.tensor for stage in frame.staging)
    engine.instances[key] = instance
    constructor = engine.member(cls, "__init__")
    if constructor is not None:
        from .calls import call

        call(constructor[2], arguments.with_first(instance), frame, node)
    elif is_dataclass(cls):
        _fill_fields(engine, instance, cls, arguments)
    elif any(isinstance(base, External) and base.name.endswith(("dict", "Dict")) for base in ancestry(cls)):
        return Mapping(dict(arguments.kwargs), arguments.extra, cls.name)
    _build(engine, instance)
    _soften(engine, instance)
    return instance


def _soften(engine: Engine, instance: Instance) -> None:
    """Attributes that other methods assign may have any of their values later."""
    assert isinstance(instance.cls, Class)
    for name in engine.mutated_attributes(instance.cls):
        value = instance.attributes.get(name)
        if value is not None and not isinstance(value, (Tensor, Instance)):
            instance.attributes[name] = join(value, UNKNOWN) if not isinstance(value, Const) or value.value is None else Scalar(
                type(value.value).__name__, default=value
            )


def _fill_fields(engine: Engine, instance: Instance, cls: Class, arguments: Arguments | None) -> None:
    position = 0
    for item in reversed(ancestry(cls)):
        if not isinstance(item, Class):
            continue
        for statement in item.node.body:
            if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
                continue
            name = statement.target.id
            given = arguments.get(position, name) if arguments is not None else None
            position += 1
            if given is not None:
                instance.attributes[name] = given
                continue
            why = Why(f"field `{cls.name}.{name}` is annotated", item.module.shown, statement.lineno)
            declared = annotated(statement.annotation, item.module, why)
            default = engine.member(cls, name)
            if statement.value is None or default is None:
                instance.attributes[name] = declared
            elif arguments is not None and arguments.exact:
                instance.attributes[name] = _default_of(statement.value, default[2])
            else:
                instance.attributes[name] = declared if declared is not UNKNOWN else _loosen(default[2])
    post = engine.member(cls, "__post_init__")
    if post is not None:
        from .calls import call

        call(post[2], Arguments([instance]), engine.module_frame(cls.module), post[1])


def _default_of(node: ast.expr, value: Value) -> Value:
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg == "default" and isinstance(keyword.value, ast.Constant):
                return Const(keyword.value.value)
            if keyword.arg == "default_factory":
                name = ast.unparse(keyword.value)
                if name == "list":
                    return Sequence("list", [])
                if name == "dict":
                    return Mapping()
        return UNKNOWN if isinstance(node.func, (ast.Name, ast.Attribute)) and ast.unparse(node.func).endswith("field") else value
    return value


def _loosen(value: Value) -> Value:
    if isinstance(value, Const) and isinstance(value.value, (bool, int, float, str)):
        return Scalar(type(value.value).__name__, default=value)
    return UNKNOWN if isinstance(value, Const) else value
