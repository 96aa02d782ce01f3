"""Counts by code, and the entry that costs most."""

from __future__ import annotations

from collections import Counter

from ...rules.finding import Report
from .style import Style


def statistics_report(report: Report, style: Style) -> str:
    """A line for each code, most frequent first."""
    counts = Counter((f.code, f.name) for f in report.findings)
    lines = []
    width = max((len(str(n)) for n in counts.values()), default=1)
    for (code, name), number in counts.most_common():
        fixes = Counter(f.fix.safety.value for f in report.findings if f.code == code and f.fix is not None)
        mark = "[*]" if fixes.get("safe") or fixes.get("verify") else "   "
        told = ", ".join(f"{n} {safety}" for safety, n in sorted(fixes.items())) or "-"
        lines.append(f"{number:>{width}}  {style(code, 'red')}  {mark} {name:32} {told}")
    entries = Counter(f.entry for f in report.findings if f.entry)
    if entries:
        entry, number = entries.most_common(1)[0]
        skipping = sum(f.skips_frame for f in report.findings if f.entry == entry)
        tail = f", {skipping} of them in a loop, try or with (skips the whole function)" if skipping else ""
        lines.append(f"Costliest entry: {entry}, {number} finding{'s' if number != 1 else ''}{tail}")
    return "".join(line + "\n" for line in lines)
