"""The baselines that the search is compared with: they return what the model answers, unrepaired.

They are those of the TRIPS paper (§6.1 and D.6): direct, chain of thought, plan first, five rounds, and each
sentence by itself.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.editor import Editor, usable
from redraft.errors import ContextOverflow, InputError
from redraft.judge import escape_tags
from redraft.models import Completion, Message, Model, Request, Usage, is_pulled, is_trained
from redraft.revision.asking.answers import (
    is_revision,
    read_plan,
    restore_layout,
    restore_line_breaks,
    whole_lines,
    whole_text,
)
from redraft.revision.asking.requests import (
    ROOM,
    MeteredModel,
    documents_text,
    each_section,
    join_sections,
    numbered,
    part,
    prompt,
    request_text,
    section_text,
)
from redraft.revision.asking.reviser import ModelReviser, room_for
from redraft.revision.records import Action, Improvement
from redraft.text import Document, Format

ROUNDS: Final = 5
TEMPERATURE: Final = 0.7
"""As in the paper (D.6)."""

_MARKER: Final = re.compile(r"^[*_# \t]*revised text[*_ \t]*:[*_ \t]*", re.I | re.M)
_THINKING: Final = 600
_WITH_ADAPTERS: Final = ("embedded", "torch")
"""Schemes of models that take the editor's adapter."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a baseline made of a text, what it took, and the text after each round."""

    text: str
    usage: Usage
    rounds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BaselineTask:
    """What a baseline is asked to do, and with what."""

    document: Document
    instruction: str
    model: Model
    documents: Sequence[str] = ()
    seed: int = 0
    temperature: float = TEMPERATURE
    rounds: int = ROUNDS
    room: int = ROOM
    user_plan: Action | None = None
    """A plan of the user's, which the model then need not make."""

    async def answer(self, conversation: Sequence[Message], most: int, turn: int = 0) -> Completion:
        """What the model says; each turn has a seed of its own."""
        request = Request(
            tuple(conversation), max_tokens=most, temperature=self.temperature, seed=self.seed + turn
        )
        (completion,) = await self.model.complete(request)
        return completion

    def question(self, name: str, numbers: range, **more: str) -> Message:
        """A prompt about a section of the text."""
        words = prompt(
            name,
            instruction=request_text(self.instruction),
            documents=documents_text(self.documents),
            part=part(self.document, numbers),
            **{"text": escape_tags(section_text(self.document, numbers)), **more},
        )
        return Message("user", words)

    def text(self, completion: Completion, numbers: range, answer: str | None = None) -> str:
        """A whole text for a section, out of an answer or its last part; the section where that has none.

        An answer that was cut off counts for nothing: ContextOverflow asks for the section in halves.
        """
        if completion.finish == "length" and len(numbers) > 1:
            raise ContextOverflow("the model's answer was cut off")
        source = section_text(self.document, numbers)
        if not is_revision(completion, source):
            return source
        text = whole_text(completion.text if answer is None else answer, source)
        return restore_layout(text, source, self.document.format) or source

    def size(self, numbers: range) -> int:
        """Tokens that an answer for a section may take."""
        return room_for(len(section_text(self.document, numbers)))


async def direct(asked: BaselineTask) -> tuple[str, ...]:
    """The instruction and the text, in one request for each section."""

    async def section(numbers: range) -> str:
        answer = await asked.answer([asked.question("direct", numbers)], asked.size(numbers))
        return asked.text(answer, numbers)

    return (join_sections(asked.document, await each_section(asked.document, asked.room, section)),)


async def cot(asked: BaselineTask) -> tuple[str, ...]:
    """The model thinks first; one that forgets to say where its text begins is asked for the text alone."""

    async def section(numbers: range) -> str:
        question = asked.question("cot", numbers)
        most = asked.size(numbers)
        completion = await asked.answer([question], _THINKING + most)
        *_, last = _MARKER.split(completion.text)
        if last == completion.text or not last.strip():
            thoughts = Message("assistant", completion.text.strip()[: 4 * _THINKING] or "(nothing)")
            finish = Message("user", prompt("cot_finish"))
            completion = await asked.answer([question, thoughts, finish], most)
            last = completion.text
        return asked.text(completion, numbers, last)

    return (join_sections(asked.document, await each_section(asked.document, asked.room, section)),)


async def plan(asked: BaselineTask) -> tuple[str, ...]:
    """A plan for each sentence, after an example of one, then the text written anew by it."""
    action = asked.user_plan or await _planned(asked)
    reviser = ModelReviser(asked.model, format=asked.document.format, room=asked.room)
    text = await reviser.rewrite(
        asked.document.text,
        action,
        instruction=asked.instruction,
        documents=asked.documents,
        temperature=asked.temperature,
        seed=asked.seed,
    )
    return (text,)


