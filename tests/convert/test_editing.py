"""Fixes applied to one text."""

from __future__ import annotations

from typing import NoReturn

import pytest

from graph2static.convert.editing import apply_fixes
from graph2static.rules.finding import Import, ReplaceExpression, Span

from .hand_made import expression, finding, span_of, statements


def converted(text: str, *edits: tuple[str, str]) -> str:
    """The text with expressions replaced by one fix each, all of which must succeed."""
    edited = apply_fixes(text, [finding(expression(text, old, new)) for old, new in edits])
    assert not edited.refused and not edited.waiting
    return edited.text


def refusal(text: str, old: str, new: str) -> str:
    """Why a replacement of statements is refused; the text must be untouched."""
    edited = apply_fixes(text, [finding(statements(text, old, new))])
    assert edited.text == text and not edited.applied
    return edited.refused[0][1]


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        ("y = x.item() * 2\n", "x.item()", "a + b", "y = (a + b) * 2\n"),
        ("y = x.item() + 2\n", "x.item()", "a * b", "y = a * b + 2\n"),
        ("y = x.item()\n", "x.item()", "a if b else c", "y = a if b else c\n"),
        ("y = x.item().real\n", "x.item()", "-a", "y = (-a).real\n"),
        ("y = not x.any()\n", "x.any()", "a and b", "y = not (a and b)\n"),
        ("y = 2 ** x.item()\n", "x.item()", "-a", "y = 2 ** -a\n"),
        ("y = (-x) ** 2\n", "-x", "-z", "y = (-z) ** 2\n"),
        ("y = f(x.item(), 1)\n", "x.item()", "a, b", "y = f((a, b), 1)\n"),
        ("y = a - (b - c)\n", "b - c", "d - e", "y = a - (d - e)\n"),
        ("y = sum(v for v in x)\n", "(v for v in x)", "z", "y = sum(z)\n"),
        ("y = 1 if(x)else 2\n", "x", "z", "y = 1 if(z)else 2\n"),
        ("y = 1 if[x]else 2\n", "[x]", "z", "y = 1 if z else 2\n"),
    ],
)
def test_an_expression_gets_the_parentheses_that_its_place_needs(before: str, old: str, new: str, after: str) -> None:
    assert converted(before, (old, new)) == after


def test_an_expression_over_several_lines_is_replaced_as_a_whole() -> None:
    before = "y = f(\n    x\n    .item(),  # kept\n    1,\n)\n"
    assert converted(before, ("x\n    .item()", "z")) == "y = f(\n    z,  # kept\n    1,\n)\n"


def test_columns_count_characters() -> None:
    before = 'y = "größe", x.item(), "ß"\n'
    assert converted(before, ("x.item()", "x")) == 'y = "größe", x, "ß"\n'


def test_a_comment_within_an_expression_is_not_lost() -> None:
    before = "y = f(\n    a +  # why\n    b\n)\n"
    edited = apply_fixes(before, [finding(expression(before, "a +  # why\n    b", "c"))])
    assert edited.text == before
    assert "comment" in edited.refused[0][1]


def test_an_expression_in_an_f_string_is_left_alone() -> None:
    before = 'y = f"{x.item()}"\n'
    edited = apply_fixes(before, [finding(expression(before, "x.item()", "x"))])
    assert edited.text == before and edited.refused


def test_a_span_that_is_no_expression_is_refused() -> None:
    before = "y = a + b + c\n"
    edited = apply_fixes(before, [finding(expression(before, "b + c", "d"))])
    assert edited.text == before and edited.refused


def test_statements_take_the_indentation_of_their_place() -> None:
    before = "class A:\n\tdef f(self, x):\n\t\tif x:\n\t\t\ty = 1\n\t\treturn y\n"
    old = "if x:\n\t\t\ty = 1"
    edited = apply_fixes(before, [finding(statements(before, old, "while x:\n    y = 2\n    break\n"))])
    assert edited.text == "class A:\n\tdef f(self, x):\n\t\twhile x:\n\t\t\ty = 2\n\t\t\tbreak\n\t\treturn y\n"


