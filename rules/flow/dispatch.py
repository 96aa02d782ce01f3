"""Evaluation of an expression by its syntax class; the modules beside this one register what they know."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .frame import Frame
from .values import UNKNOWN, Value

Evaluator = Callable[[Any, Frame], Value]
_EVALUATORS: dict[type, Evaluator] = {}


def evaluates(*classes: type) -> Callable[[Evaluator], Evaluator]:
    """Register a function as the evaluator of syntax classes."""

    def register(function: Evaluator) -> Evaluator:
        for cls in classes:
            _EVALUATORS[cls] = function
        return function

    return register


def evaluate(node: ast.expr, frame: Frame) -> Value:
    """The abstract value of an expression; events on the way are told to the rules."""
    evaluator = _EVALUATORS.get(node.__class__)
    value = evaluator(node, frame) if evaluator is not None else UNKNOWN
    if frame.types is not None:
        from .values import join

        before = frame.types.get(node)
        frame.types[node] = value if before is None else join(before, value)
    return value
