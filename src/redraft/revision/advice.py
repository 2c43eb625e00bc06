"""A plan in words, made use of: what to ask of the editor, what to try at once, and how two plans are one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Final

from redraft.editor import kind_of, read_phrasings
from redraft.revision.base import Action, Candidate, Improvement
from redraft.revision.draft import Draft
from redraft.revision.rewriting.edits import Edit, applied, sound
from redraft.revision.rules import EDITS
from redraft.text import Document

_QUOTED: Final = r"[“\"]([^“”\"]{1,200})[”\"]"
_INSTEAD: Final = re.compile(rf"{_QUOTED}\s*(?:→|->)\s*[“\"]([^“”\"]{{0,200}})[”\"]")
_WITHOUT: Final = re.compile(rf"\b(?:remove|cut|delete|drop|take out|leave out)\s+{_QUOTED}", re.I)
_MOST: Final = 6
"""Replacements that one advice may name."""


@cache
def _requests() -> tuple[str, ...]:
    """What the editor knows to do, the longest wordings first."""
    trained = (line for parts in read_phrasings().values() for line in parts["training"])
    ours = (line for lines in EDITS.values() for line in lines)
    return tuple(sorted({line.casefold() for line in (*ours, *trained)}, key=lambda line: (-len(line), line)))


def edit_of(advice: str) -> str:
    """What to ask of the editor for an advice: the words it begins with, or what it seems to be about."""
    low = advice.casefold()
    for request in _requests():
        if low.startswith(request) and not low[len(request) : len(request) + 1].isalnum():
            return advice[: len(request)]
    return EDITS[kind_of(advice)][0]


def versions(text: str, advice: str, by: str) -> list[Candidate]:
    """A sentence after the replacements that an advice names: all of them, then each alone.

    One is only made where what it replaces stands in the sentence once; and what is left must be a sentence.
    """
    named = [*_INSTEAD.findall(advice), *((found, "") for found in _WITHOUT.findall(advice))]
    edits: list[Edit] = []
    for old, new in named[:_MOST]:
        found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", text)]
        if len(found) == 1 and not any(edit.start < found[0][1] and found[0][0] < edit.end for edit in edits):
            edits.append(Edit(*found[0], new))
    tried = [edits, *([edit] for edit in edits)] if len(edits) > 1 else [edits]
    made = dict.fromkeys(applied(text, some) for some in tried if some)
    whole = (new for new in made if new != text and len(new.split()) > 1 and sound(text, new))
    return [Candidate(new, by, advice) for new in whole]


def places_of(draft: Draft, document: Document) -> dict[int, int]:
    """Which unit of a draft holds each sentence of its text."""
    standing = [(start, place) for place, start in enumerate(draft.starts) if start is not None]
    starts = [start for start, _ in standing]
    found = ((sentence.number, bisect_right(starts, sentence.start) - 1) for sentence in document.sentences)
    return {number: standing[index][1] for number, index in found if index >= 0}


def on_units(
    action: Action, draft: Draft, document: Document, edit: Callable[[str], str] = lambda advice: advice
) -> Action:
    """A plan, which speaks of sentences, for the units that the sentences stand in."""
    places = places_of(draft, document)
    plan: list[Improvement] = []
    for place, unit in enumerate(draft.units):
        own = [one.advice for one in action.plan if one.advice and places.get(one.sentence) == place]
        advice = "; ".join(own)
        plan.append(Improvement(place + 1, unit.text, advice, edit(advice) if own else ""))
    return replace(action, plan=tuple(plan))


def together(rules: Action, said: Action, draft: Draft, document: Document, *, leading: bool) -> Action:
    """The plan of the rules with a model's advice, which adds to it; the calls are those of the rules.

    Where both ask something of the editor, the model is followed if it is `leading`; but what a constraint
    needs is for the rules to say.
    """
    if not any(one.advice for one in said.plan):
        return rules
    plan: list[Improvement] = []
    told = on_units(said, draft, document, edit_of).plan
    for unit, one, other in zip(draft.units, rules.plan, told, strict=True):
        if unit.free and other.advice:
            edit = other.edit if leading and not unit.altered else one.edit or other.edit
            needs = one.advice if one.advice != one.edit else ""
            plan.append(replace(one, advice="; ".join(filter(None, (needs, other.advice))), edit=edit))
        else:
            plan.append(one)
    return replace(rules, plan=tuple(plan), by=f"{rules.by} and {said.by}")
