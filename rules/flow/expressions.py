"""Expressions other than calls and attributes."""

from __future__ import annotations

import ast
from typing import Any

from .calls import call
from .binding import Arguments
from .dispatch import evaluate, evaluates
from .capture import TENSORFLOW
from .events import Branch, Format, Index, Iterate, Operate, SizeTest, Staged
from .frame import Frame
from .names import lookup
from .operators import binary, compared
from .truth import narrow, of_value, test
from .values import (
    NONE,
    SIZE,
    STATIC_ANY,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    UNKNOWN,
    Array,
    Const,
    External,
    Function,
    Instance,
    Mapping,
    ModuleRef,
    Scalar,
    Sequence,
    Tensor,
    Union,
    Value,
    Why,
    contains_tensor,
    join,
    join_all,
    members_of,
    tensor_in,
)


@evaluates(ast.Constant)
def _constant(node: ast.Constant, frame: Frame) -> Value:
    return Const(node.value)


@evaluates(ast.Name)
def _name(node: ast.Name, frame: Frame) -> Value:
    value = frame.env.get(node.id)
    if value is not None:
        return value
    return lookup(frame.module, node.id)


@evaluates(ast.JoinedStr)
def _f_string(node: ast.JoinedStr, frame: Frame) -> Value:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            value = evaluate(part.value, frame)
            if contains_tensor(value) is not None:
                frame.engine.emit(Format(node, frame, value))
            if part.format_spec is not None:
                evaluate(part.format_spec, frame)
    return STATIC_STR


@evaluates(ast.FormattedValue)
def _formatted(node: ast.FormattedValue, frame: Frame) -> Value:
    evaluate(node.value, frame)
    return STATIC_STR


@evaluates(ast.Tuple, ast.List, ast.Set)
def _display(node: ast.Tuple | ast.List | ast.Set, frame: Frame) -> Value:
    kind = "tuple" if isinstance(node, ast.Tuple) else "list" if isinstance(node, ast.List) else "set"
    elements: list[Value] = []
    rest: list[Value] = []
    exact = True
    for item in node.elts:
        if isinstance(item, ast.Starred):
            value = evaluate(item.value, frame)
            if isinstance(value, Sequence) and value.elements is not None:
                elements.extend(value.elements)
            else:
                exact = False
                rest.append(element_of(value))
        else:
            elements.append(evaluate(item, frame))
    if exact:
        return Sequence(kind, elements)
    return Sequence(kind, None, join_all([*elements, *rest]))


@evaluates(ast.Dict)
def _dict(node: ast.Dict, frame: Frame) -> Value:
    result = Mapping()
    for key_node, value_node in zip(node.keys, node.values):
        value = evaluate(value_node, frame)
        if key_node is None:
            if isinstance(value, Mapping):
                result.entries.update(value.entries)
                if value.other is not None:
                    result.other = value.other if result.other is None else join(result.other, value.other)
            else:
                result.other = UNKNOWN
            continue
        result.put(hashable(evaluate(key_node, frame)), value, weak=False)
    return result


def hashable(key: Value) -> Value:
    """A key as a constant when it is one that a dict can hold."""
    if isinstance(key, Const):
        try:
            hash(key.value)
        except TypeError:
            return UNKNOWN
    return key


@evaluates(ast.BinOp)
def _binary(node: ast.BinOp, frame: Frame) -> Value:
    left, right = evaluate(node.left, frame), evaluate(node.right, frame)
    operator = type(node.op).__name__
    result = binary(operator, left, right, frame, node)
    if contains_tensor(left) is not None or contains_tensor(right) is not None:
        frame.engine.emit(Operate(node, frame, operator, left, right))
        if isinstance(left, _AXES) or isinstance(right, _AXES):
            frame.engine.emit(SizeTest(node, frame, operator, left, right))
    elif isinstance(left, _AXES) or isinstance(right, _AXES):
        frame.engine.emit(SizeTest(node, frame, operator, left, right))
        return SIZE
    return result


@evaluates(ast.UnaryOp)
def _unary(node: ast.UnaryOp, frame: Frame) -> Value:
    if isinstance(node.op, ast.Not):
        outcome = test(node.operand, frame, "not")
        return STATIC_BOOL if outcome.decided is None else Const(not outcome.decided)
    value = evaluate(node.operand, frame)
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        try:
            if isinstance(node.op, ast.USub):
                return Const(-value.value)
            if isinstance(node.op, ast.Invert) and isinstance(value.value, int):
                return Const(~value.value)
        except Exception:
            return STATIC_ANY
    tensor = tensor_in(value)
    if isinstance(value, TFTensor):
        return value.replace(nominal=False, kind="tensor")
    if tensor is not None and isinstance(value, Tensor):
        return Tensor(tensor.dtype, tensor.rank, tensor.why, tensor.likely, layout=tensor.layout)
    return value if isinstance(value, (Scalar, Array)) else UNKNOWN if tensor is None else value


