"""Functions of torch, and methods and attributes of its tensors: their forms, tried eagerly and under Dynamo."""

from __future__ import annotations

import ast
import inspect
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from .arguments import Trial, trials
from .capture import graph_break
from .results import Observation, result_code
from .signature import Signature, of_callable, of_stub

Form = list[str]
"""A form as it is stored: its parameters, the code of its result, and the graph break that it causes, if any."""

FUNCTION_MODULES = ("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special", "torch.nn.init", "torch.nn.utils.rnn")
_NOT_TRIED = (
    "set_", "use_", "import_", "autocast_", "clear_", "load", "save", "compile", "seed", "manual_seed", "fork", "wait", "cond", "while_loop", "vmap",
    "typename", "from_file", "from_dlpack", "export", "init_num", "unravel_index", "hub", "is_vulkan", "cudnn", "miopen", "mkldnn", "fbgemm",
    "quantize", "empty_quantized", "choose_qparams", "fused_moving", "segment_reduce", "constant_pad", "prepare_multiprocessing", "dequantize", "rsqrt_",
)  # fmt: skip
"""Beginnings of names that are state, compilers, or of no use outside torch itself."""
_DISPATCHED = {
    "unique": "sorted:b? return_inverse:{inverse} return_counts:{counts} dim:i?",
    "unique_consecutive": "return_inverse:{inverse} return_counts:{counts} dim:i?",
}
"""Functions whose signature is hidden behind flags."""
_FLAGS = [("False?", "False?", ""), ("True", "False?", ""), ("False?", "True", ""), ("True", "True", "")]


def functions() -> dict[str, list[Form]]:
    """The forms of the functions in the public modules of torch."""
    import torch
    import torch._dynamo

    stubs = {
        "torch": {**_definitions(torch, "_C/__init__.pyi"), **_definitions(torch, "_C/_VariableFunctions.pyi")},
        "torch.nn.functional": {**_definitions(torch, "_C/_nn.pyi"), **_definitions(torch, "nn/functional.pyi")},
    }
    found: dict[str, list[Form]] = {}
    for module_name in FUNCTION_MODULES:
        module = _module(torch, module_name)
        for name in _public(module, module_name):
            value = getattr(module, name)
            signatures = list(_signatures(torch, module_name, name, value, stubs.get(module_name, {})))
            forms = [form_of(f"{module_name}.{name}", signature, False) for signature in signatures]
            if forms := _distinct(forms):
                found[f"{module_name}.{name}"] = forms
    return found


def tensor_members() -> dict[str, list[Form]]:
    """The forms of the methods and attributes of a tensor."""
    import torch

    stub = Path(torch.__file__).parent / "_C" / "__init__.pyi"
    base = next(n for n in ast.parse(stub.read_text(encoding="utf-8")).body if isinstance(n, ast.ClassDef) and n.name == "TensorBase")
    declared: dict[str, list[ast.FunctionDef]] = {}
    for node in base.body:
        if isinstance(node, ast.FunctionDef):
            declared.setdefault(node.name, []).append(node)
    found: dict[str, list[Form]] = {}
    for name in sorted(dir(torch.Tensor)):
        if name.startswith("_"):
            continue
        value = inspect.getattr_static(torch.Tensor, name)
        if not callable(value):
            found[f"torch.Tensor.{name}"] = [_attribute(name)]
            continue
        if name in _DISPATCHED:
            signatures = _dispatched(name, "")
        elif inspect.isfunction(value) and name not in declared:
            signature = of_callable(value, method=True)
            signatures = [signature] if signature is not None else []
        else:
            signatures = [of_stub(node, method=True) for node in declared.get(name, [])]
        if forms := _distinct([form_of(name, signature, True) for signature in signatures]):
            found[f"torch.Tensor.{name}"] = forms
    return found


def form_of(call: str, signature: Signature, method: bool) -> Form:
    """Try a form: what it returns, and what Dynamo does with the first call that runs."""
    observations: list[Observation] = []
    broken: str | None = None
    probed = False
    for candidates in trials(call, signature, method) if _tried(call) else ():
        if not probed and candidates and not any(t.tensors for t in candidates) and call.startswith("torch.cuda."):
            break
        ran = _first_that_runs(candidates)
        if ran is None:
            continue
        trial, observation = ran
        observations.append(observation)
        if not probed and (broken := graph_break(trial.expression, trial.tensors, _namespace())) is not None:
            probed = True
        if not trial.tensors:
            break
    code = result_code(observations, signature.returns)
    if broken in ("GB0124", "GB0033", "GB0109", "GB0212") and code in ("b", "S", "n", "[?]"):
        code = "DL" if code == "[?]" else "D"
    return [str(signature), code, *([broken] if broken and broken != "GB0088" else [])]


def _tried(call: str) -> bool:
    return not call.rpartition(".")[2].startswith(_NOT_TRIED)


