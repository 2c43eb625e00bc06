"""Who "I" and "we" are in a text, as far as it says so, and its sentences with that in their place.

Minutes speak of a group and of who writes them, an essay of itself. Where a text says neither, nobody is put
there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.revision.rewriting.edits import Edit, applied, capitalised, sound
from redraft.revision.rewriting.voice.voice import SETS, forms_of
from redraft.text import FINITE, NOUN, VERBS, Syntax, analyse_syntax, find_marks

_BODIES: Final = "|".join(sorted(SETS["bodies"]))
_OWN_BODIES: Final = "|".join(sorted(SETS["own_bodies"]))
_BODY: Final = re.compile(
    # What "we" write to is not "us".
    r"(?<!\bto )(?<!\bfrom )(?<!\bwith )(?<!\bagainst )(?<!\btold )(?<!\basked )(?<!\bask )"
    rf"\b(?:the (?P<body>{_BODIES})"
    rf"|our (?:entire |whole |own |new |small |great )?(?P<own>(?:\w+ )?(?:{_BODIES}|{_OWN_BODIES})))\b",
    re.IGNORECASE,
)
_PART: Final = re.compile(r"\w+ (?:team|department|board)")
"""What may be a part of "us" alone: "our support team"."""
_MEETING: Final = re.compile(r"\b(?:meeting|minutes|agenda|apologies|adjourned|quorum)\b", re.IGNORECASE)
_WRITES: Final = re.compile(
    r"\bI (?:\w+ )?(?:write|wrote|take|took|keep|kept|am taking) (?:these|the) minutes\b"
)
_STARTS: Final = re.compile(
    r"\b[Ww]e (?P<verb>start|begin|end|finish|close|adjourn|started|began|ended|finished|closed|adjourned)"
    r"(?= (?:at|on|with|late|early)\b)"
)
_ITSELF: Final = re.compile(
    r"\bIn (?P<this>this|the present) (?P<text>essay|paper|report|article|study|thesis|section|chapter"
    r"|letter),? (?:I|we) (?P<verb>will |shall |have |also )?(?=\w)"
)
_SEEN: Final = re.compile(
    r"\b(?:[Ww]e|I) (?:can )?(?:see|saw|learn|conclude|tell) (?:from|in) (?P<what>[^,;]{3,60}?) that\b"
)
_ALL_KNOW: Final = re.compile(r"\b([Aa])s we (?:all )?know\b")
_FOUND: Final = re.compile(
    r"^(?:I|We) (?:found|have found|have|know of) "
    r"(?!\w+(?:ed|wn|nd|en) that)(?!(?<=have )\w+(?:ed|wn|nd|en)\b)(?P<what>[^,;]{3,60}?) (?=that \w)"
)
_BELIEVE: Final = re.compile(
    r"(?<=[a-z,])(?<!\band)(?<!\bor)(?<!\bwho) (?:I|we) (?:also |therefore |still |firmly )?"
    r"(?:think|believe|feel|conclude|find)(?: that)?(?= \w)"
)
_ADVISE: Final = re.compile(
    r"\b(?P<verb>suggest(?:s|ed)?|propose[sd]?|recommend(?:s|ed)?|ask(?:s|ed)?|demand(?:s|ed)?) that "
    r"(?P<who>we|I) (?!should|must|may|can|will)(?P<not>(?:do|did) not )?(?=\w)"
)
_RECOMMEND: Final = re.compile(
    r"\b(?:I|[Ww]e) (?:would )?(?:recommend|suggest|propose) that (?:we|I) (?:should )?(?P<not>not )?"
    r"(?P<act>\w+) "
    r"(?P<what>them|it|(?:the|these|this|those) \w+)\b"
)
_HAVE: Final = re.compile(
    r"\bwe (?P<adverb>still |now |only )?(?P<have>have|had) (?=(?:about |only |over )?[\d£$€])"
)
_WE_ARE: Final = re.compile(r"\bWe are (?P<what>an? [^.,;]{3,60})")
_LITTLE: Final = frozenset({"bit", "little", "lot", "tad", "touch", "few", "couple", "while"})
_PRESENT: Final = {
    "have": "has",
    "are": "is",
    "do": "does",
    "am": "is",
    "'re": " is",
    "'ve": " has",
    "'m": " is",
}
_PAST: Final = {"were": "was"}
_MUCH: Final = re.compile(r"\d[\d,.]* (?:\w+ )?(?P<unit>\w+)")


@dataclass(frozen=True)
class Speakers:
    """Who speaks: the group that is "we", and the writer that is "I"; empty where the text does not say."""

    group: str = ""
    writer: str = ""
    meets: bool = False
    """Whether it is about a meeting."""

    @classmethod
    def of(cls, sentences: Sequence[str]) -> Speakers:
        """Who speaks in these sentences."""
        text = " ".join(sentences)
        meets = len(_MEETING.findall(text)) > 1 or bool(_WRITES.search(text))
        bodies = [(found["body"] or found["own"]).lower() for found in _BODY.finditer(text)]
        bodies = [one for one in bodies if not _PART.fullmatch(one)]
        body = max(set(bodies), key=bodies.count) if bodies else ""
        if not body and (own := _WE_ARE.search(text)):
            read = analyse_syntax(own["what"])
            body = read.low[read.noun_phrase(0) - 1] if is_thing(own["what"]) else ""
        group = f"the {body}" if body else "the group" if meets else ""
        return cls(group, "the minute-taker" if _WRITES.search(text) else "", meets)

    @property
    def names_us(self) -> bool:
        """Whether the text says who "we" are."""
        return bool(self.group)


def impersonal_by_text(sentence: str, speakers: Speakers) -> str | None:
    """A sentence without "I" and "we", by what the text says of itself and of its speakers; else None.

    >>> speakers = Speakers("the group", meets=True)
    >>> impersonal_by_text("We start at 18:05.", speakers)
    'The meeting starts at 18:05.'
    >>> impersonal_by_text("We discuss our roof.", speakers)
    'The group discusses the roof.'
    """
    if analyse_syntax(sentence).quoted:
        return None
    text = of_itself(recommended(sentence))
    if speakers.names_us:
        text = _WE_ARE.sub(
            lambda found: f"This is {found['what']}" if is_thing(found["what"]) else found[0], text
        )
    if speakers.meets:
        text = _STARTS.sub(lambda found: f"the meeting {_third(found['verb'])}", text)
        text = _HAVE.sub(_there_are, text)
    text = _named(advised(text), speakers)
    text = capitalised(text) if sentence[:1].isupper() else text
    fewer = len(find_marks(text, "first person")) < len(find_marks(sentence, "first person"))
    return text if fewer and sound(sentence, text) else None


def is_thing(phrase: str) -> bool:
    """Whether a phrase names something: "a small firm" does, "a bit late" says how somebody is."""
    read = analyse_syntax(phrase)
    end = read.noun_phrase(0)
    follows = end >= len(read) or read.tag(end) in ("IN", "TO", "WDT", "WP", "VBN", "VBG")
    return end > 1 and follows and read.tag(end - 1) in NOUN and read.low[end - 1] not in _LITTLE


def advised(text: str) -> str:
    """What somebody suggests that "we" do, with a "should" that stays in any tense.

    >>> advised("I suggest that we do not decide today.")
    'I suggest that we should not decide today.'
    """
    return _ADVISE.sub(
        lambda found: f"{found['verb']} that {found['who']} should {'not ' if found['not'] else ''}", text
    )


def recommended(text: str) -> str:
    """ "I recommend that we check them" as "they should be checked"."""

    def turned(found: re.Match[str]) -> str:
        forms = forms_of(found["act"], "VB")
        if forms is None:
            return found[0]
        thing = {"them": "they"}.get(found["what"], found["what"])
        return f"{thing} should {found['not'] or ''}be {forms.participle}"

    return _RECOMMEND.sub(turned, text)


def of_itself(text: str) -> str:
    """What a text says of itself: "in this essay I argue" as "this essay argues"."""

    def by_itself(found: re.Match[str]) -> str:
        this = "This" if found["this"] == "this" else "The present"
        return f"{this} {found['text']} {found['verb'] or ''}"

    made = _ITSELF.sub(by_itself, text)
    if made != text:
        made = _agreeing(made, next(_ITSELF.finditer(text))["text"])
    made = _SEEN.sub(
        lambda found: f"{found['what']} {'shows' if _is_one(found['what']) else 'show'} that", made
    )
    made = _ALL_KNOW.sub(lambda found: f"{found[1]}s is well known", made)
    made = _FOUND.sub(
        lambda found: f"There {'is' if _is_one(found['what']) else 'are'} {found['what']} ", made
    )
    return _BELIEVE.sub(lambda found: "" if _is_judged(made[found.end() :]) else found[0], made)


def judges(read: Syntax, verb: int) -> bool:
    """Whether a clause says what is good or what should be done: nobody takes that for a fact."""
    if read.low[verb] in ("should", "ought"):
        return True
    place = verb + 1
    while read.tag(place) == "RB" or read.word(place) == "be":
        place += 1
    is_be = read.low[verb] in ("is", "are") or read.word(verb + 1) == "be"
    if is_be and "too" in read.low[verb + 1 : place]:
        return True
    return is_be and read.word(place) in SETS["valuing"] and read.tag(place + 1) not in NOUN


def _is_judged(clause: str) -> bool:
    """Whether a clause stands by itself as an opinion."""
    read = analyse_syntax(clause.strip())
    verb = next((at for at in range(1, read.stop) if read.tags[at] in FINITE), None)
    return verb is not None and read.subject_and_verb(0) and judges(read, verb)


def _agreeing(text: str, noun: str) -> str:
    """The verb behind "this essay" in the third person."""
    read = analyse_syntax(text)
    place = next((at + 1 for at, low in enumerate(read.low) if low == noun), None)
    if place is None:
        return text
    while read.tag(place) == "RB":
        place += 1
    return applied(text, _third_person(read, place))


def _third_person(read: Syntax, place: int) -> list[Edit]:
    """The edit that puts a verb of "we" into the third person singular; none where it is the same."""
    word, low = read.words[place : place + 1], read.word(place)
    if not word:
        return []
    new = _PRESENT.get(low) or _PAST.get(low)
    if new is None and read.tag(place) in ("VBP", "VB", "NN") and (forms := forms_of(low, "VBP")):
        new = forms.third
    return [Edit(word[0].start, word[0].end, new)] if new and new != low else []


def _third(verb: str) -> str:
    forms = forms_of(verb, "VBP")
    return forms.third if forms is not None and forms.base == verb else verb


def _is_one(phrase: str) -> bool:
    read = analyse_syntax(phrase)
    end = read.noun_phrase(0)
    counted = read.tag(0) == "CD" and read.word(0) not in ("one", "1")
    return not counted and read.tag(end - 1) not in ("NNS", "NNPS")


def _there_are(found: re.Match[str]) -> str:
    verb = "are" if found["have"] == "have" else "were"
    return f"there {verb} {found['adverb'] or ''}"


def _named(text: str, speakers: Speakers) -> str:
    """The pronouns of the first person as whom they stand for, their verbs with them."""
    read = analyse_syntax(text)
    if any(_hides_verb(read, at) for at, low in enumerate(read.low) if low in ("we", "i")):
        return text
    who = {"we": speakers.group, "us": speakers.group, "i": speakers.writer, "me": speakers.writer}
    edits: list[Edit] = []
    for index, low in enumerate(read.low):
        if read.held[index] or (low == "us" and read.words[index].text == "US"):
            continue
        word = read.words[index]
        if who.get(low):
            edits.append(Edit(word.start, word.end, who[low]))
            if low in ("we", "i"):
                edits += _verbs_of(read, index)
        elif low in ("our", "my") and (speakers.group if low == "our" else speakers.writer):
            own = "the" if speakers.meets or low == "my" else "its"
            edits.append(Edit(word.start, word.end, own))
    return applied(text, edits) if edits else text


def _hides_verb(read: Syntax, subject: int) -> bool:
    """Whether a verb that shares the subject may be a noun as well: "we meet and vote on it"."""
    if read.tag(subject + 1) not in ("VBP", "VB"):
        return False
    return any(
        read.tags[at] == "CC"
        and read.tag(at + 1) == "NN"
        and read.word(at + 1) in VERBS
        and read.tag(at + 2) in ("IN", "DT", "PRP$", "PRP")
        for at in range(subject + 2, read.stop)
    )


def _verbs_of(read: Syntax, subject: int) -> list[Edit]:
    """The verbs of a subject that was "we", in the third person: "we meet and decide"."""
    place = subject + 1
    while read.tag(place) == "RB":
        place += 1
    edits = _third_person(read, place) if read.tag(place) != "MD" and read.word(place) != "should" else []
    if not edits:
        return edits
    for index in range(place + 1, read.stop):
        if read.tags[index] in NOUN | {"PRP"} and read.subject_and_verb(index):
            break
        if read.tags[index] == "CC" and read.tag(index + 1) == "VBP":
            edits += _third_person(read, index + 1)
    return edits
