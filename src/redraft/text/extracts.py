"""What a revision is often told to preserve: numbers, quotations, citations, links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_NUMBER: Final = re.compile(
    r"(?:(?<![\w)\]])[-−])?"
    r"(?:(?<![0-9])[0-9]{1,3}(?:[,\u00a0\u202f\u2009][0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
    r"|(?:(?<![\w.])\.)?[0-9]+(?:[.:/][0-9]+)*)"
    r"(?:[eE][-+]?[0-9]+\b)?"
)
# An apostrophe opens these words; unless it closes them too, it is no quotation mark.
_NOT_SHORTENED: Final = r"(?!(?i:tis|twas|twere|twill|em|till?|cause|cos|bout|n|\d\ds?)\b(?!['’]))"
_QUOTATION: Final = re.compile(
    r"(?<![0-9])\"(?P<straight>[^\"“”]{1,3000})\""
    r"|“(?P<curly>[^“”]{1,3000})”"
    r"|„(?P<low>[^„“”]{1,3000})[“”]"
    r"|«(?P<guillemets>[^«»]{1,3000})»"
    r"|「(?P<corner>[^「」]{1,3000})」"
    rf"|‘{_NOT_SHORTENED}(?P<single>[^‘]{{1,1000}}?)’(?!\w)"
    rf"|(?<![\w'])'{_NOT_SHORTENED}(?P<plain>[^\s'](?:[^'\n]{{0,300}}[^\s'])?)'(?![\w'])"
)
_SURNAME: Final = r"(?:(?:van|von|de|der|den|la|le|di|da|du|el|al|ter|bin)[ ]){0,2}[A-Z][\w'’-]{1,30}+"
_AUTHORS: Final = (
    rf"{_SURNAME}(?:(?:,[ ]|[ ]and[ ]|[ ]&[ ]|,[ ]and[ ]|,[ ]&[ ]){_SURNAME}){{0,6}}"
    r"(?:,?[ ]et[ ]al\.?)?(?:['’]s)?"
)
_YEAR: Final = r"(?:(?:1[5-9]|20)\d\d(?:[a-z](?:,[ ]?[a-z](?![\w.])){0,9})?|n\.d\.|in press|forthcoming)"
# An institution as the author: "World Health Organization".
_BODY: Final = (
    r"(?!(?:In|On|At|By|From|Since|Until|After|Before|During)[ ])[A-Z][\w&'’-]{0,30}+"
    r"(?:[ ](?:(?:of|for|and|on|the)[ ]){0,2}[A-Z][\w&'’-]{0,30}+){1,7}"
)
# Much can be read both ways: once it is read, it stays so, or twenty of them could be read in a million ways.
_SOURCE: Final = rf"(?>(?:{_AUTHORS},?[ ]|{_BODY},[ ]){_YEAR})"
_KEY: Final = r"[A-Z][A-Za-z+]{1,20}\d\d[a-z]?"
_CITATION: Final = re.compile(
    rf"\((?:(?:see|see also|e\.g\.,?|cf\.|i\.e\.,?|for example,?)[ ])?{_SOURCE}"
    rf"(?:,[ ]{_YEAR}|,[ ]pp?\.[ ]?[\d–-]{{1,12}}|[;,][ ](?:see[ ]also[ ])?{_SOURCE}){{0,20}}\)"
    rf"|{_AUTHORS}[ ]\({_YEAR}(?:,[ ]{_YEAR}|,[ ]pp?\.[ ]?[\d–-]{{1,12}}){{0,9}}\)"
    r"|\[\d{1,4}(?:[ ]?[,;–-][ ]?\d{1,4}){0,20}\](?:[–-]\[\d{1,4}\])?"
    rf"|\[{_KEY}(?:[,;][ ]?{_KEY}){{0,20}}\](?!\()"
    r"|\[-?@[^\]\[\n]{1,300}\]"
    r"|\\(?:[Cc]ite[A-Za-z]{0,20}|(?:paren|text|auto|foot|super|smart|full)cite)\*?"
    r"(?:\[[^\]\n]{0,200}\]){0,2}\{[^{}]{1,500}\}"
)
_LINK: Final = re.compile(
    r"(?:https?|ftp)://[^\s<>\"“”{}|\\^`。，、）]+|www\.[^\s<>\"“”{}|\\^`。，、）]+"
    r"|\bdoi:[ ]?10\.\d{4,9}/[^\s<>\"]{1,200}"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}",
    re.IGNORECASE,
)
_STRAIGHT: Final = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "−": "-"})


@dataclass(frozen=True, slots=True)
class Extract:
    """A stretch of a text, and the value by which two of them are the same."""

    text: str
    start: int
    end: int
    value: str


def numbers(text: str) -> list[Extract]:
    """Every number written in digits; `1,000` and `1000` have the same value."""
    return [
        Extract(
            match[0],
            match.start(),
            match.end(),
            re.sub("[,\u00a0\u202f\u2009]", "", match[0]).replace("−", "-"),
        )
        for match in _NUMBER.finditer(text)
    ]


def quotations(text: str) -> list[Extract]:
    """Every quotation, in straight, curly, angle or corner quotes; its value is what is quoted.

    Quotation marks differ between styles, and so does the comma or full stop before the closing one: neither
    is part of the value.
    """
    found = []
    for match in _QUOTATION.finditer(text):
        inner = " ".join((match[match.lastgroup or 0]).translate(_STRAIGHT).split())
        if any(map(str.isalnum, inner)):
            found.append(Extract(match[0], match.start(), match.end(), inner.rstrip(".,")))
    return found


def citations(text: str) -> list[Extract]:
    """Every citation: `(Smith, 2020)`, `Smith et al. (2020)`, `[12]`, `[@smith]`, `\\cite{smith}`."""
    return [
        Extract(match[0], match.start(), match.end(), " ".join(match[0].translate(_STRAIGHT).split()))
        for match in _CITATION.finditer(text)
    ]


def links(text: str) -> list[Extract]:
    """Every web address, DOI and e-mail address."""
    found = []
    for match in _LINK.finditer(text):
        address = match[0].rstrip(".,;:!?'*_~")
        while address.endswith((")", "]")) and address.count(address[-1]) > address.count(
            "(["[address[-1] == "]"]
        ):
            address = address[:-1].rstrip(".,;:!?'*_~")
        found.append(Extract(address, match.start(), match.start() + len(address), address))
    return found
