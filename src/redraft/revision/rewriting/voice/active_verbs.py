"""Passives that name nobody as active verbs of the same subject: "the alarm was triggered" as "it went off".

Which verb says the same is data (`data/active-verbs.txt`): nobody is invented, and the subject stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from redraft.revision.rewriting.edits import Edit
from redraft.revision.rewriting.voice.subjects import clause_start, subject_start
from redraft.revision.rewriting.voice.voice import SETS
from redraft.text import (
    ADJECTIVE,
    FINITE,
    NOUN,
    PassiveVerb,
    Syntax,
    list_lines,
    singular,
    verb_forms,
)

_YEAR: Final = re.compile(r"(?:1\d|20)\d\d")
_PRONOUNS: Final = frozenset({"it", "they", "this", "which", "that"})
_NOT: Final = frozenset({"not", "n't"})
_ENDS: Final = frozenset({",", "CC", ":", "IN", "TO", "RB", "WRB", ".", "-LRB-", ""})
_BE: Final = {"is": False, "are": True, "am": True, "was": False, "were": True}
_MODALS: Final = frozenset({"can", "could", "should", "may", "might", "must", "shall", "ought"})
_HARM: Final = frozenset({"damage", "injuries", "harm"})
_HOW_BAD: Final = {
    "slightly": "slight", "lightly": "light", "badly": "serious", "seriously": "serious",
    "severely": "severe", "heavily": "heavy",
}  # fmt: skip
"""How somebody is harmed, and how the harm is."""
_BARE: Final = frozenset({"be", "been", "being"})


class Counterpart(NamedTuple):
    """A participle with the words behind it, and the active verb that says the same of some subjects."""

    participle: str
    following: tuple[str, ...]
    new: tuple[str, ...]
    subjects: frozenset[str]
    others: frozenset[str]
    """Of whom it is not said."""
    present: bool
    """Whether it is said in the present alone."""
    denied: bool
    """Whether it stands for the contrary: "not allowed" is "against the rules"."""


@lru_cache(maxsize=1)
def _counterparts() -> dict[str, list[Counterpart]]:
    sets: dict[str, frozenset[str]] = {}
    rows: list[tuple[list[str], list[str], list[str]]] = []
    name = ""
    for line in list_lines(__package__, "active-verbs.txt"):
        if line.startswith("@"):
            name, _, words = line.partition(": ")
            sets[name] = frozenset(words.split())
        elif line.startswith(" "):
            sets[name] |= frozenset(line.split())
        else:
            said, _, rest = line.partition(" = ")
            new, _, subjects = rest.partition(" | ")
            rows.append((said.split(), new.split(), subjects.split()))
    found: dict[str, list[Counterpart]] = {}
    for said_words, new_words, named in rows:
        denied = said_words[0] == "not"
        present = said_words[0] == "is"
        participle, *following = said_words[denied or present :]
        said_of = _listed([one for one in named if not one.startswith("!")], sets)
        others = _listed([one[1:] for one in named if one.startswith("!")], sets)
        row = Counterpart(participle, tuple(following), tuple(new_words), said_of, others, present, denied)
        found.setdefault(participle, []).append(row)
    return found


def _listed(names: Collection[str], sets: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return frozenset(word for one in names for word in sets.get(one, {one}))


def counterpart_edit(read: Syntax, verb: PassiveVerb, spoken_of: Collection[str]) -> Edit | None:
    """What makes one passive active; `spoken_of` are the nouns that a pronoun may stand for."""
    for row in _counterparts().get(read.low[verb.participle], ()):
        taken = _taken(read, verb.participle + 1, row.following)
        is_denied = bool(_NOT & {*read.low[verb.first : verb.participle]})
        if (row.denied and not is_denied) or (row.new[0] == "not" and is_denied):
            continue
        if row.present and read.phrase_text(verb.first, verb.be + 1).lower() not in ("is", "are"):
            continue
        if taken is None or not _fits(read, verb, row, spoken_of):
            continue
        if _is_shared(read, verb.participle) or _names_agent(read, verb.participle + 1):
            return None
        said = _said(read, verb, row)
        if said:
            word = read.words[verb.first]
            space = " " if word.text.startswith(("'", "’")) else ""  # "we're"
            return Edit(word.start, read.words[taken - 1].end, space + said)
    return None


def _names_agent(read: Syntax, place: int) -> bool:
    """Whether the clause goes on to say by whom, so that no other verb says it: "called home by her"."""
    while place < read.stop and read.tag(place) not in (",", ":"):
        if read.low[place] == "by" and not is_deadline(read, place) and read.tag(place + 1) != "VBG":
            return True
        place += 1
    return False


def _taken(read: Syntax, place: int, following: tuple[str, ...]) -> int | None:
    """The place behind the words that go; None where others stand there."""
    for wanted in following:
        low, tag = read.word(place), read.tag(place)
        match wanted:
            case "VB":
                fits = tag in ("VB", "VBP", "NN")
            case "NP":
                fits = read.noun_phrase(place) > place and low not in ("a", "the") * (tag == "RB")
            case "ADJ":
                fits = tag in ADJECTIVE or low in ("open", "empty", "shut", "closed", "unlocked", "locked")
            case "ING":
                fits = low.endswith("ing") and tag in ("VBG", "NN")
            case "YEAR":
                fits = _YEAR.fullmatch(low) is not None
            case "END":
                fits = place >= read.stop or tag in _ENDS or _is_time(read, place)
                fits = (
                    fits
                    and (low != "by" or is_deadline(read, place))
                    and not (low == "to" and read.tag(place + 1) == "VB")
                )
            case _:
                fits = low == wanted
                place += fits
        if not fits:
            return None
    return place


def is_deadline(read: Syntax, by: int) -> bool:
    """Whether a "by" says by when: "by that date", "by Saturday", "by 1 May"."""
    head = read.noun_phrase(by + 1) - 1
    return read.word(head) in SETS["times"] | {"date", "deadline", "noon", "midnight", "then"} or (
        read.tag(by + 1) == "CD" or read.word(by + 1) == "then"
    )


def _is_time(read: Syntax, place: int) -> bool:
    """Whether "two days later", "last week", "twice", "the evening before" may follow."""
    return read.word(place) in (
        "last",
        "next",
        "this",
        "twice",
        "once",
        "yesterday",
        "today",
        "tomorrow",
        "again",
        "the",
        "two",
        "three",
        "every",
        "a",
    )


def _fits(read: Syntax, verb: PassiveVerb, row: Counterpart, spoken_of: Collection[str]) -> bool:
    nouns = subject_nouns(read, verb.first)
    if read.word(verb.first - 1) in ("what", "whatever"):
        return False
    if row.others:
        unsure = read.low[verb.first] in _MODALS and "likely" in row.new
        return bool(nouns) and not nouns & row.others and not unsure
    if not row.subjects:
        # What can or should be done, somebody does: the same of a thing alone says less.
        return read.low[verb.first] not in _MODALS or row.new[0] in (
            "serve",
            "receive",
            "have",
            "learn",
            "hear",
        )
    if "available" in row.new and read.low[verb.first] in _MODALS:
        return False
    if nouns & row.subjects:
        return True
    earlier = {low for low, tag in zip(read.low[: verb.first], read.tags, strict=False) if tag in NOUN}
    return bool(_PRONOUNS & nouns and row.subjects & _singulars({*spoken_of, *earlier}))


def subject_nouns(read: Syntax, verb: int) -> set[str]:
    """The nouns and pronouns of a verb's subject; those of phrases inside it do not count."""
    start, end = subject_start(read, verb), verb
    if start is None:
        start = clause_start(read, verb)
    if start >= end:  # "it was used and then was sold": the subject is that of the verb before
        verbs = [at for at in range(start) if read.tags[at] in FINITE]
        return subject_nouns(read, verbs[-1]) if verbs and verbs[-1] else set()
    found: set[str] = set()
    for index in range(start, end):
        low, tag = read.low[index], read.tags[index]
        if found and tag in ("IN", "TO") and read.tag(index - 1) in NOUN:
            break
        alone = end - start == 1 and low in ("this", "that")
        if tag in NOUN | {"PRP", "WDT", "WP", "CD"} or low == "one" or alone:
            found.add(low)
    return _singulars(found)


