"""Judges that answer by a rule, and what they were shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from redraft.judge import Context, Item, Pair
from redraft.models import Completion, Request, Usage

Rule = Callable[[dict[str, str]], str]
"""From the texts between the tags to the answer."""

SOURCE = "He go to school every days."


class RuleJudge:
    """A Model that answers by a rule, and remembers what it was asked."""

    def __init__(self, rule: Rule, spec: str = "scripted") -> None:
        self.spec = spec
        self.requests: list[Request] = []
        self._rule = rule

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        self.requests.append(request)
        answer = self._rule(shown(request.messages[1].content))
        return (Completion(answer, usage=Usage(calls=1, prompt_tokens=10, completion_tokens=5)),)


def shown(prompt: str) -> dict[str, str]:
    """The texts of a prompt by their tags; a tag that is there twice is a failure of the prompt."""
    found: dict[str, str] = {}
    for tag, text in re.findall(r"^<(\w+)>\n(.*?)\n</\1>$", prompt, re.DOTALL | re.MULTILINE):
        assert tag not in found, f"{tag} is there twice"
        found[tag] = text
    return found


def marks(**given: object) -> str:
    return json.dumps(given)


def revision(fluency: int = 4, coherence: int = 4, consistency: int = 5) -> str:
    return marks(reason="so it is", fluency=fluency, coherence=coherence, consistency=consistency)


def all_aspects(choice: str) -> str:
    return marks(fluency=choice, grammaticality=choice, coherence=choice)


def always_a(texts: dict[str, str]) -> str:
    return all_aspects("A")


def fewer_errors(texts: dict[str, str]) -> str:
    """A fair judge: it looks for the word `error`, wherever the text stands."""
    a, b = (texts[tag].count("error") for tag in ("candidate_a", "candidate_b"))
    return all_aspects("tie" if a == b else "A" if a < b else "B")


def item(name: str = "1", text: str = "He goes to school every day.") -> Item:
    return Item(name, text, Context(source=SOURCE))


def pair(name: str, first: str, second: str) -> Pair:
    return Pair(name, first, second, Context(source=SOURCE))
