"""Texts to build from, a reviser that works by rule, and a service that plays both parts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.models.scripted import Answer, say

_NOUNS = [
    "harbour",
    "garden",
    "teacher",
    "river",
    "market",
    "engine",
    "village",
    "letter",
    "window",
    "forest",
    "doctor",
    "bridge",
    "painter",
    "lantern",
]
_VERBS = [
    "watched",
    "crossed",
    "repaired",
    "visited",
    "remembered",
    "described",
    "followed",
    "admired",
    "reached",
    "painted",
    "noticed",
]
_ADJECTIVES = [
    "quiet",
    "narrow",
    "ancient",
    "wooden",
    "friendly",
    "distant",
    "crowded",
    "silver",
    "curious",
    "gentle",
    "famous",
    "hidden",
]
_PLACES = ("near the station", "behind the old church", "beyond the hills", "across the valley", "by the sea")
_OPENINGS = ("In the morning", "After the storm", "Before the meeting", "During the long winter", "At last")


def text(name: str, sentences: int = 26) -> str:
    """A made-up English text of its own for each name, of about 17 words a sentence."""
    choose = Random(name)

    def thing() -> str:
        return f"the {choose.choice(_ADJECTIVES)} {choose.choice(_NOUNS)}"

    found = []
    for number in range(sentences):
        first = f"{choose.choice(_OPENINGS)} {thing()} {choose.choice(_VERBS)} {thing()}"
        rest = f"and {thing()} {choose.choice(_VERBS)} {thing()} {choose.choice(_PLACES)}"
        found.append(f"{first} in {1900 + number}, {rest}.")
    return " ".join(found)


def revision(source: str) -> str:
    """The text as an editor might leave it: each third sentence shorter, the fifth gone, one word avoided."""
    kept = []
    for number, sentence in enumerate(re.split(r"(?<=[.]) ", source), 1):
        new = re.sub(rf"^(?:{'|'.join(_OPENINGS)}) t", "T", sentence) if number % 3 == 0 else sentence
        if number != 5:
            kept.append(new.replace("lantern", "lamp"))
    return " ".join(kept)


def write_sources(path: Path, count: int = 12) -> Path:
    rows = [
        {
            "id": f"t{n:02}",
            "domain": ("news", "story")[n % 2],
            "text": text(f"t{n:02}"),
            "source": "made up",
            "licence": "CC0",
        }
        for n in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def asked(body: dict[str, Any]) -> str:
    """What a service was asked, all messages together."""
    return "\n".join(message["content"] for message in body["messages"])


def revising(handler: Any, body: dict[str, Any]) -> None:
    """Answers a request for a revision with the revision."""
    prompt = asked(body)
    sources = [text(f"t{n:02}") for n in range(12)]
    source = next(one for one in sources if one in prompt)
    say(revision(source))(handler, body)


def playing(render: Callable[[str], str], judge: Callable[[str], str] | None = None) -> Answer:
    """A service that revises, renders a draft by a function of it, and judges by another."""

    def answer(handler: Any, body: dict[str, Any]) -> None:
        prompt = asked(body)
        if "These are the demands" in prompt:
            assert judge is not None
            say(judge(prompt))(handler, body)
        elif draft := re.search(r"<request>\n(.*)\n</request>", prompt, re.S):
            say(render(draft[1]))(handler, body)
        else:
            revising(handler, body)

    return answer
