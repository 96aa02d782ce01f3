"""Which framework a target is written for, told from the imports of its file and of the project files that these lead to.

Nothing is imported here. Where the imports name both frameworks or none, a child looks at what the target gives.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .processes import command_of, environment_of
from .side.job import Job
from .target import Target, parse_target

TORCH, TENSORFLOW = "torch", "tensorflow"
_MOST_FILES = 1000


def framework_of(job: Job, folder: Path, timeout: float) -> str:
    """``torch`` or ``tensorflow``; ``torch`` where nothing tells, since its sides then say what is wrong with the target."""
    named = imported_frameworks(parse_target(job.target), Path(job.root))
    if len(named) == 1:
        return next(iter(named))
    try:
        subprocess.run(
            command_of(job), cwd=job.root, env=environment_of(folder), check=False, timeout=timeout,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        found: str = json.loads(Path(job.result).read_text(encoding="utf-8")).get("framework", TORCH)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return TORCH
    return found


def imported_frameworks(target: Target, root: Path) -> set[str]:
    """The frameworks that the target's file imports, or a file of the project that it imports."""
    start = target.source_in(root)
    waiting = [start.resolve()] if start else []
    seen: set[Path] = set()
    named: set[str] = set()
    while waiting and len(seen) < _MOST_FILES:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        for module in _imports(path):
            framework = framework_of_module(module)
            if framework:
                named.add(framework)
            else:
                waiting += [file.resolve() for file in _files(module, path, root)]
    return named


def framework_of_module(module: str) -> str:
    """The framework to which a module of this name belongs; empty for another one."""
    top = module.partition(".")[0]
    if top in ("keras", "tf_keras"):
        return TENSORFLOW if os.environ.get("KERAS_BACKEND", TENSORFLOW) == TENSORFLOW else ""
    return top if top in (TORCH, TENSORFLOW) else ""


def _imports(path: Path) -> Iterator[str]:
    """The modules that a file names in imports; relative ones with their dots in front."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield base
            # What is imported may be a module itself.
            yield from (base + ("" if base.endswith(".") else ".") + alias.name for alias in node.names)


def _files(module: str, path: Path, root: Path) -> Iterator[Path]:
    level = len(module) - len(module.lstrip("."))
    if level:
        folders = [path.parents[level - 1]] if level <= len(path.parents) else []
    else:
        folders = [root, root / "src", path.parent]
    relative = Path(*filter(None, module.lstrip(".").split(".")))
    for folder in folders:
        place = folder / relative
        for candidate in (place.with_name(place.name + ".py"), place / "__init__.py"):
            if candidate.is_file():
                yield candidate
