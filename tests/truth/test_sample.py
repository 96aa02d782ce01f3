"""The analyzer on constructs whose behaviour under the frameworks was observed."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest
from graph2static.rules.analyze import Settings, analyze

from .score import Region, Row, Score, captured_source, severities

BARS = {"sample.jsonl": (0.80, 0.80, 0.80), "tensorflow_sample.jsonl": (0.95, 0.95, 0.90)}
"""Recall, precision and exact snippets that each sample must reach."""


@pytest.fixture(scope="module", params=list(BARS))
def held(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Score]:
    name: str = request.param
    rows: list[Row] = [json.loads(line) for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()]
    folder = tmp_path_factory.mktemp("sample")
    for row in rows:
        (folder / f"{row['id'].replace('-', '_')}.py").write_text(captured_source(row), encoding="utf-8")
    report = analyze([folder], Settings(root=folder, with_fixes=False))
    assert not report.problems
    regions: dict[str, list[tuple[str, Region]]] = defaultdict(list)
    for finding in report.findings:
        regions[Path(finding.path).stem].append((finding.severity.value, (finding.span.line, finding.span.end_line, finding.code)))
    score = Score()
    for row in rows:
        counted = severities(row)
        score.hold(row, [region for severity, region in regions[row["id"].replace("-", "_")] if severity in counted])
    return name, score


def test_blocking_lines_are_found(held: tuple[str, Score]) -> None:
    name, score = held
    assert score.recall >= BARS[name][0], "\n".join(score.wrong)


def test_findings_are_true(held: tuple[str, Score]) -> None:
    name, score = held
    assert score.precision >= BARS[name][1], "\n".join(score.wrong)


def test_snippets_without_a_fault_are_mostly_silent(held: tuple[str, Score]) -> None:
    name, score = held
    assert score.exact >= BARS[name][2], "\n".join(score.wrong)
