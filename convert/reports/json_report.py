"""The JSON report: a versioned contract, described by ``schema.json`` beside this file."""

from __future__ import annotations

import json
from typing import Any

from ...rules.finding import Finding, Report


def json_report(report: Report) -> str:
    """One JSON object with a newline at its end."""
    from ..command import version

    document = {
        "version": 1,
        "tool": {"name": "g2s", "version": version()},
        "targets": report.targets,
        "findings": [finding_object(f) for f in report.findings],
        "errors": [{"path": p.path, "message": p.message, "line": p.line} for p in report.problems],
        "summary": {
            "files": report.files,
            "captured_functions": report.captured_functions,
            "entries": report.entries,
            "skipped": report.skipped,
            "seconds": round(report.seconds, 3),
        },
    }
    return json.dumps(document, indent=1) + "\n"


def finding_object(finding: Finding) -> dict[str, Any]:
    """A finding as the contract has it."""
    fix = finding.fix
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "path": finding.path,
        "line": finding.span.line,
        "column": finding.span.column,
        "end_line": finding.span.end_line,
        "end_column": finding.span.end_column,
        "function": finding.function,
        "entry": finding.entry,
        "call_path": [{"path": s.path, "line": s.line, "function": s.function} for s in finding.call_path],
        "when": list(finding.when),
        "proof": list(finding.proof),
        "graph_break": finding.graph_break,
        "skips_frame": finding.skips_frame,
        "fix": None if fix is None else {"safety": fix.safety.value, "message": fix.message, "condition": fix.condition},
        "no_fix_because": finding.declined,
        "url": finding.url,
    }