def test_several_statements_are_replaced_at_once() -> None:
    before = "def f(x):\n  a = 1\n  b = 2\n  return a\n"
    edited = apply_fixes(before, [finding(statements(before, "a = 1\n  b = 2", "a = 3\n"))])
    assert edited.text == "def f(x):\n  a = 3\n  return a\n"


def test_comments_that_the_rewrite_drops_stand_above_it() -> None:
    before = "def f(x):\n    # above\n    if x:  # test\n        # inside\n        y = 1\n    return y\n"
    old = "if x:  # test\n        # inside\n        y = 1"
    edited = apply_fixes(before, [finding(statements(before, old, "y = where(x)\n"))])
    assert edited.text == "def f(x):\n    # above\n    # test\n    # inside\n    y = where(x)\n    return y\n"


def test_text_with_lines_left_of_the_block_stays_as_it_is() -> None:
    before = 'def f(x):\n    y = """\nleft\n  of the block"""\n    if x:\n        y = 1\n    return y\n'
    edited = apply_fixes(before, [finding(statements(before, "if x:\n        y = 1", "y = 2\n"))])
    assert edited.text == 'def f(x):\n    y = """\nleft\n  of the block"""\n    y = 2\n    return y\n'


@pytest.mark.parametrize("text", ["a = 1; b = 2\n", "b = 2; a = 1\n", "if x: b = 2\n", "if x:\n    a = 1; b = 2\n", "class A: b = 2\n"])
def test_a_statement_that_shares_its_line_is_refused(text: str) -> None:
    assert "shares its line" in refusal(text, "b = 2", "b = 3\n")


def test_an_elif_is_no_statement_of_its_own() -> None:
    text = "if a:\n    x = 1\nelif b:\n    x = 2\n"
    assert refusal(text, "elif b:\n    x = 2", "x = 3\n")


def test_a_result_that_is_not_python_is_refused() -> None:
    assert "not be Python" in refusal("def f():\n    return 1\n\nx = 2\n", "x = 2", "return 2\n")


def test_of_overlapping_fixes_the_outer_one_wins_and_the_inner_one_waits() -> None:
    text = "y = f(g(x), 1)\n"
    inner, outer = finding(expression(text, "g(x)", "x")), finding(expression(text, "f(g(x), 1)", "h(x)"))
    edited = apply_fixes(text, [inner, outer])
    assert edited.text == "y = h(x)\n"
    assert edited.applied == [outer] and edited.waiting == [inner]


def test_one_fix_may_edit_several_places() -> None:
    text = "y = a()\nz = b()\n"
    edited = apply_fixes(text, [finding(expression(text, "a()", "c"), expression(text, "b()", "d"))])
    assert edited.text == "y = c\nz = d\n"


def test_a_fix_is_applied_as_a_whole_or_not_at_all() -> None:
    text = "y = a()\nz = b(); q = 1\n"
    edited = apply_fixes(text, [finding(expression(text, "a()", "c"), statements(text, "z = b()", "z = d\n"))])
    assert edited.text == text and edited.refused


def test_two_findings_with_the_same_edit_are_both_mended() -> None:
    text = "y = x.item()\n"
    edited = apply_fixes(text, [finding(expression(text, "x.item()", "x")), finding(expression(text, "x.item()", "x"), message="other")])
    assert edited.text == "y = x\n" and len(edited.applied) == 2


def test_a_file_that_does_not_parse_is_untouched() -> None:
    edited = apply_fixes("def f(:\n", [finding(expression("x", "x", "y"))])
    assert edited.text == "def f(:\n" and edited.refused


def test_a_span_beyond_the_text_is_refused() -> None:
    far = Span(90, 1, 90, 4)
    edit = expression("x", "x", "y")
    edited = apply_fixes("x = 1\n", [finding(type(edit)(far, edit.build))])
    assert edited.text == "x = 1\n" and edited.refused


