"""The two examples on every page of a rule about TensorFlow do what the page says: in the framework, and under the analyzer."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from graph2static.rules.analyze import Settings, analyze
from graph2static.rules.finding import Finding, Severity
from graph2static.rules.registry import all_rules
from graph2static.rules.rule import Rule

OURS = [rule for rule in all_rules() if rule.framework == "tensorflow"]
RULES = pytest.mark.parametrize("rule", OURS, ids=lambda rule: rule.code)


@pytest.fixture(scope="module")
def observed() -> dict[str, str]:
    """What TensorFlow does with all examples, named ``TFC101_bad`` and ``TFC101_good``."""
    sources = {f"{rule.code}_{side}": getattr(rule, side) for rule in OURS for side in ("bad", "good")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules.observe_tensorflow_examples"],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return answers


def findings(folder: Path, source: str) -> list[Finding]:
    options = re.search(r"^TF_FUNCTION_KWARGS = dict\((.*)\)$", source, re.MULTILINE)
    call = "" if "DECORATED" in source else f"f = tf.function(f, {options[1]})" if options else "f = tf.function(f)"
    (folder / "example.py").write_text(f"{source}\n\n{call}\n", encoding="utf-8")
    report = analyze([folder], Settings(root=folder, with_fixes=False))
    assert not report.problems
    return report.findings


@RULES
def test_bad_example_fails_as_its_severity_says(rule: Rule, observed: dict[str, str], tmp_path: Path) -> None:
    found = findings(tmp_path, rule.bad)
    assert rule.code in {finding.code for finding in found}
    seen = observed[f"{rule.code}_bad"]
    severity = next(finding.severity for finding in found if finding.code == rule.code)
    if severity is Severity.STALE:
        assert seen == "differs"
    elif severity is Severity.RETRACE:
        assert seen == "retraces"
    else:
        assert seen not in ("ok", "differs", "retraces")


@RULES
def test_good_example_agrees_and_is_silent(rule: Rule, observed: dict[str, str], tmp_path: Path) -> None:
    assert observed[f"{rule.code}_good"] in ("ok", "retraces")
    assert not [f for f in findings(tmp_path, rule.good) if f.severity in (Severity.BREAK, Severity.STALE)]
