"""A rewrite that does something else than the original must be caught, and said in words that name what."""

from __future__ import annotations

import pytest
from graph2static.verify.request import VerifyRequest
from graph2static.verify.verdict import Difference, Outcome
from graph2static.verify.verify import verify

from .conftest import Compare

COUNTING = """
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('seen', torch.zeros(()))

    def forward(self, x):
"""

WRONG = {
    "value": (
        "def f(x):\n    return x * 2\n",
        "def f(x):\n    return x * 2.001\n",
        "[(torch.ones(3),)]",
        "outputs",
        "out: 3 of 3 elements differ",
    ),
    "dtype promoted by where": (
        "def f(x, z):\n    if x.sum() > 0:\n        y = x\n    else:\n        y = z\n    return y // 2\n",
        "def f(x, z):\n    return torch.where(x.sum() > 0, x, z) // 2\n",
        "[(torch.tensor([1, 2]), torch.tensor([1.5, 2.5])), (torch.tensor([-1, -2]), torch.tensor([1.5, 2.5]))]",
        "outputs",
        "dtype float32, not int64",
    ),
    "shape broadcast by where": (
        "def f(x):\n    if x.sum() > 0:\n        y = x[0]\n    else:\n        y = x\n    return y * 1.0\n",
        "def f(x):\n    return torch.where(x.sum() > 0, x[0], x) * 1.0\n",
        "[(torch.ones(2, 2),), (-torch.ones(2, 2),)]",
        "outputs",
        "shape [2, 2], not [2]",
    ),
    "both sides of where computed": (
        "def f(x):\n    if x.sum() > 0:\n        y = x[1]\n    else:\n        y = x[7]\n    return y + 1\n",
        "def f(x):\n    return torch.where(x.sum() > 0, x[1], x[7]) + 1\n",
        "[(torch.tensor([4.0, 2.0]),)]",
        "exceptions",
        "raises IndexError",
    ),
    "division by zero computed": (
        "def f(x, d):\n    if (d == 0).any():\n        y = x\n    else:\n        y = x // d\n    return y + 1\n",
        "def f(x, d):\n    return torch.where((d == 0).any(), x, x // d) + 1\n",
        "[(torch.tensor([4, 2]), torch.tensor([2, 0]))]",
        "exceptions",
        "RuntimeError",
    ),
    "gradient of where": (
        "def f(x):\n    n = x.norm()\n    if n > 0:\n        y = x / n\n    else:\n        y = x * 1.0\n    return y\n",
        "def f(x):\n    n = x.norm()\n    return torch.where(n > 0, x / n, x * 1.0)\n",
        "[(torch.tensor([0.0, 0.0]),)]",
        "gradients",
        "nan, not",
    ),
    "type of exception": (
        "def f(x):\n    if x.sum() > 0:\n        raise ValueError('positive')\n    return x\n",
        "def f(x):\n    if x.sum() > 0:\n        raise RuntimeError('positive')\n    return x\n",
        "[(torch.ones(2),)]",
        "exceptions",
        "raises RuntimeError: positive",
    ),
    "printed text": (
        "def f(x):\n    print('low')\n    return x + 1\n",
        "def f(x):\n    return x + 1\n",
        "[(torch.ones(2),)]",
        "text",
        "stdout lacks 'low'",
    ),
    "input changed in place": (
        "def f(x):\n    x = x + 1\n    return x * 2\n",
        "def f(x):\n    x += 1\n    return x * 2\n",
        "[(torch.ones(2),)]",
        "inputs",
        "args[0]",
    ),
    "random numbers drawn": (
        "def f(x):\n    if x.sum() > 0:\n        return x + torch.rand(2) * 0\n    return x\n",
        "def f(x):\n    return x + torch.rand(2) * 0\n",
        "[(-torch.ones(2),)]",
        "random",
        "generator of torch",
    ),
    "buffer updated": (
        f"{COUNTING}        if x.sum() > 0:\n            self.seen += 1\n        return x\nf = M()\n",
        f"{COUNTING}        self.seen += 1\n        return x\nf = M()\n",
        "[(-torch.ones(2),)]",
        "state",
        "seen",
    ),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Difference]:
    """What the verifier says of all wrong rewrites, verified together as the pairs of one provider."""
    folder = tmp_path_factory.mktemp("wrong")
    roots = [folder / side for side in ("original", "converted")]
    for position, root in enumerate(roots):
        root.mkdir()
        for number, row in enumerate(WRONG.values()):
            (root / f"model{number}.py").write_text("import torch\n" + row[position], encoding="utf-8")
        pairs = "".join(f"    import model{number}\n    pairs.append((model{number}.f, {row[2]}))\n" for number, row in enumerate(WRONG.values()))
        (root / "inputs.py").write_text(f"import torch\n\ndef make():\n    pairs = []\n{pairs}    return pairs\n", encoding="utf-8")
    verdict = verify(VerifyRequest("inputs:make", roots[1], original=roots[0], backend="eager", time=False))
    assert not verdict.agrees and Outcome.EAGER_DIFFERS in verdict.outcomes
    return [difference for difference in verdict.differences if difference.side == "eager"]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_rewrite_is_caught(name: str, told: list[Difference]) -> None:
    number = list(WRONG).index(name) + 1
    *_, aspect, message = WRONG[name]
    mine = [difference for difference in told if difference.call.startswith(f"pair {number}, ")]
    assert any(difference.aspect == aspect and message in difference.message for difference in mine), mine


