"""Instructions that would lead a writer to a text: End2End from a query alone, Expand with an outline too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, StringConstraints

from redraft.bench.c3e.building.asking import in_language, settled
from redraft.bench.c3e.overlap import quoted
from redraft.bench.c3e.reading import Language
from redraft.bench.results import Record
from redraft.judge import wrap_in_tags
from redraft.models import Models
from redraft.text import count_words

RUN: Final = {"en": 8, "zh": 12}
"""So many words in a row (Chinese: characters, of which a word has about one and a half) are a quotation."""
CHARACTERS: Final = {"en": 1, "zh": 2}
"""What a limit of one word comes to: in Chinese, two characters."""
_LENGTHS: Final = {"end2end": 100, "expand": 300}
_NEAR: Final = 0.2
_ASKED: Final = re.compile(
    r"(\d[\d,]*)(?:\s*(?:-|–|—|~|to|and|至|到)\s*(\d[\d,]*))?[\s-]*(?:words?\b|个?字)", re.IGNORECASE
)

Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Query(BaseModel):
    genre: Said
    brief: Said
    audience: Said
    query: Said


class _Outlined(BaseModel):
    genre: Said
    brief: Said
    structure: Said
    audience: Said
    query: Said


@dataclass(frozen=True, slots=True)
class Instruct:
    """The instruction of a task whose answer is the whole text."""

    text: str
    lang: Language
    task: Literal["end2end", "expand"]

    async def do(self, models: Models) -> Record:
        """Ask for it; the length is what was counted, whatever is said of it."""
        shape: type[_Query] | type[_Outlined] = _Query if self.task == "end2end" else _Outlined
        said = await settled(
            models.for_role("model"),
            self.task,
            self.lang,
            wrap_in_tags("text", self.text),
            shape,
            self._fault,
            words=rounded(count_words(self.text)),
            most=_LENGTHS[self.task] * CHARACTERS[self.lang],
        )
        return {**said.model_dump(), "word": str(rounded(count_words(self.text)))}

    def _fault(self, said: BaseModel) -> str | None:
        given: dict[str, str] = said.model_dump()
        most = _LENGTHS[self.task] * CHARACTERS[self.lang]
        if not in_language(given["query"], self.lang):
            return "the query is in another language: write it in that of the text"
        if (count := count_words(given["query"])) > most:
            return f"the query is too long: it has {count} words, and {most} are allowed"
        for name, value in given.items():
            if run := quoted(value, self.text, RUN[self.lang]):
                return f"it quotes the text: {name} has “{run}”; say it in other words"
        measured = count_words(self.text)
        for low, high in _ASKED.findall(given["query"]):
            ends = [int(end.replace(",", "")) for end in (low, high or low)]
            if not (1 - _NEAR) * ends[0] <= measured <= (1 + _NEAR) * ends[1]:
                return f"the query asks for another length: it should ask for about {rounded(measured)} words"
        return None


def rounded(count: int) -> int:
    """A number of words as one asks for it."""
    step = 10 if count < 300 else 50 if count < 1000 else 100
    return max(step, round(count / step) * step)
