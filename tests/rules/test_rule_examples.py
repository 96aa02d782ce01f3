"""The two examples on every rule's page do what the page says: in the framework, and under the analyzer."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from graph2static.rules.analyze import Settings, analyze
from graph2static.rules.finding import Finding
from graph2static.rules.registry import all_rules
from graph2static.rules.rule import Rule

ALL = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
RULES = pytest.mark.parametrize("rule", [r for r in all_rules() if r.framework == "torch"], ids=lambda rule: rule.code)


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What Dynamo does with all examples, named ``PTC101_bad`` and ``PTC101_good``."""
    sources = {f"{rule.code}_{side}": getattr(rule, side) for rule in all_rules() if rule.framework == "torch" for side in ("bad", "good")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules.observe_examples", str(tmp_path_factory.mktemp("examples"))],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return answers


def findings(folder: Path, source: str) -> list[Finding]:
    (folder / "example.py").write_text(f"{source}\n\nf = torch.compile(f)\n", encoding="utf-8")
    report = analyze([folder], Settings(root=folder, with_fixes=False))
    assert not report.problems
    return report.findings


@ALL
def test_page_is_complete(rule: Rule) -> None:
    assert rule.summary.endswith(".")
    for example in (rule.bad, rule.good):
        assert "def f(" in example and "def make_args(" in example


@RULES
def test_bad_example_breaks_the_graph_where_it_is_flagged(rule: Rule, observed: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    found = findings(tmp_path, rule.bad)
    assert {finding.code for finding in found} == {rule.code}
    breaks = observed[f"{rule.code}_bad"]["breaks"]
    assert breaks
    for line, _ in breaks:
        assert any(finding.span.line <= line <= finding.span.end_line for finding in found)
    assert {finding.graph_break for finding in found} <= {gb for _, gb in breaks} | {None}


@RULES
def test_good_example_is_one_graph_and_silent(rule: Rule, observed: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    seen = observed[f"{rule.code}_good"]
    assert (seen["breaks"], seen["error"], seen["graphs"]) == ([], None, 1)
    assert not findings(tmp_path, rule.good)
