"""Classes: their bases, their members and the ancestry in which a member is looked up."""

from __future__ import annotations

import ast

from .values import Class, External, Value

_MODULE_LIKE = ("Module", "ModelHubMixin")


def ancestry(cls: Value) -> list[Value]:
    """The class and all that it inherits from, nearest first (depth first, a shared base after all that derive from it)."""
    if not isinstance(cls, Class):
        return [cls]
    if cls.mro_cache is None:
        cls.mro_cache = [cls]  # stands while bases are followed, against a cycle
        order: list[Value] = [cls]
        for base in cls.bases:
            order.extend(ancestry(base))
        seen: set[object] = set()
        result: list[Value] = []
        for item in reversed(order):
            if item.key() not in seen:
                seen.add(item.key())
                result.append(item)
        cls.mro_cache = list(reversed(result))
    return cls.mro_cache


def find_member(cls: Value, name: str, after: Class | None = None) -> tuple[Class, ast.stmt] | None:
    """The class of the project that defines a member and the defining statement; ``after`` starts behind that class (``super()``)."""
    family = ancestry(cls)
    if after is not None and after in family:
        family = family[family.index(after) + 1 :]
    for item in family:
        if isinstance(item, Class) and name in item.members:
            return item, item.members[name]
    return None


def external_bases(cls: Value) -> list[str]:
    """The dotted names of the classes outside the project that a class inherits from."""
    return [item.name for item in ancestry(cls) if isinstance(item, External)]


def is_module_class(cls: Value) -> bool:
    """Whether a class is an ``nn.Module``."""
    return any(
        not name.startswith(("tensorflow", "keras", "tf_keras"))
        and ((name.startswith("torch.nn.") and not name.startswith(("torch.nn.functional", "torch.nn.utils"))) or name.endswith(_MODULE_LIKE))
        for name in external_bases(cls)
    )


def collect_members(node: ast.ClassDef) -> dict[str, ast.stmt]:
    """The statements that bind each name in a class body, the last one last."""
    members: dict[str, ast.stmt] = {}
    stack = list(node.body)
    while stack:
        statement = stack.pop(0)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if not _is_overload(statement) and not (statement.name in members and _is_accessor(statement)):
                members[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    members[target.id] = statement
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            members[statement.target.id] = statement
        elif isinstance(statement, ast.If):
            stack = [*statement.body, *statement.orelse, *stack]
    return members


def decorator_names(node: ast.AST) -> list[str]:
    """The last part of the name of each decorator."""
    names = []
    for decorator in getattr(node, "decorator_list", []):
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(target, ast.Attribute):
            names.append(target.attr)
        elif isinstance(target, ast.Name):
            names.append(target.id)
    return names


def _is_overload(node: ast.stmt) -> bool:
    names = decorator_names(node)
    return "overload" in names or "_overload_method" in names


def _is_accessor(node: ast.stmt) -> bool:
    return bool({"setter", "deleter"} & set(decorator_names(node)))
