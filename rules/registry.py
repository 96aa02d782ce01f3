"""All rules, found by walking the packages that hold them: a new rule is a new module and nothing else."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache

from .rule import Rule

_PACKAGES = ("torch", "tensorflow")


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    """Every rule, ordered by code."""
    found: dict[str, Rule] = {}
    for package_name in _PACKAGES:
        package = importlib.import_module(f".{package_name}", __package__)
        for info in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f".{package_name}.{info.name}", __package__)
            for value in vars(module).values():
                if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == module.__name__:
                    found[value.code] = value()
    return tuple(found[code] for code in sorted(found))


def rule_by_code(code: str) -> Rule | None:
    """The rule of that code or name."""
    return next((rule for rule in all_rules() if code in (rule.code, rule.name)), None)
