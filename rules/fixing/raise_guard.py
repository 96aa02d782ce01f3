"""A guard that raises becomes an assertion inside the graph; what runs eagerly stays as it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..finding import Declined, Fix, ReplaceStatements, Safety
from ..flow.events import Branch
from ..flow.values import Tensor
from .context import FixContext
from .naming import quoted, source, torch_name

if TYPE_CHECKING:
    import libcst as cst


def guard_fix(event: Branch, context: FixContext) -> Fix | Declined:
    """Assert inside the graph while compiling, or say why not."""
    statement = event.statement
    if (isinstance(statement, ast.If) and statement.test is event.at) or (isinstance(statement, ast.If) and _negated(statement.test) is event.at):
        if statement.orelse or len(statement.body) != 1 or not isinstance(statement.body[0], ast.Raise):
            return Declined("the branch does more than to raise")
        raised = statement.body[0].exc
        test, bad = statement.test, True
        message = raised.args[0] if isinstance(raised, ast.Call) and raised.args else None
        kind = ast.unparse(raised.func if isinstance(raised, ast.Call) else raised) if raised is not None else ""
    elif isinstance(statement, ast.Assert):
        test, bad, message, kind = statement.test, False, statement.msg, "AssertionError"
    else:
        return Declined("the test has further parts")
    if not kind or _is_elif(statement, context):
        return Declined("the exception is raised among other choices")
    if _handled(statement, context):
        return Declined("the exception may be handled by the `try` around it")
    inner = _negated(test)
    condition, flipped = (inner, True) if inner is not None else (test, False)
    if not isinstance(context.value(condition), Tensor):
        return Declined(f"`{ast.unparse(condition)}` is not only a tensor")
    torch, imports = torch_name(context)
    text = source(condition, context)
    wanted = text if bad == flipped else f"{torch}.logical_not({text})"
    words = _constant(message) or f"{'not ' if bad else ''}{ast.unparse(test)}"
    code = f"if {torch}.compiler.is_compiling():\n    {torch}._assert_async({wanted}, {quoted(words)})\n"

    def build(old: Sequence[cst.BaseStatement]) -> Sequence[cst.BaseStatement]:
        import libcst as cst

        block = cst.ensure_type(cst.parse_statement(code), cst.If)
        first = old[0]
        if isinstance(first, cst.If):
            return [block.with_changes(leading_lines=first.leading_lines, orelse=first.with_changes(leading_lines=()))]
        return [block.with_changes(orelse=cst.Else(body=cst.IndentedBlock(body=[first])))]

    return Fix(
        Safety.VERIFY,
        f"assert with {torch}._assert_async while compiling",
        (ReplaceStatements(context.span(statement), build),),
        f"while compiled, a RuntimeError with a constant message may stand for {kind}, and on CUDA it may come later",
        imports,
    )


def _negated(test: ast.expr) -> ast.expr | None:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None


def _is_elif(statement: ast.stmt, context: FixContext) -> bool:
    return isinstance(statement, ast.If) and context.lines[statement.lineno - 1].lstrip().startswith("elif")


def _handled(statement: ast.stmt, context: FixContext) -> bool:
    node: ast.AST | None = context.parent(statement)
    while node is not None:
        if isinstance(node, (ast.Try, ast.With)):
            return True
        node = context.parent(node)
    return False


def _constant(message: ast.expr | None) -> str:
    """The constant parts of a message."""
    if isinstance(message, ast.Constant) and isinstance(message.value, str):
        return message.value
    if isinstance(message, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "..." for part in message.values)
    return ""
