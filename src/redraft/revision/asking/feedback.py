"""Feedback from a model: what it finds wrong with a text, one aspect at a time."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Final

from redraft.errors import ContextOverflow, InputError
from redraft.models import Model, Request
from redraft.revision.asking.answers import Echoes, key, numbered_lines, whole_lines
from redraft.revision.asking.requests import ROOM, each_section, messages, numbered, part, prompt, shown
from redraft.revision.records import Feedback
from redraft.text import Document, Format

ASPECTS: Final = ("fluency", "grammaticality", "coherence")
MOST_PROBLEMS: Final = 12
"""Problems of one aspect that are passed on."""

_LONGEST_PROBLEM: Final = 160
_ARROW: Final = re.compile(r"[ \t]*(?:->|→|=>|—>|[;,.]?[ \t]*suggestion[ \t]*:)[ \t]*", re.I)
_ORIGINAL: Final = re.compile(r"[-*• \t\d.]*original[ \t]*:[ \t]*(.*)", re.I)
_NONE: Final = re.compile(
    r"\W*(?:none|no (?:\w+ )?(?:problems?|issues?|errors?)(?: (?:were |was )?found)?|all (?:are )?good)\W*",
    re.I,
)


async def model_feedback(
    model: Model,
    text: str,
    aspects: Sequence[str] = ASPECTS,
    *,
    format: Format = "text",
    room: int = ROOM,
    seed: int = 0,
) -> tuple[Feedback, ...]:
    """What a model says of a text in each aspect; an aspect that it has nothing usable on is left out.

    The words name sentences: `3: verb does not agree → use "show"; 5: …`. A model's word is no verdict, so
    the label is None.
    """
    document = Document(text, format)
    for aspect in aspects:
        if aspect not in signs():
            raise InputError(f"there is no aspect {aspect!r}; known are {', '.join(signs())}")
    found = await asyncio.gather(*(_aspect(model, document, aspect, room, seed) for aspect in aspects))
    return tuple(one for one in found if one is not None)


def signs() -> Mapping[str, str]:
    """What to look for in each aspect."""
    lines = prompt("signs").split("\n")
    return {aspect: words for aspect, _, words in (line.partition(": ") for line in lines)}


async def _aspect(model: Model, document: Document, aspect: str, room: int, seed: int) -> Feedback | None:
    async def section(numbers: range) -> list[str] | None:
        request = prompt(
            "feedback_request", part=part(document, numbers), sentences=numbered(document, numbers)
        )
        rules = prompt("feedback", aspect=aspect, signs=signs()[aspect])
        most = 120 + 32 * len(numbers)
        (completion,) = await model.complete(Request(messages(rules, request), max_tokens=most, seed=seed))
        sentences = {number: document.sentence(number).text for number in numbers}
        return _problems(whole_lines(completion), sentences)

    try:
        parts = await each_section(document, room, section)
    except ContextOverflow:
        return None
    answered = [problems for _, problems in parts if problems is not None]
    if not answered:
        return None
    problems = [problem for found in answered for problem in found]
    words = "; ".join(problems[:MOST_PROBLEMS]) or "no problems seen"
    if len(problems) > MOST_PROBLEMS:
        words += f"; and {len(problems) - MOST_PROBLEMS} more"
    return Feedback(aspect, None, words)


def _problems(answer: str, sentences: Mapping[int, str]) -> list[str] | None:
    """The problems in short words, by sentence; None where the answer is none."""
    echoes = Echoes(sentences)
    found: dict[int, str] = {}
    for number, line in numbered_lines(answer) + _quoted(answer, echoes):
        problem, suggestion = _parted(line)
        if number not in sentences or number in found or _NONE.fullmatch(line[:80]):
            continue
        told = [shown(words, _LONGEST_PROBLEM) for words in (problem, suggestion) if key(words)]
        told = [words for words in told if not echoes.echoes(number, words)]
        if told:
            found[number] = " → ".join(told)
    if not found and not any(_NONE.fullmatch(line[:80]) for line in answer.split("\n") if line.strip()):
        return None
    return [f"{number}: {found[number]}" for number in sorted(found)]


def _parted(line: str) -> tuple[str, str]:
    """The problem and the suggestion; a line without an arrow is a problem."""
    problem, *rest = _ARROW.split(line, maxsplit=1)
    return problem.strip(), rest[0].strip() if rest else ""


def _quoted(answer: str, echoes: Echoes) -> list[tuple[int, str]]:
    """Lines `Original: …; Suggestion: …`, the paper's form, by the sentence whose words they begin with."""
    found: list[tuple[int, str]] = []
    for line in answer.split("\n"):
        if match := _ORIGINAL.fullmatch(line.strip()):
            original, suggestion = _parted(match[1])
            number = echoes.number(original)
            if number is not None and suggestion:
                found.append((number, f"-> {suggestion}"))
    return found
