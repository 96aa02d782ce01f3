"""The analyzer on constructs whose behaviour under the framework was observed."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest
from graph2static.rules.analyze import Settings, analyze
from graph2static.rules.finding import Severity

from .score import Region, Row, Score, captured_source

ROWS: list[Row] = [json.loads(line) for line in Path(__file__).with_name("sample.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def score(tmp_path_factory: pytest.TempPathFactory) -> Score:
    folder = tmp_path_factory.mktemp("sample")
    for row in ROWS:
        (folder / f"{row['id'].replace('-', '_')}.py").write_text(captured_source(row), encoding="utf-8")
    report = analyze([folder], Settings(root=folder, with_fixes=False))
    assert not report.problems
    regions: dict[str, list[Region]] = defaultdict(list)
    for finding in report.findings:
        if finding.severity is Severity.BREAK:
            regions[Path(finding.path).stem].append((finding.span.line, finding.span.end_line, finding.code))
    result = Score()
    for row in ROWS:
        result.hold(row, regions[row["id"].replace("-", "_")])
    return result


def test_breaking_lines_are_found(score: Score) -> None:
    assert score.recall >= 0.80, "\n".join(score.wrong)


def test_findings_are_true(score: Score) -> None:
    assert score.precision >= 0.80, "\n".join(score.wrong)


def test_snippets_without_a_break_are_mostly_silent(score: Score) -> None:
    assert score.exact >= 0.80, "\n".join(score.wrong)
