"""What leaving a sentence out costs beyond its words, by what kind of sentence it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from redraft.revision.draft import content_stems
from redraft.revision.tuning import OMISSION_COSTS

Kind = Literal["repetition", "example", "attribution", "other", "claim", "rule"]

_SAID_BEFORE: Final = 0.8
"""The share of its words of content that another sentence has, where one repeats it."""
_LEAST_STEMS: Final = 3
_EXAMPLE: Final = re.compile(
    r"(?i)\A\W*(?:for (?:example|instance)|to illustrate|as an (?:example|illustration)|an example\b|e\.g\.)"
    r"|\b(?:for (?:example|instance)),"
)
_ATTRIBUTION: Final = re.compile(
    r"(?i)\A\W*according to\b"
    r"|\b(?:said|says|told|tells|added|adds|noted|notes|explained|reported|reports|wrote|writes|argued)\b"
)
_RULE: Final = re.compile(
    r"(?i)\b(?:shall|must|may not|is not (?:allowed|permitted)|are not (?:allowed|permitted)|prohibited"
    r"|required to|entitled to|provided that|unless)\b"
    r"|\b(?:I|we) (?:promise|agree|undertake|guarantee|commit|pledge|will|shall|accept|apologi[sz]e)\b"
)
_CLAIM: Final = re.compile(
    r"(?i)\b(?:not|no|never|nobody|nothing|none|neither|nor|cannot|without|will|only|except)\b|n['’]t\b"
    r"|\d|%|\bwe (?:find|found|show|showed|conclude|propose|demonstrate|prove|report|observe)\b"
)


def kind_of_sentence(sentence: str, others: Sequence[str] = ()) -> Kind:
    """What kind of sentence it is, as to whether it can be spared; `others` are the rest of the text."""
    stems = _stems(sentence)
    repeated = any(len(stems & _stems(other)) >= _SAID_BEFORE * len(stems) for other in others)
    if repeated and len(stems) >= _LEAST_STEMS:
        return "repetition"
    if _EXAMPLE.search(sentence):
        return "example"
    if _RULE.search(sentence):
        return "rule"
    if _CLAIM.search(sentence):
        return "claim"
    return "attribution" if _ATTRIBUTION.search(sentence) else "other"


def omission_cost(sentence: str, others: Sequence[str] = ()) -> float:
    """What it costs to leave a sentence out, in nats."""
    return OMISSION_COSTS[kind_of_sentence(sentence, others)]


@lru_cache(maxsize=4096)
def _stems(sentence: str) -> frozenset[str]:
    return frozenset(content_stems(sentence))
