"""A service that plays the model of the RAVEL paper: a policy that is scripted, and tools that do as told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tests.composition.strong import between
from tests.models.scripted import Handler, ScriptedServer, say

PARAMETERS = {
    "outline": ("topic", "style_guide"),
    "draft": ("topic", "style_guide", "section_id", "section_title", "points", "prev_summary"),
    "review": ("section_id", "style_guide", "points", "content"),
    "refine": ("section_id", "style_guide", "points", "content", "feedback"),
    "finish": (),
}
_TOOLS = {
    "who plans": "outline",
    "experienced writer": "draft",
    "strict reviewer": "review",
    "and rewrite": "refine",
}


def decision(words: str, **changed: str) -> str:
    """What the policy says for words such as `draft 1`, with parameters that say where they come from."""
    action, _, section = words.partition(" ")
    params: dict[str, object] = {name: f"the policy's {name}" for name in PARAMETERS.get(action, ())}
    if section:
        params["section_id"] = int(section)
    return json.dumps({"thought": f"I want to {words}.", "action": action, "params": {**params, **changed}})


class Published(ScriptedServer):
    """Says its decisions one after another, the last for ever; reviews give its scores in turn."""

    def __init__(self, decisions: Sequence[str], scores: Sequence[float] = (9,), sections: int = 2) -> None:
        super().__init__()
        self.answers = [self._answer]
        self.asked: list[str] = []
        """Who was asked: the policy, or a tool by the action that it does."""
        self.models: list[tuple[str, str]] = []
        self._decisions = [one if "{" in one else decision(one) for one in decisions]
        self._scores = list(scores)
        self._sections = sections

    def shown(self, action: str) -> list[dict[str, str]]:
        """The parameters that a tool was shown, each time."""
        return [
            json.loads(between(body["messages"][0]["content"], "text"))
            for body, who in zip(self.requests, self.asked, strict=True)
            if who == action
        ]

    def _answer(self, handler: Handler, body: dict[str, Any]) -> None:
        assert "response_format" not in body  # nothing helps the model to the right form
        first = body["messages"][0]["content"]
        who = (
            "policy"
            if len(body["messages"]) == 2
            else next(own for told, own in _TOOLS.items() if told in first)
        )
        self.asked.append(who)
        self.models.append((who, body["model"]))
        say(getattr(self, f"_{who}")())(handler, body)

    def _policy(self) -> str:
        return self._decisions.pop(0) if len(self._decisions) > 1 else self._decisions[0]

    def _outline(self) -> str:
        plan = [{"section_title": f"Part {n}", "points": "one; other"} for n in range(1, self._sections + 1)]
        return json.dumps({"title": "Floods", "outline": plan})

    def _draft(self) -> str:
        return json.dumps({"content": f"Draft {self.asked.count('draft')}.", "summary": "It is short."})

    def _review(self) -> str:
        score = self._scores.pop(0) if len(self._scores) > 1 else self._scores[0]
        return json.dumps({"score": score, "feedback": "Too short."})

    def _refine(self) -> str:
        return json.dumps({"revised_content": f"Version {self.asked.count('refine')}.", "change_log": "All."})
