"""The small diff below a finding."""

from __future__ import annotations

from graph2static.convert.preview import preview_diff

from .hand_made import expression, finding


def test_only_the_changed_lines_are_shown() -> None:
    text = "import torch\n\n\ndef f(x):\n    y = x.item()\n    return y\n"
    assert preview_diff(finding(expression(text, "x.item()", "x")), text) == "-    y = x.item()\n+    y = x"


def test_there_is_nothing_to_show_without_edits() -> None:
    assert preview_diff(finding(), "x = 1\n") is None


def test_there_is_nothing_to_show_when_the_fix_cannot_be_placed() -> None:
    text = 'y = f"{x.item()}"\n'
    assert preview_diff(finding(expression(text, "x.item()", "x")), text) is None
