"""What a command prints: results to standard output, so that they pipe; notes to standard error."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TextIO

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from redraft.errors import FileError, RedraftError
from redraft.text import replace_surrogates, write_text

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
            out.buffer.write(replace_surrogates(text).encode())
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _let_go_of_output()
        raise FileError(
            f"standard output cannot be written: {(error.strerror or str(error)).lower()}"
        ) from None


def deliver(
    text: str | None,
    output: str | None,
    whole: Mapping[str, Any] | None,
    write: Callable[[str, str], object] | None = None,
) -> FileError | None:
    """A text where it is wanted, in a file or on standard output; `whole` is printed as JSON, if given.

    Where the file cannot be written, the text is printed all the same, and the reason is given.
    """
    failure: FileError | None = None
    if text is not None and output is not None:
        try:
            (write or write_text)(output, text)
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


def _let_go_of_output() -> None:
    """Let the interpreter's last flush go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
