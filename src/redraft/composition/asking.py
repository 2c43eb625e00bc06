"""How a model is asked to play a role: the prompts, what they show, and how its answers are read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeVar

from pydantic import BaseModel

from redraft.composition.brief import Brief
from redraft.composition.state import Section, State
from redraft.composition.trajectory import Step
from redraft.errors import BadAnswer, ContextOverflow
from redraft.judge import tagged
from redraft.models import Completion, Message, Model, Prompts, Request, ask, read_answer
from redraft.revision import messages, shown
from redraft.text import Document

Shape = TypeVar("Shape", bound=BaseModel)

TEMPERATURE: Final = 0.7
"""What is written is drawn as in the paper (§5.1)."""

THINKING: Final = 4000
"""Tokens for what a model tells itself before it answers; one that does not think leaves them."""

# Anchored and short: a character of a story may well be sorry that he cannot help.
_LONGEST_REFUSAL: Final = 800
_SORRY: Final = r"(?:(?:i['’]?m|i am)? ?(?:so |very |really )?sorry|i apologi[sz]e|unfortunately|regrettably)"
_CANNOT: Final = (
    r"i(?: can(?:['’]?t|not| not)| won['’]?t| will not| must decline|['’]m (?:unable|not able)"
    r"| am (?:unable|not able)| (?:have to|must) refuse)(?: to)?"
)
_AN_AI: Final = r"as an? (?:ai|artificial intelligence|(?:large )?language model)\b"
_REFUSAL: Final = re.compile(
    rf"\s*(?:{_SORRY}\b[^.!?\n]{{0,40}}?\b{_CANNOT} (?:\w+ ){{0,2}}(?:assist|help|comply|write|create|produce"
    r"|provide|generate|complete|fulfil|continue|do|discuss|engage|support|review|revise)"
    rf"|{_CANNOT} (?:assist\b|comply\b|help (?:you )?with|fulfil|(?:write|create|produce|provide|generate|do)"
    r" (?:that|this|such|content))"
    rf"|{_AN_AI}[^.!?\n]{{0,80}}\b(?:can['’]?t|cannot|unable|not able|won['’]?t|must decline)"
    r"|(?:很|非常|十分|真的)*(?:抱歉|对不起|不好意思)[^。！？\n]{0,20}?(?:无法|不能|不便|没法|不可以)"
    r"|(?:作为|身为)(?:一[个名款位])?(?:AI|人工智能|(?:大型?)?语言模型|大模型)[^。！？\n]{0,40}(?:无法|不能|不便|没法)"
    r"|我(?:无法|不能|没法)(?:协助|帮助您|帮助你|提供|满足|回应|撰写|生成|完成)(?:你|您|这|该|此|相关|任何|上述))",
    re.IGNORECASE,
)

_NUMBERED: Final = re.compile(
    r"[#*_\s]*(?:(?:section|part|chapter)\s+\d{1,2}\s*[:.)–—-]\s*|\d{1,2}[.)、]\s*(?=\D)"
    r"|第[一二三四五六七八九十\d]{1,3}[章节]\s*[:：、]?\s*|[一二三四五六七八九十]{1,3}、\s*)?",
    re.IGNORECASE,
)


class Unhurried:
    """A Model in front of another that leaves it room to think, where its context has that."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def spec(self) -> str:
        """The name of the model behind."""
        return self._model.spec

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        """What the model behind answers."""
        try:
            return await self._model.complete(replace(request, max_tokens=request.max_tokens + THINKING))
        except ContextOverflow:
            return await self._model.complete(request)


def bare(title: str) -> str:
    """A title without a number or marks of its own: the piece gives it those that it needs."""
    return _NUMBERED.sub("", title, count=1).strip(" *_#\t") or title.strip()


def refuses(text: str) -> bool:
    """Whether a text is no answer but the word of a model that will not give one."""
    return len(text) <= _LONGEST_REFUSAL and _REFUSAL.match(text.lstrip("\"'“‘*_> ")) is not None


async def answered(
    model: Model,
    messages: Sequence[Message],
    shape: type[Shape],
    *,
    max_tokens: int,
    seed: int,
    temperature: float = TEMPERATURE,
    read: Callable[[str, type[Shape]], Shape] = read_answer,
) -> Shape:
    """An answer of the given shape; a refusal is BadAnswer at once, for arguing does not help."""

    def heard(text: str, wanted: type[Shape]) -> Shape:
        if refuses(text):
            raise refused(model, text)
        return read(text, wanted)

    return await ask(
        model, messages, shape, max_tokens=max_tokens, temperature=temperature, seed=seed, read=heard
    )


def refused(model: Model, text: str) -> BadAnswer:
    """The error for a refusal."""
    said = " ".join(text.split())[:200]
    return BadAnswer(
        f"{model.spec} refused: {said!r}",
        provider=model.spec,
        hint="say in the topic or the style guide what the piece is for, or name another model",
    )


prompt = Prompts(__package__)

STEPS_SHOWN: Final = 6
"""The last steps that a reasoner sees."""

_LAST_SENTENCES: Final = 3
_LONGEST: Final = 400
"""Characters of a summary, a critique or a failure in the state; the texts themselves are not shown there."""


def put(brief: Brief, name: str, blocks: Sequence[tuple[str, str]], **blanks: object) -> tuple[Message, ...]:
    """The rules of one task and its material, in the language of the piece; empty material is left out."""
    given = (("topic", brief.topic), ("style_guide", brief.style), *blocks)
    material = "\n\n".join(tagged(tag, text) for tag, text in given if text.strip())
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
