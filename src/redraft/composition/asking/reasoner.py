"""The reasoner: plans the piece, and chooses each action."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, StringConstraints, field_validator

from redraft.composition.actions import Action, Limits
from redraft.composition.asking.answering import Unhurried, answered, bare
from redraft.composition.asking.prompting import length, prompt, put, state_shown, steps_shown
from redraft.composition.base import Choice
from redraft.composition.brief import Brief, Language
from redraft.composition.state import Outline, State, numbered
from redraft.composition.trajectory import Step
from redraft.judge import wrap_in_tags
from redraft.models import Message, Model, Request, json_values, schema_text
from redraft.revision import key, messages, shown

FEWEST, MOST = 2, 20
"""Sections of an outline."""

_LEAST_WORDS: Final[dict[Language, int]] = {"en": 150, "zh": 250}
"""What a section should have at least, in words or characters."""

_UNASKED: Final = 8
"""Sections at most where no length is asked for."""

_OUTLINE_ROOM: Final = 3000
_CHOICE_ROOM: Final = 600
_LONGEST_THOUGHT: Final = 1000


_Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Planned(BaseModel):
    section_title: _Title
    points: list[str]

    @field_validator("points", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """Points in one string are taken apart."""
        return re.split(r"[;；\n]+", value) if isinstance(value, str) else value


class _Plan(BaseModel):
    title: _Title
    outline: list[_Planned] = Field(min_length=FEWEST, max_length=MOST)


class ModelReasoner:
    """Plans and chooses."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self._model = Unhurried(model)
        self._seed = seed

    async def outline(self, brief: Brief) -> Outline:
        """The sections; headings that were asked for are among them, if need be by our own hand."""
        least = _LEAST_WORDS[brief.language]
        words = None if brief.length is None else brief.length.target
        most = _UNASKED if words is None else min(max(words // least, FEWEST), MOST)
        asked = put(
            brief,
            "outline",
            [("headings", "\n".join(brief.headings))],
            length=length(brief, "whole", words),
            fewest=FEWEST,
            most=max(most, min(len(brief.headings), MOST)),
            least=least,
        )
        plan = await self._planned(asked)
        if missing := _missing(plan, brief.headings):
            told = wrap_in_tags("headings", "\n".join(missing))
            again = Message("user", prompt(f"{brief.language}/outline_again", missing=told))
            plan = await self._planned((*asked, Message("assistant", plan.model_dump_json()), again))
        return Outline(brief.title or shown(bare(plan.title)), numbered(_sections(plan, brief.headings)))

    async def _planned(self, asked: Sequence[Message]) -> _Plan:
        return await answered(self._model, asked, _Plan, max_tokens=_OUTLINE_ROOM, seed=self._seed)

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
                state=wrap_in_tags("state", state_shown(brief, state)),
                steps=wrap_in_tags("steps", steps_shown(steps)),
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
    return key(heading) in (key(title), key(bare(title)))


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
            group.append((shown(bare(one.section_title)), points))
        else:
            group = under[heading]
            group[0] = (heading, [*group[0][1], *points])
    return [*first, *(section for sections in under.values() for section in sections)]
