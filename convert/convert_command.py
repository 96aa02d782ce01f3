"""``g2s convert``: the diff, or the files written."""

from __future__ import annotations

import difflib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .options import CommonOptions, Plan, plan
from .settings_file import UserError

if TYPE_CHECKING:
    from ..rules.finding import Finding
    from .conversion import ConversionResult
    from .reports.style import Style


@dataclass(frozen=True)
class ConvertOptions:
    """The options of ``convert`` alone."""

    write: bool = False
    unsafe: bool = False
    check: bool = False
    verify: str | None = None
    add_functions: bool = False
    quiet: bool = False
    color: str = "auto"


def run_convert(common: CommonOptions, options: ConvertOptions) -> int:
    """Convert and show or write the changes; returns the exit code."""
    from .reports.style import Style, wants_color

    try:
        planned = plan(common, with_fixes=True)
        result, rolled_back = _converted(planned, options)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    style = Style(wants_color(options.color))
    problems = list(result.problems)
    if options.write:
        from .writing import write_changes

        problems.extend(write_changes(result))
    else:
        sys.stdout.write(diff_of(result, planned.settings.root, style))
    if not options.quiet:
        _tell(result, rolled_back, options)
    for problem in problems:
        place = problem.path + (f":{problem.line}" if problem.line else "")
        print(f"{place}: error: {problem.message}", file=sys.stderr)
    if problems:
        return 2
    return 1 if options.check and result.changes else 0


def _converted(planned: Plan, options: ConvertOptions) -> tuple[ConversionResult, list[tuple[Finding, str]]]:
    from .conversion import ConversionOptions, convert_project

    if options.verify is None:
        chosen = ConversionOptions(unsafe=options.unsafe, add_functions=options.add_functions, files=planned.file)
        return convert_project(planned.paths, planned.settings, chosen), []
    from ..verify.errors import VerifyError
    from .verified import convert_verified

    try:
        verified = convert_verified(planned.paths, planned.settings, ConversionOptions(unsafe=True, files=planned.file), options.verify)
    except VerifyError as error:
        raise UserError(str(error)) from error
    return verified.result, list(verified.rolled_back)


def diff_of(result: ConversionResult, root: Path, style: Style) -> str:
    """The changes as one unified diff."""
    out: list[str] = []
    for change in result.changes:
        try:
            name = change.path.relative_to(root).as_posix()
        except ValueError:
            name = change.path.as_posix()
        lines = difflib.unified_diff(change.before.splitlines(keepends=True), change.after.splitlines(keepends=True), f"a/{name}", f"b/{name}")
        for line in lines:
            text = line.rstrip("\n")
            color = "bold" if text.startswith(("+++", "---")) else "green" if text.startswith("+") else "red" if text.startswith("-") else ""
            out.append((style(text, color) if color else text) + "\n")
            if not line.endswith("\n"):
                out.append("\\ No newline at end of file\n")
    return "".join(out)


def _tell(result: ConversionResult, rolled_back: list[tuple[Finding, str]], options: ConvertOptions) -> None:
    total = len(result.applied) + len(result.left) + len(rolled_back)
    verb = "Fixed" if options.write else "Would fix"
    files = len(result.changes)
    print(f"{verb} {len(result.applied)} of {total} finding{'' if total == 1 else 's'} in {files} file{'' if files == 1 else 's'}.", file=sys.stderr)
    for finding, reason in rolled_back:
        print(f"Rolled back {finding.path}:{finding.span.line} {finding.code}: {reason}", file=sys.stderr)
    if options.add_functions:
        _tell_candidates(result)
    for finding, reason in result.left:
        print(f"Left {finding.path}:{finding.span.line} {finding.code}: {reason}", file=sys.stderr)


def _tell_candidates(result: ConversionResult) -> None:
    """What was decorated, what no longer is, and for every other function which fact was missing."""
    words = {"add": "Decorated", "remove": "Undecorated", "leave": "Not decorated"}
    counts = {verdict: sum(c.verdict == verdict for c in result.candidates) for verdict in words}
    print(f"tf.function: added to {counts['add']}, removed from {counts['remove']}, {counts['leave']} left alone.", file=sys.stderr)
    for candidate in result.candidates:
        print(f"{words[candidate.verdict]} {candidate.path}:{candidate.line} {candidate.name}: {candidate.reason}", file=sys.stderr)
