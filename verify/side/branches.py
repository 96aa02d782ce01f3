"""Count which sides of chosen tests a run takes, by recording every such test as its file is imported.

The test of an ``if``, ``while``, ``assert``, conditional expression or comprehension is wrapped in a call that notes its truth and
returns it. Line numbers stay, so that tracebacks and warnings look as before.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
from collections.abc import Iterable
from pathlib import Path
from types import CodeType
from typing import Any

_HOOK = "__g2s_branch__"


class BranchRecorder:
    """Notes the tests that stand on the given lines."""

    def __init__(self, places: Iterable[tuple[str, int]], root: Path) -> None:
        self.places: dict[Path, set[int]] = {}
        self.root = root.resolve()
        for path, line in places:
            self.places.setdefault((self.root / path).resolve(), set()).add(line)
        self.tests: list[dict[str, Any]] = []
        self.counting = False

    def install(self) -> None:
        """From now on, record in every file that is imported."""
        recorder = self
        setattr(builtins, _HOOK, self._note)
        plain = importlib.machinery.SourceFileLoader.get_code

        def get_code(loader: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
            path = Path(loader.get_filename(fullname)).resolve()
            if path not in recorder.places:
                return plain(loader, fullname)
            tree = ast.parse(loader.get_data(str(path)), str(path))
            return compile(_Wrap(recorder, path).visit(tree), loader.get_filename(fullname), "exec", dont_inherit=True)

        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]

    def report(self) -> dict[str, Any]:
        """The tests with their counts, and the places at which there was none."""
        found = {(test["path"], line) for test in self.tests for line in range(test["first"], test["last"] + 1)}
        wanted = [(self._relative(path), line) for path, lines in self.places.items() for line in sorted(lines)]
        tests = [{key: test[key] for key in ("path", "line", "column", "test", "true", "false")} for test in self.tests]
        return {"tests": tests, "not_found": [f"{path}:{line}" for path, line in wanted if (path, line) not in found]}

    def add(self, path: Path, statement: ast.AST, test: ast.expr) -> int:
        """Register a test; gives the number under which it is noted."""
        first = min(getattr(statement, "lineno", test.lineno), test.lineno)
        self.tests.append({
            "path": self._relative(path), "line": test.lineno, "column": test.col_offset + 1, "test": ast.unparse(test),
            "first": first, "last": test.end_lineno or test.lineno, "true": 0, "false": 0,
        })  # fmt: skip
        return len(self.tests) - 1

    def _note(self, number: int, value: Any) -> bool:
        truth = bool(value)
        if self.counting:
            self.tests[number]["true" if truth else "false"] += 1
        return truth

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)


class _Wrap(ast.NodeTransformer):
    def __init__(self, recorder: BranchRecorder, path: Path) -> None:
        self.recorder = recorder
        self.path = path
        self.lines = recorder.places[path]

    def _wrap(self, node: ast.AST, test: ast.expr) -> ast.expr:
        first, last = min(getattr(node, "lineno", test.lineno), test.lineno), test.end_lineno or test.lineno
        if not any(first <= line <= last for line in self.lines):
            return test
        number = self.recorder.add(self.path, node, test)
        call = ast.Call(ast.Name(_HOOK, ast.Load()), [ast.Constant(number), test], [])
        ast.copy_location(call, test)
        return ast.fix_missing_locations(call)

    def _visit_test(self, node: Any) -> Any:
        test = node.test
        self.generic_visit(node)
        if node.test is test:
            node.test = self._wrap(node, test)
        return node

    visit_If = visit_While = visit_IfExp = visit_Assert = _visit_test

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        self.generic_visit(node)
        node.ifs = [self._wrap(test, test) for test in node.ifs]
        return node
