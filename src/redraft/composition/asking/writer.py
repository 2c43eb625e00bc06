"""The writer and the refiner: a section as JSON, or as the bare prose that some models answer with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from redraft.composition.asking.answering import Unhurried, answered, bare, refused, refuses
from redraft.composition.asking.prompting import about, length, put
from redraft.composition.brief import Brief, Language
from redraft.composition.lengths import measured
from redraft.composition.state import Section, State, Written
from redraft.errors import BadAnswer
from redraft.models import Message, Model, read_answer
from redraft.revision import key, whole_text

_TOKENS_A_WORD: Final[dict[Language, float]] = {"en": 1.6, "zh": 1.5}
_UNASKED: Final = 1500
_BESIDE: Final = 400
"""Tokens for a section whose length nobody asked for, and for what stands beside it in the answer."""

_PROSE: Final = 40
"""Characters from which on a text without JSON is a section, and not a remark."""

_THOUGHTS: Final = re.compile(r".*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


def _all_required(schema: dict[str, Any]) -> None:
    """A model is asked for every part, though an answer without a summary is better than none."""
    schema["required"] = list(schema["properties"])


class _Draft(BaseModel):
    model_config = ConfigDict(json_schema_extra=_all_required)

    content: str = Field(min_length=1)
    summary: str = ""


class _Refinement(_Draft):
    changes: str = ""


_Prose = TypeVar("_Prose", bound=_Draft)


class ModelWriter:
    """Drafts a section."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self._model = Unhurried(model)
        self._seed = seed

    async def draft(self, brief: Brief, state: State, section: Section) -> Written:
        """The body of a section, and what it says for whoever writes the next."""
        asked = put(brief, "draft", about(state, section), length=length(brief, "section", section.words))
        most = room(section.words, brief.language)
        found = await _written(self._model, asked, _Draft, section, state, most, self._seed)
        return Written(found.content, found.summary)


class ModelRefiner:
    """Refines a section by its critique."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self._model = Unhurried(model)
        self._seed = seed

    async def refine(self, brief: Brief, state: State, section: Section) -> Written:
        """A better version of a section, what it says now, and what was changed."""
        old = state.manuscript[section.id]
        blocks = (*about(state, section), ("critique", old.critique), ("text", old.content))
        asked = put(brief, "refine", blocks, length=length(brief, "section", section.words))
        words = max(section.words or 0, measured(old.content))
        most = room(words, brief.language)
        found = await _written(self._model, asked, _Refinement, section, state, most, self._seed)
        return Written(found.content, found.summary, found.changes)


def room(words: int | None, language: Language) -> int:
    """Tokens that an answer may take: twice what so many words need, so that none is cut off."""
    text = _UNASKED if words is None else round(2 * _TOKENS_A_WORD[language] * words)
    return text + _BESIDE


async def _written(
    model: Model,
    asked: Sequence[Message],
    shape: type[_Prose],
    section: Section,
    state: State,
    most: int,
    seed: int,
) -> _Prose:
    said = ""

    def read(text: str, wanted: type[_Prose]) -> _Prose:
        nonlocal said
        said = text
        found = read_answer(text, wanted)
        if refuses(found.content):
            raise refused(model, found.content)
        return _with_body(found, section, state)

    try:
        return await answered(model, asked, shape, max_tokens=most, seed=seed, read=read)
    except BadAnswer as error:
        prose = whole_text(_THOUGHTS.sub("", said), "")
        if len(prose) < _PROSE or prose.startswith(("{", "[")) or '"content"' in prose:
            raise
        try:
            return _with_body(shape(content=prose), section, state)
        except ValueError:
            raise error from None


def _with_body(found: _Prose, section: Section, state: State) -> _Prose:
    """The answer with the body alone: no thoughts, and no heading, which the piece has already."""
    lines = _THOUGHTS.sub("", found.content).strip().split("\n")
    headings = {key(section.title), key(state.title)} - {""}
    while lines and (not lines[0].strip() or key(bare(lines[0])) in headings):
        del lines[0]
    if not lines:
        raise ValueError("content: there is no text in it")
    return found.model_copy(update={"content": "\n".join(lines)})
