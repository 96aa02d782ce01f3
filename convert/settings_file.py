"""``[tool.g2s]`` in the nearest pyproject.toml."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class UserError(Exception):
    """A mistake of the user's, told in one line with exit code 2."""


@dataclass(frozen=True)
class FileSettings:
    """The settings of one project. ``root`` is the folder of the file, None when there is none."""

    root: Path | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    target_torch: str | None = None
    target_tensorflow: str | None = None
    per_file_ignores: dict[str, tuple[str, ...]] = field(default_factory=dict)


_LISTS = ("include", "exclude", "select", "ignore", "entries")
_KEYS = (*_LISTS, "per-file-ignores", "target-torch", "target-tensorflow")


def suggestion(word: str, known: Iterable[str]) -> str:
    """ "; did you mean `...`?" when something known is near."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def read_settings(start: Path) -> FileSettings:
    """The settings that hold for a file or folder.

    Raises:
        UserError: a pyproject.toml that cannot be read or parsed, an unknown key, a value of the wrong type.
    """
    folder = start if start.is_dir() else start.parent
    for parent in (folder, *folder.parents):
        path = parent / "pyproject.toml"
        if path.is_file():
            try:
                raw = path.read_bytes()
            except OSError as error:
                raise UserError(f"{path}: {error.strerror}") from error
            if b"tool.g2s" not in raw and b"[tool" not in raw:
                return FileSettings(parent)
            return _parsed(path, raw)
    return FileSettings()


def _parsed(path: Path, raw: bytes) -> FileSettings:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        document = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {error}") from error
    tool = document.get("tool", {})
    table = tool.get("g2s", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise UserError(f"{path}: [tool.g2s] must be a table")
    for key in table:
        if key not in _KEYS:
            raise UserError(f"{path}:{_line(raw, key)}: unknown key `{key}` in [tool.g2s]{suggestion(key, _KEYS)}")
    from .options import codes

    lists = {key: _strings(path, raw, key, table.get(key, [])) for key in _LISTS}
    for key in ("select", "ignore"):
        lists[key] = codes(list(lists[key]), f"{path}:{_line(raw, key)}: {key}") if lists[key] else ()
    targets = {key: _release(path, raw, key, table.get(key)) for key in ("target-torch", "target-tensorflow")}
    ignores = table.get("per-file-ignores", {})
    if not isinstance(ignores, dict):
        raise UserError(f"{path}:{_line(raw, 'per-file-ignores')}: per-file-ignores must be a table of patterns and lists of codes")
    where = f"{path}:{_line(raw, 'per-file-ignores')}: per-file-ignores"
    per_file = {pattern: codes(list(_strings(path, raw, "per-file-ignores", value)), where) for pattern, value in ignores.items()}
    fixed = (lists["include"], lists["exclude"], lists["select"], lists["ignore"], lists["entries"])
    return FileSettings(path.parent, *fixed, targets["target-torch"], targets["target-tensorflow"], per_file)


def _release(path: Path, raw: bytes, key: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise UserError(f'{path}:{_line(raw, key)}: {key} must be a string, "2.13"')
    return value


def _strings(path: Path, raw: bytes, key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UserError(f"{path}:{_line(raw, key)}: {key} must be a list of strings")
    return tuple(value)


def _line(raw: bytes, key: str) -> int:
    """The line on which a key of the table is written."""
    inside = False
    for number, line in enumerate(raw.decode("utf-8", "replace").splitlines(), 1):
        text = line.strip()
        if text.startswith("["):
            inside = text.startswith("[tool.g2s")
            if inside and key in text:
                return number
        elif inside and text.split("=")[0].strip().strip("\"'") == key:
            return number
    return 1
