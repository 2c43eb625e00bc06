"""What a model tells itself before it answers, told apart from the answer."""

from __future__ import annotations

from dataclasses import replace

from redraft.models.base import Completion

OPENS, CLOSES = "<think>", "</think>"


def answered(completion: Completion, *, thinking: bool | None) -> Completion:
    """The completion with its thoughts apart from its text.

    Thoughts that were never closed are no answer: the text is empty, and was cut off. Templates that open the
    thoughts themselves leave the closing tag alone in the text; that counts only where thinking was asked
    for, since any other text may speak of the tag.
    """
    begun = completion.text.lstrip()
    if begun.startswith(OPENS):
        thoughts, closed, text = begun.removeprefix(OPENS).partition(CLOSES)
    elif thinking and CLOSES in begun:
        thoughts, closed, text = begun.partition(CLOSES)
    else:
        return completion
    kept = "\n".join(part for part in (completion.thoughts, thoughts.strip()) if part)
    reason = completion.finish_reason if closed else "length"
    return replace(completion, text=text.lstrip(), thoughts=kept, finish_reason=reason)
