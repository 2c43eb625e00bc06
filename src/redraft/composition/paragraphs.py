"""How the embedded model is asked for a paragraph, in use and in training."""

from __future__ import annotations

from typing import Final

from redraft.composition.asking import prompt
from redraft.composition.form import Genre

WRITER: Final = "writer"
"""The adapter that learnt to answer what is asked here; without it the model's own weights answer."""

ANGLES: Final = (
    "",
    "Say what it means in practice.",
    "Give an everyday example.",
    "Say why it matters, and to whom.",
    "Speak of what makes it difficult.",
    "Say how it came to be so.",
    "Speak of what follows from it.",
    "Compare it with something else.",
    "Say what people disagree about.",
    "Speak of what could be done better.",
)
"""What paragraphs on the same point turn to, one after another."""

_TOLD: Final = "Tell it in the past tense."
_CALLED: Final[dict[Genre, str]] = {
    "essay": "an essay",
    "academic": "an academic essay",
    "article": "an article",
}


def paragraph_prompt(
    genre: Genre, subject: str, section: str, point: str, *, words: int, angle: str = "", ending: str = ""
) -> str:
    """The request for a paragraph; `ending` is the sentence after which it comes."""
    manner = _TOLD if genre == "story" else angle
    return prompt(
        "small/paragraph",
        words=max(10, round(words, -1)),
        genre=_CALLED.get(genre, f"a {genre}"),
        subject=subject,
        section=section,
        point=point.rstrip(" ."),
        manner=f"{manner} " if manner else "",
        before=f"\nIt comes after: {ending}" if ending else "",
    )


def room_for(words: int) -> int:
    """Tokens that an answer of so many words may take: few more than it needs."""
    return round(1.4 * words) + 12
