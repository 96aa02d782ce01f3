"""One run of the analyzer: files to modules to entries to suspicions to findings."""

from __future__ import annotations

import ast
import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeVar

from .analyze import Progress, Settings
from .discover import discover
from .finding import CallSite, Confidence, Finding, Problem, Report, Span
from .flow.engine import Engine
from .flow.entries import Entry, explicit_entries, module_entries, named_entry, public_functions, start
from .flow.frame import Activation, Conditions
from .flow.tensorflow import call_sites, legacy
from .flow.tensorflow import entries as tensorflow_entries
from .index.module import Module
from .index.project import Project
from .registry import all_rules
from .rule import Suspicion

Found = TypeVar("Found")

DOCS = "https://graph2static.readthedocs.io/rules/"


def run(paths: Sequence[Path], settings: Settings, progress: Progress | None, sources: dict[Path, str] | None) -> Report:
    """Analyze and report; see :func:`graph2static.rules.analyze.analyze`."""
    if settings.whole_project and _inside(paths, settings.root):
        found = discover([settings.root], settings)
    else:
        found = discover([*paths, *_beside(paths)], settings)
    named = found if list(paths) == [settings.root] else discover(paths, settings)
    shown = set(named.files)
    files = list(dict.fromkeys([*found.files, *named.files]))
    project = Project(settings.root, files, sources)
    engine = Engine(project, [r for r in all_rules() if _selected(r.code, settings)])
    report = Report(targets={"torch": settings.target_torch, "tensorflow": settings.target_tensorflow})
    report.files = len(named.files)
    report.read_paths = tuple(project.shown(path) for path in named.files)
    report.skipped = dict(named.skipped)
    report.problems.extend(named.problems)
    entries = _entries(engine, project, files, settings, report)
    activations: list[tuple[Entry, Activation]] = []
    seen: set[object] = set()
    count = 0
    for number, entry in enumerate(chain(entries, _behind_keras(engine, project, files, report))):
        count = number + 1
        if progress is not None:
            progress(number, max(len(entries), count))
        try:
            activation = start(engine, entry)
        except RecursionError:
            report.problems.append(Problem(entry.module.shown, f"{entry.function.qualname}: nested too deeply to be followed", entry.function.node.lineno))
            continue
        except Exception as error:  # one function that the analyzer cannot digest must not stop the run
            line = entry.function.node.lineno
            report.problems.append(Problem(entry.module.shown, f"internal error in {entry.function.qualname}: {type(error).__name__}: {error}", line))
            continue
        if activation.key not in seen:
            seen.add(activation.key)
            activations.append((entry, activation))
    for path in files:
        text = project.text(path)
        module = project.module_of(path) if text is not None and "tensorflow" in text else None
        if module is not None:
            activations.extend(_guarded(legacy.look_at, engine, module, report))
    captured = {a.function.qualname.rpartition(".")[2] for _, a in activations if a.function is not None and a.function.traced}
    for path in files:
        text = project.text(path)
        module = project.module_of(path) if text is not None and tensorflow_entries.mentions_tensorflow(text) else None
        if module is not None:
            activations.extend(_guarded(lambda e, m: call_sites.look_at(e, m, captured), engine, module, report))
    for path in shown:
        project.check_syntax(path)
    report.entries = count
    report.captured_functions = len({id(a.function.node) for a in engine.activations.values() if a.function is not None})
    report.findings = sorted(_findings(activations, engine, settings, shown, project), key=lambda f: (f.path, f.span, f.code))
    report.problems.extend(p for p in project.problems if any(project.shown(path) == p.path for path in shown))
    return report


def _inside(paths: Iterable[Path], root: Path) -> bool:
    return all(root == p or root in p.resolve().parents or root in p.parents for p in paths)


def _beside(paths: Sequence[Path]) -> list[Path]:
    """The modules in the folders of named files, which those may import."""
    return [other for path in paths if path.is_file() for other in sorted(path.parent.glob("*.py"))]


def _selected(code: str, settings: Settings) -> bool:
    if any(code.startswith(prefix) for prefix in settings.ignore):
        return False
    return not settings.select or any(code.startswith(prefix) for prefix in settings.select)


def _entries(engine: Engine, project: Project, files: list[Path], settings: Settings, report: Report) -> list[Entry]:
    explicit: list[Entry] = []
    modules: list[Module] = []
    traced: list[Module] = []
    for path in files:
        text = project.text(path)
        if text is None:
            continue
        torch, other = "torch" in text, tensorflow_entries.mentions_tensorflow(text)
        module = project.module_of(path) if torch or other else None
        if module is not None and torch:
            modules.append(module)
        if module is not None and other:
            traced.append(module)
    for text in settings.entries:
        entry = named_entry(engine, text)
        if entry is None:
            report.problems.append(Problem(text, "this entry names nothing that can be captured; write pkg.module:function or pkg.module:Class.method"))
        else:
            explicit.append(entry)
    for module in modules:
        explicit.extend(_guarded(explicit_entries, engine, module, report))
    for module in traced:
        explicit.extend(_guarded(tensorflow_entries.explicit_entries, engine, module, report))
    entries = list(explicit)
    for module in modules:
        entries.extend(_guarded(module_entries, engine, module, report))
    if not explicit or len(explicit) * 50 < len(modules):
        for module in modules:
            entries.extend(_guarded(public_functions, engine, module, report))
    return entries


