"""What a planner is asked, and answers, that was trained for it: in few words, as prompts and answers cost.

Training writes by this form and planning asks by it, so that the two cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from redraft.models import Message
from redraft.revision.asking.history import Past, told
from redraft.revision.asking.prompting import messages, numbered, prompt, wish
from redraft.text import Document

PLANNER: Final = "planner"
"""The adapter that is trained for this form."""
BRIEF_ROOM: Final = 2400
"""Characters of text that one request works on."""
PAST_TOKENS: Final = 240
"""Tokens that what was done before may take."""
NOTHING: Final = "none"


def brief_messages(
    instruction: str, document: Document, numbers: range, history: Sequence[Past] = ()
) -> tuple[Message, ...]:
    """The request for a plan of some sentences of a text, given the way to it; a root says nothing here."""
    past = told([one for one in history if one.action is not None], PAST_TOKENS)
    parts = (f"Request: {wish(instruction)}", past, numbered(document, numbers))
    return messages(prompt("brief").strip(), "\n\n".join(filter(None, parts)))


def brief_answer(thought: str, calls: Sequence[str], advice: Mapping[int, str]) -> str:
    """A plan in the form that is learnt; advice is by the number of the sentence."""
    lines = [f"THOUGHT: {thought}", "CALLS:", *calls, "PLAN:"]
    lines += [f"{number}: {text}" for number, text in sorted(advice.items())] or [NOTHING]
    return "\n".join(lines)
