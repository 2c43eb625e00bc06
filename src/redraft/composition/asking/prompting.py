"""How things are put to a model: the prompts in `prompts/LANGUAGE/`, and what is shown in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, Literal

from redraft.composition.brief import Brief
from redraft.composition.state import Section, State
from redraft.composition.trajectory import Step
from redraft.judge import wrap_in_tags
from redraft.models import Message, Prompts
from redraft.revision import messages, shown
from redraft.text import Document

prompt = Prompts(__package__)

STEPS_SHOWN: Final = 6
"""The last steps that a reasoner sees."""

_LAST_SENTENCES: Final = 3
_LONGEST: Final = 400
"""Characters of a summary, a critique or a failure in the state; the texts themselves are not shown there."""


def put(brief: Brief, name: str, blocks: Sequence[tuple[str, str]], **blanks: object) -> tuple[Message, ...]:
    """The rules of one task and its material, in the language of the piece; empty material is left out."""
    given = (("topic", brief.topic), ("style_guide", brief.style), *blocks)
    material = "\n\n".join(wrap_in_tags(tag, text) for tag, text in given if text.strip())
    return messages(
        prompt(f"{brief.language}/{name}", **blanks),
        prompt(f"{brief.language}/request", material=material),
    )


def length(brief: Brief, name: Literal["section", "whole"], words: int | None) -> str:
    """The rule about a length; none where none was asked for."""
    return "" if words is None else f"- {prompt(f'{brief.language}/length_{name}', words=words)}\n"


def about(state: State, section: Section) -> tuple[tuple[str, str], ...]:
    """Where a section stands, what it is to say, and what stands before it."""
    titles = "\n".join(f"{each.id}. {shown(each.title)}" for each in state.sections)
    points = "\n".join(f"- {shown(point)}" for point in section.points)
    before = state.before(section.id)
    return (
        ("outline", f"{shown(state.title)}\n{titles}".strip()),
        ("points", f"{section.id}. {shown(section.title)}\n{points}".strip()),
        ("before", "" if before is None else f"{shown(before.summary)}\n… {_ending(before.content)}".strip()),
    )


def state_shown(brief: Brief, state: State) -> str:
    """The state as compact JSON, without the texts."""
    manuscript = {
        number: {
            "summary": shown(passage.summary, _LONGEST),
            "score": passage.score,
            "critique": shown(passage.critique, _LONGEST),
            "revisions": passage.revisions,
        }
        for number, passage in sorted(state.manuscript.items())
    }
    outline = [
        {"id": each.id, "title": each.title, "points": each.points, "status": each.status}
        for each in state.sections
    ]
    meta = {"topic": brief.topic, "style_guide": brief.style, "title": state.title}
    return _compact({"meta": meta, "outline": outline, "manuscript": manuscript})


def steps_shown(steps: Sequence[Step]) -> str:
    """The last steps, one a line, with their failures."""
    return "\n".join(_compact(_step_shown(step)) for step in steps[-STEPS_SHOWN:])


def _step_shown(step: Step) -> dict[str, Any]:
    did = str(step.action) if step.action is not None else shown(step.said, _LONGEST)
    told = {"failed": shown(step.error, _LONGEST), "note": shown(step.note, _LONGEST)}
    return {"step": step.number, "did": did, **{name: text for name, text in told.items() if text}}


def _ending(text: str) -> str:
    document = Document(text, "markdown")
    sentences = document.sentences[-_LAST_SENTENCES:]
    return shown(document.text[sentences[0].start :]) if sentences else ""


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
