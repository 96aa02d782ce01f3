"""Choose how a side runs: eagerly whatever it is decorated with, or compiled with a backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..errors import VerifyError


def run_eagerly() -> None:
    """Make every compiled function of this process run its Python code."""
    torch.compiler.set_stance("force_eager")


def check_backend(backend: str) -> None:
    """Say so when there is no such backend, before anything is compiled.

    Raises:
        VerifyError: torch knows no such backend.
    """
    known = torch.compiler.list_backends(exclude_tags=())
    if backend not in known:
        raise VerifyError(f"--backend {backend}: torch has no such backend; it has {', '.join(known)}")


def compile_with(function: Callable[..., Any], backend: Any, mode: str = "default") -> Callable[..., Any]:
    """Compile, with a mode that the backend knows.

    Raises:
        VerifyError: there is no such mode.
    """
    try:
        compiled: Callable[..., Any] = torch.compile(function, backend=backend, **({} if mode == "default" else {"mode": mode}))
        return compiled
    except RuntimeError as error:
        raise VerifyError(f"--mode {mode}: {error}") from None
