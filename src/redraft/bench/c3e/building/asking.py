"""How the models of a build are asked, and the first questions: the genre of a text, and how good it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final, Protocol, TypeVar

from pydantic import BaseModel

from redraft.bench.benchmark import read_data
from redraft.bench.c3e.reading import Language
from redraft.errors import BadAnswer
from redraft.judge import Item, PointwiseJudge, Rubric, read_rubric, wrap_in_tags
from redraft.models import Message, Model, Models, Prompts, ask
from redraft.runs import Record
from redraft.text import language

prompt = Prompts(__package__)

TRIES: Final = 3
ROOM: Final = 2000
"""Tokens for an answer; models that think before they write need some of them."""

AnswerModel = TypeVar("AnswerModel", bound=BaseModel)


class TextStep(Protocol):
    """One piece of work on one text; what it finds stands in the file of its step."""

    async def do(self, models: Models) -> Record:
        """Do it."""


class Unusable(Exception):
    """Why a text is left out here; what stands before a colon is what drops are counted by."""


def in_language(text: str, lang: Language) -> bool:
    """Whether a text is in a language; English may be too short, or have too few common words, to show it."""
    return language(text) in ((lang, None) if lang == "en" else (lang,))


async def ask_until_valid(
    model: Model,
    name: str,
    lang: Language,
    material: str,
    shape: type[AnswerModel],
    fault: Callable[[AnswerModel], str | None],
    **values: object,
) -> AnswerModel:
    """An answer in which there is no fault; Unusable with the last one, where there always is.

    `name` is that of a prompt, `values` fill its blanks, and `material` is what it is about.
    """
    first = (Message("system", prompt(f"{name}.{lang}", **values)), Message("user", material))
    conversation: tuple[Message, ...] = first
    problem = ""
    for _ in range(TRIES):
        answer = await ask(model, conversation, shape, max_tokens=ROOM)
        found = fault(answer)
        if found is None:
            return answer
        problem = found
        again = Message("user", prompt(f"again.{lang}", problem=problem))
        conversation = (*first, Message("assistant", answer.model_dump_json()), again)
    raise Unusable(problem)


class Genre(StrEnum):
    """A kind of text."""

    FICTION = "fiction"
    STORY = "story"
    POETRY = "poetry"
    SPEECH = "speech"
    ESSAY = "essay"
    ARGUMENT = "argument"
    ACADEMIC = "academic_writing"
    ARTICLE = "article"
    REPORTAGE = "reportage"
    REPORT = "report"
    OFFICIAL = "official_document"
    PLAN = "plan"
    LETTER = "letter"
    NOTICE = "notice"
    APPLICATION = "application"
    CONTRACT = "contract"

    def named(self, lang: Language) -> str:
        """What records of a language call it."""
        return self.value if lang == "en" else str(read_data(__package__, "genres.json")[self][lang])


@cache
def _read_rubric(name: str) -> Rubric:
    text = files(__package__).joinpath("rubrics", f"{name}.toml").read_text(encoding="utf-8")
    return read_rubric(text, name)


def rubric_of(genre: Genre) -> Rubric:
    """What a text of a genre is marked by, from 1 to 5; its aspect `overall` decides."""
    return _read_rubric(read_data(__package__, "genres.json")[genre]["rubric"])


GOOD: Final = 4
"""Of five: a text below this is no reference (the RAVEL paper, §4.2)."""


class _Sorted(BaseModel):
    genre: Genre


@dataclass(frozen=True, slots=True)
class FindGenre:
    """The genre of a text."""

    text: str
    lang: Language

    async def do(self, models: Models) -> Record:
        """Ask for it."""
        answer = await ask_until_valid(
            models.for_role("model"),
            "genre",
            self.lang,
            wrap_in_tags("text", self.text),
            _Sorted,
            lambda _: None,
        )
        return {"genre": answer.genre.value}


@dataclass(frozen=True, slots=True)
class RateText:
    """The marks of a text, by the rubric of its genre."""

    text: str
    genre: Genre

    async def do(self, models: Models) -> Record:
        """Have the judge mark it; what is not good enough is kept with its marks, to be counted."""
        judge = PointwiseJudge(models.for_role("judge"), rubric_of(self.genre), max_tokens=ROOM)
        judgement = await judge.judge(Item("text", self.text))
        if judgement.error is not None:
            raise BadAnswer(judgement.error, provider=judgement.judge)
        marks = dict(judgement.marks)
        dropped = f"below {GOOD} of 5" if int(marks["overall"]) < GOOD else None
        return {"marks": marks, "dropped": dropped}
