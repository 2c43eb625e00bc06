"""A plain reviser: it does what a plan advises, sentence by sentence, and repairs nothing.

What a plan says in concrete terms (“a” → “b”) is done to the letter; for the rest the embedded editor is
asked with the words at the head of the advice. So a text is as good as the plan that it was revised by.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from redraft.editor import Editor
from redraft.errors import ContextOverflow
from redraft.models import Model
from redraft.revision import apply_advice, editor_request
from redraft.text import Document

Plan = tuple[Document, Mapping[int, str]]
"""A text, and advice by the number of the sentence."""

_OUT: Final = re.compile(r"\W*(?:leave|take|cut) (?:it|this sentence) out\b", re.I)
_JOIN: Final = re.compile(r"\W*join it with sentence (\d{1,6}): “, (\w+)”", re.I)


class PlainReviser:
    """Revises by plans, all at once; what was done once is not done again."""

    def __init__(self, editor: Model) -> None:
        self._editor = Editor(editor)
        self._edited: dict[tuple[str, str], str] = {}
        self._done: dict[tuple[str, str], str | None] = {}

    async def revised(
        self, plans: Sequence[Plan], told: Callable[[int], None] = lambda _: None
    ) -> list[dict[int, str]]:
        """Of each text the sentences that change, by number; an empty one is left out.

        `told` hears of every answer of the editor.
        """
        advised = dict.fromkeys(
            (document.sentence(number).text, advice)
            for document, said in plans
            for number, advice in said.items()
        )
        for pair in advised:
            if pair not in self._done:
                self._done[pair] = concretely(*pair)
        asked = dict.fromkeys(
            (text, editor_request(advice)) for text, advice in advised if self._done[text, advice] is None
        )
        await asyncio.gather(*(self._ask(*one, told) for one in asked if one not in self._edited))
        return [self._changed(*plan) for plan in plans]

    def _changed(self, document: Document, said: Mapping[int, str]) -> dict[int, str]:
        found: dict[int, str] = {}
        for number, advice in sorted(said.items()):
            text = document.sentence(number).text
            before = document.sentence(number - 1).text if number > 1 else ""
            joint = joined(found.get(number - 1, before), text, advice, number)
            if joint:
                found |= {number - 1: joint, number: ""}
                continue
            done = self._done[text, advice]
            new = self._edited[text, editor_request(advice)] if done is None else done
            if new != text:
                found[number] = new
        return found

    async def _ask(self, text: str, request: str, told: Callable[[int], None]) -> None:
        try:
            found = await self._editor.candidates(text, request, count=1)
        except ContextOverflow:
            found = ()
        self._edited[text, request] = found[0].text if found else text
        told(1)


def concretely(sentence: str, advice: str) -> str | None:
    """The sentence after what an advice says in concrete terms; None where that is nothing."""
    if _OUT.match(advice):
        return ""
    made = apply_advice(sentence, advice, "plan")
    return made[0].text if made else None


def joined(before: str, sentence: str, advice: str, number: int) -> str:
    """Two sentences as one, where an advice for the second says so: `Join it with sentence 4: “, and”`."""
    wanted = _JOIN.match(advice)
    if wanted is None or int(wanted[1]) != number - 1 or not before.endswith("."):
        return ""
    first, _, rest = sentence.partition(" ")
    return f"{before[:-1]}, {wanted[2]} {rest}" if first.lower() == wanted[2].lower() and rest else ""
