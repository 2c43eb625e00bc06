"""Passives that say by whom, turned round one by one from the right, in clauses of any kind."""

from __future__ import annotations

from typing import Final, NamedTuple

from redraft.revision.rewriting.edits import Edit, applied, capitalised
from redraft.revision.rewriting.voice.active_verbs import conjugated, is_deadline
from redraft.revision.rewriting.voice.subjects import subject_start
from redraft.revision.rewriting.voice.voice import SETS, forms_of, object_text, says_how_much
from redraft.text import (
    FINITE,
    NOUN,
    SUBORDINATORS,
    PassiveVerb,
    Syntax,
    analyse_syntax,
    passive_verbs,
    singular,
)

_MOST: Final = 6
"""Passives in a sentence, at most."""
_FAR: Final = 8
"""Words between a participle and its "by", at most."""
_RELATIVE: Final = {"who": "whom", "which": "which", "that": "that"}
_ANYBODY: Final = frozenset({"everyone", "everybody", "somebody", "someone", "nobody", "anyone", "anybody"})
_SUBJECTS: Final = {
    "him": "he",
    "her": "she",
    "them": "they",
    "me": "I",
    "us": "we",
    "it": "it",
    "you": "you",
}
_PLACING: Final = frozenset({"in", "from", "with", "on", "at", "near", "of"})
_OPENS: Final = frozenset({"DT", "PRP$", "NNP", "NNPS", "NNS", "NN", "JJ", "CD", "PRP", "PDT", "JJS", "JJR"})
_BREAKS: Final = frozenset({",", ":", "CC", "WDT", "WP", "WRB"})
_COUNTING: Final = frozenset({"several", "many", "three", "four", "five", "ten", "a"})
_PREPOSITIONS: Final = frozenset({"for", "at", "after", "to", "into", "upon", "of", "with", "about"})
_UNKNOWN: Final = frozenset({"a", "an", "several", "some", "most", "many", "every", "each"})
_UNITS: Final = frozenset(
    {"votes", "points", "goals", "percent", "metres", "meters", "miles", "seconds", "runs"}
)
_WAYS: Final = frozenset({
    "hand", "train", "car", "bus", "plane", "law", "mistake", "accident", "chance", "design", "force",
    "surprise", "name", "size", "age", "date", "colour", "color", "weight", "height", "type", "cheque",
    "card", "cash", "transfer", "rail", "road", "sea", "air", "boat", "ship", "bike", "request",
    "appointment", "definition",
})  # fmt: skip
_AMOUNTS: Final = frozenset(
    {"half", "third", "quarter", "fifth", "tenth", "lot", "bit", "margin", "amount", "factor", "percentage"}
)
_FOCUS: Final = frozenset({
    "only", "even", "not", "just", "merely", "mainly", "mostly", "chiefly", "largely", "partly", "especially",
    "particularly", "nearly", "almost", "hardly", "scarcely", "barely", "neither", "either", "nor",
})  # fmt: skip
"""What says something of the one word behind it, and would say it of another."""
_DENIALS: Final = frozenset({"not", "n't", "never", "hardly", "scarcely", "barely", "rarely", "seldom"})
_NONE: Final = frozenset({"no", "none", "nobody", "nothing", "few", "little"})
_ANY: Final = frozenset({"any", "anyone", "anybody", "anything"})
_HOW_MANY: Final = _ANY | {
    "all", "every", "each", "both", "many", "much", "most", "some", "several", "everyone", "everybody",
    "everything", "somebody", "someone", "something", "a", "an", "two", "three", "nobody", "no",
}  # fmt: skip
"""With these a denial means something else on their other side."""
_HUNDREDS: Final = frozenset({"hundreds", "thousands", "millions", "dozens", "scores"})
_DO: Final = {"was": "did", "were": "did"}


class _Agent(NamedTuple):
    """Who did it: the text as a subject, whether they are many, and where it ends."""

    text: str
    many: bool
    end: int


