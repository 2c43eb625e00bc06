"""How the editor is asked: the same words in training and in use."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.models import Message

ADAPTER = "editor"
"""The adapter that was trained on these prompts."""


def editor_messages(instruction: str, text: str, documents: Sequence[str] = ()) -> tuple[Message, ...]:
    """One user message: what to do, the text, and any source material after it."""
    references = "".join(f"\nReference [{number}]: {document}" for number, document in enumerate(documents))
    return (Message("user", f"{instruction.strip().rstrip('.:')}:\n{text}{references}"),)


def room(text: str) -> int:
    """Tokens that an edit of a text may take: a token is some four characters, and edits seldom double it."""
    return 48 + len(text) // 2