@evaluates(ast.BoolOp)
def _boolean(node: ast.BoolOp, frame: Frame) -> Value:
    conjunction = isinstance(node.op, ast.And)
    saved, depth = frame.env, len(frame.conditions)
    frame.env = dict(saved)
    results: list[Value] = []
    try:
        for position, operand in enumerate(node.values):
            if position == len(node.values) - 1:
                results.append(evaluate(operand, frame))
                break
            if isinstance(operand, (ast.Compare, ast.BoolOp)) or (isinstance(operand, ast.UnaryOp) and isinstance(operand.op, ast.Not)):
                outcome = test(operand, frame, "and" if conjunction else "or")
                value: Value = STATIC_BOOL if outcome.decided is None else Const(outcome.decided)
            else:
                value = evaluate(operand, frame)
                outcome = of_value(value, operand, frame, "and" if conjunction else "or")
            if outcome.decided is not None:
                if outcome.decided is not conjunction:
                    results.append(value)
                    break
                continue
            falsy = [m for m in members_of(value) if not (isinstance(m, Const) and bool(m.value) is conjunction)]
            if not conjunction:
                falsy = [m for m in members_of(value) if m is not NONE]
            results.append(join_all(falsy) if falsy else value)
            frame.conditions.append(outcome.condition if conjunction else outcome.negation)
            narrow(frame, outcome.when_true if conjunction else outcome.when_false)
    finally:
        walrus = {k: v for k, v in frame.env.items() if k not in saved}
        frame.env = saved
        frame.env.update(walrus)
        del frame.conditions[depth:]
    return join_all(results)


@evaluates(ast.Compare)
def _compare(node: ast.Compare, frame: Frame) -> Value:
    if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        outcome = test(node, frame, "value")
        return STATIC_BOOL if outcome.decided is None else Const(outcome.decided)
    left = evaluate(node.left, frame)
    results: list[Value] = []
    for operator, right_node in zip(node.ops, node.comparators):
        right = evaluate(right_node, frame)
        name = type(operator).__name__
        if contains_tensor(left) is not None or contains_tensor(right) is not None:
            frame.engine.emit(Operate(node, frame, name, left, right))
            if isinstance(left, _AXES) or isinstance(right, _AXES):
                frame.engine.emit(SizeTest(node, frame, name, left, right))
        elif isinstance(left, _AXES) or isinstance(right, _AXES):
            frame.engine.emit(SizeTest(node, frame, name, left, right))
            if name in ("Eq", "NotEq") and isinstance(left, Const) and isinstance(right, Const) and (left.value is None or right.value is None):
                results.append(STATIC_BOOL)
                left = right
                continue
        results.append(compared(name, left, right))
        left = right
    if len(results) > 1:
        for value in results[:-1]:
            if tensor_in(value) is not None:
                frame.engine.emit(Branch(node, frame, value, "and"))
        return join_all(results)
    return results[0]


@evaluates(ast.IfExp)
def _conditional(node: ast.IfExp, frame: Frame) -> Value:
    outcome = test(node.test, frame, "ternary", frame.statement)
    saved = frame.env
    values = []
    for wanted, branch, condition, narrowing in (
        (True, node.body, outcome.condition, outcome.when_true),
        (False, node.orelse, outcome.negation, outcome.when_false),
    ):
        if outcome.decided is not None and outcome.decided is not wanted:
            continue
        frame.env = dict(saved)
        narrow(frame, narrowing)
        if outcome.decided is None:
            frame.conditions.append(condition)
        try:
            values.append(evaluate(branch, frame))
        finally:
            if outcome.decided is None:
                frame.conditions.pop()
            frame.env = saved
    if outcome.data and len(values) == 2 and frame.capture.framework == TENSORFLOW and frame.capture.converted:
        frame.engine.emit(Staged(node, frame, "ternary", {}, ({"": values[0]}, {"": values[1]})))
    return join_all(values)


@evaluates(ast.NamedExpr)
def _walrus(node: ast.NamedExpr, frame: Frame) -> Value:
    value = evaluate(node.value, frame)
    statements.assign(node.target, value, frame, node.value)
    return value


@evaluates(ast.Lambda)
def _lambda(node: ast.Lambda, frame: Frame) -> Value:
    return make_function(node, frame)