def turned_by_agents(sentence: str) -> str:
    """The sentence with its passives turned round, wherever it is said by whom.

    >>> turned_by_agents("She was moved by his words and was driven home by a neighbour.")
    'His words moved her, and a neighbour drove her home.'
    >>> turned_by_agents("Was this picture painted by your mother?")
    'Did your mother paint this picture?'
    """
    sentence = _with_be(sentence)
    for _ in range(_MOST):
        read = analyse_syntax(sentence)
        if read.quoted or "by" not in read.low:
            return sentence
        edits = _asked(read) or next(
            (found for verb in reversed(passive_verbs(read)) if (found := _turn(read, verb))), None
        )
        if not edits:
            return sentence
        made = applied(sentence, edits)
        sentence = capitalised(made) if sentence[:1].isupper() else made
    return sentence


def turns_meaning(sentence: str) -> bool:
    """Whether a passive of a sentence would say something else, or nobody did it, once it is turned round.

    >>> turns_meaning("Only members are admitted by the guard.")
    True
    """
    read = analyse_syntax(sentence)
    return any(_turns_meaning(read, verb) for verb in passive_verbs(read))


def _turns_meaning(read: Syntax, verb: PassiveVerb) -> bool:
    if "by" not in read.low[verb.participle :]:
        return False
    first = read.low.index("by", verb.participle)
    by = _by(read, verb.participle)
    if by is None:
        near = first < verb.participle + _FAR and "by" not in read.low[first + 1 :]
        return near and _is_means(read, first, read.low[verb.participle])
    agent = _agent(read, by, can=True)
    start = _subject(read, verb.first)
    if agent is None or start is None:
        before = by - (read.word(by - 1) == "only")  # "only by the head"
        return bool((_FOCUS | _ANY) & {*read.low[:before], read.word(by + 1)})
    return _is_scope_in_doubt(read, start, verb, by, agent)


def _with_be(sentence: str) -> str:
    """ "It was written by Ann and read by Bo" with a "was" for both."""
    read = analyse_syntax(sentence)
    for verb in passive_verbs(read):
        by = _by(read, verb.participle)
        agent = _agent(read, by) if by is not None else None
        joint = agent.end if agent is not None else read.stop
        if read.tag(joint) != "CC" or read.tag(joint + 1) not in ("VBN", "VBD"):
            continue
        if _by(read, joint + 1) == joint + 2 and not read.quoted:
            be = read.phrase_text(verb.first, verb.be + 1)
            return applied(sentence, [Edit(read.words[joint].end, read.words[joint].end, f" {be}")])
    return sentence


def _turn(read: Syntax, verb: PassiveVerb) -> list[Edit] | None:
    """What turns one passive round; nothing where subject, agent or what follows are in doubt."""
    by = _by(read, verb.participle)
    forms = forms_of(read.low[verb.participle], "VBN")
    if (
        by is None
        or forms is None
        or read.held[verb.first]
        or forms.participle in SETS["loose_no_passive"] - {"known", "set"}
    ):
        return None
    can = read.low[verb.first] in ("can", "may") and read.low[verb.first + 1] == "be"
    agent = _agent(read, by, told=read.word(verb.first - 1) == "it", can=can)
    if agent is None:
        return None
    made = conjugated(read, verb, forms.base, many=agent.many)
    if not made:
        return None
    if read.word(verb.first - 1) in _RELATIVE and _is_relative(read, verb.first - 1):
        in_doubt = _is_scope_in_doubt(read, verb.first - 1, verb, by, agent)
        return None if in_doubt else _relative(read, verb, by, agent, made)
    shared = read.tag(verb.first - 1) == "CC"
    start = _shared_subject(read, verb.first) if shared else _subject(read, verb.first)
    if start is None and agent.end == read.stop:
        start = _described_subject(read, verb.first)
    if start is None or _goes_on(read, agent.end) or _is_scope_in_doubt(read, start, verb, by, agent):
        return None
    said = object_text(read, start, _subject_end(read, start) if shared else verb.first)
    if shared:
        said = _pronoun(read, start) if said not in _SUBJECTS else said
        if not said:
            return None
    if read.word(agent.end) == "only":  # "by members only"
        agent = agent._replace(text=f"only {agent.text}", end=agent.end + 1)
    tail = _tail(read, verb.participle + 1, by, made, said)
    if not shared and said == "it" and read.word(agent.end) in ("that", "whether", "how"):
        tail = made  # "it was shown by them that": what was shown follows
    text = f"{agent.text} {tail}"
    if shared:
        joint = verb.first - 1
        before = read.words[joint - 1]
        mark = "" if before.text == "," else ","
        return [Edit(before.end, read.words[agent.end - 1].end, f"{mark} {read.low[joint]} {text}")]
    end = read.words[agent.end - 1].end
    return [Edit(read.words[start].start, end, text if start else capitalised(text))]


