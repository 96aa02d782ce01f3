"""Changed files on the disk: whole, and byte for byte outside of the edits."""

from __future__ import annotations

import codecs
import os
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph2static.convert.conversion import ConversionResult, FileChange
from graph2static.convert.editing import apply_fixes
from graph2static.convert.writing import encoded, write_changes
from graph2static.rules.source_text import decode, read_source

from .hand_made import expression, finding


def change(path: Path, data: bytes, old: str = "old(x)", new: str = "new(x)") -> FileChange:
    """The change of one expression in a file with these bytes."""
    source = decode(data, path)
    edited = apply_fixes(source.text, [finding(expression(source.text, old, new))])
    assert edited.applied
    return FileChange(path, source.text, edited.text, source.encoding, source.newline, source.bom)


def write(path: Path, text: str = "y = old(x)\n") -> ConversionResult:
    path.write_text(text)
    return ConversionResult([change(path, text.encode())])


LINES = st.sampled_from(
    [
        "", "   ", "\t", "# größe", "a = 1  ", "def f(a,b):\n\treturn a", "@wraps( f )\n@other\nclass A:\n  pass", 's = "\\\n"', "b = [1,\n\n2]", "\x0c",
        "if a :\n\tb=1 ; c=2\nelse : pass", "s = '''\n  kept\t\n'''", "x  =  ( 1 )",
    ]
)  # fmt: skip


@given(
    before=st.lists(LINES, max_size=6),
    after=st.lists(LINES, max_size=6),
    ends=st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=1, max_size=3),
    form=st.sampled_from([("utf-8", b"", ""), ("utf-8", codecs.BOM_UTF8, ""), ("latin-1", b"", "# -*- coding: latin-1 -*-\n")]),
    last_end=st.booleans(),
)
def test_every_byte_outside_of_an_edit_stays(
    before: list[str], after: list[str], ends: list[str], form: tuple[str, bytes, str], last_end: bool
) -> None:
    encoding, mark, cookie = form
    lines = ("".join(line + "\n" for line in before) + "y = old(x) ;z=1\n" + "".join(line + "\n" for line in after)).split("\n")
    text = cookie + "".join(line + ends[number % len(ends)] for number, line in enumerate(lines[:-1]))
    if not last_end:
        text = text.rstrip("\r\n")
    data = mark + text.encode(encoding)
    assert encoded(change(Path("model.py"), data), data) == data.replace(b"old(x)", b"new(x)")


def test_new_lines_end_as_the_file_does(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    data = b"import ast\r\ny = old(x)\r\n"
    path.write_bytes(data)
    source = read_source(path)
    after = source.text.replace("y = ", "import torch\ny = ")
    result = ConversionResult([FileChange(path, source.text, after, source.encoding, source.newline, source.bom)])
    assert write_changes(result) == []
    assert path.read_bytes() == b"import ast\r\nimport torch\r\ny = old(x)\r\n"


def test_the_mode_of_the_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    result = write(path)
    path.chmod(0o751)
    assert write_changes(result) == []
    assert path.read_text() == "y = new(x)\n" and path.stat().st_mode & 0o777 == 0o751


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.py", tmp_path / "model.py"
    target.write_text("y = old(x)\n")
    link.symlink_to("real.py")
    assert write_changes(ConversionResult([change(link, link.read_bytes())])) == []
    assert link.is_symlink() and target.read_text() == "y = new(x)\n"


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    result = write(path)
    path.chmod(0o444)
    (problem,) = write_changes(result)
    assert "read-only" in problem.message and str(path) == problem.path
    assert path.read_text() == "y = old(x)\n"


def test_a_file_that_changed_in_the_meantime_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    result = write(path)
    path.write_text("mine = 1\n")
    (problem,) = write_changes(result)
    assert "changed" in problem.message and path.read_text() == "mine = 1\n"


def test_a_file_that_is_gone_does_not_stop_the_others(tmp_path: Path) -> None:
    gone, other = tmp_path / "gone.py", tmp_path / "other.py"
    result = ConversionResult([*write(gone).changes, *write(other).changes])
    gone.unlink()
    (problem,) = write_changes(result)
    assert problem.path == str(gone) and other.read_text() == "y = new(x)\n"


def test_new_code_that_the_encoding_cannot_hold_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    data = b"# coding: latin-1\ny = old(x)\n"
    path.write_bytes(data)
    assert len(write_changes(ConversionResult([change(path, data, new="'\u20ac'")]))) == 1
    assert path.read_bytes() == data


@pytest.mark.parametrize("failure", [KeyboardInterrupt, SystemExit])
def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, failure: type[BaseException]) -> None:
    path = tmp_path / "model.py"
    result = write(path)
    with mock.patch.object(os, "replace", side_effect=failure), pytest.raises(failure):
        write_changes(result)
    assert path.read_text() == "y = old(x)\n" and os.listdir(tmp_path) == ["model.py"]
