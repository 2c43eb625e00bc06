"""The last resort for a sentence that is too long: its beginning, up to where something else starts."""

from __future__ import annotations

import re
from typing import Final

from redraft.quality import listed
from redraft.revision.base import Candidate
from redraft.text import FINITE, tagged

_STARTS: Final = listed(
    """
    and but or so because although while when where if as that which who whom whose with without for to from
    in on at by of into onto over under after before until since than through during about against between
    """
)
_LEADING: Final = listed(
    "if when because while although though since as after before unless until once whereas"
)
_LEAST: Final = 3
_END: Final = re.compile(r"([.!?])[^\w]*\Z")
_MARKS: Final = " ,;:–—-("


def beginnings(sentence: str, most: int) -> list[Candidate]:
    """Beginnings of at most so many words, the longest first; each ends as the sentence does."""
    words = sentence.split()
    end = match[1] if (match := _END.search(sentence)) else "."
    found: list[Candidate] = []
    for count in range(min(most, len(words) - 1), _LEAST - 1, -1):
        if words[count].lower().strip("\"'“‘(") in _STARTS or words[count - 1][-1] in ",;:":
            text = " ".join(words[:count]).rstrip(_MARKS)
            if _is_balanced(text) and text.split()[-1].lower() not in _STARTS and _is_sentence(text):
                found.append(Candidate(text + end, "compression", "all after its beginning cut"))
    return found


def _is_sentence(text: str) -> bool:
    """Whether there is a verb for somebody, not in a clause that only leads up to what was cut."""
    tags = [word.tag for word in tagged(text)]
    if text.split(maxsplit=1)[0].lower() in _LEADING and "," not in text:
        return False
    return bool(FINITE.intersection(tags)) or tags[:1] == ["VB"]


def _is_balanced(text: str) -> bool:
    pairs = (("(", ")"), ("[", "]"), ("“", "”"))
    return all(text.count(one) == text.count(other) for one, other in pairs) and text.count('"') % 2 == 0
