"""Errors of tense in what is told in the past: "yesterday I go", and "it rains" for "it rained".

A single sentence rarely tells; whether the text is told in the past is asked of all of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from redraft.revision.corrections.slips import without_slips
from redraft.revision.corrections.spelling import without_misspellings
from redraft.revision.rewriting.edits import cased_like
from redraft.text import BY_FORM, VERBS, Tagged, borrowed_spans, diff_words, tagged, verb_forms, word_sets

_LEAST: Final = 4
_SHARE: Final = 0.34
"""A text is told in the past with at least so many verbs in it, and at most this share of others to them."""
_PAST_TIME: Final = re.compile(
    r"(?i)\W*(?:yesterday|last (?:night|week|month|year|summer|winter|spring|autumn|fall|weekend|time"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:a|an|one|two|three|four|five|ten|many|some)"
    r" \w+ ago|when i was)\b"
)
_GOING_ON: Final = re.compile(
    r"\b(?:I|[Ww]e|[Yy]ou|[Tt]hey|[Hh]e|[Ss]he) (?P<be>am|are|is) "
    r"(?:living|working|studying|learning|waiting|using|playing|teaching|looking|trying|staying|renting)\b"
    r"[^.;:!?]{0,60}?\b(?:for|since) (?:more than |about |over |almost |nearly )?"
    r"(?:(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|several|many|\d+) "
    r"(?:years?|months?|weeks?|days?|hours?)|(?:19|20)\d\d|last \w+|I was|we were)\b"
)
_PAST_END: Final = re.compile(
    r"(?i)\b(?:yesterday|last (?:night|week|month|year|summer|winter|weekend)|(?:\w+) (?:days?|weeks?|months?"
    r"|years?|hours?) ago|in (?:19|20)\d\d)(?: (?:morning|afternoon|evening))?[.!?]*\Z"
)
_UP_TO_NOW: Final = re.compile(
    r"(?i)\b(?:since|ever|never|already|just|yet|so far|always|for (?:the|a|an|\w+ \w+s))\b"
)
"""What a perfect may stand for in a sentence that names such a time, too."""
_TIME: Final = re.compile(
    r"(?i)\W*(?:(?:after|before|in|on|at|during) (?:the |that |my |our )?[\w ]{1,24}|then|later|finally"
    r"|suddenly|at last|at first|first|one day|that \w+)\Z"
)
_NOT_OVER: Final = re.compile(r"(?i)\b(?:next|will|tomorrow|today|every|now|always|usually|still|often)\b")
"""Words of a sentence that may be in the present in a text told in the past."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’]t)?")
_THIRDS: Final = {
    "have": ("has", "had"), "do": ("does", "did"),
    "don't": ("doesn't", "didn't"), "don’t": ("doesn’t", "didn’t"),
}  # fmt: skip
_GOVERNING: Final = frozenset({"MD", "VBD", "VBP", "VBZ", "VB", "IN"})
_SUBORDINATING: Final = frozenset({"because", "when", "before", "after", "that", "while", "if", "until"})
_MANY: Final = frozenset({"i", "we", "you", "they"})
_TELLERS: Final = frozenset({"i", "we", "they", "he", "she", "it"})
_STATES: Final = word_sets(__package__, "slips-sets.txt")["states"]


def is_told_in_past(text: str) -> bool:
    """Whether nearly all verbs of a text are in the past, quotations left out."""
    kept = borrowed_spans(text)
    past = present = 0
    for before, word in pairwise(tagged(text)):
        if any(span.start <= word.start < span.end for span in kept):
            continue
        past += word.tag == "VBD"
        # "we has" is an error, and tells no time.
        present += word.tag == "VBZ" and word.text.endswith("s") and before.text.lower() not in _MANY
    return past >= _LEAST and present <= _SHARE * past


def mended_by_rules(
    sentence: str,
    quoted: Sequence[str] = (),
    used: Mapping[str, int] | None = None,
    *,
    told_in_past: bool = False,
    last: bool = True,
) -> str:
    """A sentence without the errors that rules are sure of, in a text that is told in the past, or is not.

    `quoted` are stretches that stay as they are, and `used` is how often words stand in the whole text;
    `last`, what an editor would mend better is mended too.
    """
    without = without_slips(without_misspellings(sentence, quoted, used), quoted, last=last)
    if quoted:
        return without
    found = in_past(with_duration(without_perfect(without)), told_in_past=told_in_past)
    return with_past_for_present(sentence, found) if told_in_past and last else found


