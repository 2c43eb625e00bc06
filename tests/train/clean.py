"""Clean texts that can be damaged."""

from __future__ import annotations

from random import Random

_SUBJECTS = (
    "The committee",
    "The old teacher",
    "A young engineer",
    "The village",
    "This museum",
    "Her brother",
)
_VERBS = (
    "has described",
    "will visit",
    "is repairing",
    "was able to find",
    "wants to change",
    "has to explain",
)
_OBJECTS = ("the bridge", "a small garden", "the new market", "many letters", "the history of the town")
_ENDS = (
    "because the winter was long",
    "and the people of the valley were pleased with the result",
    "in the years after the war",
    "although nobody had asked for it",
    "so that children can learn from it",
    "at the end of the summer",
)


def clean_text(seed: int, sentences: int = 24) -> str:
    """A text of whole sentences, no two alike."""
    choose = Random(seed)
    parts = [
        f"{choose.choice(_SUBJECTS)} {choose.choice(_VERBS)} {choose.choice(_OBJECTS)}, {choose.choice(_ENDS)}."
        for _ in range(sentences)
    ]
    return " ".join(dict.fromkeys(parts))
