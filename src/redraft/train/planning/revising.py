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
from redraft.text import Document

Plan = tuple[Document, Mapping[int, str]]
"""A text, and advice by the number of the sentence."""

_SWAP: Final = re.compile(r"“([^“”]+)”[ \t]*(?:→|->)[ \t]*“([^“”]*)”")
_CUT: Final = re.compile(r"\b(?:remove|cut|take out)\b[^“”]*“([^“”]+)”", re.I)
_OUT: Final = re.compile(r"\W*(?:leave|take|cut) it out\b", re.I)
_HEAD: Final = re.compile(r"[^:“”]*")
_MOST_WORDS: Final = 12
"""Words of a request that the editor is asked with."""


class PlainReviser:
    """Revises by plans, all at once; what was asked of the editor once is not asked again."""

    def __init__(self, editor: Model) -> None:
        self._editor = Editor(editor)
        self._known: dict[tuple[str, str], str] = {}

    async def revised(
        self, plans: Sequence[Plan], told: Callable[[int], None] = lambda _: None
    ) -> list[Mapping[int, str]]:
        """Of each text the sentences that change, by number; an empty one is left out."""
        asked = dict.fromkeys(
            (document.sentence(number).text, request(advice))
            for document, advised in plans
            for number, advice in advised.items()
            if done(document.sentence(number).text, advice) is None and request(advice)
        )
        await asyncio.gather(*(self._ask(*one, told) for one in asked if one not in self._known))
        return [self._changed(*plan) for plan in plans]

    def _changed(self, document: Document, advised: Mapping[int, str]) -> dict[int, str]:
        found: dict[int, str] = {}
        for number, advice in advised.items():
            text = document.sentence(number).text
            new = done(text, advice)
            if new is None:
                new = self._known.get((text, request(advice)), text)
            if new != text:
                found[number] = new
        return found

    async def _ask(self, text: str, wish: str, told: Callable[[int], None]) -> None:
        try:
            found = await self._editor.candidates(text, wish, count=1)
        except ContextOverflow:
            found = ()
        self._known[text, wish] = found[0].text if found else text
        told(1)


def done(sentence: str, advice: str) -> str | None:
    """The sentence after what the advice says in concrete terms; None where it says nothing of the kind."""
    if _OUT.match(advice):
        return ""
    new = sentence
    for old, instead in _SWAP.findall(advice):
        new = new.replace(old, instead, 1)
    for old in _CUT.findall(_SWAP.sub("", advice)):
        new = re.sub(rf"\s*{re.escape(old)}(?!\w)", "", new, count=1)
    if new == sentence:
        return None
    new = " ".join(new.split())
    return new[:1].upper() + new[1:] if sentence[:1].isupper() else new


def request(advice: str) -> str:
    """What to ask of the editor: the words before what is concrete; nothing where they are too many."""
    head = (_HEAD.match(advice) or [""])[0].strip(" \t,;.")
    return head if 0 < len(head.split()) <= _MOST_WORDS else ""
