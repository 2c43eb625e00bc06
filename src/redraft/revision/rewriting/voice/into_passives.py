"""What was done, without who did it: "we measured the flow" as "the flow was measured"."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from redraft.revision.rewriting.edits import Edit, applied, capitalised
from redraft.revision.rewriting.voice.voice import SETS, forms_of
from redraft.text import BY_FORM, FINITE, NOUN, SUBORDINATORS, Syntax, analyse_syntax, spell_number, zipf

_OPENS: Final = frozenset({"DT", "PRP$", "NNP", "NNPS", "NNS", "NN", "JJ", "CD"})
_PLURAL: Final = frozenset({"NNS", "NNPS"})
_STAYS: Final = frozenset({
    "in", "during", "on", "after", "before", "since", "to", "when", "because", "at", "with", "using", "by",
    "for", "from", "as", "between", "across", "under", "over", "into", "through", "within", "via", "against",
    "until", "while", ",", "per", "twice", "once", "without", "about", "and", "but", ";", "so", "if", "every",
    "beforehand", "again", "inside", "outside", "there", "here", "that", "together",
})  # fmt: skip
"""What may stand behind the object."""
_TRANSITIVE: Final = frozenset(
    {"make", "take", "give", "keep", "start", "begin", "hold", "reach", "spend", "need"}
)
_OF_MIND: Final = frozenset({
    "believe", "regret", "admire", "appreciate", "doubt", "fear", "remember", "understand", "hope", "prefer",
    "respect", "wish", "dislike", "adore", "suspect",
})  # fmt: skip
"""What goes on in somebody: without them it would be said of everybody."""
_TELLING: Final = frozenset({"remind", "inform", "tell", "assure", "warn", "convince", "notify", "show"})
"""Verbs that take somebody and what they are told: "remind all tenants that we test it"."""
_EXAMINING: Final = frozenset({
    "analyse", "analyze", "test", "study", "examine", "review", "interview", "survey", "use", "include",
    "compare", "assess", "evaluate", "inspect", "score", "sequence", "measure", "count", "read",
})  # fmt: skip
"""What is done to things that come from somewhere, and does not bring them from there."""
_SPENDING: Final = frozenset({"spend", "need", "lose", "waste", "save", "take", "add"})
_EACH_TIME: Final = frozenset({"every", "each", "last", "next", "this", "all", "one"})
_EARLY: Final = frozenset({"now", "already", "also", "just", "since", "still", "often", "always", "recently"})
"""Adverbs that stand before "been"."""
_COUNTS: Final = frozenset({"couple", "number", "lot", "few", "handful", "majority"})
"""Of which there are many, as in "a couple of versions"."""
_PLACING: Final = frozenset({"in", "on", "at", "into", "onto", "over", "under", "to", "during"})
_POINTING: Final = frozenset({"this", "that", "these", "those"})
_SUBJECTS: Final = {"it": "it", "them": "they", "him": "he", "you": "you", "everybody": "everybody"}
_KNOWN: Final = 2.0
"""How often a participle is met at the least: "hereby" is no verb."""
_TAKES_IN: Final = re.compile(
    r"changes?|differences?|increases?|decreases?|rises?|falls?|improvements?|reductions?"
)
"""Nouns that "in" goes with: "a change in colour"."""


class _Clause:
    """What one of "I" and "we" did, clause by clause: verbs with their objects."""

    def __init__(self, read: Syntax, subject: int) -> None:
        self.read, self.subject = read, subject
        self.edits: list[Edit] = []
        self.end = subject
        self.many = False
        self.be = ""
        self.ok = self._first() and self._rest()

    def _first(self) -> bool:
        read, start = self.read, self.subject
        verbs = _verbs(read, start + 1)
        if verbs is None:
            return False
        helpers, verb = verbs
        found = _participle(read, verb)
        if found is None:
            return False
        participle, first = found
        told = _told(read, first)
        if told is None or _is_when(read, verb, first, told[1]) or _finds(read, verb, helpers):
            return False
        said, self.end, self.many = told
        denied = [at for at in helpers if read.low[at] == "not"]
        if _changes_scope(read, helpers, first, self.end):
            return False
        if denied and read.low[first] == "any":
            said, helpers = f"no{said[3:]}", [at for at in helpers if at not in denied]
        be = _be(read, helpers, verb, self.many)
        if be is None:
            return False
        self.be = be
        if start == 0 and (number := re.match(r"\d{1,2}(?= )", said)):
            said = spell_number(int(number[0])) + said[number.end() :]
        self.edits.append(_edit(read, start, self.end, f"{said} {be} {participle}"))
        return True

    def _rest(self) -> bool:
        """The further verbs of the same subject, each with an object of its own or with "it"."""
        read, at = self.read, self.end
        while at < read.stop:
            if read.tags[at] in ("WDT", "WP", "WRB") or read.low[at] in SUBORDINATORS:
                return True
            verb = at + 1
            while read.tag(verb) == "RB":
                verb += 1
            if read.tags[at] not in ("CC", ",") or read.tag(verb) not in FINITE | {"VBN"}:
                at += 1
                continue
            if read.subject_and_verb(at + 1) and read.tag(verb) not in FINITE:
                return True
            if verb > at + 1 or self.be not in ("was", "were", "is", "are") or not self._further(at, verb):
                return False
            at = self.end
        return True

    def _further(self, joint: int, verb: int) -> bool:
        read = self.read
        found = _participle(read, verb)
        told = _told(read, found[1]) if found else None
        if found is None or told is None:
            return False
        said, end, many = told
        past = self.be in ("was", "were")
        if said in ("it", "they"):
            if many != self.many:
                return False
            new = found[0]
            self.edits.append(_edit(read, verb, end, new))
        else:
            comma = read.tags[joint] == ","
            before = read.words[joint if comma else joint - 1].end
            mark = "" if comma or read.tag(joint - 1) == "," else ","
            word = "" if comma else f" {read.low[joint]}"
            self.edits.append(
                Edit(before, read.words[end - 1].end, f"{mark}{word} {said} {was(past, many)} {found[0]}")
            )
        self.end = end
        return True


def unnamed(sentence: str, subjects: Collection[str]) -> str | None:
    """The clauses of a sentence in which one of the `subjects` acts, as passives that name nobody; else None.

    >>> unnamed("We heated the oil, and I stirred it for an hour.", {"i", "we"})
    'The oil was heated, and it was stirred for an hour.'
    """
    read = analyse_syntax(sentence)
    if read.quoted or sentence.rstrip()[-1:] not in (".", ";"):
        return None
    edits: list[Edit] = []
    for place in range(read.stop):
        if read.low[place] in subjects and _is_subject(read, place):
            clause = _Clause(read, place)
            edits += clause.edits if clause.ok else []
    if not edits or any(one.start < other.end <= one.end for one in edits for other in edits if one != other):
        return None
    made = applied(sentence, edits)
    return capitalised(made) if sentence[:1].isupper() else made


def _is_subject(read: Syntax, place: int) -> bool:
    """Whether a pronoun begins a clause: "the samples that we took" is one that says more of a noun."""
    before, low = read.tag(place - 1), read.word(place - 1)
    related = before in NOUN or (low == "which" and read.tag(place - 2) == "IN")
    related = related or (
        low in ("that", "which") and read.tag(place - 2) in NOUN and not _is_told(read, place - 1)
    )
    governed = before in ("VBP", "VBD", "MD", "IN") and low not in SUBORDINATORS | {"that"}
    return not (read.held[place] or related or governed or is_joined(read, place))


def is_joined(read: Syntax, place: int) -> bool:
    """Whether a pronoun may act together with whom an "and" joins to it: "my brother and I"."""
    if read.tag(place - 1) != "CC" or read.tag(place - 2) not in NOUN | {"PRP"}:
        return False
    # "heated to 80 degrees and I stirred it": what a preposition has taken acts with nobody
    return (
        read.tag(place - 2) not in ("NN", "NNS")
        or read.word(_phrase_start(read, place - 2) - 1) not in _PLACING
    )


def _phrase_start(read: Syntax, head: int) -> int:
    start = head
    while start and read.tag(start - 1) in _OPENS:
        start -= 1
    return start


def _is_told(read: Syntax, that: int) -> bool:
    """Whether a "that" follows somebody who is told something."""
    verb = _phrase_start(read, that - 1) - 1
    forms = BY_FORM.get(read.word(verb))
    return verb >= 0 and forms is not None and forms.base in _TELLING


def _changes_scope(read: Syntax, helpers: list[int], first: int, end: int) -> bool:
    """Whether a denial or "only" would mean something else behind the object: "we did not test all"."""
    said = {read.low[at] for at in helpers}
    if said & SETS["narrowing"]:
        return True
    if not said & SETS["denials"]:
        return False
    none = said & SETS["denials"] == {"not"} and read.low[first] == "any" and read.tag(first + 1) != "IN"
    start = first + 1 if none else first
    return any(read.low[at] in SETS["quantities"] or read.tag(at) == "CD" for at in range(start, end))


def _participle(read: Syntax, verb: int) -> tuple[str, int] | None:
    """The participle of a verb with its particle, and where its object begins."""
    forms = BY_FORM.get(read.low[verb]) or forms_of(read.low[verb], read.tags[verb])
    if forms is None or zipf(forms.participle) < _KNOWN:
        return None
    if forms.base in ((SETS["intransitive"] | SETS["personal"]) - _TRANSITIVE) | _OF_MIND:
        return None
    if read.low[verb] in ("are", "am"):
        return None
    if read.tag(verb + 1) == "RP":
        return f"{forms.participle} {read.low[verb + 1]}", verb + 2
    return forms.participle, verb + 1


def _told(read: Syntax, first: int) -> tuple[str, int, bool] | None:
    """The object as a subject, where it ends, and whether it is many; None where it is in doubt."""
    if read.word(first) in _SUBJECTS:
        said = _SUBJECTS[read.word(first)]
        end, many = first + 1, said in ("they", "you")
    elif read.word(first) in _POINTING and read.tag(first + 1) in ("CD", "IN", "RB", "."):
        said, end, many = read.low[first], first + 1, read.low[first] in ("these", "those")
    else:
        end, many = _object(read, first)
        if end == first:
            return None
        named = read.word(end) == "from" and read.tag(end + 1) in ("NNP", "NNPS")
        forms = BY_FORM.get(read.word(first - 1))
        named = named or (read.word(end) == "from" and forms is not None and forms.base in _EXAMINING)
        if named or (_TAKES_IN.fullmatch(read.word(end - 1)) and read.word(end) == "in"):
            further = read.noun_phrase(end + 1)
            end = further if further > end + 1 else end
        if read.word(end) == "for" and read.tag(end + 1) == "VBG":  # "a method for sorting mail"
            end = max(read.noun_phrase(end + 2), end)
        said = read.phrase_text(first, end)
    if _goes_on(read, end):
        return None
    follows = end >= read.stop or read.word(end) in _STAYS or read.tag(end) == "RB"
    follows = follows or (read.tag(end) == "CD" and read.word(end + 1) in SETS["times"] | {"times"})
    return (said, end, many) if follows else None


def _goes_on(read: Syntax, end: int) -> bool:
    """Whether more of the object follows: a further one behind a comma or "and", or "at which"."""
    if read.tag(end + 1) in ("WDT", "WP"):
        return read.tag(end) == "IN"
    if read.tag(end) not in (",", "CC") or read.tag(end + 1) not in _OPENS or read.subject_and_verb(end + 1):
        return False
    further = max(read.with_complements(end + 1), end + 2)
    is_list = read.tag(further) in (",", "CC") or "CC" in read.tags[end + 1 : further]
    return is_list or (read.tag(end) == "CC" and read.tag(further) not in FINITE)


def _is_when(read: Syntax, verb: int, first: int, end: int) -> bool:
    """Whether a phrase says when or how long, and is no object: "we report every six months"."""
    forms = BY_FORM.get(read.low[verb])
    is_time = read.word(read.noun_phrase(first) - 1) in SETS["times"] and end > first + 1
    counts = read.low[first] in _EACH_TIME or read.tags[first] == "CD"
    return is_time and counts and (forms is None or forms.base not in _SPENDING)


def _finds(read: Syntax, verb: int, helpers: list[int]) -> bool:
    """Whether somebody finds something so: "I find the ones in red the best"."""
    judged = read.tag(verb + 1) in ("DT", "PRP")
    return read.low[verb] == "find" and not helpers and judged


def _edit(read: Syntax, start: int, end: int, new: str) -> Edit:
    return Edit(read.words[start].start, read.words[end - 1].end, new)


def _verbs(read: Syntax, place: int) -> tuple[list[int], int] | None:
    """The helping verbs and adverbs behind the subject, and the verb itself."""
    helpers: list[int] = []
    while read.tag(place) in ("RB", "MD") or read.word(place) in ("have", "had", "do", "did"):
        helpers.append(place)
        place += 1
    last = next((at for at in reversed(helpers) if read.tag(at) != "RB"), None)
    form = {"MD": ("VB",), "have": ("VBN", "VBD"), "do": ("VB",)}.get(_helper(read, last), ("VBD", "VBP"))
    return (helpers, place) if read.tag(place) in form else None


def _helper(read: Syntax, place: int | None) -> str:
    if place is None:
        return ""
    if read.tags[place] == "MD":
        return "MD"
    return "have" if read.low[place] in ("have", "had") else "do"


def _object(read: Syntax, first: int) -> tuple[int, bool]:
    """Where the object ends, and whether it is many; its own start where there is none."""
    end = read.with_complements(first)
    if end == first or read.tag(first) not in _OPENS or read.tag(read.noun_phrase(first) - 1) not in NOUN:
        return first, False
    head = read.noun_phrase(first) - 1
    many = read.tag(head) in _PLURAL or read.word(head) in ("police", "people", "cattle")
    many = many or (read.word(head) in _COUNTS and read.word(head + 1) == "of")
    if read.word(end) == "and" and read.tag(end + 1) in _OPENS:
        if "of" in read.low[first:end] and read.tag(end + 1) != "DT" and not read.subject_and_verb(end + 1):
            return first, False  # "the role of the one and the other" is one
        further = read.with_complements(end + 1)
        if further > end + 1 and read.tag(further) not in FINITE:
            return further, True
    return end, many


def _be(read: Syntax, helpers: list[int], verb: int, many: bool) -> str | None:
    """The form of "be", with what helps it: "was", "has not been", "should be"."""
    said = [read.low[at] for at in helpers]
    if "n't" in said or any(read.words[at].text.startswith(("'", "’")) for at in helpers):
        return None
    adverbs = [word for word, at in zip(said, helpers, strict=True) if read.tags[at] == "RB"]
    denials = [one for one in adverbs if one in SETS["denials"]]
    last = next((at for at in reversed(helpers) if read.tag(at) != "RB"), None)
    match _helper(read, last):
        case "MD":
            assert last is not None
            verbs = [read.low[last], *denials, "be"]
            if verbs[:2] == ["can", "not"]:
                verbs[:2] = ["cannot"]
        case "have":
            assert last is not None
            have = "had" if read.low[last] == "had" else "have" if many else "has"
            early = [one for one in adverbs if one in _EARLY]
            adverbs = [one for one in adverbs if one not in early]
            verbs = [have, *denials, *early, "been"]
        case "do":
            past = "did" in said
            verbs = [was(past, many), *denials]
        case _:
            forms = BY_FORM.get(read.low[verb]) or forms_of(read.low[verb], read.tags[verb])
            if forms is not None and read.low[verb] == forms.past == forms.base:  # "we put it there"
                return None
            is_past = forms is not None and read.low[verb] == forms.past
            verbs = [was(is_past, many), *denials]
    return " ".join([*verbs, *(one for one in adverbs if one not in SETS["denials"])])


def was(past: bool, many: bool) -> str:
    """The form of "be" for one or many, now or then."""
    if past:
        return "were" if many else "was"
    return "are" if many else "is"
