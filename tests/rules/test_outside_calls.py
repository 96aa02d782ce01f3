"""Each callable that is said to end the graph does so in the installed torch, and those that are said to be traced do not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from graph2static.rules.frameworks.torch import skipped

from .outside_calls import CALLS

NOT_INSTALLED = {"scipy", "tqdm", "loguru", "psutil", "cv2", "PIL", "sklearn", "pandas", "requests", "wandb", "torchaudio.lib", "dill", "cloudpickle", "pdb"}
"""Packages of C code, and a debugger that would wait for a person: nothing here can call them."""


@pytest.fixture(scope="module")
def observed() -> dict[str, list[str]]:
    script = Path(__file__).with_name("observe_calls.py")
    done = subprocess.run([sys.executable, script, *CALLS], capture_output=True, text=True, check=True)
    seen: dict[str, list[str]] = json.loads(done.stdout)
    return seen


@pytest.mark.parametrize("name", CALLS)
def test_the_overlay_says_what_torch_does(name: str, observed: dict[str, list[str]]) -> None:
    said = skipped.effect_of(name)
    assert observed[name] == [] if said is None else said in observed[name]


def test_every_entry_is_called() -> None:
    assert set(skipped._NAMES) <= set(CALLS)
    assert {m for m in skipped._MODULES if not any(name.startswith(m + ".") for name in CALLS)} == NOT_INSTALLED