def _is_scope_in_doubt(read: Syntax, start: int, verb: PassiveVerb, by: int, agent: _Agent) -> bool:
    """Whether the same words would deny or stress something else, once they are turned round."""
    subject, helpers = {*read.low[start : verb.first]}, {*read.low[verb.first : verb.participle]}
    between = {*read.low[verb.participle + 1 : by]}
    if _FOCUS & {read.word(start - 1), *subject, *between} or (_FOCUS - _DENIALS) & helpers:
        return True
    denied = _DENIALS & helpers or _NONE & subject
    counted = read.word(by + 1) in _HOW_MANY or (_DENIALS & helpers and _HOW_MANY - {"a", "an"} & subject)
    any_of_them = read.word(by + 1) in _ANY and read.low[verb.first] not in ("can", "may", "could")
    return bool((denied and counted) or any_of_them or _says_who_else(read, agent.end))


def _says_who_else(read: Syntax, end: int) -> bool:
    """Whether it goes on with by whom else, or by whom not: "by Ann, not by Bo"."""
    place = end
    while read.tag(place) in (",", "CC"):
        place += 1
    if {"not", "nor", "rather", "neither"} & {*read.low[end : place + 1]}:
        return True
    for at in range(end, read.stop):
        if read.tags[at] in FINITE:
            return False
        if read.low[at] == "by" and not is_deadline(read, at):
            return True
    return False


def _by(read: Syntax, participle: int) -> int | None:
    """The "by" that says who did it: in the same clause, and not by when or by what means."""
    for at in range(participle + 1, min(participle + _FAR, read.stop - 1)):
        parts = read.low[at] in SUBORDINATORS - {"by"} and read.word(at + 1) != "by"  # "looked after by"
        if read.tags[at] in _BREAKS or read.tags[at] in FINITE or parts:
            return None
        if read.low[at] == "by":
            return None if _is_means(read, at, read.low[participle]) else at
    return None


def _is_means(read: Syntax, by: int, participle: str) -> bool:
    """Whether a "by" says how, how much or by when, and not by whom."""
    head = read.noun_phrase(by + 1) - 1
    times = SETS["times"] | SETS["months"] | {"may"}
    counted = read.tag(by + 1) == "CD" and read.tag(head) in NOUN and read.word(head) not in times
    if read.word(head + 1) == "of" and (read.tag(head) == "CD" or read.word(head) in _HUNDREDS):
        return False  # "by two of them"
    bare = head <= by + 1 and read.word(by + 1) in SETS["media"] | _WAYS
    if bare or _AMOUNTS & {read.word(head), read.word(by + 1), read.word(by + 2)}:
        return True
    if participle in SETS["caused"]:
        return read.tag(by + 1) in ("VBG", "CD")
    how = (
        says_how_much(read, by, participle)
        or (read.tag(by + 1) == "CD" and read.word(head) in _UNITS)
        or read.word(head) in SETS["no_agent"]
        or read.tag(by + 1) == "VBG"
    )
    return how or read.tag(head) == "CD" or (is_deadline(read, by) and not counted)


