"""Which callable is verified: ``package.module:name`` or ``path/to/file.py:name``.

Without shape specs the name is a *provider*, a function of no arguments that returns ``(callable, inputs)`` or a list of such pairs.
``inputs`` is one input or a list of inputs. An input is a tuple of positional arguments, or the pair ``(args_tuple, kwargs_dict)``.
With shape specs the name is the callable itself; a class is instantiated without arguments.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .errors import VerifyError


@dataclass(frozen=True)
class Target:
    """Where a name lives: in a module found on the import path, or in a file."""

    place: str
    name: str
    is_file: bool

    def __str__(self) -> str:
        return f"{self.place}:{self.name}"

    def source_in(self, root: Path) -> Path | None:
        """The file that holds the target in the project at ``root``, or None when the project has no such file."""
        if self.is_file:
            candidates = [root / self.place]
        else:
            relative = Path(*self.place.split("."))
            candidates = [
                folder / form
                for folder in (root, root / "src")
                for form in (relative.with_name(relative.name + ".py"), relative / "__init__.py")
            ]
        return next((candidate for candidate in candidates if candidate.is_file()), None)


def parse_target(text: str) -> Target:
    """Read ``module:name`` or ``file.py:name``.

    Raises:
        VerifyError: there is no name, or what stands before it is neither a file nor a module's name.
    """
    place, colon, name = text.rpartition(":")
    if not colon or not place or not all(part.isidentifier() for part in name.split(".")):
        raise VerifyError(f"`{text}` is no target: write module:function or path/to/file.py:function")
    if place.endswith(".py"):
        return Target(place, name, is_file=True)
    if not all(part.isidentifier() for part in place.split(".")):
        raise VerifyError(f"`{text}` is no target: `{place}` is neither a module's name nor a .py file")
    return Target(place, name, is_file=False)
