"""Which fixes a verified conversion keeps; the verifier is a stand-in that reads the converted copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph2static.convert import conversion, verified
from graph2static.convert.conversion import ConversionOptions
from graph2static.convert.verified import VerifiedResult, convert_verified
from graph2static.rules.analyze import Settings
from graph2static.rules.finding import Safety
from graph2static.verify.request import VerifyRequest
from graph2static.verify.verdict import Difference, Outcome, Verdict

from .hand_made import Rewriter


def convert(
    root: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, *rewrites: tuple[str, str]
) -> tuple[VerifiedResult, list[VerifyRequest]]:
    """Convert with a verifier that disagrees as long as ``wrong`` stands in the copy's model.py."""
    requests: list[VerifyRequest] = []

    def verify(request: VerifyRequest) -> Verdict:
        requests.append(request)
        if wrong in (request.converted / "model.py").read_text():
            return Verdict(request.target, (Outcome.EAGER_DIFFERS,), (Difference("eager", "input 1", "outputs", "3 is not 4"),))
        return Verdict(request.target, (Outcome.AGREES,))

    monkeypatch.setattr(conversion, "analyze", Rewriter(*rewrites, safety=Safety.VERIFY))
    monkeypatch.setattr(verified, "verify", verify)
    return convert_verified([root], Settings(root), ConversionOptions(unsafe=True), "model:make"), requests


def test_all_fixes_are_kept_when_the_verifier_agrees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("a = one(x)\nb = two(x)\n")
    done, requests = convert(tmp_path, monkeypatch, "never", ("one(x)", "ONE"), ("two(x)", "TWO"))
    assert done.result.changes[0].after == "a = ONE\nb = TWO\n" and not done.rolled_back
    assert len(requests) == 1 and requests[0].original == tmp_path and requests[0].target == "model:make"
    assert not requests[0].converted.exists()
    assert (tmp_path / "model.py").read_text() == "a = one(x)\nb = two(x)\n"


def test_only_the_fix_that_changes_something_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("a = one(x)\nb = two(x)\nc = three(x)\n")
    done, _ = convert(tmp_path, monkeypatch, "TWO", ("one(x)", "ONE"), ("two(x)", "TWO"), ("three(x)", "THREE"))
    assert done.result.changes[0].after == "a = ONE\nb = two(x)\nc = THREE\n"
    ((finding, reason),) = done.rolled_back
    assert finding.message == "two(x)" and "3 is not 4" in reason
    assert len(done.result.applied) == 2 and not done.result.left


def test_the_verifier_is_not_asked_when_there_is_nothing_to_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("a = x\n")
    done, requests = convert(tmp_path, monkeypatch, "never", ("one(x)", "ONE"))
    assert not done.result.changes and not requests


def test_a_fix_that_cannot_be_placed_does_not_keep_others_from_being_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("z = [p +  # why\n     q]\na = one(x)\nb = two(x)\n")
    done, _ = convert(tmp_path, monkeypatch, "TWO", ("p +  # why\n     q", "r"), ("one(x)", "ONE"), ("two(x)", "TWO"))
    assert done.result.changes[0].after.endswith("a = ONE\nb = two(x)\n")
    assert len(done.rolled_back) == 1


def test_what_the_compiled_original_already_does_wrong_counts_against_no_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another obstacle is left, the function raises when compiled, rewritten or not."""
    (tmp_path / "model.py").write_text("a = one(x)\nb = left(x)\n")

    def verify(request: VerifyRequest) -> Verdict:
        assert "left(x)" in (request.converted / "model.py").read_text()
        return Verdict(request.target, (Outcome.COMPILE_RAISES,), (Difference("compiled", "input 1", "exceptions", "left", raises=True),))

    monkeypatch.setattr(conversion, "analyze", Rewriter(("one(x)", "ONE"), safety=Safety.VERIFY))
    monkeypatch.setattr(verified, "verify", verify)
    done = convert_verified([tmp_path], Settings(tmp_path), ConversionOptions(unsafe=True), "model:make")
    assert done.result.changes[0].after == "a = ONE\nb = left(x)\n" and not done.rolled_back


def test_a_fix_that_changes_the_eager_run_is_taken_back_while_compiling_raises_anyway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("a = one(x)\nb = left(x)\n")

    def verify(request: VerifyRequest) -> Verdict:
        raising = Difference("compiled", "input 1", "exceptions", "left", raises=True)
        if "ONE" in (request.converted / "model.py").read_text():
            return Verdict(request.target, (Outcome.EAGER_DIFFERS,), (Difference("eager", "input 1", "outputs", "3 is not 4"), raising))
        return Verdict(request.target, (Outcome.COMPILE_RAISES,), (raising,))

    monkeypatch.setattr(conversion, "analyze", Rewriter(("one(x)", "ONE"), safety=Safety.VERIFY))
    monkeypatch.setattr(verified, "verify", verify)
    done = convert_verified([tmp_path], Settings(tmp_path), ConversionOptions(unsafe=True), "model:make")
    assert not done.result.changes
    ((_, reason),) = done.rolled_back
    assert "3 is not 4" in reason
