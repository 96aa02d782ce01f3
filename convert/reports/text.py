"""The report for people, in the manner of ruff: place, code, message, the source with the span marked, help."""

from __future__ import annotations

from pathlib import Path

from ...rules.finding import Finding, Report, Safety, Severity
from ..options import Plan
from .style import Style

_COLORS = {Severity.BREAK: "red", Severity.STALE: "red", Severity.RETRACE: "yellow", Severity.SYNC: "yellow", Severity.LEGACY: "blue"}


def text_report(report: Report, planned: Plan, style: Style, concise: bool = False, verbose: bool = False, quiet: bool = False) -> str:
    """All findings, problems and a summary."""
    out: list[str] = []
    sources = _Sources(planned.settings.root)
    for finding in report.findings:
        out.append(_headline(finding, style))
        if not concise:
            out.extend(_frame(finding, sources, style))
            out.extend(_notes(finding, style, verbose))
            out.extend(_help(finding, sources, style))
            out.append("")
    for problem in report.problems:
        place = problem.path + (f":{problem.line}" if problem.line else "")
        out.append(f"{place}: {style('error', 'red')}: {problem.message}")
    if report.problems and not concise:
        out.append("")
    if not quiet:
        out.extend(_summary(report, planned, style))
    return "".join(line + "\n" for line in out)


class _Sources:
    """Lines of the files that findings lie in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._texts: dict[str, str] = {}

    def text(self, path: str) -> str:
        if path not in self._texts:
            from ...rules.source_text import SourceProblem, read_source

            try:
                self._texts[path] = read_source(self.root / path).text
            except SourceProblem:
                self._texts[path] = ""
        return self._texts[path]

    def lines(self, path: str) -> list[str]:
        return self.text(path).split("\n")


def _headline(finding: Finding, style: Style) -> str:
    place = f"{style(finding.path, 'bold')}:{finding.span.line}:{finding.span.column}"
    kind = style(f"[{finding.severity.value}]", _COLORS[finding.severity])
    likely = " (likely)" if finding.confidence.value == "likely" else ""
    return f"{place}: {style(finding.code, 'red')} {kind} {finding.message}{likely}"


def _frame(finding: Finding, sources: _Sources, style: Style) -> list[str]:
    lines = sources.lines(finding.path)
    span = finding.span
    if span.line > len(lines):
        return []
    last = min(span.end_line, span.line + 4, len(lines))
    first = max(1, span.line - 1)
    after = min(last + 1, len(lines))
    width = len(str(after))
    bar = style("|", "blue")
    out = [f"{' ' * width} {bar}"]
    for number in range(first, after + 1):
        text = lines[number - 1].rstrip("\r").expandtabs(4) if "\t" in lines[number - 1] else lines[number - 1].rstrip("\r")
        if not text.strip() and number != span.line:
            continue
        out.append(f"{style(str(number).rjust(width), 'blue')} {bar} {text}".rstrip())
        if number == span.line:
            raw = lines[number - 1]
            shift = len(raw[: span.column - 1].expandtabs(4)) if "\t" in raw else span.column - 1
            end = span.end_column - 1 if span.end_line == span.line else len(raw.rstrip("\r"))
            hint = f" {finding.proof[0]}" if finding.proof else ""
            out.append(f"{' ' * width} {bar} {' ' * shift}{style('^' * max(1, end - span.column + 1), 'red')}{hint}")
    out.append(f"{' ' * width} {bar}")
    return out


def _notes(finding: Finding, style: Style, verbose: bool) -> list[str]:
    out = []
    if finding.entry:
        calls = " > ".join([*(s.function for s in finding.call_path), finding.function])
        out.append(f"  = captured: {calls}" if not verbose else f"  = captured: {finding.entry}")
    if finding.when:
        out.append(f"  = when: {' and '.join(finding.when)}")
    if finding.skips_frame:
        out.append("  = the whole function runs eagerly: the break lies in a loop, a try or a context manager")
    if finding.graph_break:
        out.append(f"  = graph break: {finding.graph_break}")
    if verbose:
        out.extend(f"  = called at: {s.path}:{s.line} in {s.function}" for s in finding.call_path)
        out.extend(f"  = proof: {proof}" for proof in finding.proof)
    return out


def _help(finding: Finding, sources: _Sources, style: Style) -> list[str]:
    fix = finding.fix
    if fix is None:
        return [f"{style('help', 'cyan')}: no rewrite is offered: {finding.declined}"] if finding.declined else []
    condition = f"; {fix.condition}" if fix.condition else ""
    out = [f"{style('help', 'cyan')}: {fix.message}{condition} [{fix.safety.value}]"]
    if fix.edits:
        from ..preview import preview_diff

        diff = preview_diff(finding, sources.text(finding.path))
        for line in (diff or "").splitlines():
            color = "green" if line.startswith("+") else "red" if line.startswith("-") else "dim"
            out.append("   " + style(line, color))
    return out


def _summary(report: Report, planned: Plan, style: Style) -> list[str]:
    out = []
    count = len(report.findings)
    if count:
        kinds: dict[str, int] = {}
        for finding in report.findings:
            kinds[finding.severity.value] = kinds.get(finding.severity.value, 0) + 1
        told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        where = len({(f.path, f.function) for f in report.findings})
        out.append(f"Found {count} finding{_s(count)} ({told}) in {where} of {report.captured_functions} captured function{_s(report.captured_functions)}.")
    elif report.captured_functions and report.files:
        out.append(f"Nothing blocks capture in {report.captured_functions} captured function{_s(report.captured_functions)}.")
    skipped = "; ".join(f"{number} {reason}" for reason, number in report.skipped.items())
    failed = f"; {len(report.problems)} not read: {report.problems[0].path}" if report.problems else ""
    out.append(f"Read {report.files} file{_s(report.files)} in {report.seconds:.1f} s{'; skipped: ' + skipped if skipped else ''}{failed}.")
    if not report.entries:
        named = " ".join(str(_short(p)) for p in planned.paths)
        out.append(f"warning: nothing in {named} is captured (no torch.compile, torch.export, Module.forward, tf.function or Keras layer).")
        out.append(f"         Name a start: g2s check {named} --entry pkg.module:function")
    safe = sum(f.fix is not None and f.fix.safety is Safety.SAFE for f in report.findings)
    verify = sum(f.fix is not None and f.fix.safety is Safety.VERIFY for f in report.findings)
    if safe or verify:
        offers = []
        if safe:
            offers.append(f"{safe} fixable with `g2s convert`")
        if verify:
            offers.append(f"{verify} more with --unsafe" if safe else f"{verify} fixable with `g2s convert --unsafe`")
        out.append(f"[*] {', '.join(offers)}. More: g2s explain {report.findings[0].code}")
    return out


def _short(path: Path) -> Path:
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path


def _s(number: int) -> str:
    return "" if number == 1 else "s"
