"""Findings with hand-made fixes, so that the edit engine is tested apart from the rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import libcst as cst

from graph2static.rules.analyze import Settings
from graph2static.rules.finding import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Import,
    ReplaceExpression,
    ReplaceStatements,
    Report,
    Safety,
    Severity,
    Span,
)
from graph2static.rules.source_text import read_source


def span_of(text: str, piece: str) -> Span:
    """Where ``piece`` first stands in ``text``."""
    start = text.index(piece)
    end = start + len(piece)

    def place(offset: int) -> tuple[int, int]:
        return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1

    return Span(*place(start), *place(end))


def expression(text: str, old: str, new: str) -> ReplaceExpression:
    """Replace the expression ``old`` with ``new``."""
    return ReplaceExpression(span_of(text, old), lambda node: cst.parse_expression(new))


def statements(text: str, old: str, new: str) -> ReplaceStatements:
    """Replace the statements ``old`` with ``new``."""
    return ReplaceStatements(span_of(text, old), lambda nodes: [s for s in cst.parse_module(new).body if isinstance(s, cst.BaseStatement)])


def finding(
    *edits: Edit, imports: Sequence[Import] = (), safety: Safety = Safety.SAFE, path: str = "model.py", message: str = "stops"
) -> Finding:
    """A finding whose fix makes these edits."""
    condition = "" if safety is Safety.SAFE else "the shapes are equal"
    fix = Fix(safety, "mend it", tuple(edits), condition, tuple(imports))
    span = edits[0].span if edits else Span(1, 1, 1, 2)
    return Finding("PTC101", "hand-made", message, Severity.BREAK, Confidence.CERTAIN, path, span, "f", "model:f", fix=fix)


class Rewriter:
    """Stands in for the analyzer: flags each old piece of text that a file still holds, and offers the new one.

    Args:
        rewrites: pairs of an old and a new expression.
        safety: of all fixes.
    """

    def __init__(self, *rewrites: tuple[str, str], safety: Safety = Safety.SAFE) -> None:
        self.rewrites = rewrites
        self.safety = safety

    def __call__(
        self, paths: Sequence[Path], settings: Settings, progress: object = None, sources: dict[Path, str] | None = None
    ) -> Report:
        report = Report()
        for path in sorted(settings.root.rglob("*.py")):
            text = (sources or {}).get(path) or read_source(path).text
            name = path.relative_to(settings.root).as_posix()
            for old, new in self.rewrites:
                if old in text:
                    report.findings.append(finding(expression(text, old, new), safety=self.safety, path=name, message=old))
        return report
