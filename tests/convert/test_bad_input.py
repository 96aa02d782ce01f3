"""Bad input: one diagnostic that names it, the rest go on, exit code 2, no traceback, nothing half written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from .running import BREAKS, g2s


def _huge(path: Path) -> None:
    path.write_bytes(b"a" * 20_000_000)



BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "syntax": (lambda p: p.write_text("x = 1\ndef f(:\n"), "bad.py:2: error: syntax error"),
    "not utf-8": (lambda p: p.write_bytes(b"import torch\nx = '\xe9'\n"), "bad.py:"),
    "unknown encoding": (lambda p: p.write_text("# -*- coding: no-such -*-\n"), "bad.py:1: error: declares an encoding"),
    "huge": (_huge, "bad.py: error: too large"),
    "binary": (lambda p: p.write_bytes(b"\x00\x01\x02"), "bad.py: error: a binary file"),
    "deep": (lambda p: p.write_text("import torch\nx = " + "(" * 10_000 + ")" * 10_000), "bad.py"),
    "broken link": (lambda p: p.symlink_to("nowhere.py"), "bad.py: error: a broken link"),
    "loop of links": (lambda p: p.symlink_to("bad.py"), "bad.py: error: a loop of links"),
}


@pytest.mark.parametrize("name", BAD)
def test_one_diagnostic_and_the_rest_go_on(name: str, tmp_path: Path) -> None:
    make, expected = BAD[name]
    make(tmp_path / "bad.py")
    (tmp_path / "good.py").write_text(BREAKS)
    done = g2s(tmp_path, "check", ".", "--format", "concise")
    assert done.returncode == 2
    assert expected in done.stdout
    assert "good.py:6:8: PTC101" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert sum("bad.py" in line and "error" in line for line in done.stdout.splitlines()) == 1


@pytest.mark.parametrize("name", [n for n in BAD if "link" not in n])
def test_conversion_leaves_a_bad_file_alone(name: str, tmp_path: Path) -> None:
    make, _ = BAD[name]
    make(tmp_path / "bad.py")
    (tmp_path / "good.py").write_text(BREAKS)
    before = (tmp_path / "bad.py").read_bytes()
    done = g2s(tmp_path, "convert", "--write", "--unsafe", ".")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert (tmp_path / "bad.py").read_bytes() == before
    assert "is_compiling" in (tmp_path / "good.py").read_text()
    assert sorted(os.listdir(tmp_path)) == ["bad.py", "good.py"]


def test_latin_1_is_read_by_its_comment(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_bytes(b"# -*- coding: latin-1 -*-\nname = '\xe9'\n" + BREAKS.encode())
    done = g2s(tmp_path, "check", "old.py", "--format", "concise", "-q")
    assert done.stdout.startswith("old.py:8:8: PTC101")


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    done = g2s(tmp_path, "check", "nowhere.py")
    assert (done.returncode, "nowhere.py: error: no such file or folder" in done.stdout) == (2, True)


def test_a_notebook_is_named(tmp_path: Path) -> None:
    (tmp_path / "n.ipynb").write_text("{}")
    done = g2s(tmp_path, "check", "n.ipynb")
    assert (done.returncode, "n.ipynb: error: a notebook" in done.stdout) == (2, True)


def test_an_empty_file_is_nothing_to_report(tmp_path: Path) -> None:
    (tmp_path / "empty.py").touch()
    done = g2s(tmp_path, "check", ".")
    assert done.returncode == 0
    assert "nothing in . is captured" in done.stdout


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('[tool.g2s]\nselct = ["PTC"]\n', "pyproject.toml:2: unknown key `selct` in [tool.g2s]; did you mean `select`?"),
        ('[tool.g2s]\nselect = ["PTX"]\n', "pyproject.toml:2: select: there is no rule `PTX`"),
        ("[tool.g2s]\nselect = 3\n", "pyproject.toml:2: select must be a list of strings"),
        ("[tool.g2s\n", "at line 1"),
    ],
)
def test_a_bad_settings_file(content: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(content)
    (tmp_path / "m.py").write_text(BREAKS)
    done = g2s(tmp_path, "check", ".")
    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_code_is_corrected(tmp_path: Path) -> None:
    done = g2s(tmp_path, "check", ".", "--select", "PTC109")
    assert (done.returncode, "there is no rule `PTC109`; did you mean `PTC" in done.stderr) == (2, True)


def test_an_entry_that_names_nothing(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(BREAKS)
    done = g2s(tmp_path, "check", ".", "--entry", "m:nothing")
    assert done.returncode == 2
    assert "m:nothing: error: this entry names nothing" in done.stdout
