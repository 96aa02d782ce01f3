"""TFC501: an effect on the host that happens only while tracing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event
from ..rule import Rule, Suspicion, source_of

_PRINTS = {"print", "input", "breakpoint", "pprint.pprint", "sys.stdout.write", "sys.stderr.write", "sys.stdout.flush", "tqdm.tqdm.write"}
_CLOCKS = (
    "time.time", "time.perf_counter", "time.monotonic", "time.process_time", "time.sleep", "time.strftime", "datetime.datetime.now", "datetime.now",
    "datetime.datetime.utcnow", "datetime.datetime.today", "uuid.uuid1", "uuid.uuid4", "datetime.date.today",
)  # fmt: skip
_FILES = {"open", "os.remove", "os.makedirs", "os.mkdir", "os.rename", "os.system", "os.unlink", "shutil.copy", "shutil.rmtree", "shutil.move", "subprocess.run", "subprocess.call", "subprocess.Popen", "json.dump", "pickle.dump", "numpy.save", "numpy.savez", "numpy.savetxt", "pathlib.Path.write_text"}
_WARNINGS = {"warnings.warn"}
_LEVELS = {"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log"}
_LOGGERS = ("logging.", "absl.logging.", "loguru.", "tensorflow.get_logger", "tensorflow.compat.v1.logging.")


class HostEffect(Rule):
    """An effect on the host inside the captured function.

    `print`, logging, a file, a clock or a sleep is no operation of the graph: it happens once while tracing, then never again. Print with
    `tf.print`; measure, log and write outside the captured function.

    Bad:
        import tensorflow as tf

        def f(x):
            print("called")
            return x * 2.0

        def make_args(i):
            return (tf.constant([3.0 + i]),)
    Good:
        import sys
        import tensorflow as tf

        def f(x):
            tf.print("called", output_stream=sys.stdout)
            return x * 2.0

        def make_args(i):
            return (tf.constant([3.0 + i]),)
    """

    code = "TFC501"
    name = "host-effect"
    framework = "tensorflow"
    severity = Severity.STALE
    fix_safety = "verify"
    listens = (Call,)

    def concerns(self, callee: str) -> bool:
        if callee in _PRINTS or _clock(callee) or callee in _FILES or callee in _WARNINGS:
            return True
        first, _, last = callee.rpartition(".")
        return (last in _LEVELS and (callee.startswith(_LOGGERS) or first.endswith("Logger"))) or (last in ("write", "writelines", "flush") and first.startswith(("io.", "file")))

    def examine(self, event: Event) -> Iterator[Suspicion]:
        frame = event.frame
        assert isinstance(event, Call)
        if frame.capture.reason == "constructor" or _said(event, self.code):
            return
        shown = source_of(event.at, 50)
        if _clock(event.callee):
            kind = "is read once, while tracing" if event.callee != "time.sleep" else "happens once, while tracing"
            yield self.suspect(event, f"`{shown}` {kind}")
        elif event.callee in _WARNINGS and frame.in_message:
            return
        else:
            yield self.suspect(event, f"`{shown}` happens once, while tracing, not at each call")

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        assert isinstance(event, Call)
        from ..fixing.tensorflow.prints import print_fix

        made = print_fix(event, context)
        if isinstance(made, Fix):
            return made
        from ..fixing.tensorflow.on_host import on_host_fix

        from ..fixing.tensorflow.host_values import host_value_fix

        declined = on_host_fix(event.at, context)
        value = host_value_fix(event.at, context)
        return value if isinstance(declined, Declined) and isinstance(value, Fix) else declined


def _clock(callee: str) -> bool:
    return callee.removesuffix("_ns") in _CLOCKS


def _said(event: Event, code: str) -> bool:
    """Whether the other side of the same tensor branch, or an earlier read of the same clock, was reported: one finding says so."""
    assert isinstance(event, Call)
    suspicions = event.frame.activation.suspicions
    for stage in event.frame.staging:
        if stage.kind == "if" and stage.tensor and stage.side == "orelse" and isinstance(stage.node, ast.If):
            last = stage.node.orelse[0].lineno
            if any(rule == code and stage.node.lineno <= getattr(at, "lineno", 0) < last for rule, at in suspicions):
                return True
    if _clock(event.callee):
        return any(rule == code and at is not event.at and isinstance(s[0].event, Call) and s[0].event.callee == event.callee for (rule, at), s in suspicions.items())
    return False
