"""What an instruction to write says of the piece itself: its length, its title, its readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.composition.genres import NOUNS
from redraft.constraints import NUMBER_WORDS, figure, spelled

_FIGURE: Final = r"\d{1,3}(?:,\d{3})+|\d{1,7}"
_LENGTH: Final = re.compile(
    rf"(?P<bound>(?:at (?:least|most)|(?:no )?(?:fewer|less|more) than|over|up to|under|below"
    rf"|not exceed(?:ing)?|(?:a )?(?:mini|maxi)mum(?: of)?)\s+)?"
    rf"(?P<first>{_FIGURE})(?P<kilo>k)?(?:\s*(?:-|–|—|to|and)\s*(?P<second>{_FIGURE}))?[\s-]*words?\b"
    r"(?=(?P<after>.{0,40}))",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(
    rf"\b(?:word count|length)(?:\s+of|\s+is|:)?\s*(?:about|around|~)?\s*(?P<first>{_FIGURE})\b(?!\s*\w)",
    re.IGNORECASE,
)
_SPELT: Final = re.compile(
    r"\b(?P<bound>least|most|no more than|more than|than|under|up to|over|worth)?\s*"
    rf"(?P<number>(?:(?:an?|and|{'|'.join(sorted(NUMBER_WORDS))})[\s-]+){{1,8}})words?\b",
    re.IGNORECASE,
)
_OF_A_PART: Final = re.compile(
    r"[\s-]*(?:\w+[\s-])?(?:each|per|a (?:day|section|paragraph)|abstract|summary|introduction|conclusion"
    r"|paragraph|section|stanza|quot|sentence)",
    re.IGNORECASE,
)
_LEAST: Final = re.compile(
    r"least|no (?:fewer|less)|minimum|(?<!no )more than|over|不少于|不低于|至少|以上", re.IGNORECASE
)
_MOST: Final = re.compile(
    r"most|up to|under|below|no more|fewer|less|exceed|maximum|不超过|不多于|以内|以下", re.IGNORECASE
)
_DIGITS: Final = "一二两三四五六七八九"
_CHINESE_FIGURE: Final = rf"\d{{2,7}}|[{_DIGITS}][千百十万零{_DIGITS}]{{0,9}}[千百十万][零{_DIGITS}]{{0,2}}"
_CHINESE_LENGTH: Final = re.compile(
    rf"(?P<part>每[^，。；\n]{{0,8}})?(?P<bound>不少于|不低于|至少|不超过|不多于|最多)?\s*(?P<first>{_CHINESE_FIGURE})"
    rf"\s*(?:字?\s*[-~～—–至到]+\s*(?P<second>{_CHINESE_FIGURE}))?\s*个?汉?字(?![典体号节母幕])(?P<after>以上|以内|以下)?"
)
_SHORTEST, _LONGEST = 10, 200_000

_QUOTED: Final = r"(?:“([^”\n]{1,160})”|\"([^\"\n]{1,160})\"|‘([^’\n]{1,160})’(?!\w)|'([^'\n]{1,160})'(?!\w))"
_TITLE: Final = re.compile(
    rf"\b(?:(?:en)?titled|(?:with|under) the title(?: of)?|title:|(?:{NOUNS}),? (?:called|named))"
    rf"\s*[,:]?\s*{_QUOTED}",
    re.IGNORECASE,
)
_CHINESE_TITLE: Final = re.compile(
    r"(?:题为|题目[是为：:]+|标题[是为：:]+|(?<![^\W\d_])以)\s*[《“\"「]([^》”\"」\n]{1,80})[》”\"」](?!为(?:主|例|背))"
)
_READERS: Final = """
    newspaper magazine journal newsletter website blog readers? audiences? students? pupils children kids
    teenagers adults professionals beginners undergraduates graduates parents teachers public newcomers
    employees managers residents citizens patients scientists engineers policymakers investors listeners
    practitioners experts laypeople tourists visitors
"""
_AUDIENCE: Final = re.compile(
    r"\b(?:(?:suitable|appropriate|intended|aimed|written|meant|accessible)\s+(?:for|at|to)"
    r"|for|(?:speech|address|talk|letter|sermon|remarks)\s+to)\s+"
    rf"(?P<who>(?:[\w’'&-]+\s+){{0,5}}?(?:{'|'.join(_READERS.split())}))\b",
    re.IGNORECASE,
)
_CHINESE_AUDIENCE: Final = re.compile(
    r"(?:面向|写给|适合|读者[是为])([^，。；、\s]{1,15}?)(?:的|阅读|，|。|；|$)"
)


def length_of(text: str) -> tuple[int, int] | None:
    """The least and the most words, or Chinese characters; None where no length is asked for.

    "At least 800" is taken as 800 to 1000, and "at most 800" as 600 to 800.
    """
    for low, high, bound in _lengths(text):
        if not _SHORTEST <= low <= high <= _LONGEST:
            continue
        if low == high and _LEAST.search(bound):
            return low, low * 5 // 4
        if low == high and _MOST.search(bound):
            return high * 3 // 4, high
        return low, high
    return None


def title_of(text: str) -> str:
    """A title that is asked for; empty where none is."""
    found = _TITLE.search(text) or _CHINESE_TITLE.search(text)
    title = next((part for part in found.groups() if part), "") if found else ""
    return title.strip(" .,，。")


def audience_of(text: str) -> str:
    """Whom it is written for; empty where that is not said."""
    if found := _AUDIENCE.search(text):
        return found["who"].strip()
    chinese = _CHINESE_AUDIENCE.search(text)
    return chinese[1] if chinese else ""


def _lengths(text: str) -> Iterator[tuple[int, int, str]]:
    """Each length that is named: the least, the most, and the words that bound it."""
    for found in _CHINESE_LENGTH.finditer(text):
        if found["part"] is None:
            first = _chinese_number(found["first"])
            second = _chinese_number(found["second"]) if found["second"] else first
            yield first, second, (found["bound"] or "") + (found["after"] or "")
    for found in _LENGTH.finditer(text):
        before = text[max(0, found.start() - 40) : found.start()].rpartition(".")[2]
        if _OF_A_PART.match(found["after"]) or re.search(r"\b(?:each|per|every|worth)\b", before):
            continue
        first = int(figure(found["first"]) or 0) * (1000 if found["kilo"] else 1)
        second = int(figure(found["second"]) or 0) if found["second"] else first
        yield first, second, found["bound"] or ""
    for found in _COUNT.finditer(text):
        yield (count := int(figure(found["first"]) or 0)), count, ""
    for found in _SPELT.finditer(text):
        said = re.split(r"[\s-]+", found["number"].lower())
        number = spelled(said) or spelled(said[1:])  # the article may be the column's, not the number's
        if number is not None and found["bound"] != "worth":
            yield int(number[0]), int(number[0]), found["bound"] or ""


def _chinese_number(text: str) -> int:
    """`800`, `一千五百`, `两千`."""
    if text.isdecimal():
        return int(text)
    total = digit = 0
    unit = 1
    for char in text:
        if char in "十百千万":
            unit = {"十": 10, "百": 100, "千": 1000, "万": 10_000}[char]
            total += digit * unit
            digit = 0
        elif char != "零":
            digit = "一二三四五六七八九".find(char.replace("两", "二")) + 1
    return total + digit * (unit // 10 if text[-2:-1] != "零" else 1)
