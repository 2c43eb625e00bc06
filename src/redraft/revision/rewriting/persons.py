"""Sentences that speak of nobody: without "I think", "we found" and "our results"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.edits import Edit, applied, capitalised, sound
from redraft.revision.rewriting.voice import SETS, forms_of
from redraft.text import BY_FORM, FINITE, NOUN, Person, Syntax, analyse_syntax, find_person, spell_number

_LEAD: Final = r"(?P<lead>^|(?<=, )|(?<=; )|(?<=\band )|(?<=\bbut )|(?<=\bthat )|(?<=\bbecause ))"
_ADVERB: Final = r"(?:(?:also|strongly|firmly|really|personally|still|now|therefore|thus|have|can) )?"
_SAYING: Final = (
    "think|believe|feel|find|found|show|showed|shown|conclude|concluded|observe|observed|note|noted|see|saw"
)
_FINITE: Final = "is|are|was|were|will|would|should|can|could|has|have"
_OPINION: Final = re.compile(
    rf"{_LEAD}(?:(?:I|[Ww]e) {_ADVERB}(?:{_SAYING}) that,? "
    rf"|(?:I|[Ww]e) (?:think|believe|feel)(?=(?: \w+){{1,4}} (?:{_FINITE})\b) "
    r"|[Ii]n (?:my|our) (?:humble |honest |own )?(?:opinion|view),? "
    r"|[Ff]rom (?:my|our) (?:point of view|perspective),? )"
)
_INSERTED: Final = re.compile(
    r", (?:I|we) (?:think|believe|feel|suppose|guess),(?= )|, (?:I|we) (?:think|believe|feel)(?=[.!])"
)
_OWN: Final = re.compile(
    r"\b(?P<our>[Oo]ur|[Mm]y)(?= (?:\w+ ){0,2}(?:results?|findings?|study|studies|data|analys[ie]s|methods?"
    r"|approach|models?|experiments?|work|paper|article|report|survey|samples?|hypothes[ie]s|aim|goal|objective"
    r"|conclusions?|observations?|measurements?|systems?|algorithms?|evaluation|dataset|investigation|thesis"
    r"|framework|simulations?|calculations?|tests?|estimates?|research)\b)"
)
_RELATIVE: Final = re.compile(
    r"\b(?P<noun>[a-z]+)(?P<comma>,? )(?P<that>which|that) (?:I|we) (?P<verb>[a-z]+)"
    r"(?=[.,;]| (?:in|on|at|from|with|for)\b)"
)
_SUBJECTS: Final[dict[Person, frozenset[str]]] = {
    "first": frozenset({"i", "we"}),
    "first singular": frozenset({"i"}),
    "second": frozenset({"you"}),
}
_OPENS: Final = frozenset({"DT", "PRP$", "NNP", "NNPS", "NNS", "NN", "JJ", "CD"})
_PLURAL: Final = frozenset({"NNS", "NNPS"})
_STAYS: Final = frozenset({
    "in", "during", "on", "after", "before", "since", "to", "when", "because", "at", "with", "using", "by",
    "for", "from", "as", "between", "across", "under", "over", "into", "through", "within", "via", "against",
    "until", "while", ",", "per", "twice", "once",
})  # fmt: skip
"""What may stand behind the object."""
_TRANSITIVE: Final = frozenset(
    {"make", "take", "give", "keep", "start", "begin", "hold", "reach", "know", "spend"}
)


def impersonal(sentence: str, person: Person, *, passive: bool = True) -> list[str]:
    """The sentence in ways that do without a person, the least changed first.

    Without `passive`, none of them is a passive.

    >>> impersonal("I think that the plan is good.", "first")
    ['The plan is good.']
    >>> impersonal("We measured the flow in May.", "first")
    ['The flow was measured in May.']
    """
    found = [one for one in _ways(sentence, person, passive) if one != sentence and sound(sentence, one)]
    return list(dict.fromkeys(found))


def _ways(sentence: str, person: Person, passive: bool) -> Iterator[str]:
    plain = sentence if person == "second" else _without_opinion(sentence)
    if plain != sentence:
        yield plain
    if person == "first":
        owned = _OWN.sub(lambda found: "The" if found["our"][0].isupper() else "the", plain)
        yield owned
        plain = owned
    related = _RELATIVE.sub(_of_relative, plain) if passive and person != "second" else plain
    if related != plain:
        yield related
        plain = related
    if passive and find_person(plain, person) and (turned := _passive(plain, _SUBJECTS[person])):
        yield turned


def _of_relative(found: re.Match[str]) -> str:
    """ "the samples that we collected" as "the samples that were collected"."""
    low = found["verb"]
    past = forms_of(low, "VBD")
    is_past = past is not None and past.past == low != past.base
    forms = past if is_past else forms_of(low, "VBP")
    if forms is None or forms.base in SETS["intransitive"] or found["noun"] in ("day", "time", "way", "year"):
        return found[0]
    be = _was(is_past, found["noun"].endswith("s") and not found["noun"].endswith("ss"))
    return f"{found['noun']}{found['comma']}{found['that']} {be} {forms.participle}"


def _without_opinion(sentence: str) -> str:
    text = _OPINION.sub("", _INSERTED.sub("", sentence))
    return capitalised(text) if text != sentence and sentence[:1].isupper() else text


def _passive(sentence: str, subjects: frozenset[str]) -> str | None:
    """ "We measured the flow" as "The flow was measured": nobody is named."""
    read = analyse_syntax(sentence)
    start = read.opening()
    if read.quoted or read.word(start) not in subjects or not sentence.endswith("."):
        return None
    verbs = _verbs(read, start + 1)
    if verbs is None:
        return None
    helpers, verb = verbs
    forms = BY_FORM.get(read.low[verb]) or forms_of(read.low[verb], read.tags[verb])
    if forms is None or forms.base in SETS["intransitive"] - _TRANSITIVE or read.low[verb] in ("are", "am"):
        return None
    end, many = _object(read, verb + 1)
    if end == verb + 1 or (end != read.stop and read.word(end) not in _STAYS):
        return None
    further = _further(read, end)
    if further is None:
        return None
    said = read.phrase_text(verb + 1, end)
    if said[:1].isdigit() and start == 0 and (number := re.match(r"\d{1,2}(?= )", said)):
        said = spell_number(int(number[0])) + said[number.end() :]
    be = _be(read, helpers, verb, many)
    if be is None:
        return None
    before = sentence[: read.words[start].start]
    after = applied(sentence, further)[read.words[end - 1].end :]
    return f"{before}{said if before.strip() else capitalised(said)} {be} {forms.participle}{after}"


def _further(read: Syntax, end: int) -> list[Edit] | None:
    """A further verb of the subject as a passive: "and measured them" as "and measured"; None in doubt."""
    edits: list[Edit] = []
    for at in range(end, read.stop):
        if read.tag(at) != "CC" or read.tag(at + 1) not in FINITE | {"VBN", "RB"}:
            continue
        forms = forms_of(read.low[at + 1], "VBD") if read.tag(at + 1) == "VBD" else None
        if forms is None or read.word(at + 2) not in ("them", "it"):
            return None  # "… and found": the subject has two verbs
        edits.append(Edit(read.words[at + 1].start, read.words[at + 2].end, forms.participle))
    return edits


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
    many = read.tag(read.noun_phrase(first) - 1) in _PLURAL
    if read.word(end) == "and" and read.tag(end + 1) in _OPENS:
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
    last = next((at for at in reversed(helpers) if read.tag(at) != "RB"), None)
    match _helper(read, last):
        case "MD":
            assert last is not None
            verbs = [read.low[last], *[one for one in adverbs if one == "not"], "be"]
        case "have":
            assert last is not None
            have = "had" if read.low[last] == "had" else "have" if many else "has"
            verbs = [have, *[one for one in adverbs if one == "not"], "been"]
        case "do":
            past = "did" in said
            verbs = [_was(past, many), *[one for one in adverbs if one == "not"]]
        case _:
            verbs = [_was(read.tags[verb] == "VBD", many)]
    return " ".join([*verbs, *(one for one in adverbs if one != "not")])


def _was(past: bool, many: bool) -> str:
    if past:
        return "were" if many else "was"
    return "are" if many else "is"
