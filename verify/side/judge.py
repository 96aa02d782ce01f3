"""Compare what the sides did with what the original did."""

from __future__ import annotations

import re
from typing import Any

import torch

from .job import Job
from .tensors import compare_leaves
from .texts import NUMBER, differing_channels, is_part, text_difference
from .tolerance import Tolerances

_ASPECTS = ("outputs", "gradients", "inputs", "state", "random", "exceptions", "text")


def judge(job: Job) -> dict[str, Any]:
    """Do a ``judge`` job: every difference between the first side and the others."""
    (_, truth), *others = [(side, torch.load(path, weights_only=False)) for side, path in job.compare]
    tolerances = Tolerances.measure(truth["calls"], truth["reference"])
    verdict = _Verdict(tolerances, job.strides)
    for side, observed in others:
        if [call["name"] for call in truth["calls"]] != [call["name"] for call in observed["calls"]]:
            verdict.differ(side, "all inputs", "inputs", "the provider gives other inputs than in the original")
            continue
        for original, call in zip(truth["calls"], observed["calls"], strict=True):
            verdict.compare(side, original, call)
    raised = [call["raised"] for call in truth["calls"]]
    if raised and all(raised):
        verdict.notes.append(f"the original raises {raised[0]['type']} for every input: nothing but exceptions was compared")
    if truth["reference"] is None:
        verdict.notes.append("the original does not run in float64: the usual tolerances of torch.testing were used")
    aspects = list(_ASPECTS if job.gradients else [aspect for aspect in _ASPECTS if aspect != "gradients"])
    return {
        "differences": verdict.differences,
        "compared": {side: aspects for side, _ in others},
        "tolerance": tolerances.worst,
        "notes": list(dict.fromkeys(verdict.notes)),
    }


class _Verdict:
    def __init__(self, tolerances: Tolerances, strides: bool) -> None:
        self.tolerances = tolerances
        self.strides = strides
        self.differences: list[dict[str, Any]] = []
        self.notes: list[str] = []

    def differ(self, side: str, call: str, aspect: str, message: str, raises: bool = False) -> None:
        self.differences.append({"side": side, "call": call, "aspect": aspect, "message": message, "raises": raises})

    def compare(self, side: str, original: dict[str, Any], call: dict[str, Any]) -> None:
        name = call["name"]
        raised, expected = call["raised"], original["raised"]
        if raised and not expected:
            self.differ(side, name, "exceptions", f"raises {_told(raised)}", raises=True)
            return
        if expected and not raised:
            self.differ(side, name, "exceptions", f"does not raise the original's {_told(expected)}")
            return
        if raised and expected and (message := _other_exception(expected, raised, compiled=side == "compiled")):
            self.differ(side, name, "exceptions", message)
        for aspect in ("outputs", "inputs", "state"):
            for message in compare_leaves(aspect, original[aspect], call[aspect], self.tolerances, self.strides):
                self.differ(side, name, aspect, message)
        self._gradients(side, name, original["gradients"], call["gradients"])
        if not raised:
            for generator, digest in original["random"].items():
                if call["random"].get(generator, digest) != digest:
                    self.differ(side, name, "random", f"leaves the generator of {generator} in another state")
        self._text(side, name, original["text"], call["text"])

    def _gradients(self, side: str, name: str, original: dict[str, Any] | None, given: dict[str, Any] | None) -> None:
        if original is None or given is None:
            return
        if given["raised"] and not original["raised"]:
            self.differ(side, name, "gradients", f"raises {given['raised']}", raises=True)
        elif original["raised"] and not given["raised"]:
            self.differ(side, name, "gradients", f"are there, where the original raises {original['raised']}")
        else:
            for message in compare_leaves("gradients", original["leaves"], given["leaves"], self.tolerances, strides=False):
                self.differ(side, name, "gradients", message)

    def _text(self, side: str, name: str, original: dict[str, list[str]], given: dict[str, list[str]]) -> None:
        for channel, lines, others in differing_channels(original, given):
            if side == "compiled" and is_part(others, lines):
                # What is printed only while not compiling is meant to be silent in a graph.
                self.notes.append(f"compiled code prints less to {channel} than the original")
            else:
                self.differ(side, name, "text", f"{channel} {text_difference(lines, others)}")


def _other_exception(expected: dict[str, Any], raised: dict[str, Any], compiled: bool) -> str:
    if compiled and raised["from_compiler"]:
        # The compiler wraps what user code raises while it is traced.
        if set(raised["bases"]) & {base for base in expected["bases"] if base not in ("Exception", "BaseException", "object")}:
            return ""
        return f"raises {_told(raised)}, not the original's {_told(expected)}"
    if raised["type"] != expected["type"]:
        return f"raises {_told(raised)}, not the original's {_told(expected)}"
    if _class_of(raised["message"]) != _class_of(expected["message"]):
        return f"raises {expected['type']} with another message: {raised['message']!r}, not {expected['message']!r}"
    return ""


def _class_of(message: str) -> str:
    """A message without its numbers, addresses and white space, which may differ between equal runs."""
    return " ".join(NUMBER.sub("#", re.sub(r"0x[0-9a-f]+", "#", message)).split())


def _told(raised: dict[str, Any]) -> str:
    first = raised["message"].splitlines()[0] if raised["message"] else ""
    return f"{raised['type']}: {first}" + (f" ({raised['place']})" if raised["place"] else "")
