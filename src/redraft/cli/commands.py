"""What every command shares: --quiet, --verbose and --version, late imports, and how errors end a command."""

from __future__ import annotations

import contextlib
import functools
import logging
import re
import textwrap
import traceback
import warnings
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, ClassVar, get_type_hints

import typer
from rich.text import Text
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from redraft import __version__
from redraft.addresses import take_login
from redraft.cli.console import Output, _let_go_of_output, _say, note, problem, put, visible
from redraft.errors import InputError, RedraftError


def _set(name: str) -> Callable[[bool], None]:
    def callback(value: bool) -> None:
        if value:
            setattr(Output, name, True)

    return callback


def _version(value: bool) -> None:
    if value:
        put(f"redraft {__version__}\n")
        raise typer.Exit


def _flag(*names: str, help: str, callback: Callable[[bool], None]) -> Any:
    return Annotated[bool, typer.Option(*names, help=help, callback=callback, is_eager=True)]


_SHARED = {
    "quiet": _flag("--quiet", "-q", help="Print results and errors only.", callback=_set("quiet")),
    "verbose": _flag("--verbose", "-v", help="Say more about errors.", callback=_set("verbose")),
    "version": _flag("--version", help="Print the version and exit.", callback=_version),
}


def shared(function: Callable[..., None]) -> Callable[..., None]:
    """The function with the options that every command has; their callbacks do the work.

    A parameter whose type is a dataclass stands for options that several commands share, one for each of its
    fields.
    """
    own = get_type_hints(function, include_extras=True)
    grouped: dict[str, Any] = {name: kind for name, kind in own.items() if is_dataclass(kind)}
    parameters: list[Parameter] = []
    for name, parameter in signature(function).parameters.items():
        if name in grouped:
            parameters += _fields_as_parameters(grouped[name])
        else:
            parameters.append(parameter.replace(annotation=own[name], kind=Parameter.KEYWORD_ONLY))
    specs = {parameter.name for parameter in parameters if "SPEC" in _metavar(parameter.annotation)}

    @functools.wraps(function)
    def command(**values: Any) -> None:
        given = {name: value for name, value in values.items() if name not in _SHARED}
        given = {name: _without_login(value) if name in specs else value for name, value in given.items()}
        for name, kind in grouped.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        function(**given)

    parameters += [
        Parameter(name, Parameter.KEYWORD_ONLY, default=False, annotation=hint)
        for name, hint in _SHARED.items()
    ]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(command)["__signature__"] = Signature(parameters)
    return command


def _fields_as_parameters(kind: Any) -> Iterator[Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        yield Parameter(
            field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )


def _metavar(hint: Any) -> str:
    return "".join(getattr(each, "metavar", None) or "" for each in getattr(hint, "__metadata__", ()))


def _without_login(value: Any) -> Any:
    """The specs of models without names and passwords: they are told again, and written into runs."""
    if isinstance(value, list):
        return [_without_login(each) for each in value]
    return take_login(value) if isinstance(value, str) else value


def command(app: typer.Typer, name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add a function to the app as a command with the shared options."""

    def add(function: Callable[..., None]) -> Callable[..., None]:
        app.command(name, cls=Command)(shared(function))
        return function

    return add


_REMOVED = {
    ("build-preferences", "--least-words"): "leave shorter sentences out of --sources",
    ("build-preferences", "--most-words"): "leave longer sentences out of --sources",
    ("build-preferences", "--keep-copies"): "pairs whose preferred text is the source are always left out",
    ("overlap", "--top"): "--json lists every record",
    ("export", "--date"): "write the date into the card",
    ("export", "--small"): "give a lower --rank for a smaller file",
    ("planner", "--temperature"): "answers are sampled at 0.8",
    ("planner", "--align-rate"): "the learning rate of an iteration is 2e-4",
    ("planner", "--align-epochs"): "an iteration goes through its pairs once",
}
"""Options that are gone, by command, and what to do instead."""


class Command(TyperCommand):
    """A command whose options for several values take them either way: `-c A -c B` or `-c A B`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command line."""
        for word in args:
            if advice := _REMOVED.get((self.name or "", word.partition("=")[0])):
                raise InputError(f"{word.partition('=')[0]} is no longer an option: {advice}")
        own = {name for option in self.params if getattr(option, "multiple", False) for name in option.opts}
        return super().parse_args(ctx, list(spread(args, own)))


_LOOKS_LIKE_CALL = re.compile(r"\s*\w+\s*\(")


_CALLS = ("-c", "--call")
_SEVERAL = (*_CALLS, "--references", "--data", "--dev", "--tests", "--sources", "--exclude", "--found-in")
"""Options that take several values at once; those of calls take nothing but calls."""


def spread(args: Sequence[str], own: Container[str]) -> Iterator[str]:
    """The words with such an option, if it is the command's own, repeated before each of its values."""
    option: str | None = None
    for previous, word in zip(("", *args), args, strict=False):
        if word.startswith("-") and word != "-":
            option = word if word in _SEVERAL and word in own else None
        elif option is not None and previous != option:
            if option not in _CALLS or _LOOKS_LIKE_CALL.match(word):
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


@dataclass(frozen=True)
class Late:
    """A command that is imported when it is asked for: its module under `redraft.cli`, and what it does.

    A command with commands of its own is the Typer `NAME_app` in that module; another is the function `NAME`.
    """

    module: str
    summary: str


class Group(TyperGroup):
    """The outermost group: it imports commands late, and turns errors into messages and exit statuses."""

    commands_by_use: ClassVar[dict[str, dict[str, Late]]] = {}

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._late = {name: late for group in self.commands_by_use.values() for name, late in group.items()}
        self.commands = dict.fromkeys(self._late, TyperCommand("late"))  # for its "did you mean"

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the help."""
        return list(self._late)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command, imported now; None where there is none of the name."""
        if cmd_name not in self._late:
            return None
        module = import_module(f"redraft.cli.{self._late[cmd_name].module}")
        app = getattr(module, f"{cmd_name}_app", None)
        if app is None:
            app = typer.Typer(add_completion=False)
            command(app, cmd_name)(getattr(module, cmd_name))
        found = get_command(app)
        found.name = cmd_name
        return found

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """One screen: the commands by use, the options, and the exit statuses."""
        usage = " ".join(self.collect_usage_pieces(ctx))
        lines = [f"Usage: {ctx.command_path} {usage}", str(self.help)]
        for use, commands in self.commands_by_use.items():
            for place, (name, late) in enumerate(commands.items()):
                lines.append(f"  {'' if place else use:9}{name:11}{late.summary}")
        names = ("/".join(option.opts) for option in self.get_params(ctx))
        options = ", ".join(name for name in names if "completion" not in name)
        lines += textwrap.wrap(f"Options: {options}", 80, break_on_hyphens=False)
        lines += textwrap.wrap(self.epilog or "", 80)
        formatter.write("\n".join(lines) + "\n")

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
