"""Tell a verdict in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .verdict import NO_DISAGREEMENT, Difference, Graphs, Outcome, Speed, Timing, Verdict

_ASPECTS = ("outputs", "gradients", "inputs", "state", "random", "exceptions", "text", "frozen")
_ORIGINS = {"float64": "from float64", "torch.testing": "as in torch.testing", "dtype": "by dtype"}
_SHOWN = 12


def text_report(verdict: Verdict, root: Path) -> str:
    """The verdict for a reader; paths below ``root`` are shown relative to it."""
    return "\n".join(_lines(verdict, root)) + "\n"


def _lines(verdict: Verdict, root: Path) -> Iterator[str]:
    if verdict.compared:
        yield from _table(verdict)
    yield from _differences(verdict.differences, root)
    yield from _differences(_first_of_each(verdict.xla), root)
    if verdict.tolerance:
        found = verdict.tolerance
        calls = f"{verdict.calls} call{'s' * (verdict.calls != 1)}"
        yield f"tolerance {_ORIGINS[found.origin]}: {found.allowed:.1e}, closest {found.seen:.1e} at {found.at} ({calls}, seed {verdict.seed})"
    if verdict.graphs:
        yield from _graphs(verdict.graphs, root, "retrace" if verdict.framework == "tensorflow" else "recompile")
    for branch in verdict.branches:
        taken = "both sides taken" if branch.tested else "NOT TESTED"
        yield f"branch {branch.path}:{branch.line} `{branch.test}`: {taken} ({branch.true} true, {branch.false} false)"
    if verdict.timing:
        yield from _timing(verdict.timing, verdict)
    for note in verdict.notes:
        yield f"note: {note}"
    yield _conclusion(verdict)


def _table(verdict: Verdict) -> Iterator[str]:
    columns = [aspect for aspect in _ASPECTS if any(aspect in aspects for aspects in verdict.compared.values())]
    yield " " * 11 + "".join(f"{column:<12}" for column in columns) + ("traces  retraces" if verdict.framework == "tensorflow" else f"{'graphs':<8}{'breaks':<8}recompiles")
    before = verdict.graphs_original if verdict.two_sources else None
    if before:
        yield f"{'original':<11}" + " " * 12 * len(columns) + _counts(before, verdict)
    names = {"eager": "converted", "compiled": "compiled", "xla": "xla"}
    for side in verdict.compared:
        cells = []
        for column in columns:
            found = [item for item in (*verdict.differences, *verdict.xla) if item.side == side and item.aspect == column]
            cells.append(f"{'equal' if not found else 'raises' if found[0].raises else 'DIFFER':<12}")
        counts = _counts(verdict.graphs, verdict) if side == "compiled" and verdict.graphs else ""
        yield (f"{names[side]:<11}" + "".join(cells) + counts).rstrip()


def _counts(graphs: Graphs, verdict: Verdict) -> str:
    if verdict.framework == "tensorflow":
        return f"{graphs.graphs:<8}{len(graphs.recompilations)}"
    return f"{graphs.graphs:<8}{len(graphs.breaks):<8}{len(graphs.recompilations)}"


def _differences(differences: tuple[Difference, ...], root: Path) -> Iterator[str]:
    for difference in differences[:_SHOWN]:
        message = difference.message.replace(f"{root}/", "")
        yield f"{difference.side}, {difference.call}, {difference.aspect}: {message}"
    if len(differences) > _SHOWN:
        yield f"... and {len(differences) - _SHOWN} differences more"


def _first_of_each(differences: tuple[Difference, ...]) -> tuple[Difference, ...]:
    """One difference for each message, however many calls have it: what XLA cannot compile, it cannot in any call."""
    return tuple({(item.aspect, item.message): item for item in reversed(differences)}.values())[::-1]


def _graphs(graphs: Graphs, root: Path, again_word: str) -> Iterator[str]:
    for item in graphs.breaks:
        skips = " [the whole function runs eagerly]" if item.skips_frame else ""
        identifier = f" {item.identifier}" if item.identifier else ""
        yield f"break {_relative(item.path, root)}:{item.line}{identifier} {item.reason}{skips}"
    for again in graphs.recompilations:
        reason = again.reasons[0] if again.reasons else "unknown"
        yield f"{again_word} {_relative(again.path, root)}:{again.line} {again.function}: {reason}"


def _timing(timing: Timing, verdict: Verdict) -> Iterator[str]:
    yield f"speed, {verdict.device}, a pass of {timing.calls} call{'s' * (timing.calls != 1)}, median of {timing.rounds} rounds [95 %]:"
    eager = "original" if verdict.two_sources else "eager"
    for name, speed in ((eager, timing.original), ("converted", timing.converted), ("compiled", timing.compiled), ("xla", timing.xla)):
        if speed:
            yield f"  {name:<10} {_milliseconds(speed)}   peak memory {speed.peak_memory / 2**20:,.0f} MiB"
    pays = f"pays after {timing.pays_after_calls:,} calls" if timing.pays_after_calls is not None else "never pays"
    yield (
        f"  {timing.speedup:.2f}x [{timing.speedup_low:.2f}, {timing.speedup_high:.2f}] compiled against {eager}; "
        f"compiling takes {timing.compile_seconds:.1f} s, {pays}"
    )
    if timing.xla and timing.xla_compile_seconds is not None:
        yield f"  {timing.original.median / timing.xla.median:.2f}x xla against {eager}; compiling takes {timing.xla_compile_seconds:.1f} s"


def _milliseconds(speed: Speed) -> str:
    return f"{speed.median * 1e3:.3f} ms [{speed.low * 1e3:.3f}, {speed.high * 1e3:.3f}]"


def _conclusion(verdict: Verdict) -> str:
    split = ""
    if Outcome.RETRACES in verdict.outcomes:
        split = "; it is traced more often than the inputs call for"
    if Outcome.BREAKS in verdict.outcomes and verdict.graphs:
        count = len(verdict.graphs.breaks)
        split = f"; the graph breaks at {count} place{'s' * (count != 1)}"
    if not verdict.agrees:
        told = ", ".join(outcome.value for outcome in verdict.outcomes if outcome not in NO_DISAGREEMENT)
        return f"NOT VERIFIED: {told}{split}."
    if verdict.untested_branches:
        return f"NOT VERIFIED: {'; '.join(verdict.untested_branches)}. Add inputs that take the other side."
    if verdict.xla:
        split += f"; compiled by XLA, which was not asked for, it {'raises' if Outcome.XLA_RAISES in verdict.outcomes else 'differs'}"
    return f"Verified: every input agrees{split}."


def _relative(path: str, root: Path) -> str:
    place = Path(path)
    return place.relative_to(root).as_posix() if place.is_relative_to(root) else path
