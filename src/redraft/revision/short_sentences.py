"""What "merge the short sentences" asks of a text: so many sentences at the most."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from typing import Final

from redraft.constraints import Reading, SentenceCount

_ASKED: Final = re.compile(
    r"(?i)\b(?:merge|combine|join|connect|link|fuse)\b[^.;]{0,60}\b(?:short|choppy|small|abrupt)\b[^.;]{0,60}\bsentences\b"
    r"|\b(?:less|not so) choppy\b"
)
_SHORT: Final = 8
"""Words of a short sentence, at most."""
_SHARE: Final = 0.4
"""The share of short neighbours that go: two of five are joined to another."""


def fewer_short_sentences(wish: str, reading: Callable[[], Reading]) -> SentenceCount | None:
    """The bound that a wish to have short sentences joined sets for a text; none where there are none."""
    if not _ASKED.search(wish):
        return None
    before = reading()
    counted = zip(before.sentences, before.sentence_words, strict=True)
    runs = groupby(counted, key=lambda pair: (pair[0].paragraph, pair[1] <= _SHORT))
    going = sum(int(_SHARE * len(list(run)) + 0.5) for (_, is_short), run in runs if is_short)
    now = SentenceCount(1, "more than").measure(before)
    return SentenceCount(now - going + 1, "less than") if going else None
