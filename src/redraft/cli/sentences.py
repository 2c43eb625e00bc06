"""`redraft sentences`: the sentences of a text, numbered as every command counts them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import typer

from redraft.cli.frame import put, put_json
from redraft.constraints import read
from redraft.text import Format, guess_format, read_text


class FormatChoice(StrEnum):
    """How a text is marked up."""

    auto = "auto"
    text = "text"
    markdown = "markdown"
    latex = "latex"


class CountingChoice(StrEnum):
    """What counts as a sentence and a word."""

    default = "default"
    constrev = "constrev"


File = Annotated[str, typer.Argument(metavar="FILE", help="A text file, or - for standard input.")]
Counting = Annotated[CountingChoice, typer.Option(help="The counting convention.")]
FormatOption = Annotated[FormatChoice, typer.Option("--format", help="The text's mark-up.")]


def resolve(format: FormatChoice, text: str, name: str) -> Format:
    """The format that was asked for, or the one that the file looks like."""
    choices: dict[FormatChoice, Literal["text", "markdown", "latex"]] = {
        FormatChoice.text: "text",
        FormatChoice.markdown: "markdown",
        FormatChoice.latex: "latex",
    }
    return choices.get(format) or guess_format(text, None if name == "-" else name)


def sentences(
    file: File,
    counting: Counting = CountingChoice.default,
    format: FormatOption = FormatChoice.auto,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the sentences, numbered as every command counts them, with their words."""
    text = read_text(file)
    reading = read(text, counting, resolve(format, text, file))
    rows = list(zip(reading.sentences, reading.sentence_words, strict=True))
    if json:
        put_json([{"number": s.number, "words": words, "start": s.start, "end": s.end, "paragraph": s.paragraph,
                   "text": s.text} for s, words in rows])  # fmt: skip
        return
    width = len(str(len(rows)))
    widest = max((len(str(words)) for _, words in rows), default=1)
    for sentence, words in rows:
        unit = "word " if words == 1 else "words"
        put(f"{sentence.number:>{width}}  {words:>{widest}} {unit}  {' '.join(sentence.text.split())}\n")
