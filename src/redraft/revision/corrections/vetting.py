"""The edits of a larger model's correction, without those that no correction needs.

It mends nearly every error of a paragraph in one answer, and adds a comma here and a nicer word there. An
edit goes that makes its sentence no likelier, where the tagger saw nothing wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

from redraft.models import Scorer, Tagger
from redraft.revision.corrections.left_alone import Keeps
from redraft.revision.corrections.steps import (
    in_marks_of,
    is_edit,
    is_named,
    is_variant,
    made,
    puts_unlike_word,
    rewords,
)
from redraft.revision.corrections.tagging import read_passage
from redraft.revision.tuning import BEYOND_DOUBT, FAR_LIKELIER, NEEDLESS, SURELY_WRONG
from redraft.text import Document, Edit, diff_words, spellings

_DIGITS: Final = re.compile(r"\d+")
_NEAR: Final = 2
"""Steps from one edit to the next between which only words stay."""


@dataclass(frozen=True, slots=True)
class Vetting:
    """Looks at each edit: `scorer` says how likely a text is, `tagger` what is wrong in it."""

    scorer: Scorer
    tagger: Tagger

    async def vetted(self, text: str, answer: str, keeps: Sequence[Keeps]) -> str:
        """A passage with the edits of an answer that may be made, and that something speaks for."""
        steps = diff_words(text, answer)
        groups = _groups(steps, _open(text, answer, steps, keeps))
        if not groups:
            return text
        reading = await read_passage(self.tagger, text)
        taken: list[int] = []
        for group, gain in zip(groups, await self._gains(text, steps, groups), strict=True):
            own = [steps[place] for place in group]
            doubt = max(map(reading.doubt, own))
            # Another word, and no other form of it, has to be one that the tagger would put too, or be
            # far likelier than one that is surely wrong.
            is_other = len(own) == 1 and rewords(text, own[0]) and reading.support(own[0]) <= 0
            is_needed = gain >= (FAR_LIKELIER if doubt >= SURELY_WRONG else BEYOND_DOUBT)
            if (is_needed or not is_other) and gain + doubt > NEEDLESS:
                taken += group
        return in_marks_of(text, made(steps, taken))

    async def _gains(
        self, text: str, steps: Sequence[Edit], groups: Sequence[tuple[int, ...]]
    ) -> list[float]:
        """By how much each edit, or move, makes its sentence likelier, all the others made (a logarithm)."""
        places = [place for group in groups for place in group]
        whole = made(steps, places)
        sentences = Document(whole).sentences
        pairs: list[tuple[str, str]] = []
        for group in groups:
            start = len(made(steps[: group[0]], places))
            end = len(made(steps[: group[-1] + 1], places))
            first = max((one.start for one in sentences if one.start <= start), default=0)
            last = min((one.end for one in sentences if one.end >= end), default=len(whole))
            other = made(steps, [place for place in places if place not in group])
            without = other[first : len(other) - (len(whole) - last)]
            pairs.append((in_marks_of(text, whole[first:last]), in_marks_of(text, without)))
        asked = list(dict.fromkeys(one for pair in pairs for one in pair))
        likely = dict(zip(asked, await self.scorer.log_probs(asked), strict=True))
        return [likely[one].total - likely[other].total for one, other in pairs]


def allowed(text: str, answer: str, keeps: Sequence[Keeps]) -> str:
    """A passage with the edits of an answer that may be made, whether or not anything speaks for them."""
    steps = diff_words(text, answer)
    return in_marks_of(text, made(steps, _open(text, answer, steps, keeps)))


def _open(text: str, answer: str, steps: Sequence[Edit], keeps: Sequence[Keeps]) -> list[int]:
    """The places of the edits that may be made."""
    said = set(spellings(answer))
    return [
        place
        for place, step in enumerate(steps)
        if is_edit(step)
        and not _is_barred(text, step, said)
        and not any(one.is_quoted(text, step) for one in keeps)
    ]


def _is_barred(text: str, step: Edit, said: Set[str]) -> bool:
    """Whether an edit loses a name (of all that is `said` now), moves a figure, or respells what is right."""
    if sorted(_DIGITS.findall(step.before)) != sorted(_DIGITS.findall(step.after)):
        return True
    if is_named(text, step) and _capitals(step.before) - said:
        return True
    return is_variant(step.before, step.after) or puts_unlike_word(step)


def _groups(steps: Sequence[Edit], places: Sequence[int]) -> list[tuple[int, ...]]:
    """The edits, each alone, or with the next one where a word only moves: "Tuesday group"."""
    groups: list[tuple[int, ...]] = []
    for place in places:
        last = steps[groups[-1][-1]] if groups else None
        if last is not None and _moves(last, steps[place]) and place - groups[-1][-1] <= _NEAR:
            groups[-1] += (place,)
        else:
            groups.append((place,))
    return groups


def _moves(one: Edit, other: Edit) -> bool:
    """Whether a word goes in one place and comes in the other."""
    gone, come = (
        (_kinds(side.before) - _kinds(side.after) for side in (one, other)),
        (_kinds(side.after) - _kinds(side.before) for side in (other, one)),
    )
    return any(lost & new for lost, new in zip(gone, come, strict=True))


def _kinds(words: str) -> set[str]:
    """The words without an "s" at the end: "trams" that go come back in "the tram museum"."""
    return {word.lower().removesuffix("s") for word in spellings(words)}


def _capitals(words: str) -> set[str]:
    """The words with a capital."""
    return {word for word in spellings(words) if word[0].isupper()}
