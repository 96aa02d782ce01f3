"""One source against its own compiled form: what compiling does to it."""

from __future__ import annotations

from pathlib import Path

from graph2static.verify.text_report import text_report
from graph2static.verify.verdict import Outcome

from .conftest import Compare


def test_breaks_are_counted_from_the_log_by_line(alone: Compare) -> None:
    verdict = alone(
        """
        def f(x):
            print("start")
            for limit in range(2):
                if x.sum() > limit:
                    x = x * 2
            return x
        """,
        "[(torch.ones(3),)]",
    )
    assert verdict.agrees and Outcome.BREAKS in verdict.outcomes
    assert verdict.graphs is not None
    found = {item.line: item for item in verdict.graphs.breaks}
    assert sorted(found) == [3, 5]
    assert found[5].identifier == "GB0170" and found[5].skips_frame
    assert found[3].identifier == "GB0059" and "print" in found[3].reason and not found[3].skips_frame


def test_recompilations_come_with_their_reason(alone: Compare) -> None:
    verdict = alone(
        "def f(x, flag):\n    return x + 1 if flag else x - 1\n",
        "[(torch.ones(3), True), (torch.ones(3), False)]",
    )
    assert verdict.graphs is not None and verdict.graphs.breaks == ()
    (again,) = verdict.graphs.recompilations
    assert again.function == "f" and "flag" in again.reasons[0]


def test_what_cannot_be_compiled_is_no_difference_of_values(alone: Compare) -> None:
    verdict = alone(
        """
        def run(x):
            if x.sum() > 0:
                return x
            return -x

        @torch.compile(fullgraph=True)
        def f(x):
            with torch._dynamo.error_on_graph_break(True):
                return run(x)
        """,
        "[(torch.ones(3),)]",
    )
    assert Outcome.COMPILE_RAISES in verdict.outcomes and Outcome.COMPILE_DIFFERS not in verdict.outcomes
    assert not verdict.agrees
    assert any("data-dependent branching" in item.message.lower() for item in verdict.differences)


def test_code_that_acts_otherwise_while_compiling_differs(alone: Compare) -> None:
    verdict = alone(
        "def f(x):\n    return x * 2 if torch.compiler.is_compiling() else x\n",
        "[(torch.ones(3),)]",
    )
    assert verdict.outcomes == (Outcome.COMPILE_DIFFERS,)


def test_inductor_agrees_within_a_tolerance_from_float64(alone: Compare) -> None:
    verdict = alone(
        """
        torch.manual_seed(0)
        layers = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.LayerNorm(32), torch.nn.Dropout(0.5))

        def f(x):
            return layers(x).softmax(-1)
        """,
        "[(torch.randn(4, 16),), (torch.randn(5, 16),)]",
        backend="inductor",
        time=True,
    )
    assert verdict.agrees, verdict.differences
    assert verdict.timing is not None and verdict.timing.compile_seconds > 0
    assert verdict.timing.original.low <= verdict.timing.original.median <= verdict.timing.original.high


def test_the_tolerance_is_shown(alone: Compare, tmp_path: Path) -> None:
    verdict = alone("def f(x):\n    return (x @ x.t()).tanh()\n", "[(torch.randn(8, 8),)]")
    assert verdict.tolerance is not None and verdict.tolerance.origin == "float64"
    assert 0 < verdict.tolerance.allowed < 1e-4
    assert "tolerance from float64" in text_report(verdict, tmp_path)


def test_a_process_that_dies_is_an_outcome(alone: Compare) -> None:
    verdict = alone(
        "import os, signal\ndef f(x):\n    if torch.compiler.is_compiling():\n        return x\n    os.kill(os.getpid(), signal.SIGSEGV)\n",
        "[(torch.ones(3),)]",
    )
    assert verdict.outcomes == (Outcome.CRASHED,)
    assert "SIGSEGV" in verdict.differences[0].message


def test_a_process_that_hangs_is_an_outcome(alone: Compare) -> None:
    verdict = alone("import time\ndef f(x):\n    time.sleep(60)\n", "[(torch.ones(3),)]", timeout=8.0)
    assert verdict.outcomes == (Outcome.CRASHED,)
    assert "did not end within 8 seconds" in verdict.differences[0].message


def test_keyword_arguments(alone: Compare) -> None:
    verdict = alone("def f(x, *, scale):\n    return x * scale\n", "((torch.ones(2),), {'scale': 3.0})")
    assert verdict.agrees and verdict.calls == 1
    assert all(difference.aspect != "exceptions" for difference in verdict.differences) and not verdict.notes