def without_perfect(sentence: str) -> str:
    """The sentence with a past tense for a perfect, where it names a time that is over.

    >>> without_perfect("Last week I have visited my aunt.")
    'Last week I visited my aunt.'
    """
    if not (_PAST_TIME.match(sentence) or _PAST_END.search(sentence)) or _UP_TO_NOW.search(sentence):
        return sentence
    kept = borrowed_spans(sentence)
    words = tagged(sentence)
    found = []
    for at in range(1, len(words) - 1):
        teller, has, verb = words[at - 1 : at + 2]
        if teller.tag not in ("PRP", "NNP", "NN", "NNS") or has.text.lower() not in ("have", "has"):
            continue
        forms = BY_FORM.get(verb.text.lower())
        if forms is None or verb.text.lower() != forms.participle or verb.text.lower() in ("been", "got"):
            continue
        told = any(word.tag == "VBD" for word in words[at + 2 :])  # what is over is told there
        if not told and not any(span.start <= has.start < span.end for span in kept):
            found.append((has.start, verb.end, forms.past))
    if len(found) != 1:  # with two of them it is not told which is over
        return sentence
    ((start, end, past),) = found
    return sentence[:start] + past + sentence[end:]


def with_duration(sentence: str) -> str:
    """The sentence with a perfect where it says for how long something has gone on.

    >>> with_duration("I am living here for four years.")
    'I have been living here for four years.'
    """
    found = _GOING_ON.search(sentence)
    if found is None or any(span.start <= found.start() < span.end for span in borrowed_spans(sentence)):
        return sentence
    has = "has" if found["be"] == "is" else "have"
    return f"{sentence[: found.start('be')]}{has} been{sentence[found.end('be') :]}"


def in_past(sentence: str, *, told_in_past: bool) -> str:
    """The sentence with verbs put in the past that stand behind a time that is over.

    >>> in_past("Yesterday I go home because we need bread.", told_in_past=False)
    'Yesterday I went home because we needed bread.'
    """
    words = tagged(sentence)
    kept = borrowed_spans(sentence)
    is_over = _PAST_TIME.match(sentence) is not None
    found: list[tuple[Tagged, str]] = []
    for teller, word in pairwise(words):
        low = word.text.lower()
        if teller.text.lower() not in _TELLERS or low not in VERBS or low in _STATES:
            continue
        if word.tag not in ("VBP", "VB") or any(span.start <= word.start < span.end for span in kept):
            continue
        opened = told_in_past and _TIME.match(sentence[: teller.start].rstrip(" ,"))
        if (is_over or opened) and not _is_asked_or_bare(words, teller):
            found.append((word, VERBS[low].past))
    for word, past in reversed(found):
        sentence = sentence[: word.start] + past + sentence[word.end :]
    return sentence


def _is_asked_or_bare(words: list[Tagged], teller: Tagged) -> bool:
    """Whether an auxiliary or a verb before the subject asks for the base form: "did we go", "let it go"."""
    at = next(place for place, word in enumerate(words) if word.start == teller.start)
    before = words[at - 1] if at else None
    return before is not None and before.tag in _GOVERNING and before.text.lower() not in _SUBORDINATING


def with_past_for_present(before: str, after: str) -> str:
    """A correction in which "it rain" became "it rains", with "it rained" for it."""
    if _NOT_OVER.search(after):
        return after
    verbs = {word.start for word in tagged(after) if word.tag == "VBZ"}
    parts = []
    for step in diff_words(before, after):
        new = step.after
        words, others = _WORD.findall(step.before), list(_WORD.finditer(step.after))
        pairs = list(zip(words, others, strict=False)) if step.op != "equal" else []
        for one, other in reversed(pairs):
            past = _past(one.lower(), other[0].lower())
            if past and step.revised.start + other.start() in verbs:
                new = new[: other.start()] + cased_like(other[0], past) + new[other.end() :]
        parts.append(new)
    return "".join(parts)


def _past(one: str, other: str) -> str:
    """The past of a verb whose base form became its third person; empty where it did not."""
    if one in _THIRDS and _THIRDS[one][0] == other:
        return _THIRDS[one][1]
    forms = BY_FORM.get(one) or verb_forms(one)
    return forms.past if (one, other) == (forms.base, forms.third) else ""
