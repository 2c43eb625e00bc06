"""Where a text comes from, and how its revision goes back there: a file, a .docx, the clipboard."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from redraft.cli.clipboard import read_clipboard, write_clipboard
from redraft.cli.console import note
from redraft.errors import FileError, InputError
from redraft.settings import Settings
from redraft.text import (
    Format,
    decode_text,
    guess_format,
    is_docx,
    keep_copy,
    read_bytes,
    write_bytes,
    write_text,
)

if TYPE_CHECKING:
    from redraft.text import DocxText

CLIPBOARD: Final = "the clipboard"


@dataclass(frozen=True)
class Source:
    """A text, where it was read, and the bytes that it was."""

    name: str
    text: str
    data: bytes
    is_docx: bool = False

    @classmethod
    def read(cls, file: str | None) -> Source:
        """That of a file, of standard input (-), or of the clipboard (None)."""
        if file is None:
            text = read_clipboard()
            return cls(CLIPBOARD, text, text.encode())
        data = read_bytes(file)
        if not is_docx(data, file):
            return cls(file, decode_text(data, file), data)
        from redraft.text import read_docx  # noqa: PLC0415  an optional part

        try:
            found = read_docx(data)
        except FileError as error:
            raise FileError(f"{'standard input' if file == '-' else file}: {error}") from None
        _tell(found)
        return cls(file, found.text, data, is_docx=True)

    def format(self, settings: Settings) -> Format:
        """The mark-up that was asked for, or the one that it looks like; a .docx is read as Markdown."""
        if self.is_docx:
            return "markdown"
        if settings.format != "auto":
            return settings.format
        return guess_format(self.text, None if self.name in ("-", CLIPBOARD) else self.name)

    def check_output(self, output: str | None) -> None:
        """Raise where a .docx is to be written, and none was read that could be changed."""
        if output is not None and output.lower().endswith(".docx") and not self.is_docx:
            raise InputError("a .docx is written from a .docx: name one as FILE, or write OUT.md or OUT.txt")
        if output is None and self.is_docx:
            note("the text is printed as Markdown; -o OUT.docx writes a .docx with the changes tracked")

    def write(self, output: str, text: str, *, tracked: bool) -> None:
        """Write a revision: into a .docx if the name says so, and then with what is not text as it was."""
        if output.lower().endswith(".docx"):
            from redraft.text import write_docx  # noqa: PLC0415  an optional part

            write_bytes(output, write_docx(self.data, text, tracked=tracked))
        else:
            write_text(output, text)

    def put_back(self, output: str, text: str, *, tracked: bool) -> None:
        """Write a revision where the text was; the file as it was is kept beside it."""
        if text == self.text:
            note(f"{self.name} stays as it is: nothing was changed")
        elif self.name == CLIPBOARD:
            write_clipboard(text)
        elif read_bytes(output) != self.data:
            raise FileError(f"{output} was changed by somebody else meanwhile, and stays as it is")
        else:
            copy = keep_copy(output, self.data)
            self.write(output, text, tracked=tracked)
            note(f"{output} is revised; what it was is in {copy}")


def check_in_place(file: str | None, output: str | None) -> None:
    """Raise where a text cannot be written back to where it came from."""
    if output is not None:
        raise InputError("--in-place writes FILE itself: leave out -o")
    if file is None or file == "-" or not Path(file).is_file():
        raise InputError("--in-place needs a FILE that can be replaced: it cannot be - or a pipe")


def _tell(found: DocxText) -> None:
    if found.left_alone:
        note(f"in the .docx, these stay as they are: {', '.join(found.left_alone)}")
    if found.tracked:
        changes = "a change is" if found.tracked == 1 else f"{found.tracked} changes are"
        note(f"{changes} tracked in the .docx already: read as accepted, and still tracked afterwards")
