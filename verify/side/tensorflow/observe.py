"""Run every input of one side and save what can be seen of each call."""

from __future__ import annotations

import pickle
import re
import traceback
from pathlib import Path
from typing import Any

from ..branches import BranchRecorder
from ..job import Job
from ..loading import Case, Input
from .api import np, tf
from .behind import behind
from .capturing import EAGER, XLA, Captured, is_compiled_by_xla
from .cases import load_cases
from .gradients import gradients_of
from .leaves import leaves_of
from .printed import printed
from .randomness import seed_everything, seed_python
from .state import state_of, variables_of
from .traces import traces_of

DRAWS = 48
"""How many results of a random function are compared with as many of the original's."""


def observe(job: Job) -> dict[str, Any]:
    """Do an ``observe`` job: the observations go to a file, a summary is returned."""
    recorder = None
    if job.branches:
        recorder = BranchRecorder(job.branches, Path(job.root))
        recorder.install()
    observed = _observe_cases(job, recorder)
    calls = [call for found in observed for call in found["calls"]]
    with open(job.observations, "wb") as file:
        pickle.dump({"calls": calls, "draws": [draw for found in observed for draw in found["draws"]]}, file)
    return {
        "calls": [call["name"] for call in calls],
        "raised": [call["name"] for call in calls if call["raised"]],
        "branches": recorder.report() if recorder else None,
        "traces": [found["traces"] for found in observed if found["traces"]],
        "notes": [note for found in observed for note in found["notes"]],
    }


def observe_cases(job: Job) -> list[dict[str, Any]]:
    """What every call does, in the order of the calls."""
    return [call for found in _observe_cases(job) for call in found["calls"]]


def _observe_cases(job: Job, recorder: BranchRecorder | None = None) -> list[dict[str, Any]]:
    if job.reference:
        tf.keras.config.set_floatx("float64")
    cases = load_cases(job)
    if job.reference:
        for case in cases:
            case.inputs = tf.nest.map_structure(_widen, case.inputs)
    return [_observe_case(case, job, recorder) for case in cases]


def _observe_case(case: Case, job: Job, recorder: BranchRecorder | None) -> dict[str, Any]:
    how = XLA if job.backend and is_compiled_by_xla(case.function) else job.backend
    captured = Captured(case.function, how)
    signature = captured.signature() if how != EAGER else None
    seed = job.seed if job.call_seed is None else job.call_seed
    given = [
        (number, name, value) for number, (name, value) in enumerate(zip(case.names, case.inputs, strict=True))
        if "derived" not in name or signature is None or _fits(value, signature)
    ]  # fmt: skip
    # A method's receiver may be held by the bound method alone.
    start = state_of(captured.behind)
    seed_everything(seed)
    calls = []
    if recorder:
        recorder.counting = True
    for number, name, value in given:
        calls.append({"name": name, "start": start, **_observe_call(captured, fresh(value), seed + 1 + number)})
    if recorder:
        recorder.counting = False
    found = {
        "calls": calls, "draws": [],
        "traces": traces_of(captured, [(value, call["raised"]) for (_, _, value), call in zip(given, calls, strict=True)]) if how != EAGER else None,
        "notes": _notes(captured, case),
    }  # fmt: skip
    if job.gradients:
        variables = variables_of(behind(case.function))
        for (number, _, value), call in zip(given, calls, strict=True):
            if not call["raised"]:
                call["gradients"] = gradients_of(captured.run, variables, fresh(value), seed + 1 + number)
                if call["gradients"]["raised"]:
                    captured.throw_away()
    if given and any(name.startswith(f"{given[0][1]}/") for name in (*job.random, *job.clocked)):
        found["draws"] = [{"name": given[0][1], "outputs": _draws(captured, given[0][2], seed)}]
    return found


