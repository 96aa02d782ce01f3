"""Hold findings against the lines on which the framework was seen to break.

Recall: of the breaking lines, the share that a finding covers. Precision: of the findings, the share that covers a breaking line.
Exact: the share of snippets whose findings cover all breaking lines and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]
Region = tuple[int, int, str]
"""First and last line of a finding, and its code."""


def blocking_lines(row: Row) -> set[int] | None:
    """The lines that must be found; None when compiling fails at no known line."""
    if "expect" in row:
        return {row["expect"]["line"]} if row["expect"]["graph"] in _COUNTED and row["expect"].get("line") else set()
    default = row["observed"]["default"] or {}
    lines = {one["line"] for one in default.get("breaks") or () if one.get("line")}
    outcome = str(default.get("fullgraph"))
    if lines or outcome.startswith("ok"):
        return lines
    raised = re.search(r"@line (\d+)", outcome)
    return {int(raised[1])} if raised else None


_COUNTED = {"error": {"break"}, "differs": {"break", "stale"}, "retraces": {"retrace"}}
"""The severities of findings that say what a graph of TensorFlow does otherwise than eager code."""


def severities(row: Row) -> set[str]:
    """The severities of findings that count on a snippet."""
    if "expect" not in row:
        return {"break"}
    return _COUNTED.get(row["expect"]["graph"], {"break", "stale"})


def captured_source(row: Row) -> str:
    """The snippet with the call that captures it."""
    code = row["code"].rstrip()
    if "expect" in row:
        options = re.search(r"^TF_FUNCTION_KWARGS = dict\((.*)\)$", code, re.MULTILINE)
        call = "" if re.search(r"^DECORATED = True", code, re.MULTILINE) else f"f = tf.function(f, {options[1]})" if options else "f = tf.function(f)"
        return f"{code}\n\n\n{call}".rstrip() + "\n"
    whole_module = "class M(" in code and "def f(" not in code
    return f"{code}\n\n\n{'model = torch.compile(M())' if whole_module else 'f = torch.compile(f)'}\n"


@dataclass
class Score:
    """Counts over all snippets held so far."""

    snippets: int = 0
    exact_snippets: int = 0
    blocking: int = 0
    covered: int = 0
    findings: int = 0
    true_findings: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.covered / self.blocking

    @property
    def precision(self) -> float:
        return self.true_findings / self.findings

    @property
    def exact(self) -> float:
        return self.exact_snippets / self.snippets

    def hold(self, row: Row, regions: Iterable[Region]) -> None:
        """Count one snippet with the findings on it that say that the graph breaks."""
        lines = blocking_lines(row)
        if lines is None or (lines and not row["static"]):
            return
        last = row["code"].rstrip().count("\n") + 1
        found = sorted({region for region in regions if region[0] <= last})
        covered = {line for line in lines if any(first <= line <= end for first, end, _ in found)}
        true = [region for region in found if any(region[0] <= line <= region[1] for line in lines)]
        exact = covered == lines and true == found
        self.snippets += 1
        self.exact_snippets += exact
        self.blocking += len(lines)
        self.covered += len(covered)
        self.findings += len(found)
        self.true_findings += len(true)
        if not exact:
            places = [f"{first} {code}" for first, _, code in found]
            self.wrong.append(f"{row['id']}: breaks at {sorted(lines)}, found {places} ({row['construct']})")
