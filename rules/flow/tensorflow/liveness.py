"""Liveness: whether a name that a branch or loop sets is read afterwards, which is all that a graph must carry out of it."""

from __future__ import annotations

import ast

from ...index.walk import walk
from ..frame import Frame

_READS: dict[ast.AST, dict[str, list[tuple[int, int]]]] = {}


def _reads(node: ast.AST) -> dict[str, list[tuple[int, int]]]:
    """Where each name of a function is read."""
    known = _READS.get(node)
    if known is None:
        known = _READS[node] = {}
        for item in walk(node):
            if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Load):
                known.setdefault(item.id, []).append((item.lineno, item.col_offset))
            elif isinstance(item, ast.AugAssign) and isinstance(item.target, ast.Name):
                known.setdefault(item.target.id, []).append((item.lineno, item.col_offset))
    return known


def _end_of(at: ast.AST, frame: Frame) -> tuple[ast.AST | None, int]:
    """The statement whose test or iterable ``at`` is, and its last line."""
    node = frame.function.node if frame.function is not None else None
    for item in walk(node) if node is not None else ():
        if isinstance(item, (ast.If, ast.While)) and item.test is at:
            return item, item.end_lineno or item.lineno
        if isinstance(item, ast.For) and item.iter is at:
            return item, item.end_lineno or item.lineno
    return None, getattr(at, "end_lineno", 0)


def live_after(name: str, at: ast.AST, frame: Frame) -> bool:
    """Whether a name is read behind the statement whose test or iterable ``at`` is, or in a later round of a loop around it."""
    if frame.function is None:
        return False
    _, end = _end_of(at, frame)
    places = _reads(frame.function.node).get(name, [])
    if any(line > end for line, _ in places):
        return True
    for stage in frame.staging:
        if isinstance(stage.node, (ast.For, ast.While)):
            first, last = stage.node.lineno, stage.node.end_lineno or 0
            start = getattr(at, "lineno", 0)
            if any(first <= line < start or (end < line <= last) for line, _ in places):
                return True
    return False
