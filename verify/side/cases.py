"""Load the target: what is called, and with which inputs."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch.utils._pytree import tree_map

from ..errors import VerifyError
from ..shape_spec import FLOATING, INTEGER, ShapeSpec, parse_shape_spec
from ..target import Target, parse_target
from .job import Job
from .modules import modules_of
from .randomness import seed_everything

Input = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass
class Case:
    """A callable and its inputs; each call has a name that the report uses."""

    function: Callable[..., Any]
    inputs: list[Input]
    names: list[str]


def load_cases(job: Job) -> list[Case]:
    """Import the target, ask it for its callables and inputs, and move them to the job's device.

    Raises:
        VerifyError: the target is missing, raises, or returns something else than callables with inputs.
    """
    if job.device.startswith("cuda") and not torch.cuda.is_available():
        raise VerifyError(f"--device {job.device}: torch sees no CUDA device here (torch {torch.__version__}); use --device cpu")
    seed_everything(job.seed)
    target = parse_target(job.target)
    found = _find(target, job)
    pairs = _from_shapes(found, target, job.inputs) if job.inputs else _from_provider(found, target)
    cases = []
    for number, (function, inputs) in enumerate(pairs, 1):
        calls = [_input(value, target) for value in inputs]
        prefix = f"pair {number}, " if len(pairs) > 1 else ""
        names = [f"{prefix}input {index}" for index in range(1, len(calls) + 1)]
        for module in modules_of(function, ()):
            module.to(job.device)
        moved = tree_map(lambda leaf: leaf.to(job.device) if isinstance(leaf, torch.Tensor | torch.nn.Module) else leaf, calls)
        cases.append(Case(function, moved, names))
    return cases


def _find(target: Target, job: Job) -> Any:
    module = _module(target, Path(job.root))
    origin = Path(getattr(module, "__file__", None) or ".").resolve()
    if job.must_be_in_root and not target.is_file and not origin.is_relative_to(Path(job.root).resolve()):
        raise VerifyError(f"`{target.place}` is imported from {origin}, not from the project at {job.root}")
    found: Any = module
    for part in target.name.split("."):
        if not hasattr(found, part):
            raise VerifyError(f"`{target}`: {origin} has no `{target.name}`")
        found = getattr(found, part)
    if not callable(found):
        raise VerifyError(f"`{target}` is a {type(found).__name__}, not a function or a class")
    return found


def _module(target: Target, root: Path) -> ModuleType:
    try:
        if not target.is_file:
            return importlib.import_module(target.place)
        path = root / target.place
        if not path.is_file():
            raise VerifyError(f"`{target}`: there is no file {path}")
        dotted = _dotted_name(path.resolve(), root.resolve())
        if dotted:
            return importlib.import_module(dotted)
        sys.path.insert(1, str(path.parent))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None:
            raise VerifyError(f"`{target}`: {path} cannot be imported")
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        return module
    except VerifyError:
        raise
    except ModuleNotFoundError as error:
        raise VerifyError(f"`{target}`: {error}, looked for from {root}") from None
    except (Exception, SystemExit) as error:
        raise VerifyError(f"`{target}` cannot be imported: {_told(error)}") from None


def _dotted_name(path: Path, root: Path) -> str:
    """The name of a file that lies in a package of the project, so that its relative imports work; empty elsewhere."""
    top = path.parent
    while (top / "__init__.py").is_file() and top != root:
        top = top.parent
    if top == path.parent or not path.is_relative_to(root):
        return ""
    sys.path.insert(1, str(top))
    return ".".join(path.relative_to(top).with_suffix("").parts)


def _from_provider(provider: Any, target: Target) -> list[tuple[Any, list[Any]]]:
    try:
        given = provider()
    except (Exception, SystemExit) as error:
        raise VerifyError(f"`{target}` raised {_told(error)}") from None
    pairs = given if isinstance(given, list) else [given]
    result = []
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2 and callable(pair[0])):
            raise VerifyError(
                f"`{target}` must return (callable, inputs), or a list of such pairs, but returned {type(given).__name__}; "
                "to verify a callable directly, give its inputs with --input"
            )
        result.append((pair[0], pair[1] if isinstance(pair[1], list) else [pair[1]]))
    if not any(inputs for _, inputs in result):
        raise VerifyError(f"`{target}` returned no inputs")
    return result


def _input(value: Any, target: Target) -> Input:
    if not isinstance(value, tuple):
        raise VerifyError(f"`{target}`: an input must be a tuple of arguments, or (args, kwargs), but one is a {type(value).__name__}")
    if len(value) == 2 and isinstance(value[0], tuple) and isinstance(value[1], dict) and all(isinstance(key, str) for key in value[1]):
        return value
    return value, {}


def _from_shapes(found: Any, target: Target, specs: tuple[str, ...]) -> list[tuple[Any, list[Any]]]:
    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            raise VerifyError(f"`{target}()` raised {_told(error)}; write a function that returns (callable, inputs)") from None
    return [(found, [tuple(_draw(parse_shape_spec(spec)) for spec in specs)])]


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


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/graph2static/verify/" not in frame.filename and not frame.filename.startswith("<")]
    place = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
    if isinstance(error, SyntaxError) and error.filename:
        place = f" ({error.filename}:{error.lineno})"
    return f"{type(error).__name__}: {error}{place}"
