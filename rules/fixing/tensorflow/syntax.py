"""Syntax that switches AutoGraph off, in a form that it takes."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Unconverted
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, indented, lines_of, source, statements


def syntax_fix(event: Unconverted, context: FixContext) -> Fix | Declined:
    """A walrus becomes an assignment, ``match`` an ``if``, a private name a protected one."""
    try:
        if isinstance(event.at, ast.NamedExpr):
            return _walrus(event.at, context)
        if isinstance(event.at, ast.Match):
            return _match(event.at, context)
        if isinstance(event.at, ast.Attribute) and event.at.attr.startswith("__"):
            return _private(event, event.at, context)
        if event.at is event.node:
            from .unconverted import unconverted_fix

            return unconverted_fix(event, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    return Declined("no other form of this syntax is known to be equal")


def _walrus(node: ast.NamedExpr, context: FixContext) -> Fix:
    """The assignment moves in front of its statement, where nothing else runs before it."""
    around: ast.AST | None = node
    while around is not None and not isinstance(around, ast.stmt):
        around = context.parent(around)
    if not isinstance(around, (ast.If, ast.Assign, ast.Expr, ast.Return)):
        raise Unproven("the walrus stands in a loop, which asks for it again and again")
    tested = around.test if isinstance(around, ast.If) else around.value
    leftmost: ast.AST | None = tested
    while leftmost is not None and leftmost is not node:
        leftmost = leftmost.left if isinstance(leftmost, (ast.Compare, ast.BinOp)) else leftmost.operand if isinstance(leftmost, ast.UnaryOp) else None
    if leftmost is not node:
        raise Unproven("something runs before the walrus in its statement")
    block = context.parent(around)
    if isinstance(block, ast.If) and around in block.orelse and len(block.orelse) == 1:
        raise Unproven("the walrus stands in an `elif`, which may not be asked")
    name = node.target.id
    own = list(lines_of(around, context))
    text = source(node, context)
    inside = f"({text})" if f"({text})" in own[0] else text
    if inside not in own[0]:
        raise Unproven("the statement spans lines")
    own[0] = own[0].replace(inside, name, 1)
    edit = statements(around, around, [f"{name} = {source(node.value, context)}", *own], context)
    return Fix(Safety.SAFE, "assign before the test", (edit,))


def _match(node: ast.Match, context: FixContext) -> Fix:
    """``match`` on plain values as a chain of ``if``."""
    if not isinstance(node.subject, (ast.Name, ast.Attribute)):
        raise Unproven("the subject is computed")
    subject = source(node.subject, context)
    lines: list[str] = []
    for number, case in enumerate(node.cases):
        if case.guard is not None:
            raise Unproven("a case has a guard")
        body = [line for statement in case.body for line in lines_of(statement, context)]
        if isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.pattern.name is None:
            lines += ["else:" if number else "if True:", *indented(body)]
            break
        if not (isinstance(case.pattern, ast.MatchValue) and isinstance(case.pattern.value, (ast.Constant, ast.Attribute))):
            raise Unproven("a pattern is more than a plain value")
        lines += [f"{'elif' if number else 'if'} {subject} == {source(case.pattern.value, context)}:", *indented(body)]
    return Fix(Safety.SAFE, "test with `if`", (statements(node, node, lines, context),))


def _private(event: Unconverted, node: ast.Attribute, context: FixContext) -> Fix:
    """``self.__x`` becomes ``self._x`` throughout its class."""
    module = event.frame.module.tree
    cls = next((c for c in ast.walk(module) if isinstance(c, ast.ClassDef) and any(n is node for n in ast.walk(c))), None)
    if cls is None:
        raise Unproven("the class of the private name is not known")
    short = node.attr.lstrip("_")
    if any(isinstance(n, ast.Attribute) and n.attr == "_" + short for n in ast.walk(module)) or cls.bases:
        raise Unproven(f"`_{short}` may be taken, or the class has bases that may use it")
    places = [n for n in ast.walk(cls) if isinstance(n, ast.Attribute) and n.attr == node.attr]
    if any(isinstance(n, ast.Constant) and isinstance(n.value, str) and short in n.value for n in ast.walk(module)):
        raise Unproven("a string of the file holds the name")
    edits = tuple(expression(n, f"{source(n.value, context)}._{short}", context) for n in places)
    return Fix(Safety.VERIFY, f"call it `_{short}`", edits, "nobody reaches it by its mangled name, and no subclass has the new one")
