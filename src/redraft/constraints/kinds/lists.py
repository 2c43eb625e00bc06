"""A text as a list, numbered steps or bullet points; or only what it enumerates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Finding, Phrased
from redraft.constraints.bounds import plural
from redraft.constraints.counting import Reading
from redraft.text import Item, ListStyle, Span, count_actions, count_words, enumerated, find_list

_FEWEST: Final = 2
"""Items of a list."""
_SHARE: Final = 0.5
"""The share of words that stands in the items: a line ahead of them, or a closing, may be none."""


@dataclass(frozen=True)
class ListForm(Phrased):
    """The text is a numbered list or bullet points; with "one action", an item tells one thing to do.

    With "enumerated" only what the text enumerates is a list, and the rest stays prose.
    """

    style: ListStyle
    items: Literal["any", "one action", "enumerated"]

    name = "list_check"

    @property
    def english_only(self) -> bool:
        """What is to be done is read in English alone."""
        return self.items == "one action"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for the items."""
        text = revised.text
        found = [item for item in find_list(text) if (item.number is not None) == (self.style == "numbered")]
        if self.items == "enumerated":
            return self._check_enumerated(found, revised)
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

    def _check_enumerated(self, found: Sequence[Item], revised: Reading) -> Finding:
        """Look for a list, and for what is still enumerated behind a colon."""
        wanted = f"a {self.style} list of what is enumerated"
        inside = {(item.start, item.end) for item in find_list(revised.text)}
        left = tuple(
            Span(one.start, one.end)
            for one in revised.sentences
            if not any(start <= one.start < end for start, end in inside)
            and (told := enumerated(one.text)) is not None
            and told.announced
        )
        message = f"{plural(len(found), 'item')}; wanted {wanted}"
        if len(found) < _FEWEST:
            return Finding(self, False, len(found), wanted, message, 1.0)
        message = f"{plural(len(found), 'item')}: {wanted}"
        if left:
            verb = "enumerate" if len(left) > 1 else "enumerates"
            message = f"{plural(len(left), 'sentence')} still {verb}; wanted {wanted}"
        return Finding(self, not left, len(found), wanted, message, float(len(left)), left)

    @property
    def phrased_as(self) -> str:
        """Steps and points are said in different ways."""
        return f"list {self.style} {self.items}"
