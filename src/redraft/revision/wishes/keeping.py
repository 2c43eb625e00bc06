"""Which sentences somebody asks to have kept by what kind they are: "keep the results and every warning".

No constraint says so, for nobody can check it; but a cut that has the choice goes elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from redraft.text import list_lines

_KEEP: Final = re.compile(
    r"(?i)\b(?:keep(?:ing)?|preserv(?:e|ing)|retain(?:ing)?|leav(?:e|ing) in|without losing"
    r"|(?:do not|don['’]t|never) (?:lose|cut|drop|remove|touch))\b(?P<what>[^.;]+)"
)


class _Asked(NamedTuple):
    named: re.Pattern[str]
    has: re.Pattern[str]


_TABLE: Final = [
    _Asked(re.compile(rf"(?i)\b(?:{named})\b"), re.compile(f"(?i:{has})"))
    for named, has in (line.split(" | ", 1) for line in list_lines(__package__, "keeping.txt"))
]


def asks_to_keep(words: str) -> bool:
    """Whether words ask for sentences of some kind to be kept."""
    kinds = " ".join(found["what"] for found in _KEEP.finditer(words))
    return any(one.named.search(kinds) for one in _TABLE)


@lru_cache(maxsize=256)
def kept_by_kind(instruction: str) -> Callable[[str], bool]:
    """Whether a sentence is of a kind that an instruction asks to keep."""
    said = " ".join(found["what"] for found in _KEEP.finditer(instruction))
    patterns = [one.has for one in _TABLE if one.named.search(said)] if said else []
    return lambda sentence: any(pattern.search(sentence) for pattern in patterns)