def _singulars(words: Collection[str]) -> set[str]:
    return {*words} | {one for word in words if (one := singular(word))}


def _is_shared(read: Syntax, participle: int) -> bool:
    """Whether another participle behind "and" has the same "be": "was folded and sent"."""
    for index in range(participle + 1, read.stop):
        if read.tags[index] == "CC":
            place = index + 1
            while read.tag(place) == "RB":
                place += 1
            if read.tag(place) in ("VBN", "VBD") and read.tag(place + 1) not in NOUN:
                return read.word(place) not in ("was", "were", "had", "is", "has")
    return False


def _said(read: Syntax, verb: PassiveVerb, row: Counterpart) -> str:
    """The active verbs, in the tense and number of the passive."""
    words = [word for word in row.new if not word.isupper()]
    if words[0] == "be":
        if read.low[verb.be] == "being":
            return ""
        kept = read.low[verb.first : verb.participle]
        if row.denied:
            kept = tuple(word for word in kept if word not in _NOT | {"yet"})
            perfect = kept[:2] in (("has", "been"), ("have", "been"), ("had", "been"))
            kept = ({"has": "is", "have": "are", "had": "was"}[kept[0]],) if perfect else kept
        return " ".join([*kept, *words[1:]]).replace(" n't", "n't")
    if words[0] in ("may", "should"):
        modal = _may(read, verb) if words[0] == "may" else _should(read, verb)
        return " ".join([modal, *words[1:]]) if modal else ""
    if words[0] == "not":
        made = conjugated(read, verb, words[1], denied=True)
        return " ".join([made, *words[2:]]) if made else ""
    if words[:2] == ["date", "from"]:  # what was built then is there now
        plain = {"was": "dates from", "were": "date from"}
        return plain.get(read.phrase_text(verb.first, verb.participle).lower(), "")
    made = conjugated(read, verb, words[0], affirmed=row.denied)
    if words[-1] in _HARM:  # "was badly injured" as "suffered serious injuries"
        said = made.split()
        how = [one for one in said if one.endswith("ly")]
        if any(one not in _HOW_BAD for one in how):
            return ""
        made = " ".join(one for one in said if one not in how)
        words = [*words[:-1], *(_HOW_BAD[one] for one in how), words[-1]]
    return " ".join([made, *words[1:]]) if made else ""


