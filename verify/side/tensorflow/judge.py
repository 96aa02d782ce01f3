"""Compare what the sides of a TensorFlow target did with what the original did."""

from __future__ import annotations

import pickle
from typing import Any

from ..job import Job
from ..structure import Leaf
from ..texts import NUMBER, differing_channels, text_difference
from .arrays import compare_leaves
from .draws import compare_draws
from .tolerance import Tolerances

_LONGEST = 300
"""TensorFlow puts advice and whole graphs into its messages."""
_ASPECTS = ("outputs", "gradients", "inputs", "state", "exceptions", "text")


def judge(job: Job) -> dict[str, Any]:
    """Do a ``judge`` job: every difference between the first side and the others; the side ``reference`` gives the tolerance."""
    observed = {side: _read(path) for side, path in job.compare}
    (_, truth), *others = [(side, found) for side, found in observed.items() if side != "reference"]
    reference = observed.get("reference", {"calls": []})["calls"]
    verdict = _Verdict(Tolerances.measure(truth["calls"], reference), set(job.random), set(job.clocked))
    for side, found in others:
        verdict.compare_side(side, truth, found)
    raised = [call["raised"] for call in truth["calls"]]
    if raised and all(raised):
        verdict.notes.append(f"the original raises {raised[0]['type']} for every input: nothing but exceptions was compared")
    elif not any(not call["raised"] for call in reference):
        verdict.notes.append("the original does not run in float64: a tolerance by the outputs' dtype was used")
    if verdict.drawn:
        names = ", ".join(sorted(verdict.drawn))
        verdict.notes.append(f"drawn at random or read off the clock, so compared by shape, range, mean and spread instead of values: {names}")
    aspects = [aspect for aspect in _ASPECTS if job.gradients or aspect != "gradients"]
    return {
        "differences": verdict.differences,
        "compared": {side: aspects for side, _ in others},
        "tolerance": verdict.tolerances.worst,
        "notes": list(dict.fromkeys(verdict.notes)),
    }


def _read(path: str) -> dict[str, Any]:
    with open(path, "rb") as file:
        found: dict[str, Any] = pickle.load(file)
    return found


class _Verdict:
    def __init__(self, tolerances: Tolerances, random: set[str], clocked: set[str]) -> None:
        self.tolerances = tolerances
        self.random = random | clocked
        self.clocked = clocked
        self.drawn: set[str] = set()
        self.differences: list[dict[str, Any]] = []
        self.notes: list[str] = []

    def differ(self, side: str, call: str, aspect: str, message: str, raises: bool = False) -> None:
        self.differences.append({"side": side, "call": call, "aspect": aspect, "message": message, "raises": raises})

    def compare_side(self, side: str, truth: dict[str, Any], found: dict[str, Any]) -> None:
        calls = {call["name"]: call for call in found["calls"]}
        expected = [call["name"] for call in truth["calls"]]
        if [name for name in expected if name not in calls and "derived" not in name] or set(calls) - set(expected):
            self.differ(side, "all inputs", "inputs", "the provider gives other inputs than in the original")
            return
        for original in truth["calls"]:
            if original["name"] in calls:
                self.compare(side, original, calls[original["name"]])
        draws = {draw["name"]: draw["outputs"] for draw in found["draws"]}
        for draw in truth["draws"]:
            prefix = f"{draw['name']}/outputs/"
            clocked = {name.removeprefix(prefix) for name in self.clocked if name.startswith(prefix)}
            for message in compare_draws(draw["outputs"], draws.get(draw["name"], []), self._random(draw["name"], "outputs"), clocked):
                self.differ(side, draw["name"], "outputs", message)

    def compare(self, side: str, original: dict[str, Any], call: dict[str, Any]) -> None:
        name = call["name"]
        raised, expected = call["raised"], original["raised"]
        if raised and not expected:
            self.differ(side, name, "exceptions", f"raises {_told(raised)}", raises=True)
            return
        if expected and not raised:
            self.differ(side, name, "exceptions", f"does not raise the original's {_told(expected)}")
            return
        if raised and raised["type"] != expected["type"]:
            self.differ(side, name, "exceptions", f"raises {_told(raised)}, not the original's {_told(expected)}")
        for aspect in ("outputs", "inputs", "state"):
            random = self._random(name, aspect)
            first, second = original[aspect], call[aspect]
            if aspect == "state":
                first, second = _comparable(original, first, second)
            for message in compare_leaves(aspect, first, second, self.tolerances, random):
                self.differ(side, name, aspect, message)
        is_random = bool(self._random(name, "outputs"))
        if not is_random:
            self._gradients(side, name, original["gradients"], call["gradients"])
        self._text(side, name, original["text"], call["text"], is_random)

    def _random(self, call: str, aspect: str) -> set[str]:
        prefix = f"{call}/{aspect}/"
        found = {name.removeprefix(prefix) for name in self.random if name.startswith(prefix)}
        self.drawn |= found
        return found

    def _gradients(self, side: str, name: str, original: dict[str, Any] | None, given: dict[str, Any] | None) -> None:
        if original is None or given is None:
            return
        if original["cut"]:
            self.notes.append("the original reads tensors on the host, which cuts their gradients: for these calls gradients were not compared")
        elif given["raised"] and not original["raised"]:
            self.differ(side, name, "gradients", f"raises {given['raised']}", raises=True)
        elif original["raised"] and not given["raised"]:
            self.differ(side, name, "gradients", f"are there, where the original raises {original['raised']}")
        else:
            # A variable that only one side has is a matter of the state.
            both = [{key: leaves[key] for key in leaves if key in others or key.startswith("input ")} for leaves, others in (
                (original["leaves"], given["leaves"]), (given["leaves"], original["leaves"]))]  # fmt: skip
            for message in compare_leaves("gradients", both[0], both[1], self.tolerances, set()):
                self.differ(side, name, "gradients", message)

    def _text(self, side: str, name: str, original: dict[str, list[str]], given: dict[str, list[str]], is_random: bool) -> None:
        if is_random:
            original, given = (_without_numbers(text) for text in (original, given))
        for channel, lines, others in differing_channels(original, given):
            self.differ(side, name, "text", f"{channel} {text_difference(lines, others)}")


def _comparable(original: dict[str, Any], first: dict[str, Leaf], second: dict[str, Leaf]) -> tuple[dict[str, Leaf], dict[str, Leaf]]:
    """The state that both sides have, and what the original changed: a rewrite may keep its state elsewhere, but must not lose it."""
    start = original["start"]
    kept = {name for name in first if name in second or repr(start.get(name)) != repr(first[name])}
    return {name: first[name] for name in first if name in kept}, {name: second[name] for name in second if name in kept}


def _without_numbers(text: dict[str, list[str]]) -> dict[str, list[str]]:
    return {channel: [NUMBER.sub("#", line) for line in lines] for channel, lines in text.items()}


def _told(raised: dict[str, Any]) -> str:
    first = raised["message"].splitlines()[0].partition(" You can attempt the following")[0][:_LONGEST] if raised["message"] else ""
    return f"{raised['type']}: {first}" + (f" ({raised['place']})" if raised["place"] else "")
