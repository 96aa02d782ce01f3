"""All modules that can be reached from the files of a run, found by dotted name and parsed on demand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..finding import Problem
from ..source_text import SourceProblem, parse_module, read_source
from .module import Module

if TYPE_CHECKING:
    from ..flow.engine import Engine

_STAR = re.compile(r"^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+\*", re.MULTILINE)


def _absolute(package: str, target: str) -> str:
    """The dotted name of a module that a star import in ``package`` reads."""
    bare = target.lstrip(".")
    level = len(target) - len(bare)
    if not level:
        return bare
    parts = package.split(".") if package else []
    return ".".join([*parts[: len(parts) - (level - 1)], *([bare] if bare else [])])


class Project:
    """The modules of a project.

    Args:
        root: reported paths are relative to this folder.
        files: the files that were discovered.
        sources: texts that stand in for files' contents.
    """

    engine: Engine
    """The engine that evaluates module-level expressions of these modules."""

    def __init__(self, root: Path, files: Iterable[Path], sources: dict[Path, str] | None = None) -> None:
        self.root = root
        self.sources = sources or {}
        self.problems: list[Problem] = []
        self.files: dict[str, Path] = {}
        self._names: dict[Path, str] = {}
        self._exports: dict[tuple[str, str], bool] = {}
        self._stars: dict[str, list[str]] = {}
        self._prefixes: set[str] | None = None
        self._packages: dict[Path, Path] = {}
        self._loaded: dict[str, Module | None] = {}
        self._texts: dict[Path, str | None] = {}
        for path in files:
            name = self._dotted(path)
            self._names[path] = name
            self.files.setdefault(name, path)

    def _top(self, folder: Path) -> Path:
        """The folder that holds the outermost package around ``folder``."""
        if folder not in self._packages:
            inside = (folder / "__init__.py").exists() and folder.parent != folder
            self._packages[folder] = self._top(folder.parent) if inside else folder
        return self._packages[folder]

    def _dotted(self, path: Path) -> str:
        top = self._top(path.parent)
        if top == path.parent and top != self.root:
            # a folder without __init__.py: a namespace package below the root, or a folder of scripts
            try:
                parts = path.relative_to(self.root).with_suffix("").parts
            except ValueError:
                parts = (path.stem,)
        else:
            parts = path.relative_to(top).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def shown(self, path: Path) -> str:
        """The path as findings print it."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.as_posix()

    def text(self, path: Path) -> str | None:
        """The decoded text of a file, None if it cannot be read; the problem is recorded once."""
        if path not in self._texts:
            try:
                self._texts[path] = self.sources[path] if path in self.sources else read_source(path).text
            except SourceProblem as problem:
                self.problems.append(Problem(self.shown(path), problem.message, problem.line))
                self._texts[path] = None
        return self._texts[path]

    @cached_property
    def speaks_of_tensorflow(self) -> bool:
        """Whether any file mentions TensorFlow."""
        return any("tensorflow" in (self.text(path) or "") for path in self.files.values())

    def check_syntax(self, path: Path) -> None:
        """Record what keeps a file that nobody had to look into from being Python at all."""
        text = self.text(path)
        if text is not None and self._names[path] not in self._loaded and str(path) not in self._loaded:
            try:
                parse_module(text, path)
            except SourceProblem as problem:
                self.problems.append(Problem(self.shown(path), problem.message, problem.line))

    def module_of(self, path: Path) -> Module | None:
        """The module of a file, parsed; None if it cannot be parsed."""
        name = self._names[path]
        if self.files.get(name) != path:
            name = str(path)
        return self._load(name, path)

    def module(self, name: str, beside: Module | None = None) -> Module | None:
        """The project's module of that dotted name; a script finds the modules in its own folder first."""
        if beside is not None:
            sibling = f"{beside.package}.{name}" if beside.package else name
            if sibling != name and sibling in self.files and not (beside.path.parent / "__init__.py").exists():
                return self._load(sibling, self.files[sibling])
        path = self.files.get(name)
        if path is None and "src." + name in self.files:
            name = "src." + name
            path = self.files[name]
        return self._load(name, path) if path is not None else None

    def may_export(self, dotted: str, name: str) -> bool:
        """Whether a star import of a module may bind a name: its text, or that of a module whose star it imports, has the name.

        Decided on the texts, so that a package which gathers hundreds of modules by stars is not parsed as a whole.
        """
        known = self._exports.get((dotted, name))
        if known is None:
            self._exports[dotted, name] = False  # stands while stars are followed, against a circle
            known = self._exports[dotted, name] = self._find_export(dotted, name)
        return known

    def _find_export(self, dotted: str, name: str) -> bool:
        path = self.files.get(dotted)
        if path is None:
            return True
        text = self.text(path)
        if text is None:
            return False
        if name in text:
            return True
        if dotted not in self._stars:
            package = dotted if path.stem == "__init__" else dotted.rpartition(".")[0]
            self._stars[dotted] = [_absolute(package, target) for target in _STAR.findall(text)]
        return any(self.may_export(star, name) for star in self._stars[dotted])

    def is_package(self, name: str) -> bool:
        """Whether some module lies below that dotted name."""
        if self._prefixes is None:
            self._prefixes = {".".join(parts[:i]) for known in self.files for parts in [known.split(".")] for i in range(1, len(parts) + 1)}
        return name in self._prefixes

    def _load(self, name: str, path: Path) -> Module | None:
        if name not in self._loaded:
            self._loaded[name] = None
            text = self.text(path)
            if text is not None:
                try:
                    tree: ast.Module = parse_module(text, path)
                except SourceProblem as problem:
                    self.problems.append(Problem(self.shown(path), problem.message, problem.line))
                else:
                    self._loaded[name] = Module(self, name, path, self.shown(path), tree, text)
        return self._loaded[name]
