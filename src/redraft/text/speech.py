"""Who speaks, named after a quotation: `"Why?" Mary Smith asked.` is one sentence."""

from __future__ import annotations

import re
from typing import Final

from redraft.text.abbreviations import OPENERS
from redraft.text.words import CJK

_QUOTES: Final = frozenset("\"'”’»›」』")
_WORD: Final = r"[^\W\d_a-z][\w'’-]{0,30}"
_SAID: Final = (
    r"(?:said|says|asks?|asked|cried|replied|answered|shouted|whispered|yelled|exclaimed|inquired|enquired"
    r"|muttered|murmured|screamed|responded|retorted|snapped|gasped|stammered|roared|growled)"
)
# These take an object too: "Mary called her mother" is a sentence of its own.
_CALLED: Final = (
    r"(?:called|thought|thinks|wondered|wonders|added|repeated|continued|demanded|insisted|begged|sighed"
    r"|laughed|joked|protested|agreed|went on|put in)"
)
_SPEAKER: Final = re.compile(
    rf"(?P<first>{_WORD})(?:\.?[ ]{_WORD}){{0,2}}[ ](?:{_SAID}\b"
    r"(?![ ](?:nothing|no|that|so|little|if|whether|for|a|an|the|his|her|their|many|few|about)\b)"
    rf"|{_CALLED}(?=[.,;:!?—–]|[ ]\w{{2,20}}ly\b|\Z))"
)
_SAID_IN_CHINESE: Final = re.compile(
    rf"[{CJK}]{{1,8}}?(?:(?<![小听聽据據传傳])[说說]|(?<![知味街难難报報频頻轨軌渠通])道|(?<![学學疑访訪])[问問]"
    r"|(?<![理思梦夢幻])想|[喊答叫嚷骂罵])(?:着|了一[声聲句])?(?=[。！？，；…—,.;!?\s]|\Z)"
)


def names_the_speaker(text: str, match: re.Match[str], end: int) -> bool:
    """Whether the stop and closing quote that were matched are followed by who said it."""
    if _QUOTES.isdisjoint(match["close"]):
        return False
    speaker = _SPEAKER.match(text, match.end(), end)
    if speaker:
        return speaker["first"][0].isupper() and speaker["first"] not in OPENERS
    return bool(_SAID_IN_CHINESE.match(text, match.end(), end))