def _behind_keras(engine: Engine, project: Project, files: list[Path], report: Report) -> Iterator[Entry]:
    """What Keras traces without being asked; found last, since it does not count where an explicit capture has been."""
    for path in files:
        text = project.text(path)
        module = project.module_of(path) if text is not None and tensorflow_entries.mentions_tensorflow(text) else None
        if module is not None:
            yield from _guarded(tensorflow_entries.module_entries, engine, module, report)


def _guarded(find: Callable[[Engine, Module], Iterable[Found]], engine: Engine, module: Module, report: Report) -> list[Found]:
    """What is found in a module; an error of the analyzer is reported and costs that module alone."""
    try:
        return list(find(engine, module))
    except Exception as error:
        report.problems.append(Problem(module.shown, f"internal error: {type(error).__name__}: {error}"))
        return []


class _Way:
    """The easiest way from an entry to an activation."""

    __slots__ = ("conditions", "entry", "parent", "site")

    def __init__(self, entry: Entry, conditions: Conditions, parent: Activation | None, site: ast.AST | None) -> None:
        self.entry = entry
        self.conditions = conditions
        self.parent = parent
        self.site = site


def _ways(starts: list[tuple[Entry, Activation]]) -> dict[int, tuple[Activation, _Way]]:
    """For each activation the way to it with the fewest conditions."""
    ways: dict[int, tuple[Activation, _Way]] = {}
    queue: list[tuple[int, int, int, Activation, _Way]] = []
    count = 0
    for entry, activation in starts:
        heapq.heappush(queue, (0, 0 if entry.explicit else 1, count, activation, _Way(entry, (), None, None)))
        count += 1
    while queue:
        _, rank, _, activation, way = heapq.heappop(queue)
        if id(activation) in ways:
            continue
        ways[id(activation)] = (activation, way)
        for child, site, conditions in activation.calls.values():
            if id(child) not in ways:
                merged = tuple(dict.fromkeys((*way.conditions, *conditions)))
                count += 1
                heapq.heappush(queue, (len(merged), rank, count, child, _Way(way.entry, merged, activation, site)))
    return ways


def _findings(
    starts: list[tuple[Entry, Activation]], engine: Engine, settings: Settings, shown: set[Path], project: Project
) -> Iterable[Finding]:
    ways = _ways(starts)
    best: dict[tuple[str, str, Span], tuple[int, Suspicion, Activation, tuple[str, ...], bool]] = {}
    confident: set[tuple[str, str, Span]] = set()
    for activation, way in ways.values():
        if not activation.suspicions or activation.module.path not in shown:
            continue
        lines = activation.module.lines
        for suspicion, local, skips in activation.suspicions.values():
            span = span_of(suspicion.at, lines)
            key = (suspicion.rule.code, activation.module.shown, span)
            conditions = tuple(dict.fromkeys(map(str, (*way.conditions, *local))))
            if suspicion.confidence is Confidence.CERTAIN:
                confident.add(key)
            rank = 2 * len(conditions) + (suspicion.confidence is not Confidence.CERTAIN)
            if key not in best or rank < best[key][0]:
                best[key] = (rank, suspicion, activation, conditions, skips)
    fixer = None
    if settings.with_fixes:
        from .fixing.offers import Offers

        fixer = Offers(engine)
    for (code, path, span), (_, suspicion, activation, conditions, skips) in best.items():
        way = ways[id(activation)][1]
        fix, declined = fixer.offer(suspicion, activation) if fixer is not None else (None, None)
        rule = suspicion.rule
        yield Finding(
            code,
            rule.name,
            suspicion.message,
            suspicion.severity or rule.severity,
            suspicion.confidence,
            path,
            span,
            activation.name,
            way.entry.name,
            _call_path(activation, ways),
            conditions,
            tuple(f"{w.text} ({w.path}:{w.line})" if w.path else w.text for w in suspicion.proof),
            suspicion.graph_break,
            skips,
            fix,
            declined,
            DOCS + code,
        )


def _call_path(activation: Activation, ways: dict[int, tuple[Activation, _Way]]) -> tuple[CallSite, ...]:
    sites: list[CallSite] = []
    current: Activation | None = activation
    while current is not None and len(sites) < 30:
        _, way = ways[id(current)]
        if way.parent is not None and way.site is not None:
            sites.append(CallSite(way.parent.module.shown, getattr(way.site, "lineno", 0), way.parent.name))
        current = way.parent
    return tuple(reversed(sites))


def span_of(node: ast.expr | ast.stmt, lines: list[str]) -> Span:
    """The region of a node, columns in characters."""
    assert node.end_lineno is not None and node.end_col_offset is not None

    def column(line: int, offset: int) -> int:
        text = lines[line - 1] if line <= len(lines) else ""
        return offset + 1 if text.isascii() else len(text.encode()[:offset].decode(errors="replace")) + 1

    return Span(node.lineno, column(node.lineno, node.col_offset), node.end_lineno, column(node.end_lineno, node.end_col_offset))
