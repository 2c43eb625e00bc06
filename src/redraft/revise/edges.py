"""A sentence that opens or closes with the words that the text must open or close with."""

from __future__ import annotations

from typing import Final

from redraft.revise.base import Candidate
from redraft.revise.rewriting.merges import lowered

# How a sentence may go on from a word that opens nothing by itself.
_OPENINGS: Final = {
    "a": "A point to note is that",
    "it": "It is true that",
    "one": "One thing to note is that",
    "the": "The fact is that",
    "there": "There is no doubt that",
    "this": "This much is known:",
    "we": "We know that",
    "you": "You should know that",
}
_ENDS: Final = ".!?…"
_MARKS: Final = _ENDS + ",;:"


def opened(sentence: str, words: str) -> list[Candidate]:
    """The sentence with these words before it, best first; the last as a sentence of their own."""
    words = words.strip()
    words = words[:1].upper() + words[1:]
    why = f"opens with “{words}”"
    if words[-1] in _MARKS:
        rest = sentence if words[-1] in _ENDS else lowered(sentence)
        return [Candidate(f"{words} {rest}", "edge", why)]
    made = [f"{words}, {lowered(sentence)}", f"{words}: {lowered(sentence)}", f"{words}. {sentence}"]
    if words.lower() in _OPENINGS:
        made.insert(0, f"{_OPENINGS[words.lower()]} {lowered(sentence)}")
    return [Candidate(text, "edge", why) for text in made]


def closed(sentence: str, words: str) -> list[Candidate]:
    """The sentence with these words after it, best first; the last as a sentence of their own."""
    words = words.strip()
    body = sentence.rstrip().rstrip(_ENDS)
    end = "" if words[-1] in _ENDS else "."
    made = [
        f"{body}, {words}{end}",
        f"{body}: {words}{end}",
        f"{sentence.rstrip()} {words[:1].upper()}{words[1:]}{end}",
    ]
    return [Candidate(text, "edge", f"closes with “{words}”") for text in made]
