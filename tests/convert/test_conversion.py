"""A whole project converted in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph2static.convert import conversion
from graph2static.convert.conversion import ConversionOptions, ConversionResult, convert_project
from graph2static.rules.analyze import Settings
from graph2static.rules.finding import Safety

from .hand_made import Rewriter


def convert(root: Path, rewriter: Rewriter, monkeypatch: pytest.MonkeyPatch, unsafe: bool = False) -> ConversionResult:
    monkeypatch.setattr(conversion, "analyze", rewriter)
    return convert_project([root], Settings(root), ConversionOptions(unsafe=unsafe))


def test_fixes_are_applied_until_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("y = old(x)\n")
    result = convert(tmp_path, Rewriter(("old(x)", "older(x)"), ("older(x)", "new(x)")), monkeypatch)
    assert [(c.path.name, c.before, c.after) for c in result.changes] == [("model.py", "y = old(x)\n", "y = new(x)\n")]
    assert len(result.applied) == 2 and not result.left and not result.problems
    assert (tmp_path / "model.py").read_text() == "y = old(x)\n"


def test_an_inner_fix_is_applied_after_the_outer_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("y = f(g(x))\n")
    result = convert(tmp_path, Rewriter(("f(g(x))", "h(g(x))"), ("g(x)", "x")), monkeypatch)
    assert result.changes[0].after == "y = h(x)\n"


def test_a_fix_under_a_condition_waits_for_unsafe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("y = old(x)\n")
    rewriter = Rewriter(("old(x)", "new(x)"), safety=Safety.VERIFY)
    kept = convert(tmp_path, rewriter, monkeypatch)
    assert not kept.changes and not kept.applied
    assert "--unsafe" in kept.left[0][1] and "the shapes are equal" in kept.left[0][1]
    assert convert(tmp_path, rewriter, monkeypatch, unsafe=True).changes[0].after == "y = new(x)\n"


def test_a_suggestion_is_never_applied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("y = old(x)\n")
    result = convert(tmp_path, Rewriter(("old(x)", "new(x)"), safety=Safety.SUGGEST), monkeypatch, unsafe=True)
    assert not result.changes and len(result.left) == 1


def test_a_fix_that_cannot_be_placed_is_left_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("y = f(a +  # why\n      b)\n")
    result = convert(tmp_path, Rewriter(("a +  # why\n      b", "c")), monkeypatch)
    assert not result.changes and "comment" in result.left[0][1]


def test_a_fix_that_never_settles_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("y = x.t()\n")
    assert convert(tmp_path, Rewriter(("x", "x.t()")), monkeypatch).changes


def test_all_files_of_a_project_are_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.py", "b.py", "quiet.py"):
        (tmp_path / name).write_text("y = x\n" if name == "quiet.py" else "y = old(x)\n")
    result = convert(tmp_path, Rewriter(("old(x)", "new(x)")), monkeypatch)
    assert [c.path.name for c in result.changes] == ["a.py", "b.py"]
