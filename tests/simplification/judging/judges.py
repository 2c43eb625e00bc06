"""A policy, and models and parsers that judge by rule."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

import numpy as np

from redraft.models import Completion, Request, TokenEmbeddings, Usage
from redraft.models.base import FloatArray
from redraft.simplification.policy_files import load_policy

REWRITE = load_policy("rewrite")

Rule = Callable[[dict[str, str]], dict[str, tuple[str, str]]]
"""From the candidates by label to the best and the worst of each aspect."""


class FlatEmbedder:
    """All words are alike, so that their places alone decide."""

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        return np.ones((len(texts), 1), np.float32)

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        found = []
        for text in texts:
            spans = tuple(match.span() for match in re.finditer(r"\w+", text))
            found.append(TokenEmbeddings(spans, np.ones((len(spans), 1), np.float32)))
        return tuple(found)


class RuleModel:
    """A Model that chooses by a rule, and remembers what it was asked."""

    spec = "ruled"

    def __init__(self, rule: Rule) -> None:
        self.requests: list[Request] = []
        self._rule = rule

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        self.requests.append(request)
        shown = dict(
            re.findall(
                r"^<candidate_(\w)>\n(.*?)\n</candidate_\1>$", request.messages[1].content, re.M | re.S
            )
        )
        return (Completion(answer(shown, self._rule(shown)), usage=Usage(calls=1)),)


def answer(shown: dict[str, str], chosen: dict[str, tuple[str, str]]) -> str:
    """An answer by the schema, each analysis naming the text that it is about."""
    said: dict[str, str] = {}
    for aspect, (best, worst) in chosen.items():
        if aspect != "overall":
            said |= {f"{aspect}_analysis_{label}": f"about: {text}" for label, text in shown.items()}
        said |= {f"{aspect}_best": best, f"{aspect}_worst": worst}
    return json.dumps(said)


def by_length(shown: dict[str, str]) -> dict[str, tuple[str, str]]:
    """The shortest is the best, the longest the worst, wherever they stand."""
    ranked = sorted(shown, key=lambda label: len(shown[label]))
    return dict.fromkeys(("lexical", "structural", "overall"), (ranked[0], ranked[-1]))


def by_place(shown: dict[str, str]) -> dict[str, tuple[str, str]]:
    """A judge that reads nothing: the first is the best, the last the worst."""
    labels = sorted(shown)
    return dict.fromkeys(("lexical", "structural", "overall"), (labels[0], labels[-1]))