def _agent(read: Syntax, by: int, *, told: bool = False, can: bool = False) -> _Agent | None:
    """Who did it; of "it was `told` by them that", the "that" says nothing of them."""
    first = by + 1
    if (
        read.tag(first) not in _OPENS
        or (read.word(first) == "any" and not can)
        or read.word(by - 1) == "only"
    ):
        return None
    end = _cut_times(read, first, read.with_complements(first))
    head = read.noun_phrase(first) - 1
    if read.tag(first) == "DT" and read.tag(first + 1) == "JJR" and end <= first + 1:  # "a cleaner"
        return _Agent(read.phrase_text(first, first + 2), many=False, end=first + 2)
    if read.word(first) in ("this", "that") and end <= first + 1:
        return _Agent(read.low[first], many=False, end=first + 1)
    if end == first or (read.tag(head) not in NOUN | {"PRP", "CD"} and read.word(head) not in _ANYBODY):
        return None
    many = read.tag(min(head, end - 1)) in ("NNS", "NNPS") or read.word(first) in ("them", "us", "you", "me")
    if read.word(end) in ("and", "or") and read.tag(end + 1) in ("DT", "NNP", "NNS", "PRP$", "NN"):
        further = read.with_complements(end + 1)
        if further > end + 1 and read.tag(further) not in FINITE:
            many = many or read.word(end) == "and"
            end = further
    end = _with_name(read, _with_place(read, first, end))
    end += read.word(end) in ("himself", "herself", "itself", "themselves")
    text = read.phrase_text(first, end)
    if "," in text and not text.endswith(",") and end == read.stop:
        text += ","
    related = end if told and read.word(end) == "that" else _with_relative(read, end)
    if related > end:
        text = read.phrase_text(first, related)
        if "," in read.low[end : end + 1] and related >= read.stop:
            text += ","
        end = related
    return _Agent(_SUBJECTS.get(text.lower(), text), many, end)


def _cut_times(read: Syntax, first: int, end: int) -> int:
    """The end of a noun phrase without "several times" or "two years ago" behind it."""
    for at in range(first + 1, end):
        counts = read.tags[at] == "CD" or read.low[at] in _COUNTING
        if counts and read.tag(at - 1) in NOUN | {"JJ"} and read.word(end - 1) in SETS["times"] | {"times"}:
            return at
    return end


def _with_place(read: Syntax, first: int, end: int) -> int:
    """Behind "a man in a red cap", "two shops in town": what says more of whom nobody knows yet."""
    unknown = read.tag(first) in ("CD", "NNS", "JJ") or read.low[first] in _UNKNOWN
    if not unknown or read.word(end) not in _PLACING:
        return end
    if read.tag(end + 1) in ("RB", "JJ") and end + 2 >= read.stop:  # "from abroad", "in black"
        return end + 2
    further = _cut_times(read, end + 1, read.with_complements(end + 1))
    head = read.word(further - 1)
    timed = head in SETS["times"] | SETS["months"] or any(tag == "CD" for tag in read.tags[end + 1 : further])
    return end if further == end + 1 or timed else further


def _with_name(read: Syntax, end: int) -> int:
    """Behind "the mayor, Ms Lund,": the name between commas."""
    named = read.noun_phrase(end + 1) if read.tag(end) == "," else end
    if named <= end + 1:
        return end
    if read.tag(end + 1) in ("NNP", "NNPS") and read.tag(named) == ",":
        return named + 1
    return named if named == read.stop and read.tag(end + 1) == "DT" else end


def _with_relative(read: Syntax, end: int) -> int:
    """Behind "a neighbour, who had heard it": up to the comma that ends it, or to the end."""
    at = end + (read.tag(end) == ",")
    if read.word(end) == "that" and read.tag(end) == "WDT" and read.tag(end + 1) in FINITE:
        return next((n for n in range(at + 1, read.stop) if read.tags[n] == ","), read.stop)
    if read.word(at) not in ("who", "whom", "whose") and not (at > end and read.word(at) == "which"):
        return end
    return next((n + 1 for n in range(at + 1, read.stop) if read.tags[n] == ","), read.stop)


def _goes_on(read: Syntax, end: int) -> bool:
    """Whether a further verb has the subject of the passive, which would get another one."""
    for at in range(end, read.stop):
        if read.low[at] in ("that", "whether"):
            return False
        if read.tags[at] == "CC":
            place = at + 1
            while read.tag(place) == "RB":
                place += 1
            if read.subject_and_verb(at + 1):
                return False
            if read.tag(place) in FINITE | {"VBN"}:
                return True
    return False


def _subject(read: Syntax, verb: int) -> int | None:
    start = subject_start(read, verb)
    if start is not None:
        return start
    if verb == 2 and read.tag(0) == "RB" and read.low[0].endswith("er"):  # "longer sleep", mistaken
        return 0
    first = read.phrase_start(verb)
    opened = first == 0 or read.tag(first - 1) in (",", "CC", "IN", ":", "RB", "WRB")
    return first if first < verb and opened and read.tag(first) not in ("EX", "WP", "WDT", "CC") else None


