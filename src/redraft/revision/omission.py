"""What leaving a sentence out costs beyond its words, by what kind it is, and what has to go with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from redraft.revision.draft import Unit, content_stems
from redraft.revision.tuning import LOST_FACT_COST, LOST_LIMIT_COST, OMISSION_COSTS

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
FACT: Final = re.compile(
    r"\d[\d.,]*|\b(?:(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber)\b"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|half|twice)\b"
    r"|(?P<limit>\b(?:unless|until|except|only|if|provided)\b)"
)
"""A day, a number or a condition: it is a statement however short it is."""
_DENIED: Final = re.compile(r"(?i)\b(?:not|never|cannot|nobody|nothing|none|neither|nor|without)\b|n['’]t\b")

_LONGEST_SPEECH: Final = 8
"""Units of a quotation that is looked at as one."""
_BARE_SPEECH: Final = re.compile(r"(?:“[^“”]+”|\"[^\"]+\")\Z")


def inseparable(units: Sequence[Unit]) -> dict[int, tuple[int, int]]:
    """Units that are left out only together with others: from the first up to the last of them.

    A quotation over several sentences keeps its end, where its speaker is named; and one without a word about
    who speaks keeps the sentence before it.
    """
    found: dict[int, tuple[int, int]] = {}
    for place, unit in enumerate(units):
        if opened := _unclosed(unit.text):
            near = range(place + 1, min(place + _LONGEST_SPEECH, len(units)))
            end = next((end for end in near if _closes(units[end].text, opened)), place)
            if end > place:
                found[place] = found[end] = place, end + 1
        elif place and _BARE_SPEECH.fullmatch(unit.text) and "\n" not in unit.gap and units[place - 1].text:
            found.setdefault(place - 1, (place - 1, place + 1))
    return found


def _unclosed(text: str) -> str:
    """The mark of a quotation that begins in a text and does not end there."""
    if text.count("“") > text.count("”"):
        return "“"
    return '"' if text.startswith('"') and text.count('"') % 2 else ""


def _closes(text: str, opened: str) -> bool:
    return text.count("”") > text.count("“") if opened == "“" else text.count('"') % 2 == 1


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
    if _CLAIM.search(sentence) or FACT.search(sentence):
        return "claim"
    return "attribution" if _ATTRIBUTION.search(sentence) else "other"


def omission_cost(sentence: str, others: Sequence[str] = ()) -> float:
    """What it costs to leave a sentence out, in nats."""
    return OMISSION_COSTS[kind_of_sentence(sentence, others)]


def cut_cost(source: str, text: str) -> float:
    """What it costs that facts, conditions and denials of a passage are not in what was made of it."""
    numbers = _count(FACT, source) - _count(FACT, text)
    limits = Counter(found["limit"] for found in FACT.finditer(source) if found["limit"])
    limits -= Counter(found["limit"] for found in FACT.finditer(text) if found["limit"])
    denials = len(_DENIED.findall(source)) - len(_DENIED.findall(text))
    grave = limits.total() + max(denials, 0)
    return LOST_FACT_COST * (numbers.total() - limits.total()) + LOST_LIMIT_COST * grave


def _count(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(found[0].rstrip(".,") for found in pattern.finditer(text))


@lru_cache(maxsize=4096)
def _stems(sentence: str) -> frozenset[str]:
    return frozenset(content_stems(sentence))