def make_function(node: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> Function:
    """The function that a ``def`` or ``lambda`` inside a function makes, with what it closes over."""
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    outer = frame.function.qualname + "." if frame.function is not None else ""
    free = _free_names(node)
    closure = {k: v for k, v in frame.env.items() if k in free or ("." in k and k.partition(".")[0] in free)}
    function = Function(node, frame.module, outer + name, frame.function.owner if frame.function is not None else None, closure)
    function.inner = frame.function is not None and frame.capture.framework == TENSORFLOW
    if name in free:
        closure[name] = function
    return function


_FREE: dict[ast.AST, frozenset[str]] = {}


def _free_names(node: ast.AST) -> frozenset[str]:
    known = _FREE.get(node)
    if known is None:
        known = frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name))
        _FREE[node] = known
    return known


@evaluates(ast.ListComp, ast.SetComp, ast.GeneratorExp)
def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp, frame: Frame) -> Value:
    kind = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "iterator"}[type(node)]
    result = _generators(node.generators, lambda: evaluate(node.elt, frame), frame)
    if result is None:
        return Sequence(kind, [])
    return Sequence(kind, None, result)


@evaluates(ast.DictComp)
def _dict_comprehension(node: ast.DictComp, frame: Frame) -> Value:
    def item() -> Value:
        evaluate(node.key, frame)
        return evaluate(node.value, frame)

    result = _generators(node.generators, item, frame)
    return Mapping(None, result if result is not None else UNKNOWN)


def _generators(generators: list[ast.comprehension], item: object, frame: Frame) -> Value | None:
    saved, depth = frame.env, len(frame.conditions)
    frame.env = dict(saved)
    try:
        for generator in generators:
            iterable = evaluate(generator.iter, frame)
            if frame.capture.framework == TENSORFLOW and (tf_tensor_in(iterable) is not None or is_object(iterable, "Dataset")):
                frame.engine.emit(Iterate(generator.iter, frame, iterable, "comprehension"))
            if isinstance(iterable, Sequence) and iterable.elements == []:
                return None
            statements.assign(generator.target, statements.iterate(iterable, generator.iter, frame), frame, generator.iter)
            for condition in generator.ifs:
                outcome = test(condition, frame, "filter")
                if outcome.decided is False:
                    return None
                if outcome.decided is None and not outcome.data:
                    frame.conditions.append(outcome.condition)
                narrow(frame, outcome.when_true)
        return item()  # type: ignore[operator, no-any-return]
    finally:
        frame.env = saved
        del frame.conditions[depth:]


@evaluates(ast.Yield)
def _yield(node: ast.Yield, frame: Frame) -> Value:
    frame.yields.append(evaluate(node.value, frame) if node.value is not None else NONE)
    return UNKNOWN


@evaluates(ast.YieldFrom)
def _yield_from(node: ast.YieldFrom, frame: Frame) -> Value:
    frame.yields.append(element_of(evaluate(node.value, frame)))
    return UNKNOWN


@evaluates(ast.Await)
def _await(node: ast.Await, frame: Frame) -> Value:
    return evaluate(node.value, frame)


@evaluates(ast.Starred)
def _starred(node: ast.Starred, frame: Frame) -> Value:
    return evaluate(node.value, frame)


@evaluates(ast.Slice)
def _slice(node: ast.Slice, frame: Frame) -> Value:
    parts = [evaluate(p, frame) if p is not None else NONE for p in (node.lower, node.upper, node.step)]
    return Sequence("slice", parts)


@evaluates(ast.Subscript)
def _subscript(node: ast.Subscript, frame: Frame) -> Value:
    path = truth.path_of(node.value)
    if path is not None and isinstance(node.slice, ast.Constant):
        known = frame.env.get(f"{path}[{node.slice.value!r}]")
        if known is not None:
            return known
    base = evaluate(node.value, frame)
    index = evaluate(node.slice, frame)
    return index_into(base, index, node, frame)


