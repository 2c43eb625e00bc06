"""What a model is shown: prompts, numbered sentences, sections of a long text, the history of a search."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from redraft.errors import ContextOverflow
from redraft.models import Completion, Message, Model, Prompts, Request, Usage
from redraft.revision.records import Action, Feedback
from redraft.text import Document

prompt = Prompts(__package__)
NEIGHBOURS = 2
"""Sentences in view on each side of a section."""
IMPROVE = "Improve the text."
"""What is asked for where there is no instruction."""
DOCUMENTS_ROOM = 4000
"""Characters of source material that a request may show."""
ROOM = 6000
"""Characters of text that one request works on."""
_ENOUGH = 2 / 3
"""A section that is so full ends with its paragraph."""
TOKENS = 800
CHARACTERS_A_TOKEN = 4
_VERDICTS: Mapping[int | None, str] = {0: "met", 1: "not met"}
_TURNS: Mapping[int | None, int] = {1: 0, 0: 2}
T = TypeVar("T")


def prompts_hash(folder: Path | None = None) -> str:
    """The hash of our prompts, with those of a user's folder in their place."""
    with prompt.replaced_from(folder):
        return prompt.hash


def request_text(instruction: str) -> str:
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
    history_text = [f"This is a part of a longer text: sentences {numbers[0]} to {numbers[-1]} of {total}."]
    before = range(max(1, numbers[0] - NEIGHBOURS), numbers[0])
    after = range(numbers[-1] + 1, min(total, numbers[-1] + NEIGHBOURS) + 1)
    for name, neighbours in (("Before it", before), ("After it", after)):
        if neighbours:
            text = " ".join(shown(document.sentence(number).text, 400) for number in neighbours)
            history_text.append(f"{name} stands, only for you to know: {text}")
    return "\n" + "\n".join(history_text) + "\n"


def documents_text(documents: Sequence[str]) -> str:
    """Source material within its room, shared evenly."""
    if not documents:
        return ""
    each = DOCUMENTS_ROOM // len(documents)
    lines = [f"Source {number}: {shown(text, each)}" for number, text in enumerate(documents, 1)]
    heading = (
        "References, newer than the text. Wherever the text gives another number, date, name or fact"
        " than they do, put theirs in its place. Do not copy out what the text does not speak of."
    )
    return "\n" + "\n".join((heading, *lines)) + "\n"


def sections(document: Document, room: int = ROOM) -> list[range]:
    """The numbers of all sentences in runs of at most `room` characters, or of one longer sentence."""
    found: list[range] = []
    first, size = 1, 0
    paragraph = None
    for sentence in document.sentences:
        full = size + len(sentence.text) > room
        paragraph_ended = sentence.paragraph != paragraph and size > room * _ENOUGH
        if sentence.number > first and (full or paragraph_ended):
            found.append(range(first, sentence.number))
            first, size = sentence.number, 0
        size += len(sentence.text)
        paragraph = sentence.paragraph
    if document.sentences:
        found.append(range(first, len(document.sentences) + 1))
    return found


async def each_section(
    document: Document, room: int, work: Callable[[range], Awaitable[T]]
) -> list[tuple[range, T | None]]:
    """What `work` gives for each section, in order; they are worked on at once.

    A section that does not fit the model is halved until it does; None stands for a sentence that does not
    fit by itself. Where none fits, ContextOverflow.
    """
    parts = await asyncio.gather(*(_fitted(numbers, work) for numbers in sections(document, room)))
    found = [one for fitted in parts for one in fitted]
    overflows = [result for _, result in found if isinstance(result, ContextOverflow)]
    if overflows and len(overflows) == len(found):
        raise overflows[0]
    return [(numbers, None if isinstance(result, ContextOverflow) else result) for numbers, result in found]


async def _fitted(
    numbers: range, work: Callable[[range], Awaitable[T]]
) -> list[tuple[range, T | ContextOverflow]]:
    try:
        return [(numbers, await work(numbers))]
    except ContextOverflow as error:
        if len(numbers) == 1:
            return [(numbers, error)]
    half = len(numbers) // 2
    first, second = await asyncio.gather(_fitted(numbers[:half], work), _fitted(numbers[half:], work))
    return [*first, *second]


