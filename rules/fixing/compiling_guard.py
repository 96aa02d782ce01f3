"""Output stays in eager runs and is left out of the graph."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..finding import Declined, Fix, ReplaceStatements, Safety
from ..flow.events import Call
from .context import FixContext
from .harmless import effect
from .naming import torch_name

if TYPE_CHECKING:
    import libcst as cst


def skip_while_compiling_fix(event: Call, context: FixContext) -> Fix | Declined:
    """Skip the statement while compiling, or say why not."""
    statement = context.parent(event.at)
    if not isinstance(statement, ast.Expr) or statement.value is not event.at:
        return Declined("the call is part of a larger statement, which needs its value")
    if event.callee in ("input", "breakpoint"):
        return Declined("the program waits for somebody here")
    if not isinstance(event.at, ast.Call):
        return Declined("the output is no call")
    lost = effect(event.at, context)
    if lost is not None:
        return Declined(f"`{ast.unparse(lost)}` is not proven to be without an effect that would be lost")
    torch, imports = torch_name(context)
    first, last = _neighbours(statement, context)

    def build(old: Sequence[cst.BaseStatement]) -> Sequence[cst.BaseStatement]:
        import libcst as cst

        return [cst.If(test=cst.parse_expression(f"not {torch}.compiler.is_compiling()"), body=cst.IndentedBlock(body=old))]

    return Fix(
        Safety.VERIFY,
        f"skip it while compiling, with {torch}.compiler.is_compiling()",
        (ReplaceStatements(context.span(first, last), build),),
        "the text may be missing while the function runs compiled",
        imports,
    )


def _neighbours(statement: ast.Expr, context: FixContext) -> tuple[ast.stmt, ast.stmt]:
    """The run of the same kind of statement around this one."""
    parent = context.parent(statement)
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            low = high = block.index(statement)
            while low > 0 and _same(block[low - 1], statement):
                low -= 1
            while high + 1 < len(block) and _same(block[high + 1], statement):
                high += 1
            return block[low], block[high]
    return statement, statement


def _same(other: ast.stmt, statement: ast.Expr) -> bool:
    if not isinstance(other, ast.Expr) or not isinstance(other.value, ast.Call) or not isinstance(statement.value, ast.Call):
        return False
    plain = all(isinstance(n, (ast.Name, ast.Constant, ast.Attribute, ast.JoinedStr, ast.FormattedValue, ast.expr_context)) for a in other.value.args for n in ast.walk(a))
    return plain and not other.value.keywords and ast.dump(other.value.func) == ast.dump(statement.value.func)
