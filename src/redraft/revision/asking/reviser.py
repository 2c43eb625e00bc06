"""The reviser: asks a model for new texts of numbered sentences, or for the whole text."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence

from redraft.editor import runs_away, tidied, usable
from redraft.errors import ContextOverflow
from redraft.models import Completion, Message, Model, Request
from redraft.revision.asking.answers import (
    LONGEST_ANSWER,
    is_revision,
    keeps_placeholders,
    key,
    numbered_lines,
    restore_layout,
    restore_line_breaks,
    whole_text,
)
from redraft.revision.asking.requests import (
    ROOM,
    checks,
    documents_text,
    each_section,
    join_sections,
    messages,
    numbered,
    part,
    prompt,
    request_text,
    section_text,
    shown,
)
from redraft.revision.records import Action, Node
from redraft.text import Document, Format, align

TEMPERATURE = 0.7
CHECKS_ROOM = 1200
"""Characters of what the checks said that the reviser is shown."""

NOTHING = "nothing"
ALL = "what the request asks"
ANY = "any sentence that is not fixed and falls short of the request"

_LONGEST_RATIO = 4
_SLACK = 200
"""A revised sentence has at most so many times its characters, and so many more."""

_LEFT_OUT = ("", "leftout")


class ModelReviser:
    """Revises by a plan. A text longer than `room` characters is revised in sections."""

    def __init__(self, model: Model, *, format: Format = "text", room: int = ROOM) -> None:
        self._model = model
        self._format = format
        self._room = room

    async def revise(
        self,
        text: str,
        action: Action,
        *,
        instruction: str = "",
        protected: Collection[int] = frozenset(),
        omittable: Collection[int] = frozenset(),
        history: Sequence[Node] = (),
        budgets: Mapping[int, str] | None = None,
        documents: Sequence[str] = (),
        temperature: float = TEMPERATURE,
        seed: int = 0,
        each: bool = False,
    ) -> dict[int, str]:
        """New texts by sentence number, of those that the model changed; an empty one is left out.

        Sentences with advice or a budget may change, all where there is none; protected ones never do.
        A line that cannot be used (too long, running away, a placeholder lost, doubled or moved past another)
        counts for nothing. `each` sentence with advice or a budget may be asked for by itself: then a slow
        model has little to read.
        """
        document = Document(text, self._format)
        notes = _notes(action, budgets or {})
        if each:
            free = {number: note for number, note in notes.items() if number not in protected}
            return await self._revise_each(document, free, instruction, documents, temperature, seed)
        wanted = notes.keys() or {sentence.number for sentence in document.sentences}
        feedback = checks(history[-1].feedback, CHECKS_ROOM) if history else ""

        async def section(numbers: range) -> dict[int, str]:
            todo = {n: notes.get(n, "") for n in numbers if n in wanted and n not in protected}
            if not todo:
                return {}
            leave = sorted(n for n in todo if n in omittable)
            request = prompt(
                "revise_request",
                instruction=request_text(instruction),
                documents=documents_text(documents),
                part=part(document, numbers),
                sentences=numbered(document, numbers, protected),
                checks=f"\nWhat the checks said:\n{feedback}\n" if feedback else "",
                todo="\n".join(f"[{n}] {note}" for n, note in todo.items()) if notes else ANY,
                omitted=f"\nMay be left out, by the number alone: {_listed(leave)}" if leave else "",
            )
            size = sum(len(document.sentence(number).text) for number in todo)
            asked = messages(prompt("reviser"), request)
            completion = await self._ask(asked, size, temperature, seed)
            return _taken(completion, document, numbers, todo, leave)

        found = await each_section(document, self._room, section)
        return {number: new for _, revised in found if revised for number, new in revised.items()}

    async def _revise_each(
        self,
        document: Document,
        notes: Mapping[int, str],
        instruction: str,
        documents: Sequence[str],
        temperature: float,
        seed: int,
    ) -> dict[int, str]:
        async def one(number: int, note: str) -> str:
            source = document.sentence(number).text
            request = prompt(
                "sentence",
                instruction=f"{request_text(instruction)}\n{note}",
                documents=documents_text(documents),
                text=shown(source),
            )
            try:
                completion = await self._ask((Message("user", request),), len(source), temperature, seed)
            except ContextOverflow:
                return source
            new = usable(completion, source) if is_revision(completion, source) else None
            return restore_line_breaks(new, source) if new and is_usable(new, source) else source

        found = await asyncio.gather(*(one(number, note) for number, note in notes.items()))
        return {
            number: new
            for number, new in zip(notes, found, strict=True)
            if shown(new) != shown(document.sentence(number).text)
        }

    async def rewrite(
        self,
        text: str,
        action: Action,
        *,
        instruction: str = "",
        form: str = "rewrite",
        documents: Sequence[str] = (),
        temperature: float = TEMPERATURE,
        seed: int = 0,
    ) -> str:
        """The whole text anew by a plan, as the model gives it; its paragraphs where they were.

        By the form `apply` the model is told the plan and not the instruction. A section whose answer was cut
        off stays as it was.
        """
        document = Document(text, self._format)
        advice = {one.sentence: one.advice for one in action.plan if one.advice}

        async def section(numbers: range) -> str:
            lines = [
                f"Sentence: {shown(document.sentence(number).text)}\n"
                f"To do: {shown(advice.get(number, NOTHING if advice else ALL))}"
                for number in numbers
            ]
            request = prompt(
                form,
                instruction=request_text(instruction),
                documents=documents_text(documents),
                part=part(document, numbers),
                sentences="\n\n".join(lines),
            )
            source = section_text(document, numbers)
            completion = await self._ask((Message("user", request),), len(source), temperature, seed)
            if completion.finish == "length" and len(numbers) > 1:
                raise ContextOverflow("the model's answer was cut off")
            if not is_revision(completion, source):
                return source
            return restore_layout(whole_text(completion.text, source), source, self._format)

        return join_sections(document, await each_section(document, self._room, section))

    async def _ask(self, asked: tuple[Message, ...], size: int, temperature: float, seed: int) -> Completion:
        most = room_for(size)
        (completion,) = await self._model.complete(
            Request(asked, max_tokens=most, temperature=temperature, seed=seed)
        )
        return completion


def room_for(size: int) -> int:
    """Tokens that the revision of so many characters may take: about twice what it took before."""
    return 160 + size // 2


def _notes(action: Action, budgets: Mapping[int, str]) -> dict[int, str]:
    """Advice and budget of each sentence that has any, in the order of the text."""
    advice = {one.sentence: shown(one.advice) for one in action.plan if one.advice}
    both = sorted(advice.keys() | {number for number, note in budgets.items() if note})
    return {n: "; ".join(filter(None, (advice.get(n), budgets.get(n)))) for n in both}


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(f"[{number}]" for number in numbers)


def _taken(
    completion: Completion,
    document: Document,
    numbers: range,
    todo: Mapping[int, str],
    leave: Collection[int],
) -> dict[int, str]:
    """What of an answer can be used: for each sentence the first line that changes it."""
    if completion.finish in ("filtered", "refused"):
        return {}
    lines = numbered_lines(completion.text[:LONGEST_ANSWER])
    if completion.finish == "length":
        lines = lines[:-1]
    elif not any(number in todo for number, _ in lines) and is_revision(completion, document.text):
        lines = _unnumbered(completion.text, document, numbers)
    found: dict[int, str] = {}
    for number, line in lines:
        if number not in todo or number in found:
            continue
        source = document.sentence(number).text
        if key(line) in _LEFT_OUT:
            if number in leave and keeps_placeholders("", source):
                found[number] = ""
            continue
        new = tidied(line, source)
        if shown(new) != shown(source) and key(new) != key(todo[number]) and is_usable(new, source):
            found[number] = restore_line_breaks(new, source)
    return dict(sorted(found.items()))


def is_usable(new: str, source: str) -> bool:
    return (
        bool(key(new))
        and len(new) <= _LONGEST_RATIO * len(source) + _SLACK
        and keeps_placeholders(new, source)
        and not runs_away(new, source)
    )


def _unnumbered(answer: str, document: Document, numbers: range) -> list[tuple[int, str]]:
    """The sentences of an answer without numbers, where their words tell which of the text's they revise."""
    source = Document(section_text(document, numbers), document.format)
    text = whole_text(answer, source.text)
    if len(source.sentences) != len(numbers) or len(text) > _LONGEST_RATIO * len(source.text) + _SLACK:
        return []
    after = Document(text, document.format)
    return [
        (numbers[link.original[0] - 1], " ".join(after.sentence(number).text for number in link.revised))
        for link in align(source, after)
        if link.kind in ("changed", "split") and len(link.original) == 1
    ]
