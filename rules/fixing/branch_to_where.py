"""A branch on a tensor becomes a selection with ``torch.where``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..finding import Declined, Fix, ReplaceExpression, ReplaceStatements, Safety
from ..flow.events import Branch
from .context import FixContext
from .elementwise import alike, elementwise
from .in_place import changes_in_place
from .naming import free_name, source, torch_name
from .tensor_test import as_tensor, optional
from .unproven import Unproven

if TYPE_CHECKING:
    import libcst as cst

_ALWAYS = "the test and the sides are on one device, none is complex, and nobody asks whether the result is the very same object as an operand"


def where_fix(event: Branch, context: FixContext) -> Fix | Declined:
    """Select with ``torch.where``, or say which condition for that is not proven."""
    if event.kind in ("while", "filter", "match", "assert", "bool"):
        return Declined("this is no choice between two values")
    try:
        return _fix(event, context)
    except Unproven as unproven:
        return Declined(str(unproven))


def _fix(event: Branch, context: FixContext) -> Fix:
    chosen = _choice(event.at, context)
    torch, imports = torch_name(context)
    if isinstance(chosen, ast.IfExp):
        text, conditions = _selected([chosen.test], [chosen.body, chosen.orelse], context, torch)
        edit: ReplaceExpression | ReplaceStatements = ReplaceExpression(context.span(chosen), _expression(text))
    else:
        edit, conditions = _statement(chosen, context, torch)
    condition = "; ".join(dict.fromkeys([*conditions, _ALWAYS]))
    return Fix(Safety.VERIFY, f"select with {torch}.where", (edit,), condition, imports)


def _choice(at: ast.AST, context: FixContext) -> ast.If | ast.IfExp:
    """The outermost statement of the ``elif`` chain, or the conditional expression, whose test holds ``at``."""
    inner: ast.AST = at
    outer = context.parent(at) if not isinstance(at, ast.If) else at
    while outer is not None:
        if isinstance(outer, (ast.If, ast.IfExp)) and (outer.test is inner or outer is at):
            break
        if not isinstance(outer, (ast.BoolOp, ast.UnaryOp, ast.Compare)):
            raise Unproven("the truth of the tensor does more than to choose between two values")
        inner, outer = outer, context.parent(outer)
    if outer is None:
        raise Unproven("the truth of the tensor does more than to choose between two values")
    if isinstance(outer, ast.If):
        above = context.parent(outer)
        while isinstance(above, ast.If) and above.orelse == [outer] and _is_elif(outer, context):
            outer, above = above, context.parent(above)
    return outer


def _is_elif(node: ast.If, context: FixContext) -> bool:
    return context.lines[node.lineno - 1].lstrip().startswith("elif")


def _selected(tests: Sequence[ast.expr], sides: Sequence[ast.expr], context: FixContext, torch: str, names: Sequence[str] = ()) -> tuple[str, list[str]]:
    """``where(test, side, where(test, side, side))`` and its conditions; ``names`` stand for tests that are computed before."""
    conditions = alike([elementwise(side, context) for side in sides])
    if any(isinstance(side, (ast.Name, ast.Attribute)) for side in sides) and changes_in_place(context.function):
        raise Unproven("a side is the tensor itself, and the function changes tensors in place")
    conditions += optional(tests, context)
    written = list(names) or [as_tensor(test, context, torch) for test in tests]
    text = source(sides[-1], context)
    for test, side in zip(reversed(written), reversed(sides[:-1]), strict=True):
        text = f"{torch}.where({test}, {source(side, context)}, {text})"
    return text, conditions


def _statement(statement: ast.If, context: FixContext, torch: str) -> tuple[ReplaceStatements, list[str]]:
    tests, blocks = [statement.test], [statement.body]
    rest = statement.orelse
    while len(rest) == 1 and isinstance(rest[0], ast.If):
        tests.append(rest[0].test)
        blocks.append(rest[0].body)
        rest = rest[0].orelse
    last: ast.stmt = statement
    if isinstance(blocks[0][-1], ast.Return):
        if not rest:
            last = _following(statement, context)
            rest = [last]
        sides = [_returned(block) for block in [*blocks, rest]]
        text, conditions = _selected(tests, sides, context, torch)
        return ReplaceStatements(context.span(statement, last), _statements([f"return {text}"])), conditions
    assigned = [_assigned(block) for block in [*blocks, rest]]
    targets = list(dict.fromkeys(name for side in assigned for name in side))
    lines: list[str] = []
    names: list[str] = []
    conditions = []
    if len(targets) > 1:
        for test in tests:
            name = free_name("condition" if len(tests) == 1 else f"condition_{len(names) + 1}", context)
            names.append(name)
            lines.append(f"{name} = {as_tensor(test, context, torch)}")
    for target in targets:
        values = [side.get(target) or _kept(target, statement, tests, assigned, context) for side in assigned]
        read = {n.id for value in values for n in ast.walk(value) if isinstance(n, ast.Name)}
        if read & set(targets) - {target}:
            raise Unproven("a side reads a name that the branch assigns")
        text, more = _selected(tests, values, context, torch, names)
        conditions.extend(more)
        lines.append(f"{target} = {text}")
    return ReplaceStatements(context.span(statement), _statements(lines)), conditions


def _following(statement: ast.If, context: FixContext) -> ast.stmt:
    parent = context.parent(statement)
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            index = block.index(statement) + 1
            if index < len(block) and isinstance(block[index], ast.Return):
                found: ast.Return = block[index]
                return found
    raise Unproven("what is returned otherwise is computed in further statements")


def _returned(block: list[ast.stmt]) -> ast.expr:
    if len(block) != 1 or not isinstance(block[0], ast.Return) or block[0].value is None:
        raise Unproven("a side does more than to return a value")
    return block[0].value


def _assigned(block: list[ast.stmt]) -> dict[str, ast.expr]:
    found: dict[str, ast.expr] = {}
    for statement in block:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
            name = statement.targets[0].id
            read = {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
            if name in found or read & set(found):
                raise Unproven("a side computes a value in several steps")
            found[name] = statement.value
        elif isinstance(statement, ast.Assign):
            raise Unproven(f"`{ast.unparse(statement.targets[0])}` is state, of which another part of the program may read the object")
        else:
            raise Unproven("a side does more than to assign values to names")
    return found


def _kept(target: str, statement: ast.If, tests: list[ast.expr], assigned: list[dict[str, ast.expr]], context: FixContext) -> ast.expr:
    """The target itself, as it is read in a test or side; there its value is known."""
    for node in (*tests, *(value for side in assigned for value in side.values())):
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id == target:
                return inner
    raise Unproven(f"`{target}` is not proven to be a tensor of the same shape before the branch")


def _expression(text: str) -> Callable[[cst.BaseExpression], cst.BaseExpression]:
    def build(old: cst.BaseExpression) -> cst.BaseExpression:
        import libcst as cst

        return cst.parse_expression(text)

    return build


def _statements(texts: Sequence[str]) -> Callable[[Sequence[cst.BaseStatement]], Sequence[cst.BaseStatement]]:
    def build(old: Sequence[cst.BaseStatement]) -> Sequence[cst.BaseStatement]:
        import libcst as cst

        return [cst.parse_statement(text) for text in texts]

    return build