def test_a_rewrite_that_does_not_parse_differs(compare: Compare) -> None:
    verdict = compare("def f(x):\n    return x\n", "def f(x)\n    return x\n", "[(torch.ones(2),)]")
    assert not verdict.agrees
    assert any("SyntaxError" in difference.message and "model.py:2" in difference.message for difference in verdict.differences)


def test_a_right_rewrite_agrees_and_loses_its_break(compare: Compare) -> None:
    verdict = compare(
        "def f(x):\n    if x.sum() > 0:\n        y = x * 2\n    else:\n        y = x - 1\n    return {'y': (y, y.tanh())}\n",
        "def f(x):\n    y = torch.where(x.sum() > 0, x * 2, x - 1)\n    return {'y': (y, y.tanh())}\n",
        "[(torch.ones(3),), (-torch.ones(3),)]",
        branches=(3,),
    )
    assert verdict.verified, verdict.differences
    assert verdict.outcomes == (Outcome.AGREES,)
    assert verdict.graphs_original is not None and [item.line for item in verdict.graphs_original.breaks] == [3]
    assert verdict.graphs is not None and verdict.graphs.breaks == () and verdict.graphs.graphs == 1
    assert [(branch.true, branch.false) for branch in verdict.branches] == [(1, 1)]


def test_an_untested_branch_is_not_called_verified(compare: Compare) -> None:
    verdict = compare(
        "def f(x):\n    if x.sum() > 0:\n        y = x * 2\n    else:\n        y = x - 1\n    return y\n",
        "def f(x):\n    return torch.where(x.sum() > 0, x * 2, x - 7)\n",
        "[(torch.ones(3),)]",
        branches=(3,),
    )
    assert verdict.agrees and not verdict.verified
    assert verdict.untested_branches == ("model.py:3 `x.sum() > 0` was never false",)


def test_logging_kept_out_of_the_graph_is_a_note(compare: Compare) -> None:
    verdict = compare(
        "def f(x):\n    print('low')\n    return x + 1\n",
        "def f(x):\n    if not torch.compiler.is_compiling():\n        print('low')\n    return x + 1\n",
        "[(torch.ones(2),)]",
    )
    assert verdict.agrees, verdict.differences
    assert any("prints less to stdout" in note for note in verdict.notes)


def test_strides_count_only_on_request(compare: Compare) -> None:
    verdict = compare(
        "def f(x):\n    return x.t().clone(memory_format=torch.contiguous_format)\n",
        "def f(x):\n    return x.t()\n",
        "[(torch.ones(2, 3),)]",
        strides=True,
    )
    assert {difference.message for difference in verdict.differences} == {"out has stride [1, 3], not [2, 1]"}
