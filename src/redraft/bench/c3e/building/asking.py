"""How the models of a build are asked: in the language of the texts, again with the reason, then no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeVar

from pydantic import BaseModel

from redraft.bench.c3e.reading import Language
from redraft.models import Message, Model, Models, Prompts, ask
from redraft.runs import Record
from redraft.text import language

prompt = Prompts(__package__)

TRIES: Final = 3
ROOM: Final = 2000
"""Tokens for an answer; models that think before they write need some of them."""

Shape = TypeVar("Shape", bound=BaseModel)


class Step(Protocol):
    """One piece of work on one text; what it finds stands in the file of its step."""

    async def do(self, models: Models) -> Record:
        """Do it."""


class Unusable(Exception):
    """Why a text is left out here; what stands before a colon is what drops are counted by."""


def in_language(text: str, lang: Language) -> bool:
    """Whether a text is in a language; English may be too short, or have too few common words, to show it."""
    return language(text) in ((lang, None) if lang == "en" else (lang,))


async def settled(
    model: Model,
    name: str,
    lang: Language,
    material: str,
    shape: type[Shape],
    fault: Callable[[Shape], str | None],
    **values: object,
) -> Shape:
    """An answer in which there is no fault; Unusable with the last one, where there always is.

    `name` is that of a prompt, `values` fill its blanks, and `material` is what it is about.
    """
    first = (Message("system", prompt(f"{name}.{lang}", **values)), Message("user", material))
    conversation: tuple[Message, ...] = first
    told = ""
    for _ in range(TRIES):
        answer = await ask(model, conversation, shape, max_tokens=ROOM)
        found = fault(answer)
        if found is None:
            return answer
        told = found
        again = Message("user", prompt(f"again.{lang}", problem=told))
        conversation = (*first, Message("assistant", answer.model_dump_json()), again)
    raise Unusable(told)
