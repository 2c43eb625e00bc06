"""Contractions opened: "it's" as "it is", "won't" as "will not"."""

from __future__ import annotations

from typing import Final

from redraft.revision.rewriting.edits import Edit
from redraft.text import Syntax

_FULL: Final = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
_STEMS: Final = {"ca": "can", "wo": "will", "sha": "shall"}


def opened(parts: Syntax, index: int) -> Edit | None:
    """The edit that writes a contraction in full, where the word at an index is the end of one."""
    full = _FULL.get(parts.word(index)) or _after_s_or_d(parts, index)
    if not full or not index or parts.held[index] or parts.words[index - 1].end != parts.words[index].start:
        return None
    stem = parts.words[index - 1]
    if full == "not" and parts.tag(index + 1) == "PRP":  # "isn't it" would be "is it not"
        return None
    whole = _STEMS.get(stem.text.lower(), stem.text)
    if stem.text[0].isupper():
        whole = whole[0].upper() + whole[1:]
    together = f"{whole}not" if whole.lower() == "can" and full == "not" else f"{whole} {full}"
    return Edit(stem.start, parts.words[index].end, together)


def _after_s_or_d(parts: Syntax, index: int) -> str:
    low, tag, before = parts.word(index), parts.tag(index), parts.word(index - 1)
    following = parts.tag(index + 1 + (parts.tag(index + 1) == "RB"))
    if low == "'s" and before == "let":
        return "us"
    if low == "'s" and tag == "VBZ" and parts.tag(index - 1) in ("PRP", "EX", "WP", "DT"):
        return (
            "has"
            if following == "VBN" and parts.word(index + 1) in ("been", "got", "had", "become")
            else "is"
        )
    if low == "'d" and parts.tag(index - 1) == "PRP":
        return "would" if following == "VB" else "had" if following == "VBN" else ""
    return ""
