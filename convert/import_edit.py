"""Adding a module-level import where its readers would look for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..rules.finding import Import
from .splice import Lines, Refused, Splice


def import_splice(wanted: Import, tree: ast.Module, lines: Lines) -> Splice | None:
    """The splice that adds an import; None when the file has it.

    Raises:
        Refused: the name means something else in this file.
    """
    bound = wanted.name or wanted.module.partition(".")[0]
    if any(isinstance(node, (ast.Import, ast.ImportFrom)) and _provides(node, wanted) for node in _run_at_import(tree)):
        return None
    if bound in _bound_names(tree):
        raise Refused(f"`{bound}` means something else in this file")
    code = f"from {wanted.module} import {wanted.name}\n" if wanted.name else f"import {wanted.module}\n"
    line = _line_before(tree, wanted) or _header(lines.text)
    at = lines.end(line) + 1 if line else 0
    if at > len(lines.text):
        return Splice(len(lines.text), len(lines.text), "\n" + code)
    return Splice(at, at, code)


def _provides(node: ast.Import | ast.ImportFrom, wanted: Import) -> bool:
    if isinstance(node, ast.Import):
        return wanted.name is None and any(a.asname is None and (a.name + ".").startswith(wanted.module + ".") for a in node.names)
    return node.level == 0 and node.module == wanted.module and any(a.name == wanted.name and a.asname is None for a in node.names)


def _run_at_import(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported; what only type checkers read is left out."""
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            pending.extend(node.orelse)
        elif isinstance(node, (ast.If, ast.Try, ast.With, ast.ExceptHandler)):
            pending.extend(ast.iter_child_nodes(node))


def _header(text: str) -> int:
    """The number of comment lines at the top: the interpreter, the encoding, the licence."""
    count = 0
    for line in text.split("\n"):
        if not line.startswith("#"):
            break
        count += 1
    return count


def _bound_names(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(a.asname or a.name.partition(".")[0] for a in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        pending.extend(ast.iter_child_nodes(node))
    return names


def _line_before(tree: ast.Module, wanted: Import) -> int:
    """The line below which the import goes; 0 for the top of the file."""
    after = 0
    body = list(tree.body)
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
        after = body.pop(0).end_lineno or 0
    while body and isinstance(body[0], ast.ImportFrom) and body[0].module == "__future__":
        after = body.pop(0).end_lineno or 0
    for node in body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            break
        name = node.names[0].name if isinstance(node, ast.Import) else node.module or ""
        if (isinstance(node, ast.ImportFrom) and node.level) or (
            name > wanted.module and isinstance(node, ast.Import) == (wanted.name is None)
        ):
            break
        after = node.end_lineno or after
    return after
