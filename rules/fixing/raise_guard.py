"""A guard that raises becomes an assertion inside the graph; what runs eagerly stays as it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..finding import Declined, Fix, ReplaceStatements, Safety
from ..flow.events import Branch
from .context import FixContext
from .naming import dotted, quoted, torch_name
from .tensor_test import as_tensor, optional
from .unproven import Unproven

if TYPE_CHECKING:
    import libcst as cst

_PASSING = {f"torch.{name}" for name in ("amp.autocast", "autocast", "enable_grad", "inference_mode", "no_grad", "set_grad_enabled")}
"""Context managers that let every exception pass."""


def guard_fix(event: Branch, context: FixContext) -> Fix | Declined:
    """Assert inside the graph while compiling, or say why not."""
    try:
        return _fix(event, context)
    except Unproven as unproven:
        return Declined(str(unproven))


def _fix(event: Branch, context: FixContext) -> Fix:
    statement = event.statement
    if isinstance(statement, ast.If):
        if statement.orelse or len(statement.body) != 1 or not isinstance(statement.body[0], ast.Raise):
            raise Unproven("the branch does more than to raise")
        raised = statement.body[0].exc
        test, bad = statement.test, True
        message = raised.args[0] if isinstance(raised, ast.Call) and raised.args else None
        kind = ast.unparse(raised.func if isinstance(raised, ast.Call) else raised) if raised is not None else ""
    elif isinstance(statement, ast.Assert):
        test, bad, message, kind = statement.test, False, statement.msg, "AssertionError"
    else:
        raise Unproven("the truth of the tensor does more than to guard")
    if not kind or _is_elif(statement, context):
        raise Unproven("the exception is raised among other choices")
    _unhandled(statement, context)
    torch, imports = torch_name(context)
    inner = _negated(test)
    if bad and inner is not None:
        wanted = as_tensor(inner, context, torch)
    else:
        wanted = as_tensor(test, context, torch)
        wanted = f"{torch}.logical_not({wanted})" if bad else wanted
    conditions = optional([test], context)
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
        "; ".join([*conditions, f"while compiled, a RuntimeError with a constant message may stand for {kind}, and on CUDA it may come later"]),
        imports,
    )


def _negated(test: ast.expr) -> ast.expr | None:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None


def _is_elif(statement: ast.stmt, context: FixContext) -> bool:
    return isinstance(statement, ast.If) and context.lines[statement.lineno - 1].lstrip().startswith("elif")


def _unhandled(statement: ast.stmt, context: FixContext) -> None:
    """Make sure that nothing in the function looks at the exception.

    Raises:
        Unproven: something may.
    """
    node: ast.AST | None = context.parent(statement)
    while node is not None:
        if type(node).__name__ in ("Try", "TryStar"):
            raise Unproven("the exception may be handled by the `try` around it")
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                manager = item.context_expr
                if dotted(manager.func if isinstance(manager, ast.Call) else manager, context) not in _PASSING:
                    raise Unproven(f"the exception may be handled by `with {ast.unparse(manager)}` around it")
        node = context.parent(node)


def _constant(message: ast.expr | None) -> str:
    """The constant parts of a message."""
    if isinstance(message, ast.Constant) and isinstance(message.value, str):
        return message.value
    if isinstance(message, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "..." for part in message.values)
    return ""
