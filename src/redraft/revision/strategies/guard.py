"""Answers that take a word for a slip which is none, or change a quotation, are refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Final

from redraft.revision.corrections.left_alone import quoted_in_units
from redraft.revision.draft import Draft, Option
from redraft.revision.task import Task
from redraft.revision.tuning import CORRECTED, MENDED, SPELLING_LIKENESS
from redraft.text import links, spellings

_SHORT_WORD: Final = 4
_STEM: Final = 5


class Guard:
    """Keeps the words of a draft that are no slips, and those that somebody else is quoted with."""

    def __init__(self, task: Task, draft: Draft) -> None:
        self._guards_quotations = task.kind in ("correct", "improve") and not task.corrects_quotations
        self._draft = draft

    @cached_property
    def _known(self) -> Counter[str]:
        """In how many units each word stands."""
        return Counter(word for unit in self._draft.units for word in set(spellings(unit.source.lower())))

    @cached_property
    def _quotes(self) -> dict[int, list[str]]:
        return quoted_in_units(self._draft)

    def sure(self, options: Sequence[Option], *, quoted: bool = False) -> list[Option]:
        """The options that take no word of the writer's for a slip: one that is used again is none.

        Nor do they change what somebody else is quoted with, where the words are to stay or it is `quoted`.
        """
        quotes = self._quotes if quoted or self._guards_quotations else {}
        draft, sure = self._draft, []
        for option in options:
            own = set(spellings(draft.passage(option.start, option.stop).lower()))
            now = set(spellings(option.candidate.text.lower()))
            stems = {word[:_STEM] for word in now}
            gone = [word for word in own - now if len(word) > _SHORT_WORD and word[:_STEM] not in stems]
            near = {word for word in gone if get_close_matches(word, now - own, 1, SPELLING_LIKENESS)}
            strange = set(gone) - near if option.candidate.by == "correction" else set()
            said = [words for place in range(option.start, option.stop) for words in quotes.get(place, ())]
            if any(words not in option.candidate.text for words in said):
                continue
            if not _addresses(option.candidate.text) <= _addresses(draft.passage(option.start, option.stop)):
                continue  # nobody corrects an address, or makes one up
            is_sifted = option.value in (CORRECTED, MENDED)
            if is_sifted or (not strange and all(self._known[word] < 2 for word in near)):
                sure.append(option)
        return sure


def _addresses(text: str) -> set[str]:
    return {found.value for found in links(text)}
