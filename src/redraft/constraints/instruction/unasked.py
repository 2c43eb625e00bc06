"""What an instruction speaks of and does not ask for: limits to ignore, what others want, what is all one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.text import CARDINALS, Span

from .lexicon import WORDINGS

_SENTENCE: Final = re.compile(
    r"(?:[^.;!?\n]|(?<=\d)\.(?=\d)|(?<=\bmax)\.|(?<=\bmin)\.|\.(?=\w))+", re.IGNORECASE
)
_FOLD: Final = str.maketrans("’‘\u00a0\t", "''  ")


def _compiled(wording: str) -> re.Pattern[str]:
    return re.compile(wording, re.IGNORECASE)


_NOUN: Final = rf"(?:{WORDINGS['a_demand']})"
_ASIDE: Final = _compiled(
    rf"(?<!not )(?<!n't )(?<!dont )(?<!never )(?<!not to )(?<!cannot )\b(?:{WORDINGS['set_aside']})\b"
    rf"(?: (?:{WORDINGS['of_a_demand']})){{0,7}}? {_NOUN}\b"
    r"(?:(?!,| but | instead| and (?!\d|no |under |over |at |the ))[^\n])*"
)
_NO_LONGER: Final = _compiled(
    rf"(?:(?<![^,:;.!?\n])|\bthat )[^,:]{{0,80}}?\b{_NOUN}\b[^,:]{{0,60}}? (?:{WORDINGS['no_longer']})"
)
_OTHERS: Final = _compiled(
    r"\b(?:(?:an?|my|our|the|some|one|his|her|their|most|many|other)(?: [\w'-]+){1,4}?"
    r"|(?:reviewer|referee|editor|examiner)s?(?: #?\d+)?|critics|experts|teachers"
    r"|some(?:one|body)|people|they|he|she|everyone|everybody|i (?:was|am|have been|keep being)|i've been)"
    rf" (?:always |once |also |even |often |had |has )*(?:{WORDINGS['others_want']})\b"
)
_CLAUSE_END: Final = (
    r"(?: (?:at all|here|anymore|any more|this time|please|with (?:that|this|it|him|her|them|\w+ \w+)))?"
    r"(?=\s*(?:[,.;:!?)–—-]|\n|\Z|(?:so|and|because|since|as|just)\b))"
)
_DISAGREES: Final = _compiled(
    r"(?:[,;.!)–—-]+|\bbut|\bthough|\balthough|\byet|\bhowever)"
    r"(?: (?:but|though|although|yet|however|well|personally|honestly|and|so|frankly),?)*"
    rf" (?:{WORDINGS['disagrees']}){_CLAUSE_END}"
    rf"|\b(?:but|though|yet|however),? (?:{WORDINGS['likes_it']}){_CLAUSE_END}"
)
_NUMBER: Final = rf"(?:\d+|{'|'.join(CARDINALS)})"
_EITHER: Final = _compiled(
    rf"(?<![^,:;.!?(\n])(?:(?! and )[^,:\n]){{0,120}}?(?<!\d)\bor "
    rf"(?!{_NUMBER}\b|fewer|less|more|under|over|so\b|below|above|longer|shorter)"
    rf"[^,:\n]{{0,80}}?(?:,|:| -| –| —|\()? (?:{WORDINGS['no_matter']})\)?"
    r"(?=\s*(?:[,.;:!?)\n–—-]|\Z|(?:so|but|and|as long)\b))"
)
_ALLOWED: Final = _compiled(
    r"\b(?:(?:you|it|we|they|this|the text)(?: \w+)? (?:can|may|could|might)(?! not\b|'t)(?: also| even)?"
    r"|feel free to|(?:it's|it is|that's|is)? ?(?:ok|okay|fine|all right|no problem) (?:to|if (?:it|you)))"
    r"(?: (?:go|goes|be|is|have|has|use|run|runs|get|gets|write|contain|take|end up|exceed))?"
    rf" (?:(?:over|above|beyond|past|more than|longer than) )?(?:a |an )?{_NUMBER}\b(?:[ -]\w+)?"
    r"(?! (?:at (?:the )?most|or (?:fewer|less)|max))"
)
"""Leave to go further: "you can go over 300 words"; not "up to 300", which is a limit."""
_QUESTION: Final = _compiled(
    r"(?:\A|(?<=[.!?\n]\s))(?:is|are|was|were|do|does|did|has|have|how|why|what)(?:n't)? "
    r"(?!it (?:possible|ok|okay|fine|all right|too much|feasible)\b|there (?:an?y? )?(?:way|chance)\b"
    r"|you\b|about\b|we able\b|if\b)[^.?!\n]{1,160}\?"
)
"""A question about the text, or about what is usual: "Is it under 200 words?"."""
_MENTIONED: Final = _compiled(
    r"[\"”'’] (?:is used|is mentioned|appears|occurs|stands) (?:in|on) (?:line|page|sentence|paragraph) \d+"
)
_COUNTED_OR: Final = re.compile(rf"\b{_NUMBER}(?: \w+)? or {_NUMBER}\b", re.IGNORECASE)


def find_unasked(text: str) -> list[Span]:
    """The places of what is spoken of and not asked for.

    >>> text = "Forget the limit of 250 words, but no emojis."
    >>> [text[span.start : span.end] for span in find_unasked(text)]
    ['Forget the limit of 250 words']
    """
    return list(_spans(text.translate(_FOLD)))


def _spans(text: str) -> Iterator[Span]:
    yield from (Span(*match.span()) for match in _QUESTION.finditer(text))
    sentences = list(_SENTENCE.finditer(text))
    for at, sentence in enumerate(sentences):
        start, end = sentence.span()
        for wording in (_ASIDE, _NO_LONGER, _ALLOWED, _MENTIONED):
            yield from (Span(*match.span()) for match in wording.finditer(text, start, end))
        for match in _EITHER.finditer(text, start, end):
            if not _COUNTED_OR.search(match[0]):
                yield Span(*match.span())
        if others := _OTHERS.search(text, start, end):
            # It may be refused in the sentence behind: "My boss wants 50 words. I disagree."
            last = sentences[at + 1].end() if at + 1 < len(sentences) else end
            refused = _DISAGREES.search(text, others.end(), last)
            if refused and (refused.start() < end or refused.start() - end <= 2):
                yield Span(start, refused.end())
