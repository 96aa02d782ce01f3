"""What a rule is: one fault, its page, where it shows, what it says and how it is mended, all in one module."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .finding import Confidence, Declined, Fix, Severity
from .flow.events import Event
from .index.source import unparsed
from .flow.values import Const, Value, Why

if TYPE_CHECKING:
    from .fixing.context import FixContext


@dataclass(frozen=True)
class Suspicion:
    """What a rule says of an event; the analyzer adds the place, the entry, the path and the conditions."""

    rule: Rule
    event: Event
    at: ast.expr | ast.stmt
    message: str
    confidence: Confidence
    proof: tuple[Why, ...]
    when: tuple[str, ...] = ()
    graph_break: str | None = None
    severity: Severity | None = None


class Rule:
    """Base of all rules. The docstring of a rule is its page.

    The docstring has a summary line, an explanation, and two code blocks headed ``Bad:`` and ``Good:``: complete snippets that
    define ``f`` and ``make_args`` and are run through the framework by the tests.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    framework: ClassVar[str] = "torch"
    severity: ClassVar[Severity] = Severity.BREAK
    graph_break: ClassVar[str | None] = None
    """The id under which Dynamo reports it."""
    fix_safety: ClassVar[str] = ""
    """The safeties that its fix may have, in words; empty when it has none."""
    listens: ClassVar[tuple[type[Event], ...]] = ()

    @property
    def docstring(self) -> str:
        """The page, dedented."""
        return inspect.cleandoc(type(self).__doc__ or "")

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.docstring.partition("\n")[0]

    @property
    def bad(self) -> str:
        """A snippet that has the fault."""
        return self._example("Bad")

    @property
    def good(self) -> str:
        """The same snippet, mended."""
        return self._example("Good")

    def _example(self, heading: str) -> str:
        found = re.search(rf"^{heading}:\n((?:    .*\n|\n)+)", self.docstring + "\n", re.MULTILINE)
        return inspect.cleandoc("\n" + found[1]).strip() + "\n" if found else ""

    def concerns(self, callee: str) -> bool:
        """Whether calls of that name can matter to the rule at all; asked once for each name, so that other calls cost nothing."""
        return True

    def examine(self, event: Event) -> Iterator[Suspicion]:
        """Say what is wrong with an event of a kind that the rule listens to."""
        raise NotImplementedError

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        """Offer a rewrite, decline with the unproven condition, or None when the rule has no fix at all."""
        return None

    def suspect(
        self,
        event: Event,
        message: str,
        *values: Value | None,
        at: ast.expr | ast.stmt | None = None,
        when: tuple[str, ...] = (),
        graph_break: str | None = None,
        likely: bool = False,
        severity: Severity | None = None,
    ) -> Suspicion:
        """A suspicion about ``event`` whose proof is where ``values`` came from."""
        from .flow.values import Union, contains_tensor, tensor_in

        tensors = [t for v in values if v is not None and (t := contains_tensor(v)) is not None]
        unsure = [v for v in values if isinstance(v, Union) and tensor_in(v) is not None and any(not _is_none(m) for m in v.members if tensor_in(m) is None)]
        guessed = likely or bool(unsure) or any(t.likely for t in tensors)
        if unsure and not when:
            named = source_of(event.at, 40)
            when = (f"`{named}` is a tensor" if isinstance(event.at, (ast.Name, ast.Attribute)) else f"a tensor reaches `{named}`",)
        return Suspicion(
            self,
            event,
            at if at is not None else event.at,
            message,
            Confidence.LIKELY if guessed else Confidence.CERTAIN,
            tuple(t.why for t in tensors if t.why is not None),
            when,
            graph_break or self.graph_break,
            severity,
        )


def _is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def source_of(node: ast.AST, limit: int = 60) -> str:
    """The source of an expression on one line, shortened for a message."""
    text = unparsed(node)
    return text if len(text) <= limit else text[: limit - 3] + "..."
