"""``g2s explain`` and ``g2s rules``: the rules' own pages."""

from __future__ import annotations

import json
import sys
from typing import Any

from ..rules.registry import all_rules
from ..rules.rule import Rule
from .settings_file import suggestion


def run_explain(code: str, format: str) -> int:
    """Print the page of a rule, or of the rules that stand for a graph break's id."""
    wanted = code.strip()
    found = [r for r in all_rules() if wanted.upper() == r.code or wanted.lower() == r.name or (r.graph_break and wanted.upper() == r.graph_break)]
    if not found:
        known = [r.code for r in all_rules()] + [r.name for r in all_rules()]
        print(f"error: there is no rule `{code}`{suggestion(wanted.upper(), known) or suggestion(wanted, known)}", file=sys.stderr)
        return 2
    if format == "json":
        print(json.dumps([_object(rule) for rule in found], indent=1))
    else:
        print("\n\n".join(_page(rule) for rule in found))
    return 0


def _page(rule: Rule) -> str:
    fix = f"fix: {rule.fix_safety}" if rule.fix_safety else "no mechanical fix"
    head = f"{rule.code} {rule.name} · {rule.severity.value} · {fix}" + (f" · {rule.graph_break}" if rule.graph_break else "")
    return f"{head}\n\n{rule.docstring.strip()}\n\nQuiet it: # g2s: ignore[{rule.code}] reason"


def _object(rule: Rule) -> dict[str, Any]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "graph_break": rule.graph_break,
        "summary": rule.summary,
        "explanation": rule.docstring,
        "bad": rule.bad,
        "good": rule.good,
        "fix": rule.fix_safety or None,
    }


def run_rules(format: str) -> int:
    """List all rules."""
    if format == "json":
        print(json.dumps([_object(rule) for rule in all_rules()], indent=1))
    else:
        for rule in all_rules():
            print(f"{rule.code}  {rule.name:30} {rule.severity.value:8} {rule.fix_safety or '-':16} {rule.summary}")
    return 0
