"""Generate the tables about torch from the installed torch: ``python -m graph2static.rules.frameworks.generate_torch``.

Sources: the operators' schemas and tags, the stub of the C extension, Dynamo's ``trace_rules`` and its registry of graph breaks.
This is the only module beside the verifier that imports torch; nothing imports it but its own test.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "torch"


def tables() -> dict[str, Any]:
    """All tables of the installed torch."""
    import torch

    return {
        "torch": torch.__version__.partition("+")[0],
        "operators": _operators(torch),
        "tensor_members": _tensor_members(torch),
        "modules": _modules(torch),
        **_tags(torch),
        **_trace_rules(),
        "graph_breaks": _graph_breaks(torch),
    }


def _operators(torch: Any) -> dict[str, str]:
    """Public operators with what they return: "Tensor", "(Tensor, Tensor)", "Tensor[]", "int" ...; several forms joined by "|"."""
    forms: dict[str, set[str]] = {}
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space != "aten" or name.startswith("_") or any(argument.is_out for argument in schema.arguments):
            continue
        if not any("Tensor" in str(part.type) for part in (*schema.arguments, *schema.returns)):
            continue
        returns = [str(value.type).replace("List[Tensor]", "Tensor[]") for value in schema.returns]
        forms.setdefault(name, set()).add(returns[0] if len(returns) == 1 else f"({', '.join(returns)})")
    return {name: "|".join(sorted(forms[name])) for name in sorted(forms)}


def _tensor_members(torch: Any) -> dict[str, str]:
    """Methods and attributes of a tensor with the type that the stub of the C extension declares; several joined by "|"."""
    stub = Path(torch.__file__).parent / "_C" / "__init__.pyi"
    members: dict[str, set[str]] = {}
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.ClassDef) or node.name != "TensorBase":
            continue
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and item.returns is not None:
                members.setdefault(item.name, set()).add(ast.unparse(item.returns))
            elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                members.setdefault(item.target.id, set()).add(ast.unparse(item.annotation))
    return {name: "|".join(sorted(members[name])) for name in sorted(members)}


def _modules(torch: Any) -> dict[str, list[str]]:
    """Classes of torch.nn with the parameters of their constructors."""
    found = {}
    for name, value in sorted(vars(torch.nn).items()):
        if inspect.isclass(value) and issubclass(value, torch.nn.Module):
            found[name] = [parameter for parameter in inspect.signature(value.__init__).parameters if parameter != "self"]
    return found


def _tags(torch: Any) -> dict[str, list[str]]:
    """Operators whose size, or whose value, is known only once they have run."""
    shapes, data = set(), set()
    for name in dir(torch.ops.aten):
        packet = getattr(torch.ops.aten, name)
        for overload in packet.overloads() if hasattr(packet, "overloads") else []:
            tags = getattr(packet, overload).tags
            if torch.Tag.dynamic_output_shape in tags:
                shapes.add(name)
            if torch.Tag.data_dependent_output in tags:
                data.add(name)
    return {"dynamic_output_shape": sorted(shapes), "data_dependent_output": sorted(data)}


_OPTIONAL = ("optree", "torch._dynamo.polyfills.pytree")
"""What torch polyfills only where another package, optree, is installed; the tables hold for an installation without it."""


def _trace_rules() -> dict[str, list[str]]:
    """What Dynamo skips, polyfills, or refuses to make."""
    from torch._dynamo import trace_rules

    rules = {name: rule.__name__ for name, rule in trace_rules.manual_torch_name_rule_map.items()}
    modules = [module if isinstance(module, str) else module.__name__ for module in trace_rules.BUILTIN_SKIPLIST]
    polyfilled = []
    for callable_object, rule in trace_rules.get_torch_obj_rule_map().items():
        if rule.__name__ == "PolyfilledFunctionVariable":
            name = getattr(callable_object, "__qualname__", None)
            owner = getattr(callable_object, "__module__", None)
            if name and owner and not owner.startswith(_OPTIONAL):
                polyfilled.append(f"{owner.lstrip('_')}.{name}")
    return {
        "skipped": sorted(n.replace("#", ".") for n, r in rules.items() if r == "SkipFunctionVariable"),
        "sparse_creation": sorted(n for n, r in rules.items() if r == "SparseTensorCreationSkipVariable"),
        "polyfilled": sorted(set(polyfilled)),
        "skipped_modules": sorted({*modules, *trace_rules.THIRDPARTY_SKIPLIST}),
    }


def _graph_breaks(torch: Any) -> dict[str, str]:
    """The ids of graph breaks with their types."""
    path = Path(torch.__file__).parent / "_dynamo" / "graph_break_registry.json"
    registry = json.loads(path.read_text(encoding="utf-8"))
    return {name: registry[name][0]["Gb_type"] for name in sorted(registry)}


def rendered(content: dict[str, Any]) -> str:
    """The tables as they are checked in: one entry a line, in order."""
    return json.dumps(content, indent=0, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the tables of the installed torch."""
    content = tables()
    release = ".".join(content["torch"].split(".")[:2])
    path = FOLDER / f"torch-{release}.json"
    path.write_text(rendered(content), encoding="utf-8")
    print(f"{path}: {', '.join(f'{len(v)} {k}' for k, v in content.items() if k != 'torch')}", file=sys.stderr)


if __name__ == "__main__":
    main()
