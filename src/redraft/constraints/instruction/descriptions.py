"""Whether a number describes the text as it is ("the report has 400 words now"), and demands nothing."""

from __future__ import annotations

import re

from .chunks import Line

_DEMAND = re.compile(
    r"""
    \b(?: should | must | shall | will | (?:is|are)\ to | needs?\ to | has\ to | have\ to | ought\ to
      | to\ be | to\ have | ensur\w+ | make\ sure | making\ sure | be\ sure | see\ to\ it | guarantee
      | need | want | i'd\ like | requires? | let | please | aim | keep | limit | remember | strictly
      | check | verify | confirm | so\ that | such\ that | take\ care | in\ such\ a\ way | on\ condition
      | (?:so|as)\ long\ as | provided | providing | matters | important | so\ it | until )\b
    """,
    re.VERBOSE,
)
_PRESENT = re.compile(
    r"""
    \b(?: currently | right\ now | at\ present | at\ the\ moment | already | as\ it\ stands | originally
      | was | were | had | presently | previously | now\ (?:has|is|contains|runs) | used\ to
      | the\ last\ time | last\ (?:time|week|year|month) | (?:he|she)\ got
      | (?<!what\ )(?:i|we|he|she|they|you)\ (?:used|wrote|had|sent)
      | maybe | perhaps | possibly | some(?:one|body)\ told | i\ (?:think|believe|heard|read)\ (?:that|it) )\b
    """,
    re.VERBOSE,
)
_OWN = re.compile(
    r"""
    ^there\ are\b
  | \b(?<!as\ )(?:my|our|original|this|report|article|essay|draft|piece|paper|it|source|input|document)
    \ (?:(?!may\b|can\b)\w+\ ){0,2}(?:is|has|runs|contains|are|have|spans|exceeds|goes|comes|run|totals)\b
    """,
    re.VERBOSE,
)
_NOW = re.compile(
    r"[\w ,]{0,20}\b(?:now|currently|at the moment|already|at present)\b(?! (?:that|keep|make|should))"
)
# "I'd be happy if it were under 400 words"
_WISHED = re.compile(
    r"\b(?:happy|glad|great|good|nice|best|better|ideal|grateful|helpful|wonderful|lovely|perfect|it|prefer|appreciated?)"
    r" if (?:it|this|the|no|every|each|all|you)\b(?! exceeds?| is over| is under)"
)
_EXCESS = re.compile(r"(?:is|are|would be|seems?|feels?) (?:way |far |much )?too ")
_SOME = re.compile(
    r"\b(?:few|some|several|many|most|lots) (?:of )?(?:the |my |our |these )?sentences (?:are|have|run|go)\b"
)
_PASSED = re.compile(r"(?:were|was) (?!to\b)")
_CONDITION = re.compile("S[^,b\\-]*$")


def demanded(words: str) -> bool:
    """Whether some words say that something is wanted."""
    return _DEMAND.search(words) is not None


def described(line: Line, at: int) -> bool:
    """Whether the bound at a place says what the text is or may be, or sets a condition ("if it is over")."""
    if _WISHED.search(line.words_before(at)):
        return False
    if _CONDITION.search(line.before(at)) or _EXCESS.match(line.words_after(at)):
        return True
    left = line.before(at)
    start = max(left.rfind(tag) for tag in ",:bS") + 1
    # The bound may have the verb: "it | runs over 300 words".
    clause = f"{line.words(at - len(left) + start, at)} {line.chunks[at].text.split(' ')[0]}"
    if _SOME.search(clause):
        return True
    if (
        _PRESENT.search(clause)
        or _PASSED.match(line.words_after(at))
        or (_NOW.match(line.words_after(at)) and not demanded(clause))
    ):
        return True
    return not demanded(line.words_before(at)) and _OWN.search(clause) is not None
