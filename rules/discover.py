"""Which files a run reads: excludes and ignore files honoured, links followed once, everything unreadable said."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .finding import Problem

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from .analyze import Settings

EXCLUDED_FOLDERS = frozenset(
    {
        ".git", ".hg", ".svn", ".venv", "venv", ".tox", ".nox", ".eggs", "node_modules", "__pycache__", "__pypackages__", "build", "dist",
        "site-packages", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".g2s_cache", ".ipynb_checkpoints", ".direnv",
    }
)  # fmt: skip
"""Folders that nobody means when they name a folder around them."""
_SUFFIXES = (".py", ".pyi")


@dataclass
class Discovery:
    """The files found, the number of files left out by reason, and what could not be read."""

    files: list[Path] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def skip(self, reason: str) -> None:
        """Count a file that is left out."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1


def discover(paths: Sequence[Path], settings: Settings) -> Discovery:
    """Find the Python files that ``paths`` name.

    Args:
        paths: files, which are taken as they are unless ``settings.force_exclude``, and folders.
        settings: ``include``, ``exclude`` and the root that patterns and reported paths are relative to.
    """
    result = Discovery()
    patterns = _Patterns(settings)
    seen: set[Path] = set()
    for path in paths:
        if path.is_dir():
            for file in _files_in(path, patterns, result):
                _add(file, seen, result)
        elif path.suffix == ".ipynb" and path.exists():
            result.problems.append(Problem(_shown(path, settings), "a notebook: notebooks are not read, export it as a .py file"))
        elif not path.exists():
            what = "a broken link" if path.is_symlink() else "no such file or folder"
            result.problems.append(Problem(_shown(path, settings), what))
        elif settings.force_exclude and patterns.excluded(path):
            result.skip("excluded")
        else:
            _add(path, seen, result)
    result.problems = [Problem(_shown(Path(p.path), settings), p.message, p.line) for p in result.problems]
    return result


def _shown(path: Path, settings: Settings) -> str:
    try:
        return path.relative_to(settings.root).as_posix()
    except ValueError:
        return path.as_posix()


def _add(path: Path, seen: set[Path], result: Discovery) -> None:
    try:
        real = path.resolve()
    except (OSError, RuntimeError):
        result.problems.append(Problem(path.as_posix(), "a loop of links"))
        return
    if real in seen:
        result.skip("linked twice")
        return
    seen.add(real)
    result.files.append(path)


class _Patterns:
    """The include and exclude patterns, in .gitignore's language, relative to the root."""

    def __init__(self, settings: Settings) -> None:
        self.root = settings.root
        self._include = _spec(settings.include)
        self._exclude = _spec(settings.exclude)

    def excluded(self, path: Path, folder: Path | None = None) -> bool:
        """Whether patterns or the standing list of folders leave a file out; folders at or above ``folder``, which was named, count not."""
        try:
            relative = path.relative_to(self.root)
        except ValueError:
            relative = Path(path.name)
        below = path.relative_to(folder) if folder is not None else relative
        if EXCLUDED_FOLDERS & set(below.parts[:-1]):
            return True
        text = relative.as_posix()
        if self._exclude is not None and self._exclude.match_file(text):
            return True
        return self._include is not None and not self._include.match_file(text)

    def prunes(self, folder: Path) -> bool:
        """Whether a whole folder is left out."""
        if self._exclude is None:
            return False
        try:
            return self._exclude.match_file(folder.relative_to(self.root).as_posix() + "/")
        except ValueError:
            return False


def _spec(patterns: Sequence[str]) -> GitIgnoreSpec | None:
    if not patterns:
        return None
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)


def _files_in(folder: Path, patterns: _Patterns, result: Discovery) -> Iterator[Path]:
    listed = _git_files(folder)
    for path in listed if listed is not None else _walk(folder, patterns, result):
        if path.suffix == ".ipynb":
            result.skip("in notebooks")
        elif path.suffix not in _SUFFIXES:
            continue
        elif patterns.excluded(path, folder):
            result.skip("excluded")
        elif path.is_symlink() and not path.exists():
            what = "a broken link" if not _loops(path) else "a loop of links"
            result.problems.append(Problem(path.as_posix(), what))
        elif path.is_file():
            yield path
        elif listed is None:
            result.problems.append(Problem(path.as_posix(), "not a regular file"))


def _loops(path: Path) -> bool:
    try:
        path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        return "loop" in str(error).lower() or "too many" in str(error).lower()
    return False


def _git_files(folder: Path) -> list[Path] | None:
    """The files of a git checkout that are tracked or not ignored; None outside of one."""
    if not any((parent / ".git").exists() for parent in (folder, *folder.parents)):
        return None
    try:
        done = subprocess.run(
            ["git", "ls-files", "-zco", "--exclude-standard", "--", "."], cwd=folder, capture_output=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None
    names = sorted(set(os.fsdecode(done.stdout).split("\0")) - {""})
    # a folder that is ignored as a whole was named on purpose
    return [folder / name for name in names] or None


def _walk(folder: Path, patterns: _Patterns, result: Discovery) -> Iterator[Path]:
    """All files below a folder, ignore files honoured, links to folders followed once."""
    seen: set[Path] = set()
    stack: list[tuple[Path, tuple[tuple[Path, GitIgnoreSpec], ...]]] = [(folder, ())]
    while stack:
        current, ignores = stack.pop()
        try:
            real = current.resolve()
            if real in seen:
                continue
            seen.add(real)
            entries = sorted(os.scandir(current), key=lambda e: e.name)
        except (OSError, RuntimeError) as error:
            result.problems.append(Problem(current.as_posix(), f"cannot be read: {getattr(error, 'strerror', None) or error}"))
            continue
        for entry in entries:
            if entry.name == ".gitignore":
                spec = _ignore_file(Path(entry.path))
                ignores = (*ignores, (current, spec)) if spec is not None else ignores
        folders = []
        for entry in entries:
            path = Path(entry.path)
            try:
                is_folder = entry.is_dir()
            except OSError:
                is_folder = False
            name = path.as_posix() + ("/" if is_folder else "")
            if any(spec.match_file(name[len(base.as_posix()) + 1 :]) for base, spec in ignores):
                if not is_folder and path.suffix in _SUFFIXES:
                    result.skip("ignored by .gitignore")
                continue
            if is_folder:
                if entry.name not in EXCLUDED_FOLDERS and not patterns.prunes(path):
                    folders.append((path, ignores))
            else:
                yield path
        stack.extend(reversed(folders))


def _ignore_file(path: Path) -> GitIgnoreSpec | None:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    return _spec([line for line in lines if line.strip()])
