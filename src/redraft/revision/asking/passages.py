"""What a larger model that was taught to edit is asked: passage by passage, by the controls it has learnt.

It has seen paragraphs of up to a hundred words or so, one wish at a time; a whole letter with three wishes it
has not. So each paragraph is asked about by itself, and the answer to one wish is what the next is about. An
answer that changes a fact is taken apart: of a correction the edits that change none stay, of anything else
the sentences are asked about one by one.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from redraft.editor import Editor, control_instruction
from redraft.errors import ContextOverflow
from redraft.models import Model
from redraft.revision.draft import WRITER, Draft, Option
from redraft.revision.facts import FactCheck
from redraft.revision.records import Candidate, Reason
from redraft.revision.sifting import is_edit, made
from redraft.revision.task import Task
from redraft.revision.wording_wishes import style_controls
from redraft.text import Document, diff_words, is_letter_line, mask

_MOST_WORDS: Final = 110
"""Words of the longest passage that is asked about at once."""
_FEWEST_WORDS: Final = 4
_LEAST_SHARE: Final = 0.2
"""Of its words a passage is asked to keep so many at the least."""
_TIGHT_SHARE: Final = 0.6
"""A text that may keep so many of its words is first put concisely, which loses nothing."""
_ROUNDS: Final = 2
_FORMS: Final = {"passive": "active", "first person": "impersonal", "first person singular": "impersonal"}
_ERRORS: Final = "fluency"
_ENDED: Final = re.compile(r"[.!?…][\"”’')\]*_}]*(?:\[\^\w+\]|</\w+>)?\s*\Z")
"""How a sentence ends; a greeting or a heading does not."""
_LEAST_LEFT: Final = {
    "shorten": 0.0,
    "concise": 0.3,
    "neutralization": 0.4,
    "confident": 0.4,
    "simplification": 0.45,
}
_USUALLY_LEFT: Final = 0.6
"""The share of its words that an answer has at the least, by its control: with fewer, something is gone."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing that is asked of every passage, by a control or in the writer's own words."""

    control: str = ""
    words: str = ""
    share: float = 1.0
    """Of the words that a cut may keep."""
    most: int = 0
    """Words of a sentence that is split."""

    def asked(self, text: str) -> str:
        """How it is put, of a passage."""
        if self.control == "shorten":
            return control_instruction("shorten", n=max(math.floor(self.share * len(text.split())), 3))
        if self.control == "split":
            return control_instruction("split", n=self.most)
        return control_instruction(self.control) if self.control else self.words