def _should(read: Syntax, verb: PassiveVerb) -> str:
    helpers = read.low[verb.first : verb.participle]
    return {
        ("is",): "should",
        ("are",): "should",
        ("is", "not"): "should not",
        ("are", "not"): "should not",
    }.get(helpers, "")


def _may(read: Syntax, verb: PassiveVerb) -> str:
    helpers = read.low[verb.first : verb.participle]
    modal = {"is": "may", "are": "may", "was": "could", "were": "could"}.get(helpers[0], "")
    denied = " not" if _NOT & {*helpers} else ""
    adverbs = [word for word in helpers[1:] if word not in _NOT | _BARE]
    return " ".join([f"{modal}{denied}", *adverbs]) if modal else ""


def conjugated(
    read: Syntax,
    verb: PassiveVerb,
    base: str,
    *,
    many: bool | None = None,
    affirmed: bool = False,
    denied: bool = False,
) -> str:
    """A verb in the active with the tense, number and adverbs of a passive; empty where it is not known how.

    `many` is the number of another subject; `affirmed` leaves a negation out, `denied` puts one in.
    """
    forms = verb_forms(base)
    first, *others = read.low[verb.first : verb.participle]
    first = {"'s": "is", "'re": "are", "'m": "am"}.get(first, first)
    adverbs = [word for word in others if word not in _BARE and word not in ("has", "have", "had", "to")]
    rest = [word for word in adverbs if word not in _NOT]
    negation = ["not"] if denied or (len(rest) < len(adverbs) and not affirmed) else []
    if "been" in others and read.tag(verb.first) == "MD":
        made = [first, *negation, "have", *rest, forms.participle]
    elif "been" in others and first in ("has", "have", "had"):
        have = first if first == "had" or many is None else "have" if many else "has"
        made = [have, *negation, *rest, forms.participle]
    elif read.low[verb.be] == "being" and first in _BE:
        made = [_be(first, many), *negation, *rest, forms.gerund]
    elif read.tag(verb.first) in ("MD", "TO"):
        made = [first, *negation, *rest, forms.base]
    elif first in ("has", "have", "had") and "to" in others:
        have = first if first == "had" or many is None else "have" if many else "has"
        made = [have, "to", *rest, forms.base]
    elif first in _BE:
        is_past, plural = first in ("was", "were"), _BE[first] if many is None else many
        do = "did" if is_past else "do" if plural else "does"
        plain = forms.past if is_past else forms.base if plural else forms.third
        made = [do, "not", *rest, forms.base] if negation else [*rest, plain]
    else:
        return ""
    return (
        " ".join(made).replace("can not", "cannot").replace("ca not", "cannot").replace("wo not", "will not")
    )


def _be(first: str, many: bool | None) -> str:
    if many is None:
        return first
    past = first in ("was", "were")
    return ("were" if many else "was") if past else "are" if many else "is"


def reduced_relative(read: Syntax, verb: PassiveVerb) -> Edit | None:
    """A relative clause as a mere participle: "the window, which was painted shut" as "painted shut"."""
    opens = verb.first - 1
    if read.word(opens) not in ("which", "that", "who") or read.word(verb.participle + 1) == "by":
        return None
    noun = opens - 1 - (read.tag(opens - 1) == ",")
    helpers = read.low[verb.first : verb.participle]
    if read.tag(noun) not in NOUN or not {*helpers} <= {*_BE, "has", "have", "had", "been", "not"} | _adverbs(
        read, verb
    ):
        return None
    end = verb.participle + 1
    if end >= read.stop or read.tag(end) in (",", "CC", "MD", "VBZ", "VBP", "VBD"):
        return None  # "the samples that were lost": nothing more is said of them
    if _is_shared(read, verb.participle) or any(_goes_on(read, index) for index in range(end, read.stop)):
        return None
    kept = [word for word in helpers if word not in {*_BE, "has", "have", "had", "been"}]
    said = " ".join([*kept, read.words[verb.participle].text])
    return Edit(read.words[opens].start, read.words[verb.participle].end, said)


def _adverbs(read: Syntax, verb: PassiveVerb) -> set[str]:
    return {read.low[at] for at in range(verb.first, verb.participle) if read.tags[at] == "RB"}


def _goes_on(read: Syntax, index: int) -> bool:
    """Whether the relative clause has another verb: "which was built in 1890 and has two floors"."""
    return read.tags[index] == "CC" and read.tag(index + 1) in ("VBZ", "VBD", "VBP", "MD")


def edits_of(read: Syntax, verb: PassiveVerb, spoken_of: Collection[str]) -> Iterator[Edit]:
    """The ways to make a passive active that leave its subject."""
    if edit := counterpart_edit(read, verb, spoken_of):
        yield edit
    if edit := reduced_relative(read, verb):
        yield edit
