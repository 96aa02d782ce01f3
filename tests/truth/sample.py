"""Choose the rows of the truth sample from the full table of observed constructs.

    python -m tests.truth.sample FULL.jsonl

The full table has a row for each construct: a snippet and what the framework did with it. The choice is the same on every run: the
families take turns, each giving a breaking row and a tracing row alternately, in the order of a hash of the rows' ids.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from .score import blocking_lines

SAMPLE = Path(__file__).with_name("sample.jsonl")
KEPT = ("id", "family", "construct", "severity", "static", "code")


def turns(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows of one family, breaking and tracing in turn."""
    ordered = sorted(rows, key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest())
    breaking = [row for row in ordered if blocking_lines(row)]
    tracing = [row for row in ordered if not blocking_lines(row)]
    for pair in zip_longest(breaking, tracing):
        yield from (row for row in pair if row is not None)


def choose(rows: list[dict[str, Any]], size: int) -> list[dict[str, Any]]:
    """``size`` rows, half of them breaking as far as the families allow, and something of every family."""
    families = defaultdict(list)
    for row in rows:
        lines = blocking_lines(row)
        if lines is not None and (row["static"] or not lines):
            families[row["family"]].append(row)
    rounds = zip_longest(*(turns(families[name]) for name in sorted(families)))
    every = [row for one_round in rounds for row in one_round if row is not None]
    first = {row["family"]: row for row in reversed(every)}
    chosen = list(first.values())
    for breaks in (True, False):
        want = size // 2 - sum(bool(blocking_lines(row)) is breaks for row in chosen)
        others = [row for row in every if bool(blocking_lines(row)) is breaks and first[row["family"]] is not row]
        chosen += others[: max(want, 0)]
    return sorted(chosen, key=lambda row: (row["family"], row["id"]))


def reduced(row: dict[str, Any]) -> dict[str, Any]:
    """Only what the tests read."""
    if "expect" in row:
        kept = {key: row[key] for key in KEPT if key in row}
        return {**kept, "expect": {"graph": row["expect"]["graph"], "line": row["expect"]["line"]}}
    default = row["observed"]["default"]
    breaks = [{"line": b["line"], "gb": b["gb"]} for b in default.get("breaks") or []]
    return {**{key: row[key] for key in KEPT}, "observed": {"default": {"breaks": breaks, "fullgraph": default.get("fullgraph")}}}


def main() -> None:
    """Write ``sample.jsonl``, or ``tensorflow_sample.jsonl``, beside this script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("--size", type=int, default=150)
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.table.read_text(encoding="utf-8").splitlines() if line.strip()]
    chosen = choose(rows, args.size)
    sample = SAMPLE if "observed" in rows[0] else SAMPLE.with_name("tensorflow_sample.jsonl")
    sample.write_text("".join(json.dumps(reduced(row)) + "\n" for row in chosen), encoding="utf-8")
    print(f"{len(chosen)} rows, {sum(bool(blocking_lines(row)) for row in chosen)} breaking, {len({r['family'] for r in chosen})} families")


if __name__ == "__main__":
    main()
