"""Bounds as people write them, for the kinds that read their own wordings: "no more than three sentences"."""

from __future__ import annotations

import re
from typing import Final

from redraft.text import CARDINALS

NUMBER: Final = rf"(?P<number>\d{{1,6}}|{'|'.join(CARDINALS)})"
_MOST: Final = (
    r"at\ most|(?:no|not)\ more\ than|(?:a\ )?max(?:imum|\.)?(?:\ of)?|up\ to|not\ over|no\ longer\ than"
)
_FEWER: Final = r"fewer\ than|less\ than|under|below|shorter\ than"
_LEAST: Final = (
    r"at\ least|(?:no|not)\ (?:fewer|less)\ than|(?:a\ )?min(?:imum|\.)?(?:\ of)?|no\ shorter\ than"
)
_MORE: Final = r"more\ than|over|above|longer\ than|beyond|exceed(?:ing)?"
BOUND: Final = (
    rf"(?:(?P<most>{_MOST})|(?P<fewer>{_FEWER})|(?P<least>{_LEAST})|(?P<more>{_MORE})"
    r"|(?P<equal>exactly|precisely))\s+"
)
BEHIND: Final = (
    r"(?:,?\s+(?P<behind>or\ (?:fewer|less|under)|at\ (?:the\ )?most|max(?:imum|\b\.?)|tops"
    r"|(?P<enough>or\ more|at\ (?:the\ (?:very\ )?)?least|min(?:imum|\b\.?))))?"
)


def worded_number(said: str) -> int:
    """A number in figures or in a word."""
    low = said.lower()
    return int(low) if low.isdigit() else CARDINALS[low]


def worded_relation(match: re.Match[str], *, opposite: bool = False) -> str | None:
    """The relation that a match says, or its opposite behind "not"; None where it says none."""
    said = match.groupdict()
    if said.get("behind"):
        return None if opposite else "at least" if said.get("enough") else "at most"
    if said.get("most") or (said.get("more") and opposite):
        return "at most"
    if said.get("least") or (said.get("fewer") and opposite):
        return "at least"
    if opposite:
        return None
    if said.get("equal"):
        return "equal"
    return "less than" if said.get("fewer") else "more than" if said.get("more") else None
