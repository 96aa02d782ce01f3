"""Converts a project: analyze, apply the fixes that are allowed, and again until nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..rules.analyze import Settings, analyze
from ..rules.finding import Finding, Problem, Report, Safety
from ..rules.source_text import SourceProblem, SourceText, read_source
from .editing import apply_fixes
from .options import UNUSED_IGNORE
from .settings_file import FileSettings
from .suppression import suppress

if TYPE_CHECKING:
    from ..rules.candidates import Candidate

_MAX_ROUNDS = 10


@dataclass(frozen=True)
class ConversionOptions:
    """What may be applied: fixes equal for every input, or, with ``unsafe``, also those equal under a stated condition."""

    unsafe: bool = False
    add_functions: bool = False
    files: FileSettings = field(default_factory=FileSettings)
    """The settings file, for findings that are ignored in some files."""


@dataclass(frozen=True)
class FileChange:
    """One file before and after, as text with newline characters, and how its bytes are written."""

    path: Path
    before: str
    after: str
    encoding: str
    newline: str
    bom: bool


@dataclass
class ConversionResult:
    """What a conversion would change, what it mended, and what is left and why."""

    changes: list[FileChange] = field(default_factory=list)
    applied: list[Finding] = field(default_factory=list)
    left: list[tuple[Finding, str]] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    """With ``--add-functions``: every function that was judged."""
    problems: list[Problem] = field(default_factory=list)

    def moved(self, root: Path, to: Path) -> ConversionResult:
        """The same changes for a copy of the project; files outside ``root`` are left out."""
        inside = [change for change in self.changes if root in change.path.parents]
        changes = [replace(change, path=to / change.path.relative_to(root)) for change in inside]
        return ConversionResult(changes, self.applied, self.left, self.candidates, self.problems)


def convert_project(paths: Sequence[Path], settings: Settings, options: ConversionOptions) -> ConversionResult:
    """Convert the files under ``paths``; nothing is written.

    Args:
        paths: files and folders to convert.
        settings: how they are analyzed.
        options: which fixes may be applied.
    """
    conversion = Conversion(paths, settings, options)
    conversion.run()
    judged: list[Candidate] = []
    if options.add_functions:
        from .function_decorators import decorate

        judged = decorate(conversion, paths, settings)
    result = conversion.result()
    result.candidates = judged
    return result


class Conversion:
    """A project that is being converted in memory."""

    def __init__(self, paths: Sequence[Path], settings: Settings, options: ConversionOptions) -> None:
        self.paths = paths
        self.settings = settings
        self.options = options
        self.sources: dict[Path, str] = {}
        self.applied: list[Finding] = []
        self.problems: list[Problem] = []
        self._refused: dict[tuple[str, str, int, int], str] = {}
        self._originals: dict[Path, SourceText] = {}
        self._report: Report | None = None

    def run(self, wanted: Callable[[Finding], bool] = lambda finding: True, limit: int | None = None) -> int:
        """Apply the allowed fixes of the ``wanted`` findings until nothing changes, or ``limit`` of them; returns how many."""
        done = 0
        for _ in range(_MAX_ROUNDS):
            applied = self._round(wanted, None if limit is None else limit - done)
            done += applied
            if not applied or done == limit:
                break
        return done

    def _round(self, wanted: Callable[[Finding], bool], limit: int | None) -> int:
        by_path: dict[str, list[Finding]] = {}
        for finding in self.report().findings:
            if self.reason_left(finding) is None and wanted(finding):
                by_path.setdefault(finding.path, []).append(finding)
        self._refused.clear()
        applied: list[Finding] = []
        for path, findings in by_path.items():
            room = None if limit is None else limit - len(applied)
            if room == 0:
                break
            text = self.text(path)
            if text is None:
                continue
            edited = apply_fixes(text, findings)
            for finding, reason in edited.refused:
                self._refused[_place(finding)] = reason
            if room is not None and len(edited.applied) > room:
                edited = apply_fixes(text, edited.applied[:room])
            if edited.text != text:
                self.sources[self.settings.root / path] = edited.text
                applied.extend(edited.applied)
        self.applied.extend(applied)
        if applied:
            self._report = None
            self._refused.clear()
        return len(applied)

    def go_back(self, sources: dict[Path, str], applied: int) -> None:
        """Return to earlier texts, and to the first ``applied`` findings as those that were mended."""
        self.sources = dict(sources)
        del self.applied[applied:]
        self._report = None

    def report(self) -> Report:
        """What the analyzer says of the project as it is now."""
        if self._report is None:
            report = analyze(self.paths, self.settings, sources=dict(self.sources))
            self._report = suppress(report, self.settings.root, self.options.files, lambda path: self.text(str(path)))
        return self._report

    def text(self, path: str) -> str | None:
        """The text of a file as it is now."""
        full = self.settings.root / path
        if full in self.sources:
            return self.sources[full]
        if full not in self._originals:
            try:
                self._originals[full] = read_source(full)
            except SourceProblem:
                return None  # the analyzer has said so
        return self._originals[full].text

    def put(self, path: str, text: str) -> None:
        """Replace the text of a file."""
        self.text(path)
        self.sources[self.settings.root / path] = text
        self._report = None

    def reason_left(self, finding: Finding) -> str | None:
        """Why a finding is not mended; None if it can be."""
        fix = finding.fix
        if fix is None:
            return finding.declined or "there is no mechanical rewrite"
        if fix.safety is Safety.SUGGEST or not fix.edits:
            return f"for you to do: {fix.message}"
        if fix.safety is Safety.VERIFY and not self.options.unsafe:
            return f"needs --unsafe: {fix.condition}"
        return self._refused.get(_place(finding))

    def result(self) -> ConversionResult:
        """What has been done so far."""
        report = self.report()
        left = []
        for finding in report.findings:
            if finding.code != UNUSED_IGNORE:
                left.append((finding, self.reason_left(finding) or "not applied"))
        changes = []
        for path, text in sorted(self.sources.items()):
            original = self._originals[path]
            if text != original.text:
                changes.append(FileChange(path, original.text, text, original.encoding, original.newline, original.bom))
        return ConversionResult(changes, list(self.applied), left, [], list(dict.fromkeys([*report.problems, *self.problems])))


def _place(finding: Finding) -> tuple[str, str, int, int]:
    return finding.path, finding.code, finding.span.line, finding.span.column
