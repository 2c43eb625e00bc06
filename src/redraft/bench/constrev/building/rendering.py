"""One fluent instruction out of several constraints, and the guard that lets none astray.

Whoever rendered it, an instruction is used only if it says what its calls say: it is read back, and where the
reading differs a judge may be asked. What models put around an answer is never part of an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Annotated, Final

from pydantic import BaseModel, Field, create_model

from redraft.constraints import Constraint, parse, render, render_unchecked
from redraft.errors import BadAnswer
from redraft.models import Message, Model, Prompts, Request, ask
from redraft.text import list_lines

prompt = Prompts(__package__)

TEMPLATES: Final = "templates"
TRIES: Final = 4
_TEMPERATURE: Final = 0.7
_ROOM: Final = 400
_LONGEST: Final = 3
_RUN: Final = 8
"""So many words of the source in a row were copied from it."""

_PREFACE: Final = re.compile(
    r"\W*(?:(?:certainly|sure|of course|absolutely|okay|ok|great|gladly)\b[,.!:]"
    r"|here(?:['’]s| is| are)\b"
    r"|(?:the |my |your )?(?:rewritten|rephrased|revised|final|improved|reworded)? ?"
    r"(?:request|instructions?|answer|output|paragraph|version) ?:)",
    re.I,
)
_REMARK: Final = re.compile(
    r"\b(?:let me know|i hope (?:this|that)|i(?:['’]ve| have) (?:re|kept|made))", re.I
)
_LEFT: Final = re.compile(r"[{}<>]|_check\(|\b(?:in your own words|between the tags|put together by)\b", re.I)
_OPEN: Final = re.compile(r"\b(?:between|from)\s+\d[\d,]*\s+(?:and|to)\s+\d|\d\s*[-–]\s*\d", re.I)
_QUOTES: Final = {'"': '"', "“": "”", "'": "'", "«": "»"}
_WORD: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rendering that was not used, who made it, and what is wrong with it."""

    by: str
    instruction: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """An instruction that says what its constraints say, who worded it, and what was rejected on the way."""

    instruction: str
    by: str
    rejected: tuple[Rejected, ...] = ()


def render_from_templates(constraints: Sequence[Constraint], source: str, seed: str) -> Rendered | None:
    """The constraints in one of our own wordings; None where none of several says what they say."""
    rejected: list[Rejected] = []
    for turn in range(TRIES):
        choose = Random(f"{seed} {turn}")
        lead = choose.choice(_leads())
        words = render_unchecked if turn < TRIES - 1 else render
        text = words(constraints, choose.randrange(2**32), lead) or f"{lead}."
        reason = fault(text, constraints, source) or _astray(text, constraints)
        if reason is None:
            return Rendered(text, TEMPLATES, tuple(rejected))
        rejected.append(Rejected(TEMPLATES, text, reason))
    return None


async def render_with_model(
    draft: Rendered,
    constraints: Sequence[Constraint],
    source: str,
    model: Model,
    judge: Model | None,
    seed: int,
) -> Rendered:
    """A draft in a model's words; the draft itself, where none of several answers says the same."""
    rejected = list(draft.rejected)
    for turn in range(TRIES):
        request = Request.of(
            prompt("render", draft=draft.instruction, count=len(constraints)),
            max_tokens=_ROOM,
            temperature=_TEMPERATURE,
            seed=seed + turn,
        )
        (answer,) = await model.complete(request)
        text = answer.text.strip()
        cut = "cut off" if answer.finish == "length" else answer.problem
        reason = cut or fault(text, constraints, source)
        if reason is None:
            reason = _astray(text, constraints)
            if reason is not None and judge is not None:
                reason = await _judged(text, constraints, judge, seed)
        if reason is None:
            return Rendered(text, model.spec, tuple(rejected))
        rejected.append(Rejected(model.spec, text, reason))
    return Rendered(draft.instruction, draft.by, tuple(rejected))


def fault(text: str, constraints: Sequence[Constraint], source: str) -> str | None:
    """What shows that an answer is no instruction, or not that alone."""
    if not text.strip():
        return "empty"
    if "\n" in text.strip():
        return "several paragraphs"
    if _PREFACE.match(text) or _REMARK.search(text):
        return "chatter"
    if _QUOTES.get(text[0]) == text[-1]:
        return "in quotation marks"
    if _LEFT.search(text):
        return "left from the prompt"
    if _OPEN.search(text):
        return "the ends of a range are in doubt"
    if len(text) > _LONGEST * max(120, sum(len(str(constraint)) for constraint in constraints)):
        return "far too long"
    if _shares_run(text, source):
        return "holds the source text"
    return None


def _shares_run(text: str, source: str) -> bool:
    words = _WORD.findall(text.lower())
    whole = f" {' '.join(_WORD.findall(source.lower()))} "
    return any(f" {' '.join(words[at : at + _RUN])} " in whole for at in range(len(words) - _RUN + 1))


def _astray(text: str, constraints: Sequence[Constraint]) -> str | None:
    """How an instruction, read back, differs from what it should say."""
    read = parse(text)
    lost = [one.call for one in constraints if one not in read.constraints]
    more = [one.call for one in read.constraints if one not in constraints]
    if lost or more:
        return "; ".join([f"lost {call}" for call in lost] + [f"added {call}" for call in more])
    strange = [word for word in _WORD.findall(read.style.lower()) if word not in _wishes()]
    return f"may demand more: {' '.join(strange)}" if strange else None


class Verdicts(BaseModel):
    """What a judge says of a rendering."""

    made: list[bool]
    more: bool


def _verdicts_on(count: int) -> type[Verdicts]:
    """So many verdicts and no more: where their number is open, a small model comes to no end."""
    made = Annotated[list[bool], Field(min_length=count, max_length=count)]
    return create_model("Verdicts", __base__=Verdicts, made=made)


async def _judged(text: str, constraints: Sequence[Constraint], judge: Model, seed: int) -> str | None:
    demands = "\n".join(f"{number}. {one}" for number, one in enumerate(constraints, 1))
    # The instruction is data: it cannot close the tags it stands in, for `fault` lets none with tags through.
    asked = Message("user", prompt("judge", instruction=text, demands=demands))
    try:
        verdicts = await ask(judge, [asked], _verdicts_on(len(constraints)), seed=seed)
    except BadAnswer as error:
        return f"not judged: {error}"
    lost = [one.call for one, made in zip(constraints, verdicts.made, strict=True) if not made]
    reasons = [f"judged to lose {call}" for call in lost] + ["judged to demand more"] * verdicts.more
    return "; ".join(reasons) or None


@lru_cache(maxsize=1)
def _leads() -> tuple[str, ...]:
    """How an instruction begins: what every revision is for."""
    return tuple(list_lines(__package__, "leads.txt"))


@lru_cache(maxsize=1)
def _wishes() -> frozenset[str]:
    """What a plain wish to improve a text is made of; any other word in it is a demand of its own."""
    return frozenset(word for line in list_lines(__package__, "wishes.txt") for word in line.split())
