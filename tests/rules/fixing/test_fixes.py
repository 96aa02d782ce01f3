"""What the fixes of the rules make of a function, and where they keep their hands off."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
import torch

from graph2static.convert.conversion import ConversionOptions, ConversionResult, convert_project
from graph2static.rules.analyze import Settings

HEAD = "import torch\n\n\n@torch.compile\n"


def convert(folder: Path, function: str, unsafe: bool = True, head: str = HEAD) -> tuple[str, ConversionResult]:
    path = folder / "model.py"
    path.write_text(head + textwrap.dedent(function).lstrip("\n"), encoding="utf-8")
    result = convert_project([path], Settings(root=folder), ConversionOptions(unsafe=unsafe))
    text = result.changes[0].after if result.changes else path.read_text(encoding="utf-8")
    return text.removeprefix(head), result


LEFT = {
    "shapes differ": ("if x.sum() > 0:\n    y = x + 1\nelse:\n    y = x[0]\nreturn y", "free of errors"),
    "division in a side": ("if x.sum() > 0:\n    x = x / z\nreturn x", "gradient"),
    "square root in a side": ("if x.sum() > 0:\n    return x.sqrt()\nreturn x", "free of errors"),
    "dtypes may differ": ("if x.sum() > 0:\n    y = x * 2\nelse:\n    y = x * 0.5\nreturn y", "floating point"),
    "random numbers": ("if x.sum() > 0:\n    x = x + torch.rand(3)\nreturn x", "free of errors"),
    "several elements": ("if x > 0:\n    x = x + 1\nreturn x", "exactly one element"),
    "changed in place later": ("y = x * 2\nif y.sum() > 0:\n    y = y + 1\ny.add_(1)\nreturn y", "in place"),
    "a print in a side": ("if x.sum() > 0:\n    y = g(x)\nelse:\n    y = x * 2\nreturn y", "free of errors"),
    "loop": ("while x.sum() > 0:\n    x = x - 1\nreturn x", "no choice"),
    "sides read other tensors": ("if x.sum() > 0:\n    y = x + 1\nelse:\n    y = z + 1\nreturn y", "same shape"),
    "chain of comparisons of many elements": ("if 0 < x < 1:\n    return x + 1\nreturn x", "exactly one element"),
    "number of another tensor": ("return x * z.sum().item()", "not proven"),
    "number of an int tensor": ("k = x.long().sum().item()\nreturn x * k", "not proven"),
    "number returned": ("return x.sin().sum().item()", "not"),
    "handled exception": ("try:\n    if x.sum() > 0:\n        raise ValueError('no')\nexcept ValueError:\n    pass\nreturn x", "handled"),
    "later test of other shapes": ("if x.sum() > 0:\n    return x\nelif (x > z).any():\n    return x + 1\nreturn x + 2", "go together"),
    "later test that averages ints": (
        "k = x.long()\nif k.sum() > 0:\n    return k\nelif k.mean() > 0:\n    return k + 1\nreturn k + 2",
        "may raise",
    ),
    "bools negated": ("m = x > 0\nif m.any():\n    m = -m\nreturn m", "for bools"),
    "guard on several elements": ("if x > 0:\n    raise ValueError('no')\nreturn x", "exactly one element"),
    "guard with a static part": ("if x.shape[0] > 1 and x.sum() > 0:\n    raise ValueError('no')\nreturn x", "not only a tensor"),
    "guard under a context that may handle": ("with suppress():\n    if x.sum() > 0:\n        raise ValueError('no')\nreturn x", "`with suppress()`"),
    "prints what is drawn": ("print(torch.rand(3))\nreturn x", "effect"),
    "prints what an unknown call gives": ("print(helper(x))\nreturn x", "effect"),
    "prints what uses up an iterator": ("it = iter([1, 2])\nprint(list(it))\nreturn x", "effect"),
    "prints what changes in place": ("print(x.add_(1))\nreturn x", "effect"),
    "range of another meaning": ("range = torch.arange\nfor i in torch.arange(3).tolist():\n    x = x + i\nreturn x", "something else"),
    "number divided by its tensor": ("y = x.float()\nreturn y.sum().item() / y", "rounded otherwise"),
    "number known outside": ("global k\ny = x.float()\nk = y.sum().item()\nreturn y * k", "outside the function"),
    "float of an int tensor": ("y = x.long()\nreturn y * float(y.sum())", "dtype of the number"),
    "positions of a mask that may change": ("m = x > 0\nidx = torch.where(m)\nx[idx] = 0\nreturn x", "may change"),
    "positions that are returned": ("idx = torch.where(x > 0)\nx[idx] = 0\nreturn x, idx", "only stored to"),
    "positions that are added to": ("x[torch.where(x > 0)] += 1\nreturn x", "only stored to"),
    "positions of a tensor of numbers": ("x[torch.where(x)] = 0\nreturn x", "bool"),
    "positions along an axis of several": ("x[torch.where(x > 0)[0]] = 0\nreturn x", "one axis"),
    "a tensor is stored": ("x[torch.where(x > 0)] = x.sum()\nreturn x", "one constant"),
    "list of data": ("return x * x.tolist()[0]", "data of a tensor"),
}


@pytest.mark.parametrize(("body", "reason"), LEFT.values(), ids=LEFT.keys())
def test_what_is_not_proven_is_left_with_the_reason(tmp_path: Path, body: str, reason: str) -> None:
    function = "def f(x: torch.Tensor, z: torch.Tensor):\n" + textwrap.indent(body, "    ") + "\n"
    text, result = convert(tmp_path, function)
    assert text == function
    assert any(reason in why for _, why in result.left), result.left


CONVERTED = {
    "two sides": (
        "if x.sum() > 0:\n    y = x * 2\nelse:\n    y = x - 1\nreturn y",
        "y = torch.where(x.sum() > 0, x * 2, x - 1)\nreturn y",
    ),
    "one side": ("y = x * 2\nif y.mean() > 0:\n    y = y + 1\nreturn y", "y = x * 2\ny = torch.where(y.mean() > 0, y + 1, y)\nreturn y"),
    "early return": ("if x.sum() > 0:\n    return x + 1\nreturn x - 1", "return torch.where(x.sum() > 0, x + 1, x - 1)"),
    "conditional expression": ("return x + 1 if x.sum() > 0 else x - 1", "return torch.where(x.sum() > 0, x + 1, x - 1)"),
    "chain": (
        "if x.sum() > 1:\n    y = x * 2\nelif x.sum() > 0:\n    y = x * 3\nelse:\n    y = x * 4\nreturn y",
        "y = torch.where(x.sum() > 1, x * 2, torch.where(x.sum() > 0, x * 3, x * 4))\nreturn y",
    ),
    "both tests": (
        "if x.sum() > 0 and x.mean() < 1:\n    return x + 1\nreturn x - 1",
        "return torch.where(torch.logical_and(x.sum() > 0, x.mean() < 1), x + 1, x - 1)",
    ),
    "negated": (
        "if not (x > 0).all():\n    return x + 1\nreturn x - 1",
        "return torch.where(torch.logical_not((x > 0).all()), x + 1, x - 1)",
    ),
    "chain of comparisons": (
        "m = x.mean()\nif 0 < m < 1:\n    return x * 10\nreturn x * 2",
        "m = x.mean()\nreturn torch.where(torch.logical_and(0 < m, m < 1), x * 10, x * 2)",
    ),
    "several targets": (
        "if x.sum() > 0:\n    y = x * 2\n    z = x + 1\nelse:\n    y = x * 3\n    z = x - 1\nreturn y + z",
        "condition = x.sum() > 0\ny = torch.where(condition, x * 2, x * 3)\nz = torch.where(condition, x + 1, x - 1)\nreturn y + z",
    ),
    "guard": (
        "if not (x > 0).all():\n    raise ValueError(f'bad {x.shape}')\nreturn x",
        "if torch.compiler.is_compiling():\n    torch._assert_async((x > 0).all(), \"bad ...\")\n"
        "elif not (x > 0).all():\n    raise ValueError(f'bad {x.shape}')\nreturn x",
    ),
    "guard of two tests": (
        "if (x > 9).any() or (x < -9).any():\n    raise ValueError('far')\nreturn x",
        "if torch.compiler.is_compiling():\n    torch._assert_async(torch.logical_not(torch.logical_or((x > 9).any(), (x < -9).any())), \"far\")\n"
        "elif (x > 9).any() or (x < -9).any():\n    raise ValueError('far')\nreturn x",
    ),
    "guard without gradients": (
        "with torch.no_grad():\n    if (x > 9).any():\n        raise ValueError('far')\nreturn x",
        "with torch.no_grad():\n    if torch.compiler.is_compiling():\n        torch._assert_async(torch.logical_not((x > 9).any()), \"far\")\n"
        "    elif (x > 9).any():\n        raise ValueError('far')\nreturn x",
    ),
    "prints readings": (
        "print(f'{x.mean().item():.2f}', len(x), sep=', '.join([]))\nreturn x",
        "if not torch.compiler.is_compiling():\n    print(f'{x.mean().item():.2f}', len(x), sep=', '.join([]))\nreturn x",
    ),
    "prints": (
        "y = x + 1\nprint('one')  # why\nprint('two')\nreturn y",
        "y = x + 1\nif not torch.compiler.is_compiling():\n    print('one')  # why\n    print('two')\nreturn y",
    ),
    "number of its tensor": (
        "y = x.float()\nk = y.abs().max().item()\nreturn (y - 1) / k",
        "y = x.float()\nk = y.abs().max().detach()\nreturn (y - 1) / k",
    ),
    "float of its tensor": ("y = x.float()\nreturn y * float(y.mean())", "y = x.float()\nreturn y * y.mean().detach()"),
    "positions of all axes": (
        "y = x * 2\nidx = torch.where(y > 0)\ny[idx] = -float('inf')\nreturn y",
        "y = x * 2\nidx = y > 0\ny[idx] = -float('inf')\nreturn y",
    ),
    "positions of one axis": (
        "y = x.flatten() * 2\ny[torch.nonzero(y > 0).squeeze(1)] = 0\nreturn y",
        "y = x.flatten() * 2\ny[y > 0] = 0\nreturn y",
    ),
    "bounds": ("for i in torch.arange(x.shape[0]).tolist():\n    x = x + i\nreturn x", "for i in list(range(x.shape[0])):\n    x = x + i\nreturn x"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "after"), CONVERTED.values(), ids=CONVERTED.keys())
def test_what_is_proven_is_rewritten_once(tmp_path: Path, body: str, after: str) -> None:
    head = "def f(x: torch.Tensor):\n"
    text, _ = convert(tmp_path, head + textwrap.indent(body, "    ") + "\n")
    assert text == head + textwrap.indent(after, "    ") + "\n"
    again, _ = convert(tmp_path, text)
    assert again == text


@pytest.mark.filterwarnings("ignore:Converting a tensor")
@pytest.mark.parametrize(("body", "after"), CONVERTED.values(), ids=CONVERTED.keys())
def test_what_is_rewritten_computes_the_same_with_the_same_gradient(body: str, after: str) -> None:
    for values in ([1.0, 2.0, 3.0], [-1.0, -2.0, -3.0], [0.25, 0.0, -0.0], [-10.0, 0.5, 10.0]):
        assert outcome(after, values) == outcome(body, values)


def outcome(body: str, values: list[float]) -> tuple[str, ...]:
    """What the function returns, its gradient, or its exception, as text."""
    names: dict[str, Any] = {"torch": torch}
    exec("def f(x):\n" + textwrap.indent(body, "    "), names)
    x = torch.tensor(values, requires_grad=True)
    try:
        result = names["f"](x)
    except ValueError as error:
        return type(error).__name__, str(error)
    result.sum().backward()
    assert x.grad is not None
    return str(result.dtype), str(result.tolist()), str((x.grad + 0).tolist())


def test_torch_is_named_as_the_file_names_it(tmp_path: Path) -> None:
    head = "import torch as th\n\n\n@th.compile\n"
    text, _ = convert(tmp_path, "def f(x: th.Tensor):\n    return x + 1 if x.sum() > 0 else x - 1\n", head=head)
    assert text == "def f(x: th.Tensor):\n    return th.where(x.sum() > 0, x + 1, x - 1)\n"


def test_a_fix_under_a_condition_says_so_and_waits(tmp_path: Path) -> None:
    text, result = convert(tmp_path, "def f(x: torch.Tensor):\n    print('x')\n    return x\n", unsafe=False)
    assert "is_compiling" not in text
    assert [why for _, why in result.left] == ["needs --unsafe: the text may be missing while the function runs compiled"]


def test_the_condition_names_what_a_test_needs_that_is_now_always_computed(tmp_path: Path) -> None:
    _, result = convert(tmp_path, "def f(x: torch.Tensor):\n    return x + 1 if x.sum() > 0 and x.mean() < 1 else x - 1\n", unsafe=False)
    assert all("`x` is floating point" in why for _, why in result.left)
    assert result.left
