"""What ``g2s check`` prints, in each format, and how it is quieted and configured."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from .running import BREAKS, CLEAN, g2s

SCHEMA = Path(__file__).parents[2] / "convert" / "reports" / "schema.json"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "model.py").write_text(BREAKS)
    return tmp_path


def lines(project: Path, *arguments: str) -> list[str]:
    done = g2s(project, "check", ".", "--format", "concise", "-q", *arguments)
    return [line.split(" ")[1] + " " + line.split(":")[1] for line in done.stdout.splitlines()]


def test_the_report_shows_source_proof_capture_and_fix(project: Path) -> None:
    text = g2s(project, "check", ".").stdout
    assert "model.py:6:8: PTC101 [break] `if` on a tensor's value" in text
    assert "6 |     if x.sum() > 0:\n  |        ^^^^^^^^^^^ parameter `x` is annotated `torch.Tensor`" in text
    assert "= captured: f" in text
    assert "Found 2 findings (2 break) in 1 of 1 captured function." in text


def test_exit_codes(project: Path) -> None:
    assert g2s(project, "check", ".").returncode == 1
    assert g2s(project, "check", ".", "--exit-zero").returncode == 0
    (project / "model.py").write_text(CLEAN)
    assert g2s(project, "check", ".").returncode == 0


def test_json_keeps_its_contract(project: Path) -> None:
    report = json.loads(g2s(project, "check", ".", "--format", "json").stdout)
    jsonschema.validate(report, json.loads(SCHEMA.read_text()))
    first = report["findings"][0]
    assert (first["code"], first["path"], first["line"], first["column"], first["end_column"]) == ("PTC101", "model.py", 6, 8, 19)
    assert report["summary"]["files"] == 1


def test_output_goes_to_a_file(project: Path) -> None:
    done = g2s(project, "check", ".", "--format", "json", "--output", "r.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert len(json.loads((project / "r.json").read_text())["findings"]) == 2


def test_github_annotations(project: Path) -> None:
    text = g2s(project, "check", ".", "--format", "github").stdout
    assert "::error file=model.py,line=6,endLine=6,col=8,endColumn=19,title=PTC101 data-dependent-branch::" in text


def test_statistics(project: Path) -> None:
    text = g2s(project, "check", ".", "--statistics").stdout
    assert "1  PTC101" in text and "1  PTC501" in text
    assert "Costliest entry: model:f, 2 findings" in text


def test_select_and_ignore(project: Path) -> None:
    assert lines(project) == ["PTC101 6", "PTC501 8"]
    assert lines(project, "--select", "PTC1") == ["PTC101 6"]
    assert lines(project, "--ignore", "PTC101") == ["PTC501 8"]
    assert lines(project, "--select", "print-while-captured") == ["PTC501 8"]


def test_comments_quiet_their_line_alone(project: Path) -> None:
    (project / "model.py").write_text(BREAKS.replace("> 0:", "> 0:  # g2s: ignore[PTC101] wanted"))
    assert lines(project) == ["PTC501 8"]
    (project / "model.py").write_text(BREAKS.replace("> 0:", "> 0:  # noqa: PTC101"))
    assert lines(project) == ["PTC501 8"]
    (project / "model.py").write_text(BREAKS.replace("> 0:", "> 0:  # g2s: ignore[PTC501]"))
    assert sorted(lines(project)) == ["G2S001 6", "PTC101 6", "PTC501 8"]


def test_a_comment_that_quiets_nothing_is_reported_in_a_clean_file(project: Path) -> None:
    (project / "model.py").write_text(CLEAN.replace("x * 2", "x * 2  # g2s: ignore[PTC101]"))
    assert lines(project) == ["G2S001 6"]


def test_settings_file(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.g2s]\nignore = ["PTC5"]\n')
    assert lines(project) == ["PTC101 6"]
    (project / "pyproject.toml").write_text('[tool.g2s]\nper-file-ignores = { "model.py" = ["PTC101"] }\n')
    assert lines(project) == ["PTC501 8"]
    (project / "pyproject.toml").write_text('[tool.g2s]\nexclude = ["model.py"]\n')
    assert lines(project) == []


def test_named_files_filter_the_report_only(project: Path) -> None:
    """A helper is flagged because of who calls it, whichever files are named."""
    (project / "pyproject.toml").write_text("")
    (project / "helper.py").write_text("def scale(t):\n    return t * t.max().item()\n")
    (project / "main.py").write_text(
        "import torch\nfrom helper import scale\n\n@torch.compile\ndef g(x: torch.Tensor):\n    return scale(x) + 1\n"
    )
    named = g2s(project, "check", "helper.py", "--format", "concise", "-q").stdout
    assert named.startswith("helper.py:2:")
    everything = g2s(project, "check", ".", "--format", "concise", "-q").stdout
    assert named.strip() in everything.splitlines()


def test_named_excluded_files_are_read_unless_forced(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.g2s]\nexclude = ["model.py"]\n')
    assert g2s(project, "check", "model.py").returncode == 1
    assert g2s(project, "check", "model.py", "--force-exclude").returncode == 0


def test_ignored_files_are_skipped(project: Path) -> None:
    (project / ".gitignore").write_text("gen*.py\n")
    (project / "generated.py").write_text(BREAKS)
    assert lines(project) == ["PTC101 6", "PTC501 8"]


def test_colour_is_asked_for(project: Path) -> None:
    assert "\x1b[" not in g2s(project, "check", ".").stdout
    assert "\x1b[" in g2s(project, "check", ".", FORCE_COLOR="1").stdout
    assert "\x1b[" not in g2s(project, "check", ".", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b[" in g2s(project, "check", ".", "--color", "always", NO_COLOR="1").stdout


def test_nothing_captured_is_said_and_an_entry_helps(project: Path) -> None:
    (project / "model.py").write_text("def predict(x):\n    import torch\n    return x.mean().item()\n")
    text = g2s(project, "check", ".").stdout
    assert "nothing in . is captured" in text and "--entry pkg.module:function" in text
    assert lines(project, "--entry", "model:predict") == ["PTC201 3"]
    (project / "entries.txt").write_text("# ours\nmodel:predict\n")
    assert lines(project, "--entry-file", "entries.txt") == ["PTC201 3"]


def test_the_users_code_is_never_run(project: Path) -> None:
    (project / "model.py").write_text(f"open({str(project / 'ran')!r}, 'w')\n" + BREAKS)
    g2s(project, "check", ".")
    g2s(project, "convert", ".")
    assert not (project / "ran").exists()


def test_check_and_convert_import_no_framework(project: Path) -> None:
    import subprocess
    import sys

    program = (
        "import sys; sys.argv = ['g2s', 'convert', '--unsafe', '.']\n"
        "from graph2static.convert.command import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert not {'torch', 'tensorflow', 'numpy'} & set(sys.modules), 'a framework was imported'\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_explain_and_rules() -> None:
    here = Path.cwd()
    page = g2s(here, "explain", "PTC101").stdout
    assert page.startswith("PTC101 data-dependent-branch · break") and "Bad:" in page and "# g2s: ignore[PTC101]" in page
    assert "PTC101" in g2s(here, "explain", "GB0170").stdout
    wrong = g2s(here, "explain", "data-dependent-brunch")
    assert (wrong.returncode, "did you mean `data-dependent-branch`?" in wrong.stderr) == (2, True)
    listed = json.loads(g2s(here, "rules", "--format", "json").stdout)
    assert all(rule["bad"] and rule["good"] and rule["summary"] for rule in listed)
