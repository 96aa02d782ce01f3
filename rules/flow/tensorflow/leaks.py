"""Symbolic tensors that one captured function leaves on an object and another one reads."""

from __future__ import annotations

import ast

from ..events import Leaked
from ..frame import Frame
from ..values import Instance


class Leaks:
    """What captured code writes to and reads from the attributes of objects that outlive it; whichever comes first waits for the other."""

    def __init__(self) -> None:
        self._written: dict[tuple[int, str], object] = {}
        self._read: dict[tuple[int, str], list[tuple[ast.expr, Frame, object]]] = {}

    def written(self, holder: Instance, name: str, frame: Frame) -> None:
        """An attribute is set to a symbolic tensor."""
        key, entry = (holder.number, name), frame.engine.entry
        if self._written.setdefault(key, entry) == entry:
            for node, reader, by in self._read.pop(key, []):
                self._tell(holder, name, node, reader, by, entry)

    def read(self, holder: Instance, name: str, node: ast.expr, frame: Frame) -> None:
        """An attribute is read."""
        key, entry = (holder.number, name), frame.engine.entry
        writer = self._written.get(key)
        if writer is None:
            self._read.setdefault(key, []).append((node, frame, entry))
        else:
            self._tell(holder, name, node, frame, entry, writer)

    def _tell(self, holder: Instance, name: str, node: ast.expr, frame: Frame, reader: object, writer: object) -> None:
        if reader != writer and name in holder.attributes:
            frame.engine.emit(Leaked(node, frame, name, holder.attributes[name]))
