"""Find what a target names, in whatever framework it is written: its module, its provider, its callables and inputs."""

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

from ..errors import VerifyError
from ..shape_spec import ShapeSpec, parse_shape_spec
from ..target import Target
from .job import Job

Input = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass
class Case:
    """A callable and its inputs; each call has a name that the report uses."""

    function: Callable[..., Any]
    inputs: list[Input]
    names: list[str]


def find(target: Target, job: Job) -> Any:
    """Import the target's module and give what the target names.

    Raises:
        VerifyError: it is missing, is no callable, cannot be imported, or is imported from elsewhere.
    """
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


def pairs_of_provider(provider: Any, target: Target) -> list[tuple[Any, list[Any]]]:
    """Ask a provider for its callables, each with its inputs.

    Raises:
        VerifyError: it raises, or returns something else.
    """
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


def input_of(value: Any, target: Target) -> Input:
    """An input as positional and keyword arguments.

    Raises:
        VerifyError: it is no tuple.
    """
    if not isinstance(value, tuple):
        raise VerifyError(f"`{target}`: an input must be a tuple of arguments, or (args, kwargs), but one is a {type(value).__name__}")
    if len(value) == 2 and isinstance(value[0], tuple) and isinstance(value[1], dict) and all(isinstance(key, str) for key in value[1]):
        return value
    return value, {}


def pairs_of_shapes(found: Any, target: Target, specs: tuple[str, ...], draw: Callable[[ShapeSpec], Any]) -> list[tuple[Any, list[Any]]]:
    """The callable itself, with the one input that the shape specs describe.

    Raises:
        VerifyError: it is a class that cannot be instantiated without arguments.
    """
    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            raise VerifyError(f"`{target}()` raised {_told(error)}; write a function that returns (callable, inputs)") from None
    return [(found, [tuple(draw(parse_shape_spec(spec)) for spec in specs)])]


_VERIFIER = Path(__file__).resolve().parent


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not Path(frame.filename).is_relative_to(_VERIFIER) and not frame.filename.startswith("<")]
    place = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
    if isinstance(error, SyntaxError) and error.filename:
        place = f" ({error.filename}:{error.lineno})"
    return f"{type(error).__name__}: {error}{place}"