def with_import(text: str, *wanted: Import) -> str:
    """The text after a fix of ``OLD`` that needs these imports."""
    edited = apply_fixes(text, [finding(expression(text, "OLD", "new"), imports=wanted)])
    assert not edited.refused
    return edited.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import torch\n\ny = OLD\n", "import torch\n\ny = new\n"),
        ("import torch.nn as nn\n\ny = OLD\n", "import torch\nimport torch.nn as nn\n\ny = new\n"),
        ("import torch.nn\n\ny = OLD\n", "import torch.nn\n\ny = new\n"),
        ('"""What."""\n\nfrom __future__ import annotations\n\ny = OLD\n', None),
        ("import ast\nimport zlib\n\ny = OLD\n", "import ast\nimport torch\nimport zlib\n\ny = new\n"),
    ],
)
def test_an_import_is_added_only_where_it_is_missing(before: str, after: str | None) -> None:
    result = with_import(before, Import("torch"))
    if after is not None:
        assert result == after
    else:
        assert result.startswith('"""What."""\n\nfrom __future__ import annotations\n')
        assert result.count("import torch\n") == 1


def test_a_local_import_does_not_count() -> None:
    assert with_import("def f():\n    import torch\n\ny = OLD\n", Import("torch")).startswith("import torch\n")


def test_a_name_of_a_module_is_imported_from_it() -> None:
    assert "from torch.compiler import is_compiling\n" in with_import("import torch\n\ny = OLD\n", Import("torch.compiler", "is_compiling"))


def test_two_fixes_that_need_one_import_add_it_once() -> None:
    text = "y = a()\nz = b()\n"
    fixes = [finding(expression(text, old, "torch"), imports=[Import("torch")]) for old in ("a()", "b()")]
    assert apply_fixes(text, fixes).text.count("import torch\n") == 1


def test_a_name_that_means_something_else_is_not_shadowed() -> None:
    text = "torch = None\ny = OLD\n"
    edited = apply_fixes(text, [finding(expression(text, "OLD", "new"), imports=[Import("torch")])])
    assert edited.text == text and "torch" in edited.refused[0][1]


def test_a_statement_can_be_removed() -> None:
    before = "def f(x):\n    print(x)\n    return x\n"
    assert apply_fixes(before, [finding(statements(before, "print(x)", ""))]).text == "def f(x):\n    return x\n"
    alone = "def f(x):\n    print(x)\n"
    assert apply_fixes(alone, [finding(statements(alone, "print(x)", ""))]).text == "def f(x):\n    pass\n"


def test_an_import_goes_below_the_comments_at_the_top() -> None:
    top = "#!/usr/bin/env python\n# coding: latin-1\n"
    assert with_import(top + "y = OLD\n", Import("torch")) == top + "import torch\ny = new\n"


def test_an_import_within_try_counts_and_one_for_type_checkers_does_not() -> None:
    tried = "try:\n    import torch\nexcept ImportError:\n    pass\ny = OLD\n"
    assert with_import(tried, Import("torch")).count("import torch") == 1
    typed = "if TYPE_CHECKING:\n    import torch\ny = OLD\n"
    edited = apply_fixes(typed, [finding(expression(typed, "OLD", "new"), imports=[Import("torch")])])
    assert edited.refused or edited.text.count("import torch") == 2


def test_a_fix_that_raises_is_refused() -> None:
    def fail(node: object) -> NoReturn:
        raise RuntimeError("boom")

    span = span_of("y = x\n", "x")
    edited = apply_fixes("y = x\n", [finding(ReplaceExpression(span, fail))])
    assert edited.text == "y = x\n" and "boom" in edited.refused[0][1]


def test_a_very_long_expression_elsewhere_is_no_error() -> None:
    text = "z = " + " + ".join(["a"] * 2000) + "\ny = OLD\n"
    edited = apply_fixes(text, [finding(expression(text, "OLD", "new"))])
    assert edited.applied or edited.refused
