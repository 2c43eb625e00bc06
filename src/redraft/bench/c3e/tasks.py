"""The four tasks as a prompted model is given them: instruction, grounding in tags, and room enough."""

from __future__ import annotations

import re
from typing import Final

from redraft.bench.c3e.reading import Entry
from redraft.bench.sample import Asking
from redraft.composition import Length, read_brief
from redraft.judge import wrap_in_tags
from redraft.models import Prompts

NAMES: Final = {"cloze": "Cloze", "expand": "Expand", "edit": "Edit", "end2end": "End2End"}
TEMPERATURE: Final = 0.7
"""As in the paper, §5.1."""
_prompt = Prompts(__package__)
_TOKENS: Final = {"en": 0.3, "zh": 1.0}
"""Tokens of a character, at most, by tokenisers of today's models."""
_USUAL: Final = 6000
_SPARE: Final = 256
_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def asking_of(entry: Entry) -> Asking:
    """How a model is asked; End2End is the instruction alone (Table 1: no input), less its style guide."""
    return Asking(_prompt_of(entry), _room(entry), TEMPERATURE, entry.style)


def asked_length(task: str, instruction: str, grounding: str) -> Length | None:
    """How long a piece was asked to be, as the model is told it; never what the reference has."""
    return read_brief(instruction, grounding).length if task in ("expand", "end2end") else None


def characters_apart(text: str) -> str:
    """Every Chinese character as a word of its own, which ROUGE can tell from others."""
    return _HAN.sub(lambda found: f" u{ord(found[0]):x} ", text)


def _prompt_of(entry: Entry) -> str:
    if entry.task == "end2end":
        return entry.instruction
    tag = "outline" if entry.task == "expand" else "text"
    return _prompt(
        f"{entry.task}_{entry.language}",
        instruction=entry.instruction,
        grounding=wrap_in_tags(tag, entry.grounding),
        critique=wrap_in_tags("critique", entry.critique) if entry.critique else "",
    )


def _room(entry: Entry) -> int:
    """Tokens that the text may take: for the length that was asked, or by what it is made from."""
    length = asked_length(entry.task, entry.instruction, entry.grounding)
    if length is not None:
        return _SPARE + round(length.high * 2)
    if entry.task in ("expand", "end2end"):
        return _USUAL
    # A passage that was cut out is shorter than what is left; a draft may double.
    given = round(len(entry.grounding) * _TOKENS[entry.language])
    return _SPARE + (given if entry.task == "cloze" else 2 * given)
