"""Load the target: what is called, and with which inputs."""

from __future__ import annotations

import torch
from torch.utils._pytree import tree_map

from ..errors import VerifyError
from ..shape_spec import FLOATING, INTEGER, ShapeSpec
from ..target import parse_target
from .job import Job
from .loading import Case, find, input_of, pairs_of_provider, pairs_of_shapes
from .modules import modules_of
from .randomness import seed_everything

def load_cases(job: Job) -> list[Case]:
    """Import the target, ask it for its callables and inputs, and move them to the job's device.

    Raises:
        VerifyError: the target is missing, raises, or returns something else than callables with inputs.
    """
    if job.device.startswith("cuda") and not torch.cuda.is_available():
        raise VerifyError(f"--device {job.device}: torch sees no CUDA device here (torch {torch.__version__}); use --device cpu")
    seed_everything(job.seed)
    target = parse_target(job.target)
    found = find(target, job)
    pairs = pairs_of_shapes(found, target, job.inputs, _draw) if job.inputs else pairs_of_provider(found, target)
    cases = []
    for number, (function, inputs) in enumerate(pairs, 1):
        calls = [input_of(value, target) for value in inputs]
        prefix = f"pair {number}, " if len(pairs) > 1 else ""
        names = [f"{prefix}input {index}" for index in range(1, len(calls) + 1)]
        for module in modules_of(function, ()):
            module.to(job.device)
        moved = tree_map(lambda leaf: leaf.to(job.device) if isinstance(leaf, torch.Tensor | torch.nn.Module) else leaf, calls)
        cases.append(Case(function, moved, names))
    return cases


def _draw(spec: ShapeSpec) -> torch.Tensor:
    dtype = getattr(torch, spec.dtype)
    if spec.dtype in FLOATING:
        if spec.low is None or spec.high is None:
            return torch.randn(spec.shape).to(dtype)
        return (spec.low + (spec.high - spec.low) * torch.rand(spec.shape)).to(dtype)
    if spec.dtype in INTEGER:
        return torch.randint(int(spec.low or 0), int(10 if spec.high is None else spec.high), spec.shape, dtype=dtype)
    if spec.dtype == "bool":
        return torch.rand(spec.shape) < 0.5
    return torch.randn(spec.shape, dtype=dtype)
