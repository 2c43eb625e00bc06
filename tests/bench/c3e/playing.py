"""A service that plays every model of a build: one that sorts, commissions and criticises, a writer, a judge."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from redraft.bench.c3e.building.records import middle
from redraft.text import count_words, language
from tests.models.scripted import say

TEXTS = Path(__file__).parents[3] / "examples" / "texts"
_GENRES = {
    "Allotment": "poetry",
    "Harrow Lane": "story",
    "Friends, neighbours": "speech",
    "Route 14": "report",
    "Dear Tomas": "letter",
    "dough": "article",
    "各位老师": "speech",
}
WORDY = " ".join(["word"] * 101)


def play(handler: Any, body: dict[str, Any]) -> None:
    """Answer by what is asked for; what is wrong at first is mended when it is asked again."""
    say(answer(body))(handler, body)


def answer(body: dict[str, Any]) -> str:
    asked, again = body["messages"][-1]["content"], len(body["messages"]) > 2
    if "response_format" not in body:
        return _written(asked)
    asked = body["messages"][1]["content"]
    fields = body["response_format"]["json_schema"]["schema"]["properties"]
    if "overall" in fields:
        return json.dumps(_judged(asked, fields))
    text = _within("text", asked)
    if "query" in fields:
        return json.dumps(_commission(text, fields, again))
    if "first_sentence" in fields:
        return json.dumps(_ends(text, again))
    if "critique" in fields:
        return json.dumps({"critique": _critique(_within("reference", asked), again)})
    if "harmful" in fields:
        private = "Dear Tomas" in text
        return json.dumps({"reason": "a private letter", "personal_data": private, "harmful": False})
    return json.dumps({"genre": next((name for cue, name in _GENRES.items() if cue in text), "essay")})


def _within(tag: str, asked: str) -> str:
    found = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", asked, re.DOTALL)
    return found[1] if found else ""


def _written(asked: str) -> str:
    """A text that no other answer has; the passage that it fills into the speech is worth more than any."""
    mark = hashlib.sha256(asked.encode()).hexdigest()
    better = "Superb. " if "Friends, neighbours" in asked else ""
    return f"{better}Somebody wrote version {mark[:8]} of it, in words of their own."


def _judged(asked: str, fields: dict[str, Any]) -> dict[str, Any]:
    first, second = (_within(f"candidate_{name}", asked) for name in "ab")
    if first:
        better = [text.startswith("Superb.") for text in (first, second)]
        mark: Any = "tie" if better[0] == better[1] else "A" if better[0] else "B"
    else:
        mark = 3 if "Route 14" in asked else 5 if "Allotment" in asked else 4
    return {name: "so it seems" if name == "reason" else mark for name in fields}


def _commission(text: str, fields: dict[str, Any], again: bool) -> dict[str, str]:
    query = "Write about a thing that everyone knows and nobody has looked at."
    if language(text) == "zh":
        query = f"写一件人人见过却没有细看的东西，约{count_words(text)}字。"
    elif "dough" in text:
        query = WORDY  # and it never learns
    elif not again and "Ada" in text:
        query += " " + " ".join(text.split()[10:20])
    elif not again and "tide" in text:
        query += " Aim for 4,000 words."
    said = {"genre": "prose", "brief": "a thing", "audience": "anyone", "query": query}
    return said | ({"structure": "1. a beginning\n2. an end"} if "structure" in fields else {})


def _ends(text: str, again: bool) -> dict[str, str]:
    span = middle(text)
    assert span is not None
    chosen = text[span.start : span.end]
    pieces = [one for one in re.split(r"(?<=[.!?。！？])\s*|\n+", chosen) if one.strip()]
    first, last = pieces[0], pieces[-1]
    if "Allotment" in text:
        first = "A line that the poem does not have."  # and it never learns
    elif not again and "ladder" in text:
        first, last = text.split("\n", maxsplit=1)[0], text.rsplit(maxsplit=1)[-1]
    first = re.sub(r"\s+", "  ", first).translate(str.maketrans("“”’", '""\''))
    return {"first_sentence": first, "last_sentence": last}


def _critique(reference: str, again: bool) -> str:
    if language(reference) == "zh":
        return "细节太少，读者看不见人物。请写出一个动作。" if again else "与原文相比，细节太少。"
    if "instruction" in reference:
        return "The original is better."  # and it never learns
    if again:
        return "The draft asserts and shows nothing. Give the reader one thing to see, and stop there."
    return "Say: " + " ".join(reference.split()[:12])