def _observe_call(captured: Captured, given: Input, seed: int) -> dict[str, Any]:
    args, kwargs = given
    output: Any = None
    raised = None
    seed_python(seed)
    with printed() as text:
        try:
            output = captured.run(*args, **kwargs)
        except (Exception, SystemExit) as error:
            raised = exception_of(error)
    inputs = leaves_of(args, "args")
    if kwargs:
        inputs.update(leaves_of(kwargs, "kwargs"))
    # Names may have been bound, and variables made, by the call.
    state = state_of(behind(captured.function))
    if raised:
        captured.throw_away()
    return {
        "outputs": {} if raised else leaves_of(output, "out"), "raised": raised, "inputs": inputs, "state": state, "text": text,
        "gradients": None,
    }  # fmt: skip


def _draws(captured: Captured, value: Input, seed: int) -> list[dict[str, Any]]:
    found = []
    for number in range(DRAWS):
        seed_python(seed + 1000 + number)
        args, kwargs = fresh(value)
        with printed():
            try:
                found.append(leaves_of(captured.run(*args, **kwargs), "out"))
            except Exception:
                captured.throw_away()
                break
    return found


def _notes(captured: Captured, case: Case) -> list[str]:
    if captured.as_written:
        name = getattr(case.function, "__qualname__", type(case.function).__qualname__)
        return [f"`{name}` is called as it is, since it runs graphs of its own; let the provider give tf.function({name}) to compile all of it"]
    return []


def _fits(value: Input, signature: list[Any]) -> bool:
    """Whether an input that the user did not give is one that the function's signature accepts."""
    args, kwargs = value
    flat = tf.nest.flatten([*args, *kwargs.values()])
    return all(spec.is_compatible_with(tf.convert_to_tensor(leaf)) for spec, leaf in zip(signature, flat, strict=False) if hasattr(leaf, "dtype"))


def fresh(value: Any) -> Any:
    """A copy that a call may change in place: of containers and numpy arrays; tensors never change."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(fresh, value))
    if type(value) in (list, tuple):
        return type(value)(map(fresh, value))
    if type(value) is dict:
        return {key: fresh(item) for key, item in value.items()}
    return value


def exception_of(error: BaseException) -> dict[str, Any]:
    """What is kept of an exception: its type, its message without TensorFlow's frames, and the last line of user code."""
    message = str(error).strip()
    frames = [
        f"{frame.filename}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if "site-packages" not in frame.filename and not Path(frame.filename).is_relative_to(_VERIFIER) and not frame.filename.startswith("<")
        and not Path(frame.filename).name.startswith("__autograph_generated")
    ]  # fmt: skip
    quoted = [f"{path}:{line}" for path, line in re.findall(r'File "([^"]+)", line (\d+)', message) if "site-packages" not in path]
    name = type(error).__qualname__
    told = re.findall(r"^\s*(?:[\w.]*\.)?(\w+(?:Error|Exception|Iteration|Exit|Interrupt)): (.*)$", message, re.MULTILINE)
    if message.startswith("in user code") and told:
        # AutoGraph writes the traceback into the message, and where it cannot build the type again it raises a stand-in.
        name, message = (told[-1][0] if name == "StagingError" else name), told[-1][1]
    # TensorFlow's own names of graphs count up, and its options fill lines.
    message = re.sub(r"__(?:inference|forward|backward)_(\w+?)_\d+(?:\[[^\]]*\])?", r"\1", message)
    if message.startswith(("Graph execution error", "Detected at node")):
        said = [line.strip() for line in message.splitlines() if line.strip() and not line.strip().startswith(_AROUND)]
        message = next((line for line in said if "unsupported operations" in line), said[-1] if said else message)
    places = quoted or frames
    return {"type": name.lstrip("_"), "message": message, "place": places[-1] if places else ""}


_AROUND = ("Detected at", "Graph execution", "File ", "at node", "Stack trace", "[[", "Defined at", "node ", "Errors may have originated")
"""What TensorFlow writes around the reason why a graph failed."""
_VERIFIER = Path(__file__).resolve().parents[2]


def _widen(leaf: Any) -> Any:
    if isinstance(leaf, tf.Tensor) and leaf.dtype.is_floating:
        return tf.cast(leaf, tf.float64)
    return leaf.astype(float) if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f" else leaf
