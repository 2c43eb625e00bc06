"""A person's plan: what to do about each sentence, in the person's words."""

from __future__ import annotations

import re
from typing import Final

from redraft.errors import InputError
from redraft.revision.base import Action, Improvement
from redraft.text import Document, Format

_LINE: Final = re.compile(r"\s*(?:sentence\s+)?\[?(\d{1,6})\]?\s*[:.)-]\s*(\S.*)", re.IGNORECASE)


def read_person_plan(plan: str, text: str, format: Format) -> Action:
    """A plan of lines like `3: say it shorter`; sentences without a line stay as they are."""
    document = Document(text, format)
    advice: dict[int, str] = {}
    for number, line in enumerate(plan.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError(
                f"the plan, line {number}: write a sentence's number and advice, as in 3: say it shorter"
            )
        sentence = document.sentence(int(match[1]))
        advice[sentence.number] = match[2].strip()
    if not advice:
        raise InputError("the plan is empty: write lines like 3: say it shorter")
    improvements = (
        Improvement(one.number, one.text, advice.get(one.number, ""), advice.get(one.number, ""))
        for one in document.sentences
    )
    return Action("A person's plan.", (), tuple(improvements), "person")
