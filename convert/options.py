"""What the command line and ``[tool.g2s]`` say together, as the analyzer's settings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..rules.analyze import Settings
from .settings_file import FileSettings, UserError, read_settings, suggestion


@dataclass(frozen=True)
class CommonOptions:
    """The options that ``check`` and ``convert`` share, as typed."""

    paths: list[Path] | None
    select: list[str] | None = None
    ignore: list[str] | None = None
    exclude: list[str] | None = None
    force_exclude: bool = False
    entry: list[str] | None = None
    entry_file: Path | None = None
    target_torch: str | None = None


@dataclass(frozen=True)
class Plan:
    """What to read and how."""

    paths: tuple[Path, ...]
    settings: Settings
    file: FileSettings


def plan(options: CommonOptions, with_fixes: bool) -> Plan:
    """Combine options and settings file; options win.

    Raises:
        UserError: a settings file, code or entry file that cannot be used.
    """
    named = [p.absolute() for p in options.paths] if options.paths else [Path.cwd()]
    file = read_settings(named[0])
    project = file.root or _project_around(named[0])
    root = project or _common_folder(named)
    select = codes(options.select, "--select") if options.select else file.select
    ignore = (*file.ignore, *codes(options.ignore, "--ignore"))
    settings = Settings(
        root=root,
        include=file.include,
        exclude=(*file.exclude, *(options.exclude or ())),
        select=select,
        ignore=ignore,
        entries=(*file.entries, *(options.entry or ()), *_entries_in(options.entry_file)),
        target_torch=_target("target-torch", options.target_torch or file.target_torch or "2.13"),
        target_tensorflow=_target("target-tensorflow", file.target_tensorflow or "2.21"),
        force_exclude=options.force_exclude,
        with_fixes=with_fixes,
        whole_project=project is not None,
    )
    return Plan(tuple(named), settings, file)


def _project_around(path: Path) -> Path | None:
    """The folder around a path that holds a checkout or a project file."""
    start = path if path.is_dir() else path.parent
    for folder in (start, *start.parents):
        if (folder / ".git").exists() or (folder / "pyproject.toml").exists():
            return folder
    return None


def _common_folder(paths: list[Path]) -> Path:
    """The current folder if the paths lie in it, else the folder of the first."""
    cwd = Path.cwd()
    start = paths[0] if paths[0].is_dir() else paths[0].parent
    return cwd if all(cwd == p or cwd in p.parents for p in paths) else start


def codes(values: list[str] | None, where: str) -> tuple[str, ...]:
    """Codes and prefixes of codes, each checked against the rules.

    Raises:
        UserError: an unknown code, with the nearest known one.
    """
    from ..rules.registry import all_rules

    result = []
    known = [rule.code for rule in all_rules()] + [UNUSED_IGNORE]
    names = {rule.name: rule.code for rule in all_rules()}
    for text in values or ():
        for part in re.split(r"[,\s]+", text.strip()):
            if not part:
                continue
            code = names.get(part, part.upper())
            if code == "ALL":
                code = ""
            if not any(k.startswith(code) for k in known):
                alike = [k for k in known if k[:3] == code[:3]]
                raise UserError(f"{where}: there is no rule `{part}`{suggestion(part, alike or [*known, *names])}")
            result.append(code)
    return tuple(result)


UNUSED_IGNORE = "G2S001"
"""Code under which a suppression comment that suppresses nothing is reported."""


def _entries_in(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"--entry-file {path}: {getattr(error, 'strerror', None) or error}") from error
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _target(key: str, text: str) -> str:
    found = re.fullmatch(r"(\d+)\.(\d+)(?:\.\d+.*)?", text.strip())
    if found is None:
        raise UserError(f"{key}: `{text}` is no release; write it as 2.13")
    return f"{found[1]}.{found[2]}"
