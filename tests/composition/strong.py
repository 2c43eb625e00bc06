"""A service that plays a strong model in every role, and can be told to misbehave."""

from __future__ import annotations

import json
import re
import socket
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tests.models.scripted import ScriptedServer, say

_ROLES = {
    frozenset({"title", "outline"}): "outline",
    frozenset({"thought", "action"}): "choose",
    frozenset({"content", "summary"}): "draft",
    frozenset({"content", "summary", "changes"}): "refine",
    frozenset({"critique", "score"}): "review",
}
_WORDS = (
    "rain",
    "drains",
    "streets",
    "rivers",
    "water",
    "roofs",
    "paving",
    "soil",
    "pumps",
    "walls",
    "towns",
)
_CHARACTERS = "雨水河流街道屋顶土地公园排放城市暴风墙井泵管沟渠堤坝"
REFUSALS = {"en": "I'm sorry, but I can't help with that.", "zh": "抱歉，我无法协助完成这个请求。"}
TITLES = {
    "en": ("Rain and stone", "Where water goes", "What towns do"),
    "zh": ("雨与石", "水往何处", "城市之策"),
}


class Strong(ScriptedServer):
    """Plans three sections, drafts them at the length asked for, scores 7 and after a refinement 9."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = [self._answer]
        self.scores: tuple[float, ...] = (7.0, 9.0)
        """By how often a text was refined; the last for ever."""
        self.refusing: Counter[str] = Counter()
        self.malformed: Counter[str] = Counter()
        """How often a role still refuses, or answers with broken JSON."""
        self.choices: list[str] = []
        """What it says next as an action, whatever is possible."""
        self.dies_at: int | None = None
        """The request that it dies at; it is dead until this is None again."""
        self.wait = 0.0
        self.slow: dict[str, float] = {}
        """The drafts that take longer, by their heading."""
        self.refused = ""
        """The heading of the draft that it never writes."""
        self.answered: list[tuple[str, str]] = []
        """The role and the whole body of each request that got an answer."""
        self._heard = 0

    def roles(self) -> list[str]:
        """The roles that were answered, in order."""
        return [role for role, _ in self.answered]

    def _answer(self, handler: Any, body: dict[str, Any]) -> None:
        self._heard += 1
        if self.dies_at is not None and self._heard >= self.dies_at:
            handler.close_connection = True
            handler.connection.shutdown(socket.SHUT_RDWR)
            return
        schema = body["response_format"]["json_schema"]["schema"]
        role = _ROLES[frozenset(schema["properties"])]
        self.answered.append((role, json.dumps(body, sort_keys=True)))
        system, user = (message["content"] for message in body["messages"][:2])
        language = "zh" if "你负责" in system else "en"
        heading = between(user, "points").split("\n")[0]
        if role == "draft" and heading == self.refused:
            text = REFUSALS[language]
        elif self.refusing[role]:
            self.refusing[role] -= 1
            text = REFUSALS[language]
        elif self.malformed[role]:
            self.malformed[role] -= 1
            text = f'{{"content": "It rained, and then {self.malformed[role]}'
        else:
            found = getattr(self, f"_{role}")(language, system, user)
            text = f"```json\n{json.dumps(found, ensure_ascii=False)}\n```"
        say(text, wait=self.slow.get(heading, self.wait))(handler, body)

    def _outline(self, language: str, system: str, user: str) -> dict[str, Any]:
        sections = [
            {"section_title": each, "points": [f"{each} 1", f"{each} 2"]} for each in TITLES[language]
        ]
        return {"title": {"en": "Why cities flood", "zh": "城市为何内涝"}[language], "outline": sections}

    def _choose(self, language: str, system: str, user: str) -> dict[str, Any]:
        if self.choices:
            return {"thought": "I know better.", "action": self.choices.pop(0)}
        action = _next(json.loads(between(user, "state")))
        possible = re.search(r"(?:Possible now, and nothing else: |现在只能选以下动作之一：)([^.。]+)", user)
        allowed = possible[1].split(", ") if possible else [action]
        return {"thought": "One thing after another.", "action": action if action in allowed else allowed[0]}

    def _draft(self, language: str, system: str, user: str) -> dict[str, Any]:
        title = between(user, "points").split("\n")[0]
        return {"content": _text(language, title, _length(system), 0), "summary": f"About {title}."}

    def _review(self, language: str, system: str, user: str) -> dict[str, Any]:
        times = _refined(between(user, "text"))
        score = self.scores[min(times, len(self.scores) - 1)]
        return {"critique": f"It was refined {times} times.", "score": score}

    def _refine(self, language: str, system: str, user: str) -> dict[str, Any]:
        title = between(user, "points").split("\n")[0]
        times = _refined(between(user, "text")) + 1
        content = _text(language, title, _length(system), times)
        return {"content": content, "summary": f"About {title}, again.", "changes": "It is sharper."}


def between(text: str, tag: str) -> str:
    """What stands in a tag of a prompt."""
    found = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", text, re.DOTALL)
    return found[1] if found else ""


def _next(state: Mapping[str, Any]) -> str:
    """What a sensible reasoner does: each section to its end before the next."""
    if not state["outline"]:
        return "outline"
    for section in state["outline"]:
        status, number = section["status"], section["id"]
        if status == "pending":
            return f"draft {number}"
        if status == "drafted":
            return f"review {number}"
        if status == "revision_needed" and state["manuscript"][str(number)]["revisions"] < 3:
            return f"refine {number}"
    return "finish"


def _length(system: str) -> int:
    found = re.search(r"(?:This section has about|这一部分约) (\d+)", system)
    return int(found[1]) if found else 60


def _refined(text: str) -> int:
    return int(found[1]) if (found := re.search(r"(?:Version|版本) (\d)", text)) else 0


def _text(language: str, title: str, length: int, times: int) -> str:
    """A text of a length, another for each section, that says how often it was refined."""
    place = sum(ord(character) for character in title) + times
    if language == "zh":
        opening = f"版本 {times}，" * bool(times) + f"{title.partition('. ')[2]}。"
        body = "".join(
            _CHARACTERS[(place + i * i) % len(_CHARACTERS)] for i in range(length - len(opening) + 2)
        )
        return f"{opening}{'，'.join(body[i : i + 9] for i in range(0, len(body), 9))}。"
    opening = f"Version {times} of this: " if times else ""
    words = [_WORDS[(place + i * i) % len(_WORDS)] for i in range(length - len(opening.split()))]
    sentences = [" ".join(words[i : i + 9]).capitalize() + "." for i in range(0, len(words), 9)]
    return opening + " ".join(sentences)
