"""How things are put to a model: the prompts in `prompts/`, and what is shown in them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from redraft.models import Message, Prompts
from redraft.text import Document

prompt = Prompts(__package__)

NEIGHBOURS = 2
"""Sentences in view on each side of a section."""

IMPROVE = "Improve the text."
"""What is asked for where there is no instruction."""

DOCUMENTS_ROOM = 4000
"""Characters of source material that a request may show."""


def wish(instruction: str) -> str:
    """The instruction, or that of one who gave none."""
    return instruction.strip() or IMPROVE


def messages(system: str, user: str) -> tuple[Message, ...]:
    """The rules of the work, and the work."""
    return Message("system", system), Message("user", user)


def shown(text: str, most: int | None = None) -> str:
    """A text on one line, shortened to `most` characters."""
    line = " ".join(text.split())
    return line if most is None or len(line) <= most else line[: max(most - 1, 0)].rstrip() + "…"


def numbered(document: Document, numbers: Sequence[int], fixed: Collection[int] = ()) -> str:
    """Sentences, one a line with its number, and an empty line between paragraphs."""
    lines: list[str] = []
    paragraph = None
    for number in numbers:
        sentence = document.sentence(number)
        if paragraph not in (None, sentence.paragraph):
            lines.append("")
        paragraph = sentence.paragraph
        mark = " (fixed)" if number in fixed else ""
        lines.append(f"[{number}]{mark} {shown(sentence.text)}")
    return "\n".join(lines)


def part(document: Document, numbers: range) -> str:
    """Where a section stands in its text, with its neighbours; nothing where it is the whole text."""
    total = len(document.sentences)
    if len(numbers) == total:
        return ""
    told = [f"This is a part of a longer text: sentences {numbers[0]} to {numbers[-1]} of {total}."]
    before = range(max(1, numbers[0] - NEIGHBOURS), numbers[0])
    after = range(numbers[-1] + 1, min(total, numbers[-1] + NEIGHBOURS) + 1)
    for name, neighbours in (("Before it", before), ("After it", after)):
        if neighbours:
            text = " ".join(shown(document.sentence(number).text, 400) for number in neighbours)
            told.append(f"{name} stands, only for you to know: {text}")
    return "\n" + "\n".join(told) + "\n"


def sources(documents: Sequence[str]) -> str:
    """Source material within its room, shared evenly."""
    if not documents:
        return ""
    each = DOCUMENTS_ROOM // len(documents)
    told = [f"Source {number}: {shown(text, each)}" for number, text in enumerate(documents, 1)]
    return "\n" + "\n".join(told) + "\n"
