"""Applies fixes to one source text; every character outside their edits stays."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..rules.finding import Finding, Fix, ReplaceStatements
from ..rules.source_text import SourceProblem, parse_module
from .expression_edit import expression_splice
from .import_edit import import_splice
from .places import Places
from .splice import Lines, Refused, Splice, spliced
from .statement_edit import statement_splice


@dataclass
class Edited:
    """What became of a text and of the findings whose fixes were to be applied.

    Attributes:
        text: the new text.
        applied: findings that were mended.
        waiting: findings whose fix overlaps an applied one; they are looked at again on the new text.
        refused: findings whose fix could not be placed, and why.
    """

    text: str
    applied: list[Finding] = field(default_factory=list)
    waiting: list[Finding] = field(default_factory=list)
    refused: list[tuple[Finding, str]] = field(default_factory=list)


def apply_fixes(text: str, findings: Sequence[Finding]) -> Edited:
    """Apply the fixes of some findings to the text of their file; of overlapping fixes the outer one wins.

    Args:
        text: the text of the file, with newline characters as line ends.
        findings: findings in that file that carry a fix with edits.
    """
    edited = Edited(text)
    try:
        tree = parse_module(text, Path())
    except SourceProblem:
        edited.refused.extend((finding, "the file cannot be parsed") for finding in findings)
        return edited
    lines = Lines(text)
    places = Places(tree, lines)
    planned: list[tuple[Splice, Finding, list[Splice]]] = []
    for finding in findings:
        assert finding.fix is not None
        try:
            splices = _splices(finding.fix, places, lines)
            planned.append((splices[0], finding, splices + _imports(finding.fix, tree, lines)))
        except Refused as refusal:
            edited.refused.append((finding, str(refusal)))
        except Exception as error:  # a fix that fails must cost neither the file nor the run
            edited.refused.append((finding, f"internal error in the fix: {type(error).__name__}: {error}"))
    accepted: set[Splice] = set()
    for _, finding, splices in sorted(planned, key=lambda plan: (plan[0].start, -plan[0].end)):
        if all(splice in accepted for splice in splices):
            edited.applied.append(finding)
            continue
        fresh = [splice for splice in splices if splice not in accepted]
        if any(splice.overlaps(other) for splice in fresh for other in accepted):
            edited.waiting.append(finding)
            continue
        if not _parses(spliced(text, accepted.union(fresh))):
            edited.refused.append((finding, "the result would not be Python"))
            continue
        accepted.update(fresh)
        edited.applied.append(finding)
    edited.text = spliced(text, accepted)
    return edited


def _splices(fix: Fix, places: Places, lines: Lines) -> list[Splice]:
    splices: list[Splice] = []
    for edit in fix.edits:
        if isinstance(edit, ReplaceStatements):
            if not places.are_statements(edit.span):
                raise Refused("the statements are not whole statements of one block")
            splice = statement_splice(edit, lines)
        else:
            if not places.is_expression(edit.span):
                raise Refused("the place of the expression is not certain")
            splice = expression_splice(edit, lines)
        if any(splice.overlaps(other) for other in splices):
            raise Refused("the edits of the fix overlap")
        splices.append(splice)
    return splices


def _imports(fix: Fix, tree: ast.Module, lines: Lines) -> list[Splice]:
    found = (import_splice(wanted, tree, lines) for wanted in fix.imports)
    return [splice for splice in found if splice is not None]


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<converted>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
