"""Which back end Keras 3 runs on: rules about TensorFlow say nothing of Keras code that runs on another."""

from __future__ import annotations

import re
from functools import lru_cache

from ...index.module import Module
from ...index.project import Project

_SET = re.compile(r"""KERAS_BACKEND["']\s*(?:\]\s*=|,)\s*["'](\w+)["']""")


def is_other(module: Module) -> bool:
    """Whether a module, or every place of its project that chooses a back end, chooses another than TensorFlow's."""
    chosen = _choices(module.project)
    own = chosen.get(module.name)
    if own is not None:
        return own != "tensorflow"
    return bool(chosen) and "tensorflow" not in chosen.values()


@lru_cache(maxsize=1)
def _choices(project: Project) -> dict[str, str]:
    """The last back end that each module sets in the environment, by the module's name."""
    found: dict[str, str] = {}
    for name, path in project.files.items():
        text = project.text(path)
        if text is not None and "KERAS_BACKEND" in text:
            given = _SET.findall(text)
            if given:
                found[name] = given[-1]
    return found
