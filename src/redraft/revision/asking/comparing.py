"""Asking a model which of two texts it would hand in."""

from __future__ import annotations

import asyncio
import re
from typing import Final

from redraft.judge import escape_tags
from redraft.models import Message, Model, Request
from redraft.revision.asking.requests import prompt, request_text

_LETTER: Final = re.compile(r"\b([AB])\b")
_ROOM: Final = 16
"""Tokens for an answer of one letter; some models lead up to it."""


async def prefers_original(
    model: Model, original: str, revision: str, *, instruction: str = "", seed: int = 0
) -> bool:
    """Whether a model, asked in both orders, would rather hand in the original both times.

    A model that has a leaning to the first, or the second, has no opinion.
    """
    asked = (
        prompt(
            "compare",
            instruction=request_text(instruction),
            first=escape_tags(first),
            second=escape_tags(second),
        )
        for first, second in ((original, revision), (revision, original))
    )
    answers = await asyncio.gather(
        *(
            model.complete(Request((Message("user", one),), max_tokens=_ROOM, temperature=0.0, seed=seed))
            for one in asked
        )
    )
    letters = [_LETTER.search(completion.text) for (completion,) in answers]
    return [found and found[1] for found in letters] == ["A", "B"]
