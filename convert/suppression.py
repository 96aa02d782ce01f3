"""Comments that quiet findings: ``# g2s: ignore[PTC101] reason``; ``# noqa: PTC101`` is read too."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..rules.finding import Confidence, Finding, Report, Severity, Span
from .options import UNUSED_IGNORE
from .settings_file import FileSettings

_OWN = re.compile(r"#\s*g2s:\s*ignore(?:\[([^\]]*)\])?", re.IGNORECASE)
_OURS = re.compile(r"noqa:[^\n]*\bPTC\d", re.IGNORECASE)
"""A quick look for a comment that is worth finding exactly."""
_NOQA = re.compile(r"#\s*noqa:\s*((?:[A-Z]+[0-9]+[\s,]*)+)", re.IGNORECASE)


def suppress(report: Report, root: Path, files: FileSettings, read: Callable[[Path], str | None]) -> Report:
    """The report without the findings that comments and ``per-file-ignores`` quiet, plus one for each comment that quiets nothing.

    Args:
        report: what the analyzer says.
        root: the folder that reported paths are relative to.
        files: the settings with ``per-file-ignores``.
        read: gives the text of a file, None if it cannot be read.
    """
    kept: list[Finding] = []
    by_path: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_path.setdefault(finding.path, []).append(finding)
    for path in report.read_paths or by_path:
        text = read(root / path)
        findings = by_path.get(path, [])
        if text is not None and ("g2s:" in text or ("noqa" in text and _OURS.search(text))):
            findings = _without_ignored(path, text, findings)
        kept.extend(findings)
    if files.per_file_ignores:
        kept = [f for f in kept if not _ignored_in_file(f, files)]
    return replace(report, findings=sorted(kept, key=lambda f: (f.path, f.span, f.code)))


def _ignored_in_file(finding: Finding, files: FileSettings) -> bool:
    from pathspec import GitIgnoreSpec

    return any(
        any(finding.code.startswith(code) for code in codes) and GitIgnoreSpec.from_lines([pattern]).match_file(finding.path)
        for pattern, codes in files.per_file_ignores.items()
    )


def _without_ignored(path: str, text: str, findings: list[Finding]) -> list[Finding]:
    own: dict[int, tuple[list[str] | None, int, int]] = {}
    noqa: dict[int, list[str]] = {}
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return findings
    for token in tokens:
        if token.type != tokenize.COMMENT:
            continue
        found = _OWN.search(token.string)
        if found:
            codes = [c.strip().upper() for c in found[1].split(",") if c.strip()] if found[1] is not None else None
            own[token.start[0]] = (codes, token.start[1] + found.start() + 1, token.start[1] + found.end() + 1)
        found = _NOQA.search(token.string)
        if found:
            noqa[token.start[0]] = [c.upper() for c in re.findall(r"[A-Za-z]+[0-9]+", found[1])]
    used: set[int] = set()
    kept = []
    for finding in findings:
        lines = range(finding.span.line, finding.span.end_line + 1)
        hit = next((n for n in lines if n in own and (own[n][0] is None or finding.code in (own[n][0] or ()))), None)
        if hit is not None:
            used.add(hit)
        elif not any(finding.code in noqa.get(n, ()) for n in lines):
            kept.append(finding)
    for number, (codes, start, end) in own.items():
        if number not in used:
            what = f"`g2s: ignore[{', '.join(codes)}]`" if codes is not None else "`g2s: ignore`"
            kept.append(
                Finding(
                    UNUSED_IGNORE, "unused-ignore", f"{what} quiets nothing on this line; remove it", Severity.LEGACY, Confidence.CERTAIN, path,
                    Span(number, start, number, end), "<module>", "",
                )
            )  # fmt: skip
    return kept
