"""Run every input of one side and save what can be seen of each call."""

from __future__ import annotations

import copy
import traceback
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_map

from .branches import BranchRecorder
from .cases import load_cases
from .compiling import check_backend, compile_with, run_eagerly
from .gradients import gradients_of
from .job import Job
from .leaves import leaves_of
from .loading import Case, Input
from .modules import modules_of, original_of, state_of
from .printed import printed
from .randomness import generator_states, seed_everything


def observe(job: Job) -> dict[str, Any]:
    """Do an ``observe`` job: the observations go to a file, a summary is returned."""
    recorder = None
    if job.branches:
        recorder = BranchRecorder(job.branches, Path(job.root))
        recorder.install()
    if job.backend:
        check_backend(job.backend)
        # Compiled code draws other random numbers than eager code unless it is told to fall back.
        torch._inductor.config.fallback_random = True
    else:
        run_eagerly()
    calls = _observe_cases(load_cases(job), job, recorder)
    reference = _reference(job) if job.reference else None
    torch.save({"calls": calls, "reference": reference}, job.observations)
    return {
        "calls": [call["name"] for call in calls],
        "raised": [call["name"] for call in calls if call["raised"]],
        "branches": recorder.report() if recorder else None,
    }


def _observe_cases(cases: list[Case], job: Job, recorder: BranchRecorder | None = None) -> list[dict[str, Any]]:
    calls = []
    for case in cases:
        function: Any = original_of(case.function)
        run = compile_with(function, job.backend, job.mode) if job.backend else function
        for number, (name, (args, kwargs)) in enumerate(zip(case.names, case.inputs, strict=True)):
            seed = job.seed + 1 + number
            if recorder:
                recorder.counting = True
            call = _observe_call(run, function, fresh((args, kwargs)), seed)
            if recorder:
                recorder.counting = False
            if job.gradients and not call["raised"]:
                call["gradients"] = gradients_of(run, function, fresh((args, kwargs)), seed)
            calls.append({"name": name, **call})
    return calls


def _observe_call(run: Any, function: Any, given: Input, seed: int) -> dict[str, Any]:
    args, kwargs = given
    modules = modules_of(function, (args, kwargs))
    output: Any = None
    raised = None
    seed_everything(seed)
    before = generator_states()
    with printed() as text:
        try:
            output = run(*args, **kwargs)
        except (Exception, SystemExit) as error:
            raised = exception_of(error)
    random = generator_states()
    inputs = leaves_of(args, "args")
    if kwargs:
        inputs.update(leaves_of(kwargs, "kwargs"))
    state = {}
    for name, value in state_of(modules).items():
        state.update(leaves_of(value, name))
    outputs = {} if raised else leaves_of(output, "out")
    return {
        "outputs": outputs, "raised": raised, "inputs": inputs, "state": state, "random": random, "drew": random != before,
        "text": text, "gradients": None,
    }  # fmt: skip


def fresh(value: Any) -> Any:
    """A copy that a call may change, with aliases among its tensors kept where they can be."""
    try:
        return copy.deepcopy(value)
    except Exception:
        # Tensors that are results of a computation refuse to be copied deeply.
        return tree_map(
            lambda leaf: leaf.detach().clone().requires_grad_(leaf.requires_grad) if isinstance(leaf, torch.Tensor) else leaf, value
        )


def exception_of(error: BaseException) -> dict[str, Any]:
    """What is kept of an exception: its type with its bases, its message, and the last line outside the framework."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "/site-packages/torch/" not in frame.filename and "/verify/side/" not in frame.filename and not frame.filename.startswith("<")
    ]
    return {
        "type": type(error).__qualname__,
        "bases": [base.__qualname__ for base in type(error).__mro__],
        "from_compiler": type(error).__module__.startswith(("torch._dynamo", "torch._inductor", "torch._functorch")),
        "message": str(error).split("\n\nfrom user code:")[0].strip(),
        "place": f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "",
    }


def _reference(job: Job) -> list[dict[str, Any]] | None:
    """The same calls in float64, or None when they cannot be run so."""
    default = torch.get_default_dtype()
    try:
        cases = load_cases(job)
        for case in cases:
            case.inputs = tree_map(_widen, case.inputs)
            for module in modules_of(case.function, [case.inputs]):
                module.double()
        torch.set_default_dtype(torch.float64)
        return _observe_cases(cases, job)
    except Exception:
        return None
    finally:
        torch.set_default_dtype(default)


def _widen(leaf: Any) -> Any:
    return leaf.double() if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() else leaf
