"""A text as a list: numbered steps or bullet points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Finding, Phrased
from redraft.constraints.bounds import plural
from redraft.constraints.counting import Reading
from redraft.text import ListStyle, Span, count_actions, count_words, find_list

_FEWEST: Final = 2
"""Items of a list."""
_SHARE: Final = 0.5
"""The share of words that stands in the items: a line ahead of them, or a closing, may be none."""


@dataclass(frozen=True)
class ListForm(Phrased):
    """The text is a numbered list or bullet points; with "one action", an item tells one thing to do."""

    style: ListStyle
    items: Literal["any", "one action"]

    name = "list_check"

    @property
    def english_only(self) -> bool:
        """What is to be done is read in English alone."""
        return self.items == "one action"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for the items."""
        text = revised.text
        found = [item for item in find_list(text) if (item.number is not None) == (self.style == "numbered")]
        kind = "steps" if self.items == "one action" else "items"
        wanted = f"a {self.style} list" + (", one thing to do in each item" if kind == "steps" else "")
        listed = sum(count_words(item.text) for item in found)
        if len(found) < _FEWEST or listed < _SHARE * count_words(text):
            message = f"{plural(len(found), 'item')}; wanted {wanted}"
            return Finding(self, False, len(found), wanted, message, 1.0)
        wrong = [
            item
            for place, item in enumerate(found)
            if item.number is not None and item.number not in (1, (found[place - 1].number or 0) + 1)
        ]
        if wrong:
            message = f"the numbers are not in order at {wrong[0].number}; wanted {wanted}"
            return Finding(self, False, len(found), wanted, message, float(len(wrong)))
        several = [item for item in found if self.items == "one action" and count_actions(item.text) > 1]
        if several:
            spans = tuple(Span(item.start, item.end) for item in several)
            message = f"{plural(len(several), 'item')} with more than one thing to do; wanted {wanted}"
            return Finding(self, False, len(found), wanted, message, float(len(several)), spans)
        return Finding(self, True, len(found), wanted, f"{plural(len(found), 'item')}: {wanted}")

    @property
    def phrased_as(self) -> str:
        """Steps and points are said in different ways."""
        return f"list {self.style} {self.items}"