def _described_subject(read: Syntax, verb: int) -> int | None:
    """The start of "the film, which she made," before a verb, where it opens the sentence."""
    end = read.with_complements(0)
    opens = end > 0 and read.tag(end) == "," and read.word(end + 1) in ("which", "who", "whose")
    commas = [at for at in range(end, verb) if read.tags[at] == ","]
    return 0 if opens and len(commas) == 2 and commas[1] == verb - 1 else None


def _shared_subject(read: Syntax, verb: int) -> int | None:
    """Where the subject of the clause before an "and" begins."""
    for at in range(verb - 2, 0, -1):
        if read.tags[at] in FINITE:
            start = _subject(read, at)
            within = start is not None and (
                read.tag(start - 1) == "WRB" or read.word(start - 1) in SUBORDINATORS
            )
            return None if within else start
        if read.tags[at] in ("WDT", "WP") or read.low[at] in SUBORDINATORS:
            return None
    return None


def _subject_end(read: Syntax, start: int) -> int:
    return max(read.with_complements(start), start + 1)


def _pronoun(read: Syntax, start: int) -> str:
    """What stands for a noun that was named before: "it" or "them", and nobody for a person."""
    head = read.noun_phrase(start) - 1
    if read.tag(head) in ("NNS", "NNPS"):
        return "them"
    thing = read.tag(head) == "NN" and (read.low[head] in SETS["things"] or not _is_person(read.low[head]))
    return "it" if thing else ""


def _is_person(word: str) -> bool:
    named = word in SETS["close_people"] or f"{word}s" in SETS["persons"]
    return named or word.endswith(("er", "or", "ist", "man", "ant")) or singular(word) in SETS["persons"]


def _tail(read: Syntax, first: int, by: int, made: str, said: str) -> str:
    """The verb, its object, and what stood between participle and "by"."""
    if by == first:
        return f"{made} {said}"
    between = read.phrase_text(first, by)
    if read.tag(first) == "RP" and by == first + 1:
        return f"{made} {said} {between}" if said in _SUBJECTS else f"{made} {between} {said}"
    if by == first + 1 and read.low[first] in _PREPOSITIONS:  # "was paid for by"
        return f"{made} {between} {said}"
    return f"{made} {said} {between}"


def _is_relative(read: Syntax, place: int) -> bool:
    before = place - 1 - (read.tag(place - 1) == ",")
    return read.tag(before) in NOUN | {"CD"} or read.word(before) in _ANYBODY | {"those"}


def _relative(read: Syntax, verb: PassiveVerb, by: int, agent: _Agent, made: str) -> list[Edit] | None:
    """ "who had been woken by the noise" as "whom the noise had woken"."""
    ends = agent.end >= read.stop or read.tag(agent.end) in (",", "IN", *FINITE)
    if not ends or agent.text.endswith(","):
        return None
    opener = read.words[verb.first - 1]
    between = f" {read.phrase_text(verb.participle + 1, by)}" if by > verb.participle + 1 else ""
    new = f"{_RELATIVE[opener.text.lower()]} {agent.text} {made}{between}"
    return [Edit(opener.start, read.words[agent.end - 1].end, new)]


def _asked(read: Syntax) -> list[Edit] | None:
    """A question: "Was it painted by her?" as "did she paint it?"."""
    first = 1 if read.tag(0) == "WRB" else 0
    be = read.word(first)
    if not read.text.rstrip().endswith("?") or be not in ("is", "are", "was", "were"):
        return None
    end = read.noun_phrase(first + 1)
    forms = forms_of(read.word(end), "VBN")
    by = _by(read, end) if forms is not None else None
    agent = _agent(read, by) if by is not None else None
    if end == first + 1 or forms is None or by is None or agent is None or agent.end != read.stop:
        return None
    do = _DO.get(be) or ("do" if agent.many else "does")
    said = object_text(read, first + 1, end)
    text = f"{do} {agent.text} {_tail(read, end + 1, by, forms.base, said)}"
    return [Edit(read.words[first].start, read.words[agent.end - 1].end, text)]