async def _planned(asked: BaselineTask) -> Action:
    document = asked.document

    async def section(numbers: range) -> dict[int, str]:
        question = asked.question(
            "plan_only", numbers, example=prompt("plan_example"), sentences=numbered(document, numbers)
        )
        completion = await asked.answer([question], 160 + 48 * len(numbers))
        sentences = {number: document.sentence(number).text for number in numbers}
        return dict(read_plan(f"PLAN:\n{whole_lines(completion)}", sentences).advice)

    found = await each_section(document, asked.room, section)
    advice = {number: words for _, planned in found if planned for number, words in planned.items()}
    improvements = (Improvement(s.number, s.text, advice.get(s.number, "")) for s in document.sentences)
    return Action("", (), tuple(improvements), asked.model.spec)


async def iterate(asked: BaselineTask) -> tuple[str, ...]:
    """A first answer, then rounds in which the model sees the original and its latest revision."""

    async def section(numbers: range) -> list[str]:
        answer = await asked.answer([asked.question("direct", numbers)], asked.size(numbers))
        texts = [asked.text(answer, numbers)]
        for turn in range(1, asked.rounds):
            question = asked.question("iterate", numbers, revision=escape_tags(texts[-1]))
            answer = await asked.answer([question], asked.size(numbers), turn)
            texts.append(asked.text(answer, numbers))
        return texts

    found = await each_section(asked.document, asked.room, section)
    return tuple(
        join_sections(asked.document, [(numbers, texts[turn] if texts else None) for numbers, texts in found])
        for turn in range(asked.rounds)
    )


async def sentence(asked: BaselineTask) -> tuple[str, ...]:
    """Each sentence by itself, put together with the gaps there were; our own models edit as the editor."""
    editor = Editor(asked.model, seed=asked.seed)
    spec = asked.model.spec
    trained = is_trained(spec) or (spec.partition(":")[0] in _WITH_ADAPTERS and not is_pulled(spec))

    async def section(numbers: range) -> str:
        (number,) = numbers
        source = asked.document.sentence(number).text
        if not any(character.isalnum() for character in source):
            return source
        if trained:
            edit = await editor.edit(source, request_text(asked.instruction), asked.documents)
            return restore_line_breaks(edit.text, source)
        completion = await asked.answer(
            [asked.question("sentence", numbers, text=source)], asked.size(numbers)
        )
        return restore_line_breaks(usable(completion, source) or source, source)

    found = await each_section(asked.document, 0, section)
    new = {numbers[0]: text for numbers, text in found if text}
    return (asked.document.replace(new).text,)


async def amended(asked: BaselineTask, wrong: Sequence[str]) -> str:
    """A text that falls short of the request, with what is wrong mended."""
    listed = "\n".join(f"- {one}" for one in wrong)

    async def section(numbers: range) -> str:
        answer = await asked.answer([asked.question("amend", numbers, checks=listed)], asked.size(numbers))
        return asked.text(answer, numbers)

    return join_sections(asked.document, await each_section(asked.document, asked.room, section))


BASELINES: Final[Mapping[str, Callable[[BaselineTask], Awaitable[tuple[str, ...]]]]] = {
    "direct": direct,
    "cot": cot,
    "plan": plan,
    "iter": iterate,
    "sentence": sentence,
}


def usual_temperature(name: str, spec: str) -> float:
    """The paper's; but the direct answer of a larger model of ours is the likeliest: it makes up less."""
    return 0.0 if name == "direct" and is_pulled(spec) else TEMPERATURE


async def run_baseline(
    name: str,
    text: str,
    instruction: str,
    model: Model,
    *,
    documents: Sequence[str] = (),
    seed: int = 0,
    rounds: int = ROUNDS,
    temperature: float = TEMPERATURE,
    format: Format = "text",
    room: int = ROOM,
    user_plan: Action | None = None,
) -> Baseline:
    """Run a baseline by its name; a text without sentences comes back as it is."""
    if name not in BASELINES:
        raise InputError(f"there is no baseline {name!r}; known are {', '.join(BASELINES)}")
    if rounds < 1:
        raise InputError(f"there must be at least one round, not {rounds}")
    document = Document(text, format)
    meter = MeteredModel(model)
    asked = BaselineTask(document, instruction, meter, documents, seed, temperature, rounds, room, user_plan)
    texts = await BASELINES[name](asked)
    return Baseline(texts[-1], meter.usage, texts)