def _namespace() -> dict[str, Any]:
    import torch

    return {"torch": torch}


def _first_that_runs(candidates: list[Trial]) -> tuple[Trial, Observation] | None:
    import torch

    for trial in candidates:
        torch.manual_seed(0)
        tensors = {f"a{index}": tensor.clone() for index, tensor in enumerate(trial.tensors)}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = eval(trial.expression, _namespace(), tensors)
        except Exception:
            continue
        return trial, Observation(
            value,
            [str(t.dtype).removeprefix("torch.") for t in trial.tensors],
            [t.dim() for t in trial.tensors],
            _promoted(torch, trial),
            trial.sizes,
            trial.reduced,
        )
    return None


def _promoted(torch: Any, trial: Trial) -> str:
    """The dtype that the arguments promote to; "" without tensors."""
    if not trial.tensors:
        return ""
    found = trial.tensors[0]
    for other in [*trial.tensors[1:], *(int(n) if n.is_integer() else n for n in trial.numbers)]:
        found = torch.empty(found.shape, dtype=torch.result_type(found, other))
    return str(found.dtype)


def _attribute(name: str) -> Form:
    """An attribute, read from a matrix: its result, and the graph break that reading it causes."""
    import torch

    from .arguments import tensor_of

    values = []
    for rank in (2, 1, 3):
        for dtype in ("float32", "int64", "bool"):
            tensor = tensor_of(dtype, rank)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    value = getattr(tensor, name)
            except Exception:
                continue
            values.append(Observation(value, [dtype], [rank], str(tensor.dtype)))
    broken = graph_break(f"a0.{name}", [torch.ones(3, 3)], _namespace()) if values else None
    return [".", result_code(values, ""), *([broken] if broken else [])]


def _distinct(forms: list[Form]) -> list[Form]:
    return [form for index, form in enumerate(forms) if form not in forms[:index]]


def _module(torch: Any, name: str) -> ModuleType:
    found = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    assert isinstance(found, ModuleType)
    return found


def _public(module: ModuleType, module_name: str) -> list[str]:
    """The functions of a module that are meant to be called."""
    names = []
    for name in sorted(dir(module)):
        value = getattr(module, name)
        if name.startswith("_") or inspect.isclass(value) or inspect.ismodule(value) or not callable(value):
            continue
        owner = getattr(value, "__module__", None) or module_name
        if owner.startswith(("typing", "functools", "collections", "importlib", "builtins.type")) or isinstance(value, type):
            continue
        if module_name != "torch" and inspect.isfunction(value) and not owner.startswith(("torch.nn", "torch._jit_internal", module_name)):
            continue
        names.append(name)
    return names


def _definitions(torch: Any, path: str) -> dict[str, list[ast.FunctionDef]]:
    found: dict[str, list[ast.FunctionDef]] = {}
    for node in ast.parse((Path(torch.__file__).parent / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
    return found


def _signatures(torch: Any, module_name: str, name: str, value: Any, stub: dict[str, list[ast.FunctionDef]]) -> Iterator[Signature]:
    """All forms of a function: of the source that says most about it."""
    if name in _DISPATCHED:
        yield from _dispatched(name, "input:t ")
        return
    written = of_callable(value) if inspect.isfunction(value) and name not in stub else None
    if written is not None:
        yield written
    elif name in stub:
        yield from (of_stub(node) for node in stub[name])
    else:
        yield from _of_schemas(torch, module_name, name)


def _dispatched(name: str, receiver: str) -> list[Signature]:
    return [Signature.parse(receiver + _DISPATCHED[name].format(inverse=i, counts=c)) for i, c, _ in _FLAGS]


def _of_schemas(torch: Any, module_name: str, name: str) -> Iterator[Signature]:
    """The forms of an operator that has neither a stub nor a Python signature."""
    from .signature import Parameter, kind_of

    prefix = {"torch.linalg": "linalg_", "torch.fft": "fft_", "torch.special": "special_"}.get(module_name, "")
    operator = prefix + name.removeprefix("linalg_" if prefix else "")
    for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name if name.startswith(prefix) and prefix else operator}"):
        if any(argument.is_out for argument in schema.arguments):
            continue
        parameters = []
        for argument in schema.arguments:
            kind = kind_of(str(argument.type).replace("List[Tensor]", "list[Tensor]").replace("List[int]", "_size"))
            if argument.type.kind() == "OptionalType":
                kind = kind_of(str(argument.type.getElementType()).replace("List[int]", "_size"))
            kind = {"dtype": "d", "layout": "y", "device": "v"}.get(argument.name, kind)
            parameters.append(
                Parameter("input" if argument.name == "self" else argument.name, kind, argument.has_default_value(), argument.kwarg_only)
            )
        yield Signature(tuple(parameters))
