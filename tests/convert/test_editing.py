"""Edits change what they are to change and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph2static.convert.editing import Edited, apply_fixes
from graph2static.rules.finding import Confidence, Edit, Finding, Fix, Import, ReplaceExpression, ReplaceStatements, Safety, Severity, Span


def finding(*edits: Edit, imports: tuple[Import, ...] = ()) -> Finding:
    fix = Fix(Safety.SAFE, "do", edits, imports=imports)
    return Finding("PTC101", "n", "m", Severity.BREAK, Confidence.CERTAIN, "a.py", edits[0].span, "f", "a:f", fix=fix)


def expression(text: str, old: str, new: str) -> ReplaceExpression:
    at = text.index(old)
    line, column = text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1
    end = at + len(old)
    span = Span(line, column, text.count("\n", 0, end) + 1, end - (text.rfind("\n", 0, end) + 1) + 1)
    return ReplaceExpression(span, lambda node: cst.parse_expression(new))


def statement(text: str, old: str, *new: str) -> ReplaceStatements:
    span = expression(text, old, "x").span
    return ReplaceStatements(span, lambda nodes: [cst.parse_statement(line) for line in new])


def guarded(text: str, old: str) -> ReplaceStatements:
    def build(nodes: Sequence[cst.BaseStatement]) -> Sequence[cst.BaseStatement]:
        return [cst.If(test=cst.Name("c"), body=cst.IndentedBlock(body=nodes))]

    return ReplaceStatements(expression(text, old, "x").span, build)


def apply(text: str, *edits: Edit, imports: tuple[Import, ...] = ()) -> Edited:
    return apply_fixes(text, [finding(*edits, imports=imports)])


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("if c: x = 1\n", "x = 1"),
        ("a = 1; b = 2\n", "b = 2"),
        ("a = 1; b = 2\n", "a = 1"),
        ("if c: \\\n  x = 1\n", "x = 1"),
        ("a = 1\nif c:\n    b = 2\n    d = 3\n", "a = 1\nif c:\n    b = 2"),
    ],
)
def test_statements_that_share_their_lines_are_refused(text: str, old: str) -> None:
    edited = apply(text, statement(text, old, "y = 1"))
    assert edited.text == text
    assert edited.refused


def test_comment_in_a_replaced_expression_is_not_lost() -> None:
    text = "x = f(\n    a,  # why\n    b,\n)\n"
    edited = apply(text, expression(text, "f(\n    a,  # why\n    b,\n)", "g()"))
    assert edited.text == text
    assert edited.refused


def test_place_inside_an_f_string_is_refused() -> None:
    text = "x = f'{value} {other}'\n"
    assert apply(text, expression(text, "other", "new")).text == text


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("y = a * b\n", "b", "c + d", "y = a * (c + d)\n"),
        ("y = (b)\n", "b", "c + d", "y = (c + d)\n"),
        ("y = f(b)\n", "b", "c + d", "y = f(c + d)\n"),
        ("y = b.z\n", "b", "-c", "y = (-c).z\n"),
        ("y = [1]if(1)else 2\n", "1", "n", "y = [n]if(1)else 2\n"),
        ("def f():\n    return[1]\n", "[1]", "n", "def f():\n    return n\n"),
        ("y = f(a if b else\n      c)  # kept\n", "a if b else\n      c", "w(a)", "y = f(w(a))  # kept\n"),
        ("ä = 'ö' + b\n", "b", "c", "ä = 'ö' + c\n"),
    ],
)
def test_expression_gets_the_parentheses_of_its_place(text: str, old: str, new: str, after: str) -> None:
    assert apply(text, expression(text, old, new)).text == after


def test_comments_of_replaced_statements_stay_above() -> None:
    text = "def f():\n    if a:  # one\n        # two\n        x = 1\n    # after\n    return x  # last\n"
    edited = apply(text, statement(text, "if a:  # one\n        # two\n        x = 1", "x = where(a)"))
    assert edited.text == "def f():\n    # one\n    # two\n    x = where(a)\n    # after\n    return x  # last\n"


@pytest.mark.parametrize("unit", ["  ", "    ", "\t"])
def test_new_blocks_are_indented_as_the_file_is(unit: str) -> None:
    text = f"class A:\n{unit}def f():\n{unit * 2}if d:\n{unit * 3}print(1)\n"
    assert apply(text, guarded(text, "print(1)")).text == text.replace(f"{unit * 3}print(1)", f"{unit * 3}if c:\n{unit * 4}print(1)")


def test_text_in_a_string_over_several_lines_is_not_indented() -> None:
    text = 'def f():\n    print("""a\n  b\n""")\n'
    assert apply(text, guarded(text, 'print("""a\n  b\n""")')).text == 'def f():\n    if c:\n        print("""a\n  b\n""")\n'


def test_outer_of_overlapping_edits_wins_and_the_other_waits() -> None:
    text = "y = f(g(a))\n"
    inner, outer = finding(expression(text, "g(a)", "i")), finding(expression(text, "f(g(a))", "o"))
    edited = apply_fixes(text, [inner, outer])
    assert (edited.text, edited.applied, edited.waiting) == ("y = o\n", [outer], [inner])


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("y = a\n", "import torch\ny = b\n"),
        ('"""Doc."""\nfrom __future__ import annotations\n\nimport os\nimport zlib\n\ny = a\n',
         '"""Doc."""\nfrom __future__ import annotations\n\nimport os\nimport torch\nimport zlib\n\ny = b\n'),
        ("import torch.nn\ny = a\n", "import torch.nn\ny = b\n"),
        ("import torch as t\ny = a\n", "import torch as t\nimport torch\ny = b\n"),
        ("torch = 1\ny = a\n", "torch = 1\ny = a\n"),
        ("try:\n    import torch\nexcept ImportError:\n    torch = None\ny = a\n", None),
    ],
)  # fmt: skip
def test_import_is_added_once_and_never_over_another_meaning(text: str, after: str | None) -> None:
    at = text.index("y = a") + 4
    line = text.count("\n", 0, at) + 1
    edit = ReplaceExpression(Span(line, 5, line, 6), lambda node: cst.Name("b"))
    assert apply(text, edit, imports=(Import("torch"),)).text == (text if after is None else after)


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=20),
    st.sampled_from(["", "\n", "# end", "\n\n\t\n"]),
    st.sampled_from(["  ", "\t", "    "]),
)
def test_everything_outside_the_edit_stays(words: str, tail: str, unit: str) -> None:
    before = f"# {words}\n@d( 1 )\ndef f( a ):\n{unit}s = {words!r} ;t=2\n{unit}"
    after = f"\n{unit}return   a\\\n  +1\n{tail}"
    text = before + "print(a)  # note" + after
    edited = apply(text, guarded(text, "print(a)"))
    assert edited.text == before + f"if c:\n{unit}{unit}print(a)  # note" + after
