"""What every command shares: --quiet, --verbose and --version, how errors end, and where output goes.

Results go to standard output, so that they pipe; notes, warnings and progress go to standard error.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import os
import re
import sys
import traceback
import unicodedata
import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, ClassVar, TextIO, get_type_hints

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from redraft import __version__
from redraft.addresses import take_login
from redraft.errors import FileError, RedraftError
from redraft.text import sound, write_text

_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_JOINERS = "\u200c\u200d"
"""Unseen too, but words of some scripts, and emoji, are written with them."""


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()


class Output:
    """How much a command says, while it runs."""

    quiet = False
    verbose = False


class _Screen(Console):
    """A console that shows texts, and obeys none of them: neither their control characters nor their mark-up.

    Where nobody reads notes any more, the work goes on without.
    """

    def __init__(self, file: TextIO | None, *, soft_wrap: bool) -> None:
        super().__init__(
            file=file, stderr=file is None, soft_wrap=soft_wrap, highlight=False, markup=False, emoji=False
        )

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The pieces of what is shown; those that are no text are rich's own, such as moving the cursor."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(visible(segment.text, lines=True), segment.style)

    def on_broken_pipe(self) -> None:
        """The reader has gone: whoever reads results is needed, whoever reads notes is not."""
        if not self.stderr:
            raise BrokenPipeError
        self.quiet = True


def console() -> Console:
    """The console for notes; made anew so that redirection is seen, coloured only on a terminal."""
    return _Screen(None, soft_wrap=True)


def result_console(*, soft_wrap: bool = False) -> Console:
    """The same for results that are laid out for people."""
    return _Screen(sys.stdout, soft_wrap=soft_wrap)


def note(message: str, style: str = "dim") -> None:
    """Say something beside the result, unless --quiet."""
    if not Output.quiet:
        _say(Text(visible(message, lines=True), style=style))


def problem(message: str) -> None:
    """Say what went wrong; --quiet does not hide it."""
    _say(Text.assemble(("error: ", "bold red"), visible(message, lines=True)))


def _say(text: Text) -> None:
    with contextlib.suppress(OSError):  # a full disk under standard error ends no work
        console().print(text)


def put(text: str) -> None:
    """Write a result to standard output: as it is, but a terminal obeys nothing that stands in it."""
    out: TextIO | None = sys.stdout
    if out is None:
        raise FileError("standard output is closed: nothing can be printed")
    if out.isatty():
        text = _seen(text.replace("\r\n", "\n"), "\n\t")
    try:
        try:
            out.write(text)
        except UnicodeEncodeError:
            out.buffer.write(sound(text).encode())
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _let_go_of_output()
        raise FileError(
            f"standard output cannot be written: {(error.strerror or str(error)).lower()}"
        ) from None


def deliver(text: str | None, output: str | None, whole: Mapping[str, Any] | None) -> FileError | None:
    """A text where it is wanted, in a file or on standard output; `whole` is printed as JSON, if given.

    Where the file cannot be written, the text is printed all the same, and the reason is given.
    """
    failure: FileError | None = None
    if text is not None and output is not None:
        try:
            write_text(output, text)
        except FileError as error:
            failure = error
    if whole is not None:
        put_json(whole)
    elif text is not None and (output is None or failure is not None):
        put(text if text.endswith("\n") else text + "\n")
    return failure


def end(status: int, *failures: RedraftError | None) -> None:
    """End a command whose work is done: say what went wrong, and exit unless all is well.

    What could not be written where it was wanted is a failure of its own, whatever the text is like.
    """
    for failure in failures:
        if failure is not None:
            problem(str(failure))
    if any(isinstance(failure, FileError) for failure in failures):
        status = max(status, FileError.exit_status)
    if status:
        raise typer.Exit(status)


def put_json(value: Any) -> None:
    """Write a result as JSON; what is not seen in its texts is written as JSON's escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    put(_seen(text, "\n", lambda character: json.dumps(character)[1:-1]) + "\n")


def visible(text: str, *, lines: bool = False) -> str:
    """The text with characters that a terminal would obey, or not show, as their escapes.

    With `lines`, the ends of its lines stay as they are.
    """
    return _seen(text, "\n" if lines else "")


def _seen(text: str, kept: str, escape: Callable[[str], str] = _escaped) -> str:
    if text.isprintable():
        return text
    return "".join(
        escape(character)
        if unicodedata.category(character) in _UNSEEN and character not in _JOINERS and character not in kept
        else character
        for character in text
    )


def _set(name: str) -> Callable[[bool], None]:
    def callback(value: bool) -> None:
        if value:
            setattr(Output, name, True)

    return callback


def _version(value: bool) -> None:
    if value:
        put(f"redraft {__version__}\n")
        raise typer.Exit


_SHARED = {
    "quiet": Annotated[
        bool,
        typer.Option(
            "--quiet", "-q", help="Print results and errors only.", callback=_set("quiet"), is_eager=True
        ),
    ],
    "verbose": Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help="Say more about errors.", callback=_set("verbose"), is_eager=True
        ),
    ],
    "version": Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)
    ],
}


