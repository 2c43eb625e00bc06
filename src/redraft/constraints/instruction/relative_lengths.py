"""Lengths beside the original's: "cut it by a third", "twice as long", "50 words shorter"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from redraft.constraints.kinds import RelativeLength
from redraft.errors import CallError
from redraft.text import CARDINALS, Span

from .clauses import is_demand, is_ensured, spaced
from .lexicon import WORDINGS, Tag, phrases

SHARES: Final = {
    "half": 50, "third": 33, "quarter": 25, "fourth": 25, "fifth": 20, "sixth": 16, "eighth": 12, "tenth": 10,
    "two thirds": 66, "two-thirds": 66, "three quarters": 75, "three-quarters": 75, "two fifths": 40,
    "1/2": 50, "1/3": 33, "1/4": 25, "2/3": 66,
}  # fmt: skip
"""Parts of a text in percent, those that leave no whole number a little less."""
_TIMES: Final = {
    "twice": 100, "two times": 100, "double": 100, "three times": 200, "triple": 200, "four times": 300,
}  # fmt: skip
"""How much longer a text is, in percent, that is so many times as long."""
_HUNDREDS: Final = {"a hundred": 100, "one hundred": 100, "two hundred": 200, "three hundred": 300}


def _any_of(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_NUMBER: Final = (
    rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,6}}|{_any_of(_HUNDREDS)}|(?!zero)(?:{_any_of(CARDINALS)}))"
)
_SHARE: Final = rf"(?:(?:a|one|an) )?(?P<share>{_any_of(SHARES)})\b"
_PERCENT: Final = rf"(?P<percent>{_NUMBER}) ?(?:%|per ?cent\b)"
_COUNT: Final = rf"(?P<count>{_NUMBER})[ -](?P<unit>word|sentence)s?\b"
_PERHAPS: Final = r"(?:(?:maybe|perhaps|ideally|preferably|possibly|say|like|please|pls),? )*"
_ABOUT: Final = (
    rf"{_PERHAPS}(?:(?:at least|about|around|roughly|approximately|approx\.?|circa|ca\.?|some|another"
    r"|an? (?:full|good|further|extra)|(?P<more>more than|over)) )?"
)
_AMOUNT: Final = rf"{_ABOUT}(?:{_PERCENT}|{_SHARE}|{_COUNT})"
_TEXT: Final = (
    rf"(?:(?:the|this|my|our|your|that) (?:whole |entire |full |overall |original )?(?:{phrases(Tag.TEXT)}"
    r"|paragraph|length|word count|size)(?:['’]s (?:length|word count))?"
    r"|it|this|its (?:overall |total )?(?:length|size|word count)|everything|things)\b"
)
_THAN: Final = rf"(?:{WORDINGS['the_original']})\b"
_TAIL: Final = (
    rf"(?: (?:or so|in (?:length|total|size|all)|overall|altogether|please"
    rf"|than {_THAN}|(?:of|from|off) {_TEXT}))*"
)
# Not "… in the second half", "… that say nothing"
_END: Final = (
    r"(?=\s*(?:[.;:!?,)\n–—]|\Z|(?:and|but|then|so|while|without|because|since|as|with|by|if|keeping)\b))"
)
_LENGTH: Final = r"(?:its|the) (?:original |current |present |old |full )?(?:length|size|word count|words)\b"
_MUST: Final = rf"(?:{WORDINGS['has_to']})"
_MADE: Final = (
    rf"(?:(?:make|keep|get|have|want|(?:I|we)(?:'d| would)? (?:need|want|like)) {_TEXT}(?: to be)?"
    rf"|{_TEXT} {_MUST} (?:be|become|get|come out)"
    rf"|(?P<told>{_TEXT} is))"
)
_BY: Final = rf"by {_AMOUNT}{_TAIL}{_END}"
_TAKE: Final = rf"(?:{WORDINGS['take_away']})"
_TIMES_AS: Final = rf"(?P<times>{_any_of(_TIMES)})"
_NOT_MADE: Final = (
    rf"(?:{_TEXT} {_MUST} (?:not|never) (?:be|get|become|grow|end up)"
    rf"|(?:do not|don['’]t|without|never) (?:make|making|let|letting) {_TEXT}(?: (?:get|become|grow))?)"
    "(?: any)?"
)
_OF_IT: Final = rf"(?: (?:(?:of|off|from) )?(?:{_TEXT}|{_LENGTH}|the (?:words|total)))?"
_SUBJECT: Final = rf"(?:{_TEXT} {_MUST} |(?:make|have|let) {_TEXT} )"
_PART: Final = rf"{_ABOUT}(?:{_PERCENT}|{_SHARE})"
_A_BIT_SHORTER: Final = (
    rf"(?:{_MADE} )?(?:(?:a (?:bit|little|lot|good bit)|slightly|somewhat|much|quite a bit) )?shorter"
    r"(?:,? (?:please|pls))?"
)
_NEARLY: Final = r"(?:maybe|perhaps|say|about|around|roughly|approximately|approx\.?|circa|ca\.?|like)"
# Of more than half, nobody could tell whether it goes or stays: "shorter, about 80 %".
_LITTLE: Final = (
    r"(?:(?P<percent>[1-4]?\d|50) ?(?:%|per ?cent\b)"
    r"|(?:an? |one )?(?P<share>half|third|quarter|fifth|tenth)\b)"
)
_FORMS: Final = (
    ("by", "shorter", rf"(?:{WORDINGS['shorten']})(?: {_TEXT})?(?: (?:down|back|in length|in size))? {_BY}"),
    ("by", "shorter", rf"{_TEXT} {_MUST} be (?:cut|shortened|reduced|trimmed)(?: down)? {_BY}"),
    (_TAKE, "shorter", rf"{_SUBJECT}?{_TAKE} {_AMOUNT}(?: off| out)?{_OF_IT}{_TAIL}{_END}"),
    ("by", "shorter", rf"{_TEXT} {_MUST} (?:{WORDINGS['get_shorter']}) {_BY}"),
    ("by", "shorter", rf"(?:get|bring|take) {_TEXT} down {_BY}"),
    ("by", "longer", rf"{_TEXT} {_MUST} (?:{WORDINGS['get_longer']}) {_BY}"),
    ("shorter", "shorter", rf"(?:{_MADE} )?{_AMOUNT} shorter{_TAIL}{_END}"),
    ("shorter", "shorter", rf"{_A_BIT_SHORTER},? {_PERHAPS}{_BY}"),
    ("shorter", "shorter", rf"{_A_BIT_SHORTER},? {_PERHAPS}{_NEARLY} {_LITTLE}{_TAIL}{_END}"),
    (
        "half",
        "shorter",
        rf"(?:cut|chop|reduce|trim) (?:{_TEXT} )?(?:down )?{_ABOUT}in (?P<share>half)\b{_TAIL}{_END}",
    ),
    ("half", "shorter", rf"(?<![^.;!?]\s)(?:(?:shorter|down)[,:]? )?(?:in|by) (?P<share>half)\b{_END}"),
    ("half", "left", rf"(?<![^.;!?]\s)(?P<share>half) (?:as long|the length|the words){_END}"),
    ("halve", "shorter", rf"(?P<halve>halve) (?:{_TEXT}|{_LENGTH}){_END}"),
    ("half", "left", rf"{_MADE} (?:only |just |about )?(?P<share>half) as long(?: as {_THAN})?{_END}"),
    (
        rf"\bto\b.*(?:%|per ?cent|{_any_of(SHARES)})",
        "left",
        rf"(?:{WORDINGS['shorten']})(?: {_TEXT})?(?: down| back)? to {_PART}"
        rf"(?:(?: of)? (?:{_LENGTH}|{_THAN}))?(?: please)?{_END}",
    ),
    ("length", "left", rf"{_MADE} {_PART}(?: of)? {_LENGTH}{_END}"),
    ("by", "longer", rf"(?:{WORDINGS['lengthen']})(?: {_TEXT})?(?: (?:out|up|in length|in size))? {_BY}"),
    ("by", "longer", rf"{_TEXT} {_MUST} be (?:expanded|lengthened|extended) {_BY}"),
    ("add", "longer", rf"add {_ABOUT}{_COUNT}(?: to {_TEXT})?{_END}"),
    ("longer", "longer", rf"(?:{_MADE} )?{_AMOUNT} longer{_TAIL}{_END}"),
    ("longer", "longer", rf"(?:{_MADE} )?longer {_BY}"),
    ("as long", "longer", rf"(?:{_MADE} )?(?:at least |about )?{_TIMES_AS} as long(?: as {_THAN})?{_END}"),
    ("length", "longer", rf"(?:{_MADE} )?(?:at least |about )?{_TIMES_AS} {_LENGTH}{_END}"),
    (
        "double|triple",
        "longer",
        rf"(?P<times>double|triple) (?:{_TEXT}|{_LENGTH})(?: in (?:length|size))?{_END}",
    ),
    ("half", "longer", rf"{_MADE} (?P<share>half) as long again{_END}"),
    ("longer", "no longer", rf"(?:{_MADE} |stay )?(?:no|not(?: any)?) longer than {_THAN}{_END}"),
    ("longer", "no longer", rf"{_NOT_MADE} longer(?: than {_THAN})?{_END}"),
    ("shorter", "no shorter", rf"(?:{_MADE} |stay )?(?:no|not(?: any)?) shorter than {_THAN}{_END}"),
    ("shorter", "no shorter", rf"{_NOT_MADE} shorter(?: than {_THAN})?{_END}"),
    ("as long", "no shorter", rf"(?:{_MADE} )?at least as long as {_THAN}{_END}"),
    ("shorter", "a bit shorter", rf"{_MADE} (?:slightly |a bit |a little )?shorter than {_THAN}{_END}"),
    ("longer", "a bit longer", rf"{_MADE} (?:slightly |a bit |a little )?longer than {_THAN}{_END}"),
)
"""What an instruction has in it that says so, which spares the long patterns; what is said; and how."""
_MEASURED: Final = re.compile(
    rf"\d|%|\b(?:words?|sentences?|{_any_of(SHARES)}|{_any_of(_TIMES)}|{_any_of(CARDINALS)})\b"
)
"""What a demand that takes something away has in it at least."""
_UNIT: Final[dict[str, Literal["words", "sentences"]]] = {"word": "words", "sentence": "sentences"}


def find_relative_lengths(text: str) -> Iterator[tuple[Span, RelativeLength]]:
    """Every such demand of an instruction, with its place."""
    low = " ".join(text.lower().split())
    hints = {hint for hint, *_ in _FORMS if re.search(hint, low)}
    if not _MEASURED.search(low):
        hints -= {_TAKE}
    for meaning, form in ((meaning, form) for hint, meaning, form in _FORMS if hint in hints):
        for match in spaced(form).finditer(text):
            said = {name: said.lower() for name, said in match.groupdict().items() if said}
            if "told" in said:  # "the text is 10 % shorter" is a demand only behind "make sure that"
                asked = is_ensured(text, match.start())
            else:
                asked = is_demand(text, match.start()) or match.group().lower().startswith("without")
            if asked and (constraint := _constraint(meaning, said)):
                yield Span(*match.span()), constraint


def _constraint(meaning: str, said: dict[str, str]) -> RelativeLength | None:
    if meaning in ("no longer", "no shorter"):
        return RelativeLength(0, "percent", "shorter" if meaning == "no longer" else "longer")
    if meaning.startswith("a bit"):
        return RelativeLength(1, "words", "shorter" if meaning == "a bit shorter" else "longer")
    relation: Literal["shorter", "longer"] = "longer" if meaning == "longer" else "shorter"
    amount = _amount(said)
    if meaning == "left":
        amount = 100 - amount
    try:
        return RelativeLength(amount, _UNIT[said["unit"]] if "unit" in said else "percent", relation)
    except CallError:
        return None  # "by 100 %"


def _amount(said: dict[str, str]) -> int:
    words = {name: " ".join(one.split()) for name, one in said.items()}
    if "halve" in words:
        return SHARES["half"]
    if "share" in words:
        return SHARES[words["share"]]
    if "times" in words:
        return _TIMES[words["times"]]
    number = words.get("percent") or words["count"]
    known = {**CARDINALS, **_HUNDREDS}
    return (known[number] if number in known else int(number.replace(",", ""))) + ("more" in words)
