"""What every command shares: --quiet, --verbose and --version, how errors end, and where output goes.

Results go to standard output, so that they pipe; notes, warnings and progress go to standard error.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from typing import Any, TextIO

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperCommand, TyperGroup, TyperOption

from redraft import __version__
from redraft.errors import RedraftError


class Output:
    """How much a command says, for the life of the process."""

    quiet = False
    verbose = False


def console() -> Console:
    """The console for notes; made anew so that redirection is seen, coloured only on a terminal."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def note(message: str, style: str = "dim") -> None:
    """Say something beside the result, unless --quiet."""
    if not Output.quiet:
        console().print(Text(message, style=style))


def problem(message: str) -> None:
    """Say what went wrong; --quiet does not hide it."""
    console().print(Text.assemble(("error: ", "bold red"), message))


def put(text: str) -> None:
    """Write a result to standard output as it is, whatever the terminal's encoding."""
    out: TextIO = sys.stdout
    try:
        out.write(text)
    except UnicodeEncodeError:
        out.buffer.write(text.encode("utf-8", "surrogatepass"))
    out.flush()


def put_json(value: Any) -> None:
    """Write a result as JSON."""
    put(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def _set(name: str) -> Any:
    def callback(ctx: Any, param: Any, value: bool) -> None:
        if value:
            setattr(Output, name, True)

    return callback


def _version(ctx: Any, param: Any, value: bool) -> None:
    if value:
        put(f"redraft {__version__}\n")
        raise typer.Exit


def _shared_options() -> list[TyperOption]:
    def flag(names: list[str], help: str, callback: Any) -> TyperOption:
        return TyperOption(
            param_decls=names, is_flag=True, default=False, is_eager=True, expose_value=False,
            help=help, callback=callback,
        )  # fmt: skip

    return [
        flag(["--quiet", "-q"], "Print results and errors only.", _set("quiet")),
        flag(["--verbose", "-v"], "Say more; show where an unexpected error came from.", _set("verbose")),
        flag(["--version"], "Print the version and exit.", _version),
    ]


class Command(TyperCommand):
    """A command with the shared options."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += _shared_options()


class Group(TyperGroup):
    """A group of commands; the outermost turns errors into messages and exit statuses."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += _shared_options()

    def invoke(self, ctx: Any) -> Any:
        if ctx.parent is not None:
            return super().invoke(ctx)
        with _errors_as_statuses(), _warnings_as_notes():
            return super().invoke(ctx)


@contextlib.contextmanager
def _errors_as_statuses() -> Iterator[None]:
    try:
        yield
    except RedraftError as error:
        problem(str(error))
        raise typer.Exit(error.exit_status) from None
    except KeyboardInterrupt:
        note("interrupted; what was finished is kept")
        raise typer.Exit(130) from None
    except BrokenPipeError:
        # The reader has gone; leave quietly, and let the interpreter's last flush go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(141) from None
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        if _is_usage(error):
            raise
        if Output.verbose:
            traceback.print_exc()
        problem(f"unexpected {type(error).__name__}: {error}\n  This is a bug; --verbose shows where.")
        raise typer.Exit(70) from None


def _is_usage(error: Exception) -> bool:
    # Typer's own usage errors carry their exit status and print themselves.
    return hasattr(error, "exit_code") and hasattr(error, "show")


@contextlib.contextmanager
def _warnings_as_notes() -> Iterator[None]:
    def show(message: Warning | str, *args: Any, **kwargs: Any) -> None:
        note(f"warning: {message}", style="yellow")

    with warnings.catch_warnings():
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = show
        yield
