"""Workflow commands that GitHub shows as annotations, the worst first: it shows ten a step."""

from __future__ import annotations

from ...rules.finding import Report, Severity

_ORDER = {severity: number for number, severity in enumerate(Severity)}


def github_report(report: Report) -> str:
    """One line for each finding and problem."""
    lines = []
    for problem in report.problems:
        place = f"file={_property(problem.path)}" + (f",line={problem.line}" if problem.line else "")
        lines.append(f"::error {place},title=g2s::{_data(problem.message)}")
    for f in sorted(report.findings, key=lambda f: (_ORDER[f.severity], not f.skips_frame, bool(f.when), f.path, f.span)):
        level = "error" if f.severity is Severity.BREAK and not f.when else "warning"
        place = f"file={_property(f.path)},line={f.span.line},endLine={f.span.end_line},col={f.span.column},endColumn={f.span.end_column}"
        lines.append(f"::{level} {place},title={_property(f'{f.code} {f.name}')}::{_data(f.message)}")
    return "".join(line + "\n" for line in lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
