"""What a correction leaves alone: quotations, names and numbers, and what the writer meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from redraft.revision.corrections.spelling import Misspelling, misspellings
from redraft.revision.corrections.steps import SHORT_WORD, is_named, is_variant, puts_unlike_word
from redraft.revision.corrections.suggestions import suggested
from redraft.revision.corrections.told_in_past import is_told_in_past, mended_by_rules
from redraft.revision.draft import Draft
from redraft.revision.tuning import SPELLING_LIKENESS
from redraft.text import Edit, Span, quotations, spellings

_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?:-[A-Z][a-z]+)*")
"""A word with a capital that opens no sentence."""
_STEM: Final = 5


class Keeps:
    """What a correction leaves alone, in one passage of a draft.

    That is what somebody is quoted with, names and numbers, either way of spelling a word, and a word that
    the writer uses again: that is no slip, unless the dictionary says so.
    """

    def __init__(
        self,
        quoted: Sequence[str] = (),
        used: Mapping[str, int] | None = None,
        *,
        names: Collection[str] = (),
        told_in_past: bool = False,
    ) -> None:
        self._quoted = quoted
        self._used = used or {}
        self._names = names
        self.told_in_past = told_in_past

    def mended(self, text: str, *, last: bool = False) -> str:
        """A passage without the errors that rules are sure of; `last`, with those that the editor left."""
        return mended_by_rules(text, self._quoted, self._used, told_in_past=self.told_in_past, last=last)

    def misspellings(self, text: str) -> list[Misspelling]:
        """The words of a passage that there are not, and what may be meant by them."""
        return list(misspellings(text, self._quoted, self._used))

    def allows(self, text: str, step: Edit, *, moves: bool = False) -> bool:
        """Whether an edit of a passage may be made; one that only `moves` words can lose or invent none."""
        before, after = step.before, step.after
        if any(character.isdigit() for character in before + after):
            return False
        if self.is_quoted(text, step):
            return False
        if any(word in self._names and word not in after for word in spellings(before)):
            return False
        if is_named(text, step) or is_variant(before, after) or puts_unlike_word(step):
            return False
        return moves or not self._is_meant(text, step)

    def is_quoted(self, text: str, step: Edit) -> bool:
        """Whether an edit of a passage is one of what somebody is quoted with."""
        there = step.original
        return any(span.start < there.end and there.start < span.end for span in self._spans(text))

    def _spans(self, text: str) -> Iterator[Span]:
        for words in self._quoted:
            start = text.find(words)
            if start >= 0:
                yield Span(start, start + len(words))

    def _is_meant(self, text: str, step: Edit) -> bool:
        """Whether the writer uses a word again that the edit would respell, and nothing calls it misspelt."""
        now = set(spellings(step.after.lower()))
        stems = {word[:_STEM] for word in now}
        again = [
            word
            for word in set(spellings(step.before.lower())) - now
            if len(word) > SHORT_WORD and self._used.get(word, 0) > 1 and word[:_STEM] not in stems
        ]
        if not any(get_close_matches(word, now, 1, SPELLING_LIKENESS) for word in again):
            return False
        there = step.original
        return not any(
            one.start < there.end and there.start < one.end and one.after in step.after
            for one in suggested(text)
        )


def what_to_keep(draft: Draft, *, with_quotations: bool = True) -> list[Keeps]:
    """What a correction leaves alone in each unit of a draft; quotations, unless they are to be corrected."""
    used = Counter(word for unit in draft.units for word in set(spellings(unit.source.lower())))
    quoted = quoted_in_units(draft) if with_quotations else {}
    past = is_told_in_past(draft.text)
    names = {found[0] for unit in draft.units for found in _NAME.finditer(unit.source)}
    return [
        Keeps(quoted.get(place, ()), used, names=names, told_in_past=past)
        for place in range(len(draft.units))
    ]


def quoted_in_units(draft: Draft) -> dict[int, list[str]]:
    """What is quoted in each unit, by its place; a quotation may go on from one to the next."""
    text = draft.text
    spans = [(found.start, found.end) for found in quotations(text)]
    found: dict[int, list[str]] = {}
    for place, (start, unit) in enumerate(zip(draft.starts, draft.units, strict=True)):
        if start is not None:
            end = start + len(unit.text)
            inside = [(max(start, one), min(end, other)) for one, other in spans]
            found[place] = [text[one:other] for one, other in inside if one < other]
    return found