def section_text(document: Document, numbers: range) -> str:
    """The text of a section, with the marks of its lines and without the white space around it."""
    return document.text[_cut(document, numbers[0] - 1) : _cut(document, numbers[-1])].strip()


def join_sections(document: Document, parts: Sequence[tuple[range, str | None]]) -> str:
    """New texts of all sections with the white space around them; one that came to nothing is as it was."""
    texts: list[str] = []
    for numbers, text in parts:
        old = document.text[_cut(document, numbers[0] - 1) : _cut(document, numbers[-1])]
        inner = old.strip()
        before, _, after = old.partition(inner)
        texts += (before, text or inner, after)
    return "".join(texts) if parts else document.text


def _cut(document: Document, number: int) -> int:
    """Where what belongs to a sentence ends: marks before the next, such as `- `, belong to that."""
    if number in (0, len(document.sentences)):
        return len(document.text) if number else 0
    gap = document.gaps[number]
    return document.sentence(number).end + (gap.rfind("\n") + 1 or len(gap))


class Past(Protocol):
    """A text on the way: the action that led to it, and what the tools said of it. A Node is one."""

    @property
    def action(self) -> Action | None:
        """What was planned; nothing for the text that was given."""

    @property
    def feedback(self) -> Sequence[Feedback]:
        """What the tools said."""


def history_text(history: Sequence[Past], tokens: int = TOKENS) -> str:
    """The steps, with the root where it is given, in at most so many tokens; the latest are kept first."""
    history = [one for one in history if one.action is not None or one.feedback]
    if not history:
        return ""
    first = int(history[0].action is not None)
    room = tokens * CHARACTERS_A_TOKEN
    left_out = "(Earlier steps are left out.)"
    steps: list[str] = []
    for number in reversed(range(len(history))):
        forms = (_whole(number + first, history[number]), _short(number + first, history[number]))
        spare = len(left_out) + 1 if number else 0
        form = next((form for form in forms if len(form) + spare < room), None)
        if form is None:
            steps.append(left_out if steps else _shortened(forms[1], room))
            break
        steps.append(form)
        room -= len(form) + 1
    return "\n".join(reversed(steps))


def checks(feedback: Sequence[Feedback], room: int) -> str:
    """What the tools said, what is not met first, in at most `room` characters."""
    lines: list[str] = []
    for one in sorted(feedback, key=lambda one: _TURNS.get(one.label, 1)):
        line = f"- {one.tool} ({_VERDICTS.get(one.label, 'noted')}): {shown(one.words, 240)}"
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    return "\n".join(lines)


def _whole(number: int, node: Past) -> str:
    lines = [_heading(number, node.action)]
    if node.action is not None:
        lines.append(f"Thought: {shown(node.action.thought, 500)}")
        lines.append(f"Calls: {shown('; '.join(node.action.calls), 500) or 'none'}")
        advice = (f"{one.sentence}: {shown(one.advice, 120)}" for one in node.action.plan if one.advice)
        lines.append(f"Plan: {'; '.join(advice) or 'none'}")
    if node.feedback:
        lines.append(f"Checks of the text then:\n{checks(node.feedback, 2000) or '- none'}")
    return "\n".join(lines)


def _short(number: int, node: Past) -> str:
    thought = shown(node.action.thought, 80) if node.action is not None else ""
    said = f"{_heading(number, node.action)} {thought}"
    if not node.feedback:
        return said
    wrong = "; ".join(shown(one.words, 80) for one in node.feedback if one.label == 1)
    return f"{said} Not met: {shown(wrong, 200) or 'nothing'}"


def _heading(number: int, action: Action | None) -> str:
    return f"Step {number}." if action is not None else "At the start."


def _shortened(text: str, room: int) -> str:
    return text[: max(room - 1, 0)]


class MeteredModel:
    """A Model in front of another; `usage` is the sum of all that went through it."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.usage = Usage()

    @property
    def spec(self) -> str:
        """The name of the model behind."""
        return self._model.spec

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        """What the model behind answers."""
        completions = await self._model.complete(request)
        self.usage = sum((completion.usage for completion in completions), self.usage)
        return completions