def index_into(base: Value, index: Value, node: ast.expr, frame: Frame) -> Value:
    """``base[index]``."""
    if isinstance(base, Union):
        values = [index_into(member, index, node, frame) for member in base.members if member is not NONE]
        return join_all(values) if values else UNKNOWN
    if contains_tensor(index) is not None or isinstance(base, (Tensor, Array)) or (isinstance(base, External) and base.name == "os.environ"):
        frame.engine.emit(Index(node, frame, base, index))
    if isinstance(base, Tensor):
        return indexed_tensor(base, index)
    if isinstance(base, Sequence):
        return _indexed_sequence(base, index)
    if isinstance(base, Mapping):
        if isinstance(index, Const):
            if isinstance(index.value, int) and base.kind not in ("dict", "moduledict") and index.value not in base.entries:
                return base.any()
            try:
                return base.get(index.value)
            except TypeError:
                return UNKNOWN
        return base.any()
    if isinstance(base, Array):
        return Array(base.dtype, constant=base.constant)
    if isinstance(base, Instance):
        getter = frame.engine.member(base.cls, "__getitem__") if not isinstance(base.cls, External) else None
        if getter is not None:
            return call(getter[2], Arguments([base, index]), frame, node)
        children = base.attributes.get("#children")
        if isinstance(children, Sequence):
            return _indexed_sequence(children, index)
        return UNKNOWN
    if isinstance(base, (Scalar, Const)):
        return base if isinstance(base, Scalar) and base.type == "str" else Scalar("")
    if base is UNKNOWN and (tensor := tensor_in(index)) is not None:
        return Tensor("", None, tensor.why, True)
    if isinstance(base, (External, ModuleRef)):
        return base if isinstance(base, External) and base.name[:7] in ("typing.", "builtin") else UNKNOWN
    return UNKNOWN


def _indexed_sequence(base: Sequence, index: Value) -> Value:
    if isinstance(index, Sequence) and index.kind == "slice":
        if base.elements is not None and index.elements is not None and all(isinstance(p, Const) for p in index.elements):
            bounds: list[Any] = [p.value for p in index.elements if isinstance(p, Const)]
            try:
                return Sequence(base.kind, base.elements[slice(*bounds)])
            except (TypeError, ValueError):
                return base
        return Sequence(base.kind, None, base.any() if base.elements or base.element is not None else None)
    if base.elements is not None and isinstance(index, Const) and isinstance(index.value, int):
        try:
            return base.elements[index.value]
        except IndexError:
            return UNKNOWN
    return base.any()


def indexed_tensor(base: Tensor, index: Value) -> Tensor:
    """What indexing a tensor gives: the rank where it is known."""
    if isinstance(base, TFTensor):
        return members.indexed(base, index)
    parts = index.elements if isinstance(index, Sequence) and index.kind == "tuple" and index.elements is not None else [index]
    rank = base.rank
    for part in parts:
        if rank is None:
            break
        if isinstance(part, Const) and part.value is None:
            rank += 1
        elif (isinstance(part, Const) and isinstance(part.value, int)) or isinstance(part, Scalar):
            rank -= 1
        elif isinstance(part, Tensor):
            rank = rank - 1 if part.rank == 0 and part.dtype != "bool" else None if part.rank is None or part.dtype in ("bool", "") or len(parts) > 1 else rank + part.rank - 1
        elif isinstance(part, Sequence) and part.kind == "slice":
            continue
        elif isinstance(part, Const) and part.value is Ellipsis:
            continue
        else:
            rank = None
    return Tensor(base.dtype, rank if rank is None or rank >= 0 else None, base.why, base.likely, layout=base.layout)


def element_of(value: Value) -> Value:
    """What iterating over a value gives, without telling anybody."""
    if isinstance(value, Sequence):
        return value.any()
    if isinstance(value, TFTensor):
        return members.element(value)
    if isinstance(value, Tensor):
        return Tensor(value.dtype, value.rank - 1 if value.rank else None, value.why, value.likely)
    if isinstance(value, Mapping):
        return join_all([Const(k) for k in value.entries]) if value.entries and value.other is None else STATIC_ANY
    if isinstance(value, Union):
        return join_all([element_of(m) for m in value.members if m is not NONE])
    if isinstance(value, Array):
        return Array(value.dtype, constant=value.constant)
    if isinstance(value, Instance):
        if is_object(value, "Dataset", "DatasetV2", "Iterator"):
            return element_of_dataset(value)
        children = value.attributes.get("#children")
        return children.any() if isinstance(children, Sequence) else UNKNOWN
    if isinstance(value, (Scalar, Const)):
        return STATIC_STR if isinstance(value, Scalar) and value.type == "str" else UNKNOWN
    return UNKNOWN


from . import statements, truth  # noqa: E402
from .tensorflow import members  # noqa: E402
from .tensorflow.values import MaybeAxis, TFTensor, UnknownAxis, element_of_dataset, is_object, tf_tensor_in  # noqa: E402  (these call back into this module)
_AXES = (UnknownAxis, MaybeAxis)

__all__ = ["SIZE", "STATIC_INT", "Why", "element_of", "hashable", "index_into", "indexed_tensor", "make_function"]
