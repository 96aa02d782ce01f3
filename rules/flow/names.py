"""Names at module level: what an import, a definition or an assignment binds them to."""

from __future__ import annotations

import ast
import builtins

from ..index.module import Module
from .classes import collect_members
from .values import UNKNOWN, Class, External, Function, ModuleRef, Sequence, Value, join_all

from .tensorflow import names as tensorflow_names

_BUILTINS = frozenset(dir(builtins))
_RENAMED = {
    "torch.functional": "torch",
    "torch._tensor.Tensor": "torch.Tensor",
    "torch.nn.parameter": "torch.nn",
    "torch.autograd.function": "torch.autograd",
    "torch._C._functions": "torch.autograd",
}


def canonical(name: str) -> str:
    """The public name of something that may be reached under several (``torch.nn.modules.linear.Linear`` -> ``torch.nn.Linear``)."""
    if name.startswith("torch."):
        if name.startswith("torch.nn.modules."):
            return "torch.nn." + name.rpartition(".")[2]
        for old, new in _RENAMED.items():
            if name == old or name.startswith(old + "."):
                return new + name[len(old) :]
    elif name.startswith("tensorflow."):
        return tensorflow_names.public(name)
    elif name.startswith("keras."):
        return tensorflow_names.public(name)
    elif name.startswith("np."):
        return "numpy" + name[2:]
    return name


def lookup(module: Module, name: str) -> Value:
    """The value of a module-level name, a builtin, or Unknown."""
    if name in module.values:
        return module.values[name]
    if name in module.pending:
        return _earlier(module, name)
    module.pending[name] = 0
    try:
        value = _lookup(module, name)
    finally:
        del module.pending[name]
    module.values[name] = value
    return value


def _earlier(module: Module, name: str) -> Value:
    """The value that a name had before the binding which reads it (``f = torch.compile(f)``)."""
    bindings = module.bindings.get(name, [])
    position = module.pending[name] + 1
    if position >= len(bindings):
        return UNKNOWN
    module.pending[name] = position
    try:
        return _bound(module, name, bindings[-1 - position].statement)
    finally:
        module.pending[name] = position - 1


def _lookup(module: Module, name: str) -> Value:
    bindings = module.live_bindings(name)
    if bindings:
        values = [_bound(module, name, binding.statement) for binding in bindings]
        return join_all(values)
    for star in module.stars:
        if not module.project.may_export(star, name):
            continue
        origin = module.project.module(star, module)
        if origin is not None and origin is not module:
            if name in origin.bindings or origin.stars:
                found = lookup(origin, name)
                if not (isinstance(found, External) and found.name.startswith("builtins.")) and found is not UNKNOWN:
                    return found
        elif origin is None and name not in _BUILTINS and not name.startswith("_"):
            return External(canonical(f"{star}.{name}"))
    if name in _BUILTINS:
        return External("builtins." + name)
    inner = module.inner_imports.get(name)
    return import_module(module, inner) if inner is not None else UNKNOWN


def _bound(module: Module, name: str, statement: ast.stmt) -> Value:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return module.project.engine.decorated(Function(statement, module, statement.name), statement, module)
    if isinstance(statement, ast.ClassDef):
        return define_class(statement, module, statement.name)
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            if alias.asname == name:
                return import_module(module, alias.name)
            if alias.asname is None and alias.name.partition(".")[0] == name:
                return import_module(module, name)
        return UNKNOWN
    if isinstance(statement, ast.ImportFrom):
        for alias in statement.names:
            if (alias.asname or alias.name) == name:
                return import_from(module, module.absolute(statement), alias.name)
        return UNKNOWN
    return module.project.engine.module_assignment(module, name, statement)


def import_module(module: Module, dotted: str) -> Value:
    """The value that ``import dotted`` binds."""
    found = module.project.module(dotted, module)
    if found is not None:
        return ModuleRef(found)
    return External(canonical(dotted))


def import_from(module: Module, origin_name: str, name: str) -> Value:
    """The value that ``from origin_name import name`` binds."""
    origin = module.project.module(origin_name, module)
    if origin is None or name not in origin.bindings:
        submodule = module.project.module(f"{origin_name}.{name}", module)
        if submodule is not None:
            return ModuleRef(submodule)
    if origin is not None and (name in origin.bindings or origin.stars):
        if origin is module:
            return UNKNOWN
        found = lookup(origin, name)
        if found is not UNKNOWN or name in origin.bindings:
            return found
    if origin is not None:
        return UNKNOWN
    if module.project.is_package(origin_name):
        return UNKNOWN
    return External(canonical(f"{origin_name}.{name}"))


def member_of(base: Value, name: str) -> Value:
    """``base.name`` for a module, an external name or a class, without running anything."""
    if isinstance(base, ModuleRef):
        if name not in base.module.bindings:
            submodule = base.module.project.module(f"{base.module.name}.{name}")
            if submodule is not None:
                return ModuleRef(submodule)
        return lookup(base.module, name) if name in base.module.bindings or base.module.stars else UNKNOWN
    if isinstance(base, External):
        return External(canonical(f"{base.name}.{name}"))
    return UNKNOWN


def define_class(node: ast.ClassDef, module: Module, qualname: str, closure: dict[str, Value] | None = None) -> Class:
    """The class that a ``class`` statement makes."""
    known = module.project.engine.classes.get(node)
    if known is not None:
        return known
    cls = Class(node, module, qualname, closure)
    module.project.engine.classes[node] = cls
    cls.members = collect_members(node)
    for base in node.bases:
        target = base.value if isinstance(base, ast.Subscript) else base
        value = _base(target, module, closure)
        if isinstance(value, (Class, External)):
            cls.bases.append(value)
        elif isinstance(value, Sequence):
            continue
        else:
            cls.bases.append(External("?." + ast.unparse(target)))
    if not cls.bases:
        cls.bases.append(External("builtins.object"))
    return cls


def _base(node: ast.expr, module: Module, closure: dict[str, Value] | None) -> Value:
    if isinstance(node, ast.Name):
        if closure is not None and node.id in closure:
            return closure[node.id]
        return lookup(module, node.id)
    if isinstance(node, ast.Attribute):
        return member_of(_base(node.value, module, closure), node.attr)
    return UNKNOWN
