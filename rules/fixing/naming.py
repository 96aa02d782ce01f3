"""How new code names torch, and names that are free in a function."""

from __future__ import annotations

import ast

from ..finding import Import
from .context import FixContext


def torch_name(context: FixContext) -> tuple[str, tuple[Import, ...]]:
    """The name under which the file knows torch, and the import that is needed when it knows none."""
    for name, module in context.module_names.items():
        if module == "torch":
            return name, ()
    return "torch", (Import("torch"),)


def free_name(wanted: str, context: FixContext) -> str:
    """``wanted``, with a number when the function uses that name."""
    used = {node.id for node in ast.walk(context.function) if isinstance(node, ast.Name)}
    name, number = wanted, 2
    while name in used or not is_free(name, context):
        name, number = f"{wanted}_{number}", number + 1
    return name


def is_free(name: str, context: FixContext) -> bool:
    """Whether neither the file nor the function binds the name, so that a built-in of that name is meant."""
    if name in context.module_names:
        return False
    return not any(_binds(node, name) for node in ast.walk(context.function))


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.arg):
        return node.arg == name
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name == name
    return isinstance(node, ast.alias) and (node.asname or node.name.partition(".")[0]) == name


def dotted(node: ast.expr, context: FixContext) -> str:
    """The dotted name outside the project that an expression stands for, "" for anything else."""
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value, context)
        return f"{owner}.{node.attr}" if owner else ""
    return context.module_names.get(node.id, "") if isinstance(node, ast.Name) else ""


def source(node: ast.expr, context: FixContext) -> str:
    """The expression as it is written when it stands on one line, else as one line."""
    if node.lineno == node.end_lineno:
        span = context.span(node)
        return context.lines[span.line - 1][span.column - 1 : span.end_column - 1]
    return ast.unparse(node)


def quoted(text: str) -> str:
    """A string literal, in double quotes where that needs no escape."""
    literal = repr(text)
    return f'"{literal[1:-1]}"' if '"' not in literal else literal
