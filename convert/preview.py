"""The small diff that a fix would make, for the help below a finding."""

from __future__ import annotations

import difflib

from ..rules.finding import Finding
from .editing import apply_fixes


def preview_diff(finding: Finding, source_text: str | None) -> str | None:
    """The lines that the finding's fix removes and adds; None when it cannot be applied.

    Args:
        finding: a finding with a fix.
        source_text: the text of its file.
    """
    if source_text is None or finding.fix is None or not finding.fix.edits:
        return None
    edited = apply_fixes(source_text, [finding])
    if not edited.applied:
        return None
    lines = difflib.unified_diff(source_text.splitlines(), edited.text.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))
