"""The commands and their options; each command's work lies in a module of its own, imported when it runs."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Optional

import typer

app = typer.Typer(
    help="Find, rewrite and prove what keeps PyTorch code from being captured as a graph.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class ReportFormat(str, Enum):
    """How findings are printed."""

    text = "text"
    concise = "concise"
    json = "json"
    github = "github"


class DataFormat(str, Enum):
    """Formats of the other commands."""

    text = "text"
    json = "json"


class Color(str, Enum):
    """When output is coloured."""

    auto = "auto"
    always = "always"
    never = "never"


Paths = Annotated[Optional[list[Path]], typer.Argument(help="Files and folders; the current folder by default.", show_default=False)]
Select = Annotated[Optional[list[str]], typer.Option(help="Only these codes, or prefixes of codes (comma-separated).")]
Ignore = Annotated[Optional[list[str]], typer.Option(help="Leave out these codes, or prefixes of codes (comma-separated).")]
Exclude = Annotated[Optional[list[str]], typer.Option(help="Leave out files that match these patterns (as in .gitignore).")]
ForceExclude = Annotated[bool, typer.Option("--force-exclude", help="Apply the excludes to files that are named, too.")]
EntryOption = Annotated[Optional[list[str]], typer.Option("--entry", help="A captured function, pkg.module:function or pkg.module:Class.method.")]
EntryFile = Annotated[Optional[Path], typer.Option(help="A file with one entry a line.")]
TargetTorch = Annotated[Optional[str], typer.Option(help="The release of torch to speak of.")]
ColorOption = Annotated[Color, typer.Option(help="Colour the output; NO_COLOR and FORCE_COLOR are honoured.")]


def _version(show: bool) -> None:
    if show:
        from .command import version

        typer.echo(f"g2s {version()}")
        raise typer.Exit()


@app.callback()
def _global(show_version: Annotated[bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version.")] = False) -> None:
    """Find, rewrite and prove what keeps PyTorch code from being captured as a graph."""


@app.command()
def check(
    paths: Paths = None,
    format: Annotated[ReportFormat, typer.Option(help="How to print the findings.")] = ReportFormat.text,
    output: Annotated[Optional[Path], typer.Option("--output", "-o", help="Write the report to this file.")] = None,
    select: Select = None,
    ignore: Ignore = None,
    exclude: Exclude = None,
    force_exclude: ForceExclude = False,
    entry: EntryOption = None,
    entry_file: EntryFile = None,
    target_torch: TargetTorch = None,
    statistics: Annotated[bool, typer.Option("--statistics", help="Count the findings by code instead of listing them.")] = False,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 even if there are findings.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show the call path and the proof of each finding.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the findings alone, without the summary.")] = False,
    color: ColorOption = Color.auto,
) -> None:
    """Find what blocks graph capture. Exit code 0: nothing, 1: findings, 2: an error."""
    from .check_command import CheckOptions, run_check
    from .options import CommonOptions

    common = CommonOptions(paths, select, ignore, exclude, force_exclude, entry, entry_file, target_torch)
    raise typer.Exit(run_check(common, CheckOptions(format.value, output, statistics, exit_zero, verbose, quiet, color.value)))


@app.command()
def convert(
    paths: Paths = None,
    write: Annotated[bool, typer.Option("--write", help="Write the changes; without it the diff is printed and nothing changes.")] = False,
    unsafe: Annotated[bool, typer.Option("--unsafe", help="Include fixes that are equal only under the condition that they state.")] = False,
    check_only: Annotated[bool, typer.Option("--check", help="Exit with 1 if something would change.")] = False,
    verify_target: Annotated[Optional[str], typer.Option("--verify", metavar="TARGET", help="Keep only the fixes that the verifier agrees with.")] = None,
    add_functions: Annotated[bool, typer.Option("--add-functions", help="Put tf.function on functions that gain from it and are clean, and take it off redundant ones.")] = False,
    select: Select = None,
    ignore: Ignore = None,
    exclude: Exclude = None,
    force_exclude: ForceExclude = False,
    entry: EntryOption = None,
    entry_file: EntryFile = None,
    target_torch: TargetTorch = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the diff alone.")] = False,
    color: ColorOption = Color.auto,
) -> None:
    """Rewrite what blocks graph capture; prints a diff unless --write is given."""
    from .convert_command import ConvertOptions, run_convert
    from .options import CommonOptions

    common = CommonOptions(paths, select, ignore, exclude, force_exclude, entry, entry_file, target_torch)
    raise typer.Exit(run_convert(common, ConvertOptions(write, unsafe, check_only, verify_target, add_functions, quiet, color.value)))


@app.command()
def verify(
    target: Annotated[str, typer.Argument(help="module:function giving (callable, inputs), or a callable with --input.")],
    against: Annotated[Optional[str], typer.Option(help="The original: a path or a git revision.")] = None,
    input: Annotated[Optional[list[str]], typer.Option(help='Shape of an argument, "float32[8,128]"; one option for each.')] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    mode: Annotated[str, typer.Option(help="Mode of torch.compile; TensorFlow has none.")] = "default",
    backend: Annotated[str, typer.Option(help="Backend of torch.compile; for TensorFlow, tf.function and XLA are both run.")] = "inductor",
    format: Annotated[DataFormat, typer.Option(help="How to print the verdict.")] = DataFormat.text,
    output: Annotated[Optional[Path], typer.Option("--output", "-o", help="Write the report to this file.")] = None,
    time: Annotated[bool, typer.Option(help="Time the sides.")] = True,
    gradients: Annotated[bool, typer.Option(help="Compare gradients.")] = True,
    strides: Annotated[bool, typer.Option(help="Compare the outputs' strides.")] = False,
    branch: Annotated[Optional[list[str]], typer.Option(help="A test, file.py:line, of which the inputs must take both sides.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 0,
    timeout: Annotated[float, typer.Option(help="Seconds after which a process counts as hanging.")] = 900.0,
) -> None:
    """Prove that eager and compiled agree. Exit code 0: they do, 1: they do not, 2: an error."""
    from .verify_command import run_verify

    raise typer.Exit(
        run_verify(
            target, against=against, input=tuple(input or ()), device=device, mode=mode, backend=backend, format=format.value, output=output,
            time=time, gradients=gradients, strides=strides, branches=tuple(branch or ()), seed=seed, timeout=timeout,
        )
    )  # fmt: skip


@app.command()
def explain(
    code: Annotated[str, typer.Argument(help="A rule's code or name, or the id of a graph break (GB0170).")],
    format: Annotated[DataFormat, typer.Option(help="How to print it.")] = DataFormat.text,
) -> None:
    """Say what a rule finds, why it matters and what to do."""
    from .explain_command import run_explain

    raise typer.Exit(run_explain(code, format.value))


@app.command()
def rules(format: Annotated[DataFormat, typer.Option(help="How to print them.")] = DataFormat.text) -> None:
    """List all rules."""
    from .explain_command import run_rules

    raise typer.Exit(run_rules(format.value))
