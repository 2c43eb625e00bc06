"""The options of one repair and what they are worth: a guess at first, a score once one is called for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from redraft.revision.appraisal import WORD, Worth
from redraft.revision.draft import WRITER, Draft, Option

HOPE: Final = 1e-6
"""The value of a proposal before it is scored: it has to be better than what it would replace."""
GOAL: Final = 20.0
"""That of one which does what the instruction asks for: it has to be sound."""
_OUT: Final = -1e4

_SIBLINGS: Final = 4
"""Options for the same place that are scored with one that is about to be chosen."""

_GUESSES: Final = {"split": -4.0, "merge": -4.0, "extension": -3.0, "keyword": -6.0, "restored": 0.0}
"""What the work of a tool is worth, as a rule, where it is not yet scored; by its name."""
_CUT: Final = 0.5
"""What a word costs that a compression leaves out, of what the word is worth."""
_ORDER: Final = 0.2
"""How much less each further candidate of a tool is worth: they come best first."""


class Board:
    """The options for the units of a draft."""

    def __init__(self, draft: Draft, options: Sequence[Option]) -> None:
        self._draft = draft
        self.options = list(_distinct(options))
        self._scored = {index for index, option in enumerate(self.options) if self._own(option)}
        self._hopes = {
            index: option.value
            for index, option in enumerate(self.options)
            if option.value > 0 and index not in self._scored
        }
        self.proposals = list(self._hopes)
        self._places: dict[tuple[int, int], list[int]] = {}
        for index, option in enumerate(self.options):
            siblings = self._places.setdefault((option.start, option.stop), [])
            siblings.append(index)
            if index not in self._scored:
                guess = self._guess(option) - _ORDER * len(siblings)
                self.options[index] = replace(option, value=guess)

    def _own(self, option: Option) -> bool:
        """Whether it is the writer's own text, the measure of all others."""
        return option.candidate.by == WRITER and self._draft.units[option.start].by == WRITER

    def source(self, option: Option) -> str:
        """The passage of the original that an option stands for."""
        first, *rest = self._draft.units[option.start : option.stop]
        return first.source + "".join(unit.gap + unit.source for unit in rest)

    def pair(self, index: int) -> tuple[str, str]:
        """The passage and the candidate for it."""
        option = self.options[index]
        return self.source(option), option.candidate.text

    def present(self, index: int) -> tuple[str, str]:
        """What stands in the place now, and the candidate for it."""
        option = self.options[index]
        return self._draft.units[option.start].text, option.candidate.text

    def scored(self, index: int, worth: Worth, gate: Worth) -> None:
        """Take note of what an option is worth; a proposal that is no better is out of the question.

        It is held against what stands there now, which may have been cut. One that does what was asked for
        need only be sound, and has that to its credit.
        """
        hope = self._hopes.get(index)
        value = worth.value
        if hope is not None:
            goal = hope >= GOAL
            value = value + hope if (gate.sound if goal else gate.better) else _OUT
        self.options[index] = replace(self.options[index], value=value)
        self._scored.add(index)

    def unscored(self, chosen: Sequence[int]) -> list[int]:
        """Those of the chosen that are not scored yet, with some of the options for the same places."""
        found: list[int] = []
        for index in chosen:
            if index not in self._scored:
                option = self.options[index]
                rest = [i for i in self._places[option.start, option.stop] if i not in self._scored]
                near = sorted(
                    rest, key=lambda i: abs(len(self.options[i].candidate.text) - len(option.candidate.text))
                )
                found += [index, *(i for i in near if i != index)][: _SIBLINGS + 1]
        return list(dict.fromkeys(found))

    def _guess(self, option: Option) -> float:
        words = len(self.source(option).split())
        left = len(option.candidate.text.split())
        if not left:
            return -WORD * words
        if option.candidate.by == "compression":
            return -1.0 - _CUT * WORD * max(words - left, 0)
        return _GUESSES.get(option.candidate.by, 0.0) * (option.stop - option.start)


def _distinct(options: Sequence[Option]) -> list[Option]:
    found: dict[tuple[int, int, str], Option] = {}
    for option in options:
        found.setdefault((option.start, option.stop, option.candidate.text), option)
    return list(found.values())