def shared(function: Callable[..., None]) -> Callable[..., None]:
    """The function with the options that every command has; their callbacks do the work."""

    own = get_type_hints(function, include_extras=True)
    specs = {name for name, hint in own.items() if "SPEC" in _metavar(hint)}

    @functools.wraps(function)
    def command(**values: Any) -> None:
        given = {name: value for name, value in values.items() if name not in _SHARED}
        function(**{name: _taken(value) if name in specs else value for name, value in given.items()})

    parameters = [
        parameter.replace(annotation=own[name], kind=Parameter.KEYWORD_ONLY)
        for name, parameter in signature(function).parameters.items()
    ]
    parameters += [
        Parameter(name, Parameter.KEYWORD_ONLY, default=False, annotation=hint)
        for name, hint in _SHARED.items()
    ]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(command)["__signature__"] = Signature(parameters)
    return command


def _metavar(hint: Any) -> str:
    return "".join(getattr(each, "metavar", None) or "" for each in getattr(hint, "__metadata__", ()))


def _taken(value: Any) -> Any:
    """The specs of models without names and passwords: they are told again, and written into runs."""
    if isinstance(value, list):
        return [_taken(each) for each in value]
    return take_login(value) if isinstance(value, str) else value


def command(app: typer.Typer, name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add a function to the app as a command with the shared options."""

    def add(function: Callable[..., None]) -> Callable[..., None]:
        app.command(name, cls=Command)(shared(function))
        return function

    return add


class Command(TyperCommand):
    """A command whose options for several values take them either way: `-c A -c B` or `-c A B`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command line."""
        own = {name for option in self.params if getattr(option, "multiple", False) for name in option.opts}
        return super().parse_args(ctx, list(spread(args, own)))


_LOOKS_LIKE_CALL = re.compile(r"\s*\w+\s*\(")
_SEVERAL: dict[str, Callable[[str], bool]] = {
    "-c": lambda word: _LOOKS_LIKE_CALL.match(word) is not None,
    "--call": lambda word: _LOOKS_LIKE_CALL.match(word) is not None,
    **dict.fromkeys(
        ("--references", "--data", "--dev", "--tests", "--sources", "--exclude"), lambda word: True
    ),
}


def spread(args: Sequence[str], own: Container[str]) -> Iterator[str]:
    """The words with such an option, if it is the command's own, repeated before each of its values."""
    option: str | None = None
    for previous, word in zip(("", *args), args, strict=False):
        if word.startswith("-") and word != "-":
            option = word if word in _SEVERAL and word in own else None
        elif option is not None and previous != option:
            if _SEVERAL[option](word):
                yield option
            else:
                option = None
        yield word


class OwnCommand(TyperGroup):
    """A group that is a command too: what names none of its commands goes to the one named `own`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command line."""
        known = args and args[0] in self.commands
        return super().parse_args(ctx, args if known else ["own", *args])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command; users know the own one by the name of the group alone."""
        name, found, rest = super().resolve_command(ctx, args)
        return "" if name == "own" else name, found, rest


class Group(TyperGroup):
    """The outermost group: it imports commands late, and turns errors into messages and exit statuses."""

    modules: ClassVar[dict[str, str]] = {}
    """Where each command is: in its module, as `app` where it has commands of its own, else by its name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = dict.fromkeys(self.modules, TyperCommand("late"))  # for its "did you mean"

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the help."""
        return list(self.modules)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command, imported now; None where there is none of the name."""
        if cmd_name not in self.modules:
            return None
        module = import_module(self.modules[cmd_name])
        app = getattr(module, "app", None)
        if app is None:
            app = typer.Typer(add_completion=False)
            command(app, cmd_name)(getattr(module, cmd_name))
        found = get_command(app)
        found.name = cmd_name
        return found

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            with _errors_as_statuses(), _warnings_as_notes(), _log_shown():
                return super().invoke(ctx)
        finally:
            Output.quiet = Output.verbose = False


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
    except BrokenPipeError:  # the reader has gone; leave quietly
        _let_go_of_output()
        raise typer.Exit(141) from None
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        if _is_usage(error):
            if isinstance(getattr(error, "message", None), str):
                vars(error)["message"] = visible(str(vars(error)["message"]), lines=True)
            raise
        if Output.verbose:
            problem(traceback.format_exc())
        problem(f"unexpected {type(error).__name__}: {error}\n  This is a bug; --verbose shows where.")
        raise typer.Exit(70) from None


def _let_go_of_output() -> None:
    """Let the interpreter's last flush go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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


class _Shown(logging.Handler):
    """Shows what our own log warns of, also with --quiet: it is about what a stranger's file does."""

    def emit(self, record: logging.LogRecord) -> None:
        """Show one."""
        _say(Text(visible(f"warning: {record.getMessage()}"), style="yellow"))


@contextlib.contextmanager
def _log_shown() -> Iterator[None]:
    handler = _Shown(logging.WARNING)
    log = logging.getLogger("redraft")
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
