"""Random numbers: the same seed on every side, and what is left of the generators afterwards."""

from __future__ import annotations

import hashlib
import random
import sys

import torch


def seed_everything(seed: int) -> None:
    """Seed torch, ``random``, and numpy when it is loaded."""
    torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)


def generator_states() -> dict[str, str]:
    """A digest of every generator's state, by the name that the report uses."""
    states = {"torch": _digest(bytes(torch.get_rng_state().tolist()))}
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        states["torch.cuda"] = _digest(bytes(torch.cuda.get_rng_state().tolist()))
    states["random"] = _digest(repr(random.getstate()).encode())
    if _numpy():
        states["numpy.random"] = _digest(repr([str(part) for part in sys.modules["numpy"].random.get_state()]).encode())
    return states


def _numpy() -> bool:
    return "numpy" in sys.modules


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
