"""Conversion that keeps only the fixes with which the verifier agrees."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..rules.analyze import Settings
from ..rules.finding import Finding
from ..verify.request import VerifyRequest
from ..verify.verdict import Difference, Outcome, Verdict
from ..verify.verify import verify
from .conversion import Conversion, ConversionOptions, ConversionResult
from .writing import write_changes

_LEFT_OUT = shutil.ignore_patterns(".git", ".hg", "__pycache__", ".venv", "venv", "node_modules", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".tox")


@dataclass
class VerifiedResult:
    """A conversion and the fixes that were taken back, with the verifier's reason."""

    result: ConversionResult
    rolled_back: list[tuple[Finding, str]] = field(default_factory=list)


def convert_verified(paths: Sequence[Path], settings: Settings, options: ConversionOptions, target: str) -> VerifiedResult:
    """Convert in memory, and keep the fixes with which the target still does the same.

    All fixes are tried together first; when the verifier disagrees, one after the other. What goes wrong already when the original is
    compiled counts against no fix, as long as nothing else goes wrong: while one obstacle is left, the function still cannot be compiled.

    Args:
        paths: files and folders to convert.
        settings: how they are analyzed.
        options: which fixes may be tried.
        target: what to run, as ``g2s verify`` takes it.

    Raises:
        VerifyError: the target cannot be run.
    """
    conversion = Conversion(paths, settings, options)
    conversion.run()
    if not conversion.applied or _disagreement(conversion, target, None) is None:
        return VerifiedResult(conversion.result())
    before = verify(VerifyRequest(target, converted=settings.root, time=False))
    if _disagreement(conversion, target, before) is None:
        return VerifiedResult(conversion.result())
    conversion = Conversion(paths, settings, options)
    tried: set[tuple[str, str, str, str]] = set()
    rolled_back: list[tuple[Finding, str]] = []
    while True:
        sources, count = dict(conversion.sources), len(conversion.applied)
        if not conversion.run(lambda finding: _identity(finding) not in tried, limit=1):
            break
        finding = conversion.applied[-1]
        reason = _disagreement(conversion, target, before)
        if reason is not None:
            tried.add(_identity(finding))
            rolled_back.append((finding, reason))
            conversion.go_back(sources, count)
    result = conversion.result()
    result.left = [(finding, reason) for finding, reason in result.left if _identity(finding) not in tried]
    return VerifiedResult(result, rolled_back)


def _identity(finding: Finding) -> tuple[str, str, str, str]:
    """What names a finding although lines move: the message quotes the code."""
    return finding.path, finding.function, finding.code, finding.message


def _disagreement(conversion: Conversion, target: str, before: Verdict | None) -> str | None:
    """Why the converted project does not do the same as the original; None if it does, but for what compiling the original did ``before``."""
    root = conversion.settings.root
    with tempfile.TemporaryDirectory(prefix="g2s-convert-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / root.name
        shutil.copytree(root, copy, symlinks=True, ignore=_LEFT_OUT)
        problems = write_changes(conversion.result().moved(root, copy))
        if problems:
            return problems[0].message
        return _reason(verify(VerifyRequest(target, converted=copy, original=root, time=False)), before)


def _reason(verdict: Verdict, before: Verdict | None) -> str | None:
    known = before.differences if before is not None else ()
    left = [difference for difference in verdict.differences if not any(_is_known(difference, other) for other in known)]
    if Outcome.AGREES in verdict.outcomes or (verdict.differences and not left):
        return None
    difference = next(iter(left), None)
    return f"{difference.side}: {difference.message}" if difference is not None else "the verifier does not agree"


def _is_known(difference: Difference, before: Difference) -> bool:
    """Whether the original, once compiled, does the same wrong: another obstacle still stands, or one that has no fix."""
    if (difference.side, difference.call) != ("compiled", before.call) or before.side != "compiled":
        return False
    return (difference.raises and before.raises) or (difference.aspect, difference.message) == (before.aspect, before.message)
