"""The roles as a prompted model plays them, in English and in Chinese."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, field_validator

from redraft.composition.actions import Action, Choice, Limits
from redraft.composition.asking import (
    ThinkingRoom,
    ask_for,
    build_messages,
    is_refusal,
    length_rule,
    plain_title,
    prompt,
    recent_steps,
    refusal_error,
    section_context,
    state_as_json,
)
from redraft.composition.brief import Brief, Language
from redraft.composition.state import (
    Outline,
    Review,
    Section,
    SectionText,
    State,
    count_words,
    length_problem,
    numbered,
)
from redraft.composition.trajectory import Step
from redraft.errors import BadAnswer
from redraft.judge import wrap_in_tags
from redraft.models import Message, Model, Request, json_values, read_answer, schema_text
from redraft.revision import key, messages, shown, whole_text

FEWEST, MOST = 2, 20
"""Sections of an outline."""

_LEAST_WORDS: Final[dict[Language, int]] = {"en": 150, "zh": 250}
"""What a section should have at least, in words or characters."""

_TO: Final[dict[Language, str]] = {"en": "to", "zh": "至"}

_UNASKED: Final = 8
"""Sections at most where no length is asked for."""

_OUTLINE_ROOM: Final = 3000
_CHOICE_ROOM: Final = 600
_LONGEST_THOUGHT: Final = 1000


_Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class PlannedSection(BaseModel):
    """A section as a model plans it."""

    section_title: _Title
    points: list[str]

    @field_validator("points", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """Points in one string are taken apart."""
        return re.split(r"[;；\n]+", value) if isinstance(value, str) else value


class _Plan(BaseModel):
    title: _Title
    outline: list[PlannedSection] = Field(min_length=FEWEST, max_length=MOST)


class ModelOutliner:
    """Plans the sections."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self._model = ThinkingRoom(model)
        self._seed = seed

    async def outline(self, brief: Brief) -> Outline:
        """The sections; headings that were asked for are among them, if need be by our own hand."""
        least = _LEAST_WORDS[brief.language]
        words = None if brief.length is None else brief.length.target
        most = _UNASKED if words is None else min(max(words // least, FEWEST), MOST)
        asked = build_messages(
            brief,
            "outline",
            [("headings", "\n".join(brief.headings))],
            length=length_rule(brief, "whole", words),
            sections=_range(max(most, min(len(brief.headings), MOST)), brief.language),
            least=least,
        )
        plan = await self._planned(asked)
        if missing := _missing(plan, brief.headings):
            told = wrap_in_tags("headings", "\n".join(missing))
            again = Message("user", prompt(f"{brief.language}/outline_again", missing=told))
            plan = await self._planned((*asked, Message("assistant", plan.model_dump_json()), again))
        return Outline(
            brief.title or shown(plain_title(plan.title)), numbered(_sections(plan, brief.headings))
        )

    async def _planned(self, asked: Sequence[Message]) -> _Plan:
        return await ask_for(self._model, asked, _Plan, max_tokens=_OUTLINE_ROOM, seed=self._seed)


def _range(most: int, language: Language) -> str:
    """How many sections there may be; two to two are two."""
    return str(FEWEST) if most == FEWEST else f"{FEWEST} {_TO[language]} {most}"


class ModelReasoner:
    """Chooses the next action."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self._model = ThinkingRoom(model)
        self._seed = seed

    async def choose(
        self,
        brief: Brief,
        state: State,
        steps: Sequence[Step],
        allowed: Sequence[Action] | None,
        limits: Limits,
    ) -> Choice:
        """The next action, asked for once: an answer that names none is a failure of the reasoner."""
        names = None if allowed is None else [str(action) for action in allowed]
        language = brief.language
        listed = "" if names is None else prompt(f"{language}/possible", actions=", ".join(names)) + "\n"
        asked = messages(
            prompt(f"{language}/choose", tau=f"{limits.tau:g}", revisions=limits.revisions),
            prompt(
                f"{language}/choose_request",
                state=wrap_in_tags("state", state_as_json(brief, state)),
                steps=wrap_in_tags("steps", recent_steps(steps)),
                used=len(steps),
                left=limits.max_steps - len(steps),
                possible=listed,
            ),
        )
        request = Request(asked, max_tokens=_CHOICE_ROOM, seed=self._seed, schema=_choice_schema(names))
        (completion,) = await self._model.complete(request)
        return read_choice(completion.text)


def read_choice(text: str) -> Choice:
    """The choice in an answer; its number may stand with the action, beside it, or among parameters."""
    for value in json_values(text):
        if not isinstance(value, dict) or "action" not in value:
            continue
        said = value.get("thought")
        thought = shown(said, _LONGEST_THOUGHT) if isinstance(said, str) else ""
        try:
            return Choice(Action.read(_spelled(value)), thought, text)
        except ValueError as error:
            return Choice(None, thought, text, str(error))
    return Choice(None, "", text, 'the answer is no JSON object with an "action"')


def _spelled(value: Mapping[str, Any]) -> str:
    action = str(value["action"])
    if any(character.isdigit() for character in action):
        return action
    for place in (value, *(value.get(name) for name in ("params", "parameters", "arguments"))):
        if isinstance(place, Mapping):
            for name in ("section", "section_id", "id"):
                if found := re.search(r"\d{1,4}", str(place.get(name, ""))):
                    return f"{action} {found[0]}"
    return action


def _choice_schema(names: Sequence[str] | None) -> str:
    action = {"type": "string"} if names is None else {"type": "string", "enum": names}
    return schema_text(
        {
            "type": "object",
            "properties": {"thought": {"type": "string", "maxLength": _LONGEST_THOUGHT}, "action": action},
            "required": ["thought", "action"],
            "additionalProperties": False,
        }
    )


def _same(title: str, heading: str) -> bool:
    return key(heading) in (key(title), key(plain_title(title)))


def _missing(plan: _Plan, headings: Sequence[str]) -> list[str]:
    """The headings that are not among the titles, or not in their order."""
    found, place = [], 0
    for heading in headings:
        at = next(
            (n for n, one in enumerate(plan.outline[place:], place) if _same(one.section_title, heading)),
            None,
        )
        if at is None:
            found.append(heading)
        else:
            place = at + 1
    return found


def _sections(plan: _Plan, headings: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Titles and points, every heading there and in order; other sections follow the one they followed."""
    first: list[tuple[str, list[str]]] = []
    under: dict[str, list[tuple[str, list[str]]]] = {heading: [(heading, [])] for heading in headings}
    group = first
    for one in plan.outline:
        points = [point for each in one.points if (point := shown(each).lstrip("-•* "))]
        heading = next((each for each in headings if _same(one.section_title, each)), None)
        if heading is None:
            group.append((shown(plain_title(one.section_title)), points))
        else:
            group = under[heading]
            group[0] = (heading, [*group[0][1], *points])
    return [*first, *(section for sections in under.values() for section in sections)]


_ROOM: Final = 1500
_LONGEST_CRITIQUE: Final = 1500
"""Characters that a schema admits, so that a small model comes to an end; longer ones are read too."""


def _of_ten(value: object) -> object:
    """`8.5/10` is 8.5."""
    return value.partition("/")[0].strip() if isinstance(value, str) else value


Score = Annotated[float, Field(ge=1, le=10, allow_inf_nan=False), BeforeValidator(_of_ten)]
"""Of a review."""


class _Audit(BaseModel):
    critique: str = Field(json_schema_extra={"maxLength": _LONGEST_CRITIQUE})
    score: Score


class ModelReviewer:
    """Reviews a section."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self._model = ThinkingRoom(model)
        self._seed = seed

    async def review(self, brief: Brief, state: State, section: Section) -> Review:
        """What is good and what is missing, with a score; a wrong length sends a section back."""
        content = state.manuscript[section.id].content
        asked = build_messages(brief, "review", (*section_context(state, section), ("text", content)))
        found = await ask_for(
            self._model, asked, _Audit, max_tokens=_ROOM, seed=self._seed, temperature=0.0, read=_agreed
        )
        wrong = length_problem(content, section, brief.language)
        critique = f"{found.critique.strip()}\n{wrong}".strip() if wrong else found.critique.strip()
        return Review(found.score, critique, passed=not wrong)


def _agreed(text: str, shape: type[_Audit]) -> _Audit:
    """The review in an answer. Two that differ are none: one may be quoted from the text under review."""
    found = read_answer(text, shape)
    given = [value for value in json_values(text) if isinstance(value, dict) and "score" in value]
    if any(value["score"] != given[0]["score"] for value in given):
        raise ValueError("it has several scores: give one JSON object")
    return found


_TOKENS_A_WORD: Final[dict[Language, float]] = {"en": 1.6, "zh": 1.5}
_WRITER_UNASKED: Final = 1500
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
        self._model = ThinkingRoom(model)
        self._seed = seed

    async def draft(self, brief: Brief, state: State, section: Section) -> SectionText:
        """The body of a section, and what it says for whoever writes the next."""
        asked = build_messages(
            brief,
            "draft",
            section_context(state, section),
            length=length_rule(brief, "section", section.words),
        )
        most = room(section.words, brief.language)
        found = await _written(self._model, asked, _Draft, section, state, most, self._seed)
        return SectionText(found.content, found.summary)


class ModelRefiner:
    """Refines a section by its critique."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self._model = ThinkingRoom(model)
        self._seed = seed

    async def refine(self, brief: Brief, state: State, section: Section) -> SectionText:
        """A better version of a section, what it says now, and what was changed."""
        old = state.manuscript[section.id]
        blocks = (*section_context(state, section), ("critique", old.critique), ("text", old.content))
        asked = build_messages(brief, "refine", blocks, length=length_rule(brief, "section", section.words))
        words = max(section.words or 0, count_words(old.content))
        most = room(words, brief.language)
        found = await _written(self._model, asked, _Refinement, section, state, most, self._seed)
        return SectionText(found.content, found.summary, found.changes)


def room(words: int | None, language: Language) -> int:
    """Tokens that an answer may take: twice what so many words need, so that none is cut off."""
    text = _WRITER_UNASKED if words is None else round(2 * _TOKENS_A_WORD[language] * words)
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
        if is_refusal(found.content):
            raise refusal_error(model, found.content)
        return _with_body(found, section, state)

    try:
        return await ask_for(model, asked, shape, max_tokens=most, seed=seed, read=read)
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
    while lines and (not lines[0].strip() or key(plain_title(lines[0])) in headings):
        del lines[0]
    if not lines:
        raise ValueError("content: there is no text in it")
    return found.model_copy(update={"content": "\n".join(lines)})