class PassageEditor:
    """Edits the passages of a text one by one, for every wish of a task in turn.

    Whoever is to be `told` hears of the draft whenever a passage is answered.
    """

    def __init__(
        self, task: Task, facts: FactCheck, *, told: Callable[[Draft], None] | None = None, seed: int = 0
    ) -> None:
        self._task = task
        self._facts = facts
        self._told = told
        self._seed = seed

    async def revised(self, model: Model) -> str:
        """The whole text as the model would have it, with the facts of the original. It knows English."""
        draft = Draft.of(self._task)
        if not self._task.is_english:
            return draft.text
        for wish in wishes_of(self._task):
            draft = await self._edited(draft, wish, model)
        draft = await self._shortened(draft, model)
        if self._is_too_long(draft.text):
            draft = await self._edited(draft, Wish("split", most=int(self._task.lengths.high)), model)
        return draft.text

    async def _shortened(self, draft: Draft, model: Model) -> Draft:
        """The draft below the most words that there may be, as far as the model goes."""
        most = self._task.bounds("words").high
        for turn in range(_ROUNDS + 1):
            words = self._task.read(draft.text).words
            free = sum(len(draft.passage(*place).split()) for place in self._passages(draft))
            if words <= most or not free:
                break
            share = max(1 - (words - most) / free, _LEAST_SHARE)
            if not turn and share < _TIGHT_SHARE:
                continue
            draft = await self._edited(draft, Wish("shorten" if turn else "concise", share=share), model)
        return draft

    async def _edited(self, draft: Draft, wish: Wish, model: Model) -> Draft:
        """The draft with what the model makes of its passages."""
        editor = Editor(model, seed=self._seed)
        places = list(self._passages(draft))
        made_of: dict[int, Option] = {}

        async def edit(start: int, stop: int) -> None:
            before = draft.passage(start, stop)
            text = await self._answered(editor, before, wish)
            if text != before:
                made_of[start] = Option(start, stop, Candidate(text, model.spec, (Reason("rewrite"),)))
                if self._told is not None:
                    self._told(draft.chosen(_with_rest(draft, made_of)))

        await asyncio.gather(*(edit(start, stop) for start, stop in places))
        return draft.chosen(_with_rest(draft, made_of)) if made_of else draft

    async def _answered(self, editor: Editor, text: str, wish: Wish) -> str:
        """What the model makes of a passage, as far as no fact speaks against it; else the passage."""
        if wish.control == "split" and not self._is_too_long(text):
            return text
        answer = await self._answer(editor, text, wish)
        is_whole = self._is_whole(text, answer, wish)
        if is_whole and not self._facts.objections_to(text, answer):
            return answer
        if is_whole and wish.control == _ERRORS:
            answer = self._with_facts(text, answer)
            return text if self._facts.objections_to(text, answer) else answer
        document = Document(text, self._task.format)
        if len(document.sentences) < 2:
            return text
        answers = await asyncio.gather(
            *(self._answered(editor, one.text, wish) for one in document.sentences)
        )
        numbers = (one.number for one in document.sentences)
        return document.replace(dict(zip(numbers, answers, strict=True))).text

    @staticmethod
    def _is_whole(text: str, answer: str, wish: Wish) -> bool:
        """Whether an answer is long enough to say all that its passage says."""
        least = _LEAST_LEFT.get(wish.control, _USUALLY_LEFT)
        return len(answer.split()) >= least * len(text.split())

    async def _answer(self, editor: Editor, text: str, wish: Wish) -> str:
        """What the model makes of a passage, its mark-up out of reach; the passage where that is no use."""
        hidden = mask(text, self._task.format)
        try:
            found = await editor.candidates(hidden.text, wish.asked(text), count=1, temperature=0.0)
        except ContextOverflow:
            return text
        return (hidden.tried(found[0].text) if found else None) or text

    def _with_facts(self, text: str, answer: str) -> str:
        """A correction without the edits that change a fact."""
        steps = diff_words(text, answer)
        places = [place for place, step in enumerate(steps) if is_edit(step)]
        sure = [place for place in places if not self._facts.objections_to(text, made(steps, [place]))]
        return made(steps, sure)

    def _is_too_long(self, text: str) -> bool:
        """Whether a sentence of a text has more words than one may have."""
        return max(self._task.read(text).sentence_words, default=0) > self._task.lengths.high

    def _passages(self, draft: Draft) -> Iterator[tuple[int, int]]:
        """Where the stretches begin and end that are asked about: sentences of a paragraph."""
        start, words = 0, 0
        for place, unit in enumerate(draft.units):
            own = len(unit.text.split())
            changes = self._may_change(draft, place)
            if not changes or "\n" in unit.gap or words + own > _MOST_WORDS:
                if words >= _FEWEST_WORDS:
                    yield start, place
                start, words = place, 0
            if changes:
                words += own
            else:
                start = place + 1
        if words >= _FEWEST_WORDS:
            yield start, len(draft.units)

    def _may_change(self, draft: Draft, place: int) -> bool:
        """Whether a unit is a sentence that may change, and no greeting or heading."""
        unit = draft.units[place]
        opens = not place or "\n" in unit.gap
        if opens and len(unit.text.split()) < _FEWEST_WORDS:
            return False
        return unit.free and bool(_ENDED.search(unit.text)) and not is_letter_line(unit.text)


def wishes_of(task: Task) -> list[Wish]:
    """What is asked for beside the bounds; where no control is for it, in the writer's own words."""
    style = task.style or ("" if task.constraints else task.instruction)
    names = [_FORMS[mark] for mark in task.banned_marks if mark in _FORMS]
    names += [task.tense] if task.tense else []
    wished = style_controls(style)
    errors, others = [one for one in wished if one == _ERRORS], [one for one in wished if one != _ERRORS]
    if names or wished:
        return [Wish(name) for name in dict.fromkeys((*errors, *names, *others))]
    return [Wish(words=style)] if style.strip() else []


def _with_rest(draft: Draft, made_of: Mapping[int, Option]) -> Iterator[Option]:
    """Options for all units: those that were made, and the others as they are."""
    place = 0
    while place < len(draft.units):
        option = made_of.get(place) or Option(place, place + 1, Candidate(draft.units[place].text, WRITER))
        yield option
        place = option.stop
