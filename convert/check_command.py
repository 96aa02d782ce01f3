"""``g2s check``: analyze, quiet what is to be quiet, report."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .options import CommonOptions, Plan, plan
from .settings_file import UserError

if TYPE_CHECKING:
    from ..rules.finding import Report


@dataclass(frozen=True)
class CheckOptions:
    """The options of ``check`` alone."""

    format: str = "text"
    output: Path | None = None
    statistics: bool = False
    exit_zero: bool = False
    verbose: bool = False
    quiet: bool = False
    color: str = "auto"


def run_check(common: CommonOptions, options: CheckOptions) -> int:
    """Check and report; returns the exit code."""
    try:
        planned = plan(common, with_fixes=True)
        report = checked(planned)
        _print(render(report, planned, options), options)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if report.problems:
        return 2
    return 1 if report.findings and not options.exit_zero else 0


def checked(planned: Plan) -> Report:
    """The report on a plan, suppressions applied."""
    from ..rules.analyze import analyze
    from ..rules.source_text import SourceProblem, read_source
    from .progress import progress_bar
    from .suppression import suppress

    with progress_bar("Reading captured functions") as progress:
        report = analyze(planned.paths, planned.settings, progress)

    def read(path: Path) -> str | None:
        try:
            return read_source(path).text
        except SourceProblem:
            return None

    return suppress(report, planned.settings.root, planned.file, read)


def render(report: Report, planned: Plan, options: CheckOptions) -> str:
    """The report as text in the format asked for."""
    if options.format == "json":
        from .reports.json_report import json_report

        return json_report(report)
    if options.format == "github":
        from .reports.github import github_report

        return github_report(report)
    from .reports.style import Style

    style = Style(_wants_color(options))
    if options.statistics:
        from .reports.statistics import statistics_report

        return statistics_report(report, style)
    from .reports.text import text_report

    return text_report(report, planned, style, concise=options.format == "concise", verbose=options.verbose, quiet=options.quiet)


def _wants_color(options: CheckOptions) -> bool:
    from .reports.style import wants_color

    return options.output is None and wants_color(options.color)


def _print(text: str, options: CheckOptions) -> None:
    if options.output is not None:
        try:
            options.output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(f"--output {options.output}: {error.strerror}") from error
    elif text:
        sys.stdout.write(text)
        sys.stdout.flush()
