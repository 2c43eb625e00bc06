"""The errors of a draft mended sentence by sentence: by rules, by the editor, and by what its sifter takes.

A sentence is not alone: who made errors in the others has probably made one here, and what the editor says of
the whole paragraph bears out, or does not, what it said of the sentence.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from functools import partial
from typing import Final

from redraft.editor import Editor
from redraft.errors import ContextOverflow
from redraft.revision.corrections.accepting import Around, EditKey, Sifter, edit_keys, log_odds
from redraft.revision.corrections.left_alone import what_to_keep
from redraft.revision.corrections.tagging import Reading
from redraft.revision.corrections.told_in_past import with_past_for_present
from redraft.revision.draft import Draft
from redraft.revision.editing.answers import ended_like
from redraft.revision.task import Task
from redraft.revision.tuning import PASSAGE_WORDS
from redraft.text import mask

_LIGATURES: Final = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"})
_ITEM: Final = re.compile(r"(?:\A|\n)[ \t>]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\Z")
"""What stands before an item of a list."""
_MOST_READ: Final = 24
"""Sentences by which it is told how good the English of a text is."""


class Corrector:
    """Corrects the units of one draft."""

    def __init__(self, task: Task, draft: Draft, editor: Editor, sifter: Sifter) -> None:
        self._task = task
        self.draft = draft
        self._editor = editor
        self._sifter = sifter
        self._keeps = what_to_keep(draft, with_quotations=not task.corrects_quotations)
        self._plain: dict[int, str] = {}
        self._odds: dict[int, float] | None = None
        self._readings: dict[str, Reading] = {}
        self._passages: dict[tuple[int, str], dict[int, frozenset[EditKey]]] = {}
        self._at_work: defaultdict[object, asyncio.Lock] = defaultdict(asyncio.Lock)
        """What is looked up for several units at once is looked up for all of them by the first."""

    async def answers(self, place: int, edit: str) -> list[str]:
        """A unit with its errors mended, and as rules alone mend it: the judge may refuse the former."""
        keeps, text = self._keeps[place], self.draft.units[place].text
        hidden = mask(text, self._task.format)
        written = written_out(hidden.text)
        plain = await self._mended(place, written)
        answer = await self._answer(plain, edit)
        around = Around(
            await self._care(place),
            plain != written,
            partial(self._again, place, edit),
            await self._reading(place),
        )
        corrected = await self._sifter.corrected(plain, answer, edit, keeps, around)
        found = [corrected, keeps.mended(plain, last=True)]
        if _ITEM.search(self.draft.units[place].gap):
            found = [ended_like(written, one) for one in found]
        if keeps.told_in_past:
            found = [with_past_for_present(written, one) for one in found]
        made = dict.fromkeys(map(hidden.tried, found))
        return [one for one in made if one is not None and one != text]

    async def _mended(self, place: int, written: str) -> str:
        """A unit without the errors that rules are sure of; it is worked on once."""
        if place not in self._plain:
            keeps = self._keeps[place]
            self._plain[place] = keeps.mended(await self._sifter.respelt(written, keeps))
        return self._plain[place]

    async def _answer(self, text: str, edit: str) -> str:
        """What the editor makes of a text; the text where that is of no use."""
        try:
            said = await self._editor.candidates(text, edit, self._task.documents, count=1, temperature=0.0)
        except ContextOverflow:
            return text
        return said[0].text if said else text

    async def _care(self, place: int) -> float:
        """How good the English of the other sentences is: the mean of the log-odds that each is sound."""
        async with self._at_work["odds"]:
            if self._odds is None:
                self._odds = await self._read()
        others = [one for at, one in self._odds.items() if at != place]
        return sum(others) / len(others) if others else 0.0

    async def _read(self) -> dict[int, float]:
        """The log-odds of some sentences, from all over the draft."""
        read = [place for place, unit in enumerate(self.draft.units) if unit.text.count(" ") > 1]
        some = read[:: -(-len(read) // _MOST_READ) or 1]
        sound = await self._sifter.soundness([self.draft.units[place].text for place in some])
        return dict(zip(some, map(log_odds, sound), strict=True))

    async def _again(self, place: int, edit: str) -> frozenset[EditKey]:
        """The edits of a unit that the editor makes when it is asked about the whole paragraph."""
        start, stop = self._paragraph(place)
        asked = start, edit
        async with self._at_work[asked]:
            if asked not in self._passages:
                self._passages[asked] = await self._edits(start, stop, edit)
        return self._passages[asked].get(place, frozenset())

    def _paragraph(self, place: int) -> tuple[int, int]:
        """Where the paragraph of a unit begins and ends."""
        units = self.draft.units
        start, stop = place, place + 1
        while start and "\n" not in units[start].gap:
            start -= 1
        while stop < len(units) and "\n" not in units[stop].gap:
            stop += 1
        return start, stop

    async def _reading(self, place: int) -> Reading | None:
        """What the tagger says of a unit in its paragraph; nothing where that is not read as a whole."""
        start, stop = self._paragraph(place)
        if not self._is_plain(start, stop):
            return None
        text, spans = await self._written(start, stop)
        async with self._at_work[text]:
            if text not in self._readings:
                self._readings[text] = await self._sifter.read(text)
        return self._readings[text].part(*spans[place])

    def _is_plain(self, start: int, stop: int) -> bool:
        """Whether a paragraph has several units, is short enough to be asked about, and has no mark-up."""
        passage = self.draft.passage(start, stop)
        is_short = len(passage.split()) <= PASSAGE_WORDS
        return stop - start > 1 and is_short and not mask(passage, self._task.format).pieces

    async def _written(self, start: int, stop: int) -> tuple[str, dict[int, tuple[int, int]]]:
        """A paragraph as rules mend it, and where each of its units begins and ends."""
        text, spans = "", {}
        for place in range(start, stop):
            unit = self.draft.units[place]
            plain = await self._mended(place, written_out(unit.text))
            text += unit.gap if place > start else ""
            spans[place] = len(text), len(text) + len(plain)
            text += plain
        return text, spans

    async def _edits(self, start: int, stop: int, edit: str) -> dict[int, frozenset[EditKey]]:
        """The edits of each unit of a paragraph; none where it is not asked about as a whole."""
        if not self._is_plain(start, stop):
            return {}
        text, spans = await self._written(start, stop)
        edits = edit_keys(text, await self._answer(text, edit))
        return {
            place: frozenset(
                EditKey(one.start - begin, one.end - begin, one.after)
                for one in edits
                if begin <= one.start and one.end <= end
            )
            for place, (begin, end) in spans.items()
        }


def written_out(text: str) -> str:
    """The text without the joined letters that printed pages leave in what is copied from them."""
    return text.translate(_LIGATURES)
