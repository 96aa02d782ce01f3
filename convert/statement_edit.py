"""Replacing whole statements: their lines are parsed alone, rebuilt and put back, comments kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..rules.finding import ReplaceStatements
from ..rules.source_text import SourceProblem, parse_module
from .splice import Lines, Refused, Splice

if TYPE_CHECKING:
    import libcst as cst

_FIRST_BLOCK = re.compile(r"^([ \t]*)\S.*:[ \t]*(?:#.*)?\n\1([ \t]+)\S", re.MULTILINE)


def indentation_unit(text: str) -> str:
    """What one level of indentation is made of in this file."""
    found = _FIRST_BLOCK.search(text)
    return found[2] if found else "    "


def statement_splice(edit: ReplaceStatements, lines: Lines) -> Splice:
    """The splice for an edit of statements.

    Raises:
        Refused: other code shares the lines, or the rebuilt statements cannot be placed.
    """
    import libcst as cst

    span, text = edit.span, lines.text
    first = lines.offset(span.line, 1)
    begin, end = lines.region(span)
    indent, last = text[first:begin], lines.end(span.end_line)
    if indent.strip():
        raise Refused("the statement shares its line with other code")
    after = text[end:last].strip()
    if after and not after.startswith("#"):
        raise Refused("the statement shares its line with other code")
    if span.line > 1 and text[: first - 1].endswith("\\"):
        raise Refused("the statement continues a line")
    head = "if 1:\n" if indent else ""
    try:
        module = cst.parse_module(head + text[first:last] + "\n")
    except cst.ParserSyntaxError as error:
        raise Refused("the statement cannot be parsed alone") from error
    old = _statements(module, bool(indent))
    module = module.with_changes(default_indent=indentation_unit(text))
    new = _keeping_comments(old, list(edit.build(old)))
    if not new and _is_python(text[:first] + text[last + 1 :]):
        return Splice(first, min(last + 1, len(text)), "")
    if indent:
        block = module.body[0]
        assert isinstance(block, cst.If)
        module = module.with_changes(
            body=[block.with_changes(body=block.body.with_changes(body=new, indent=indent, footer=()))], header=(), footer=()
        )
    else:
        module = module.with_changes(body=new, header=(), footer=())
    code = module.code[len(head) :].rstrip("\n")
    if new and not code.strip():
        raise Refused("nothing would be left of the statement")
    return Splice(first, last, code)


def _statements(module: cst.Module, indented: bool) -> Sequence[cst.BaseStatement]:
    import libcst as cst

    if not indented:
        return [s for s in module.body if isinstance(s, cst.BaseStatement)]
    block = module.body[0]
    assert isinstance(block, cst.If) and isinstance(block.body, cst.IndentedBlock)
    if block.body.footer:
        first_lost = [line for line in block.body.footer if line.comment is not None]
        if first_lost:
            raise Refused("a comment behind the statement would be lost")
    return list(block.body.body)


def _is_python(text: str) -> bool:
    try:
        parse_module(text, Path())
    except SourceProblem:
        return False
    return True


def comments_of(nodes: Sequence[cst.CSTNode]) -> list[cst.Comment]:
    """All comments in some nodes, in order."""
    import libcst as cst
    import libcst.matchers as m

    found: list[cst.Comment] = []
    for node in nodes:
        found.extend(comment for comment in m.findall(node, m.Comment()) if isinstance(comment, cst.Comment))
    return found


def _keeping_comments(old: Sequence[cst.BaseStatement], new: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """The new statements with every comment that they lack above the first."""
    import libcst as cst

    kept = Counter(comment.value for comment in comments_of(new))
    lost = []
    for comment in comments_of(old):
        if kept[comment.value] > 0:
            kept[comment.value] -= 1
        else:
            lost.append(comment)
    if not lost:
        return new
    if not new or not isinstance(new[0], (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
        raise Refused("a comment would be lost")
    above = [*new[0].leading_lines, *(cst.EmptyLine(indent=True, comment=comment) for comment in lost)]
    return [new[0].with_changes(leading_lines=above), *new[1:]]
