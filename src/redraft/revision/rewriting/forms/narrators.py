"""Sentences told without "I" and "we": of whom these stand for, or of what was done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from redraft.revision.rewriting.edits import WORDS, Edit, applied, capitalised, sound
from redraft.revision.rewriting.forms.address import ROLES
from redraft.revision.rewriting.forms.speakers import is_thing, judges, of_itself, recommended
from redraft.revision.rewriting.forms.who_speaks import GENERIC, Narrator
from redraft.revision.rewriting.voice.into_passives import is_joined, unnamed
from redraft.revision.rewriting.voice.voice import SETS, forms_of
from redraft.text import (
    BY_FORM,
    NOUN,
    SUBORDINATORS,
    VERBS,
    Person,
    Syntax,
    analyse_syntax,
    find_person,
    list_lines,
)

_SHORT_FORMS: Final = (
    (re.compile(r"\bI['’]m\b"), "I am"),
    (re.compile(r"\b(I|[Ww]e) should like\b"), r"\1 would like"),
    (re.compile(r"\b([Ww])e['’]re\b"), r"\1e are"),
    (re.compile(r"\b(I|[Ww]e)['’]ve\b"), r"\1 have"),
    (re.compile(r"\b(I|[Ww]e)['’]ll\b"), r"\1 will"),
    (re.compile(r"\b(I|[Ww]e) (do|did|have|had|could|would|should|are|was|were|is)n['’]t\b"), r"\1 \2 not"),
    (re.compile(r"\b(I|[Ww]e) can['’]t\b"), r"\1 cannot"),
    (re.compile(r"\b(I|[Ww]e) won['’]t\b"), r"\1 will not"),
)
_WOULD_OR_HAD: Final = re.compile(
    r"\b(?P<who>I|[Ww]e)['’]d (?P<adverbs>(?:(?:not|never|always|also|just|rather|really|still) )*)"
    r"(?P<verb>\w+)"
)
_SHORTENED: Final = re.compile(r"\b(?:I|[Ww]e)['’]\w")
_CLAUSE: Final = (
    r"(?P<lead>^|(?<=, )|(?<=; )|(?<=, and )|(?<=\bbut )|(?<=\bthat )|(?<=\bbecause )|(?<=\bso ))"
)
"""Where a clause begins: an "and" alone may join two who act, as "my brother and I"."""
_OPINION: Final = re.compile(
    rf"{_CLAUSE}(?:(?:I|[Ww]e) (?:(?:also|still|firmly|strongly|really|personally) )?"
    r"(?:think|believe|feel) (?:that,? )?"
    r"|[Ii]n (?:my|our) (?:humble |honest |own )?(?:opinion|view|experience),? "
    r"|[Ff]rom (?:my|our) (?:point of view|perspective),? )(?=\w+ \w)"
)
_FIND: Final = re.compile(
    rf"{_CLAUSE}(?:I|[Ww]e) find (?P<what>(?:the|this|these|that|those|it) ?(?:\w+ ){{0,6}}?)"
    r"(?P<how>(?:very |too |quite |rather |not )?(?P<word>\w+)|the \w+)(?=[.,;])"
)
_CONVINCED: Final = re.compile(
    rf"{_CLAUSE}(?:I am|[Ww]e are) (?P<not>not )?(?P<how>fully |entirely |quite )?convinced by "
    r"(?P<what>(?:the|this|these|that|those) [\w ]+?)(?=[.,;])"
)
_SEE_WHERE: Final = re.compile(
    r"^(?:We|I) (?:will|shall) see (?P<what>(?:why|how|what|that)\b[^.;]*?)"
    r" in (?P<where>(?:section|chapter|part) \w+)"
)
_WE_ARE: Final = re.compile(r"^We are (?P<what>an? [^.,;]{3,60})")
_IN_OURS: Final = re.compile(r"^In (?:our|my) (?P<what>\w+),? (?=(?:we|I)\b)")
_WISH: Final = re.compile(
    r"\b(?P<who>I|[Ww]e) (?:would like to|should like to|wish to|want to) (?=remind|inform|ask|invite)"
)
_HELP: Final = re.compile(r"\bhelp (?:us|me) (?=by |to )")
_WANTS: Final = re.compile(r"(?<=\bproject )wants(?= to )")
"""What has no will of its own has an aim."""
_SAME: Final = re.compile(r",? (?P<joint>and|but) (?:I|we) (?=\w+)")
_POSSESSIVE: Final = {"my": "i", "our": "we"}
_SELVES: Final = {"myself": "i", "ourselves": "we", "ourself": "we", "mine": "i", "ours": "we"}
_OBJECTS: Final = {"me": "i", "us": "we"}
_OF_US: Final = re.compile(r"\b(?:[Ww]e|us|[Oo]urs?)\b")
_I_THINK: Final = re.compile(r"I (?:think|believe|feel)\b")
_UNDERSIGNED: Final = re.compile(r"^We, (?P<who>the [\w ]+),(?= )")
_LET_US: Final = re.compile(r"^Let(?: us|(?P<short>['’]s)) (?P<not>not )?(?P<verb>\w+)")
_INSIDE: Final = re.compile(
    r"(?<=[a-z)][.!?] )(?<!\bi\.e\. )(?<!\be\.g\. )(?<!\bapprox\. )(?<!\betc\. )(?<!\bvs\. )(?<!\bcf\. )"
    r"[a-z]+ \w+"
)
"""Where another sentence begins that was not parted from the one before it."""
_TITLED: Final = re.compile(r"\w (?:We|Our) [A-Z]|[A-Z]\w* I [A-Z]")
"""A title: "the section How We Use Information"."""
_SPEAKS: Final = re.compile(
    r"(?!Note|Abstract|Background|Methods?|Results?|Conclusions?|Aims?|Objectives?|Warning|Important|Summary"
    r"|Introduction|Discussion|Update)(?:[A-Z][\w.'’-]+ ){0,2}[A-Z][\w.'’-]+: "
)
"""Who speaks in a conversation."""
_DISCUSSES: Final = re.compile(
    rf"{_CLAUSE}(?:I|[Ww]e) (?:also |then |now |first |finally |therefore )*(?:will |shall )?"
    r"(?:show|argue|discuss|conclude|examine|explore|describe|explain|compare|consider|suggest|claim)"
    r"(?= (?!up)\w)"
)
"""What a text does as well as whoever wrote it."""
_ASKED: Final = (
    r"(?:^|(?<=[Pp]lease )|(?<=[Dd]o not )|(?<=you (?:can|may) )|(?<=you must )|(?<=feel free to )"
    r"|(?<=hesitate to )|(?<=, ))"
)
"""Where a request begins."""
_IN_CASE: Final = re.compile(r"(?:If|When|Should|For|To|Before)\b")
_CANNOT: Final = re.compile(r"\b(?:I|[Ww]e) (?:can|cannot|could|do|did|will|would)(?: not)?(?=[,.;])")
"""A verb that is not said again: the sentence before says what it would be."""
_ONE_PERSON: Final = {"he": "", "him": "", "his": "'s", "she": "", "her": "", "hers": "'s"}
"""Pronouns for one person, and what stands behind a name in their place."""
_SINGULAR_VERBS: Final = {"am": "is", "are": "is", "have": "has", "do": "does", "were": "was"}
_WRITERS: Final = frozenset({"the author", "the writer"})
"""Of whom it is not known what they have: what is theirs is said to be."""
_OPENS_CLAUSE: Final = SUBORDINATORS | {"that"}
_PEOPLE: Final = ROLES | WORDS.generic_people | SETS["close_people"]
_OWN_WORDS: Final = frozenset({
    "find", "conclude", "argue", "claim", "suggest", "propose", "recommend", "thank", "expect", "hope",
    "regret", "agree", "object", "demand", "offer", "promise",
})  # fmt: skip
"""What "we" say for ourselves, and not for people in general."""
_VIEWS: Final = re.compile(r"(?:opinion|view|experience|perspective|point|judge?ment|case)s?")


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    pairs = (line.split(" => ") for line in list_lines(__package__, "impersonal.txt"))
    return tuple((re.compile(_CLAUSE + found.replace("we", "[Ww]e", 1)), new) for found, new in pairs)


@cache
def _requests() -> tuple[tuple[re.Pattern[str], str], ...]:
    pairs = (line.split(" => ") for line in list_lines(__package__, "requests.txt"))
    return tuple((re.compile(rf"{_ASKED}(?i:{found})"), new) for found, new in pairs)


def told(
    sentence: str, narrator: Narrator, person: Person = "first", before: Sequence[str] = (), after: str = ""
) -> str | None:
    """A sentence without the first person, in view of those `before` and `after`; None if that fails.

    >>> told("We use good steel, and we sharpen each blade.", Narrator(many="the firm", passive=False))
    'The firm uses good steel and sharpens each blade.'
    """
    is_other = sentence.isupper() or _TITLED.search(sentence) or _SPEAKS.match(sentence)
    if narrator.letter or is_other or analyse_syntax(sentence).quoted:
        return None
    ours = person == "first singular" and _OF_US.search(sentence)
    text = _plain(sentence) if not ours or _I_THINK.match(sentence) else sentence
    if (inner := _IN_OURS.match(text)) and narrator.many == f"the {inner['what']}":
        text = text[inner.end() :]  # "in our project we plant": it is the project that plants
    ours_is = _WE_ARE.match(text) if narrator.is_one("we") else None
    if ours_is and is_thing(ours_is["what"]):
        text = f"This is {text[ours_is.start('what') :]}"
    if _SHORTENED.search(text):
        return None
    persons = {"i"} if person == "first singular" else {"i", "we"}
    if not narrator.many and not ours:
        text = _asked_of_nobody(text)
    if narrator.own_text:
        text = _of_own_text(text, narrator)
    if find_person(text, person) and not (_CANNOT.search(after) or _CANNOT.search(text)):
        turned = unnamed(text, {one for one in persons if narrator.may_be_unnamed(one)})
        text = turned if turned and not _points_back(turned, text, before, narrator) else text
    if find_person(text, person):
        named = _named(text, narrator, persons)
        stem = narrator.one[4:-2]
        doubled = stem and re.search(rf"(?i)\b{stem}\w* {stem}", named)
        text = (unnamed(text, persons) if doubled else None) or named
        if narrator.one and narrator.one in text.lower() and narrator.one not in sentence.lower():
            text = _with_name(text, sentence, before, narrator) or sentence
    text = capitalised(text) if sentence[:1].isupper() else text
    text = _INSIDE.sub(lambda found: found[0] if found[0] in sentence else capitalised(found[0]), text)
    return text if text != sentence and not find_person(text, person) and sound(sentence, text) else None


def continued(before: str, sentence: str, narrator: Narrator) -> str:
    """A sentence about the group that the one before named, with a pronoun: "The club … It …".

    >>> continued("The club is old.", "The club has 80 members.", Narrator(many="the club"))
    'It has 80 members.'
    """
    name = f"{capitalised(narrator.many)} "
    if (
        narrator.is_person("we")
        or not narrator.many
        or not before.startswith(name)
        or not sentence.startswith(name)
    ):
        return sentence
    read = analyse_syntax(before)
    if {"it", "its"} & {*analyse_syntax(sentence).low}:
        return sentence
    if any(read.tags[at - 1] in (",", "CC") and read.subject_and_verb(at) for at in range(2, read.stop)):
        return sentence
    return f"{capitalised(narrator.again('we'))} {sentence[len(name) :]}"


def _of_own_text(text: str, narrator: Narrator) -> str:
    """ "I show" as "the chapter shows"."""
    found = _DISCUSSES.search(text)
    if found is None:
        return text
    read = analyse_syntax(text)
    subject = next(at for at, word in enumerate(read.words) if word.start >= found.start())
    who = read.words[subject]
    edits = [Edit(who.start, who.end, narrator.own_text), *_agreeing(read, subject, singular=True)]
    return applied(text, edits)


def _points_back(made: str, text: str, before: Sequence[str], narrator: Narrator) -> bool:
    """Whether a passive opens with a "they" that could be the ones named just before."""
    opens = re.match(r"(?:They|It)\b", made)
    if opens is None or text.startswith(opens[0]) or not before:
        return False
    subject = before[-1].startswith(f"{capitalised(narrator.many)} ") if narrator.many else False
    return subject and narrator.again("we") == opens[0].lower()


def _with_name(text: str, sentence: str, before: Sequence[str], narrator: Narrator) -> str | None:
    """The sentence, with a name for a "he" that could be who now speaks; None where there is no such name."""
    read = analyse_syntax(sentence)
    places = [
        at
        for at in range(read.stop)
        if read.low[at] in _ONE_PERSON
        and not (
            read.tags[at] == "PRP" and read.low[at] in ("him", "her") and "i" in read.low[max(at - 3, 0) : at]
        )
    ]  # "I know him" is of two people
    if not places or any(_is_somebody(read, at) for at in range(places[0])):
        return text
    names = {name for one in before[-2:] for name in _names(one)}
    people = {low for one in before[-2:] for low in analyse_syntax(one).low} & _PEOPLE - {narrator.one[4:]}
    if len(names) != 1 or people or len(places) > 1:
        return None
    low = read.low[places[0]]
    owns = low == "her" and read.tags[places[0]] == "PRP$"
    name = f"{names.pop()}{chr(39) + 's' if owns else _ONE_PERSON[low]}"
    said = re.compile(rf"(?i)\b{low}\b")
    return said.sub(lambda _: name, text) if len(said.findall(text)) == 1 else None


def _is_somebody(read: Syntax, place: int) -> bool:
    """Whether a word may be who "he" or "she" is; "First," at the head is a name to the tagger."""
    return read.tags[place] in ("NN", "NNP") and not (place == 0 and read.word(1) == ",")


def _names(sentence: str) -> list[str]:
    """The names in a sentence that may be of people: neither of places nor of days."""
    read = analyse_syntax(sentence)
    found: list[str] = []
    at = 0
    while at < read.stop:
        end = at
        while read.tag(end) == "NNP":
            end += 1
        is_place = read.word(at - 1) in ("in", "at", "to", "near", "from", "the") if at else False
        is_name = end > at and all(word.text.istitle() for word in read.words[at:end])
        if is_name and not is_place and not re.search(r"\d", read.word(end)):
            found.append(read.phrase_text(at, end))
        at = max(end, at + 1)
    return found


def _asked_of_nobody(text: str) -> str:
    """ "Contact us" as "get in touch": a request without who asks."""
    for pattern, new in _requests():
        found = pattern.search(text)
        if found is None or (text[: found.start()].endswith(", ") and not _IN_CASE.match(text)):
            continue
        text = text[: found.start()] + found.expand(new) + text[found.end() :]
    return text


def _plain(sentence: str) -> str:
    """Without what somebody says of themselves alone: opinions, apologies, announcements."""
    text = sentence
    for pattern, new in _SHORT_FORMS:
        text = pattern.sub(new, text)
    text = _WOULD_OR_HAD.sub(_in_full, text)
    text = _LET_US.sub(_urged, text.replace(" hereby ", " "))
    text = _UNDERSIGNED.sub(lambda found: capitalised(found["who"]), text)
    text = of_itself(recommended(text))
    text = _SEE_WHERE.sub(lambda found: f"{capitalised(found['where'])} shows {found['what']}", text)
    text = _WISH.sub(lambda found: f"{found['who']} ", text)
    text = _HELP.sub("help ", _FIND.sub(_found, text))
    text = _CONVINCED.sub(_convincing, text)
    for pattern, new in _phrases():
        text = _impersonal(text, pattern, new)
    return capitalised(_without_opinion(text)) if sentence[:1].isupper() else _without_opinion(text)


def _in_full(found: re.Match[str]) -> str:
    """ "I'd go" as "I would go", "I'd gone" as "I had gone"; what may be either stays."""
    verb = found["verb"].lower()
    forms = BY_FORM.get(verb) or forms_of(verb, "VB")
    if verb == "better":
        helper = "had"
    elif "rather" in found["adverbs"] or verb in ("be", "have"):
        helper = "would"
    elif forms is None or forms.base == forms.participle:
        return found[0]
    elif verb in (forms.base, forms.participle):
        helper = "would" if verb == forms.base else "had"
    else:
        return found[0]
    return f"{found['who']} {helper} {found['adverbs']}{found['verb']}"


def _urged(found: re.Match[str]) -> str:
    """ "Let us count them" as "count them"; "let us know" asks for something else."""
    asks = not found["short"] and found["verb"].lower() in SETS["requests"]
    if asks or analyse_syntax(f"They will {found['verb']} it.").tag(2) != "VB":
        return found[0]
    return f"Do not {found['verb']}" if found["not"] else capitalised(found["verb"])


def _impersonal(text: str, pattern: re.Pattern[str], new: str) -> str:
    """A text with a phrase told of nobody, where a clause follows a "that" of it."""
    found = pattern.search(text)
    if found is None or (found[0].endswith("that") and not _begins_clause(text, found.end())):
        return text
    return text[: found.start()] + new + text[found.end() :]


def _begins_clause(text: str, place: int) -> bool:
    """Whether a clause of its own follows: "that man" may be one whom somebody knows."""
    read = analyse_syntax(text)
    at = next((n for n, word in enumerate(read.words) if word.start >= place), read.stop)
    bare = read.tag(at) == "NN" and read.word(at - 1) == "that"
    return not bare and read.subject_and_verb(at)


def _found(found: re.Match[str]) -> str:
    """ "I find the question important" as "the question is important"."""
    what = found["what"].strip()
    judged = found["how"].split()[0] in ("very", "too", "quite", "rather", "the")
    if found["word"] and not (_is_adjective(found["word"]) and (judged or found["word"] in SETS["valuing"])):
        return found[0]
    return f"{what} {'are' if _is_plural(what) else 'is'} {found['how']}"


def _is_adjective(word: str) -> bool:
    return analyse_syntax(f"It is very {word}.").tag(3) == "JJ"


def _is_plural(phrase: str) -> bool:
    read = analyse_syntax(phrase)
    end = read.noun_phrase(0)
    return read.tag(end - 1) in ("NNS", "NNPS") or read.word(0) in ("these", "those", "they")


def _convincing(found: re.Match[str]) -> str:
    be = "are" if _is_plural(found["what"]) else "is"
    return f"{found['what']} {be} {found['not'] or ''}{found['how'] or ''}convincing"


def _without_opinion(text: str) -> str:
    """An opinion as what it is about, where its words show that it is one.

    What somebody believes to have happened is only probable; what they hold to be so is theirs.
    """
    found = _OPINION.search(text)
    if found is None or not _begins_clause(text, found.end()):
        return text
    made = text[: found.start()] + text[found.end() :]
    believes = re.search(r"\b(?:think|believe|feel)\b", found[0])
    read = analyse_syntax(made)
    behind = (at for at in range(1, read.stop) if read.words[at].start > found.start())
    verb = next((at for at in behind if read.tags[at] in ("VBD", "VBP", "VBZ", "MD")), None)
    if verb is not None and judges(read, verb):
        if " also " in found[0]:
            made = f"{made[: read.words[verb].end]} also{made[read.words[verb].end :]}"
        return _without_opinion(made)
    if not believes or verb is None or read.tags[verb] != "VBD" or read.word(verb + 1) == "not":
        return text
    is_be = read.low[verb] in ("was", "were", "had")
    place = read.words[verb].end if is_be else read.words[verb].start
    return made[:place] + (" probably" if is_be else "probably ") + made[place:]


def _named(sentence: str, narrator: Narrator, persons: set[str]) -> str:
    """The pronouns as whom they stand for, with verbs that agree."""
    text = _with_shared_subjects(sentence)
    read = analyse_syntax(text)
    edits: list[Edit] = []
    subject = ""
    spoken = {one.start for one in find_person(text, "first")}
    others = {"they", "them", "their"} & {*read.low}
    things = {"it", "its"} & {*read.low}
    rival = False
    for at, low in enumerate(read.low):
        word = read.words[at]
        if _other_subject(read, at):
            rival, subject = rival or low not in _POSSESSIVE, subject if low in _POSSESSIVE else ""
        if read.held[at] or word.start not in spoken:
            continue
        who = _POSSESSIVE.get(low) or _SELVES.get(low) or _OBJECTS.get(low) or low
        if who not in persons:
            continue
        unsaid = not narrator.name(who) and low not in _POSSESSIVE
        if unsaid or (narrator.name(who) == GENERIC and low == "we" and read.word(at + 1) in _OWN_WORDS):
            return sentence
        if low in _POSSESSIVE:
            owned = _owned(read, at, who, narrator, bound=subject == who, rival=rival)
            if owned is None:
                return sentence
            new = owned
            if _other_subject(read, at):
                rival, subject = True, ""
        elif low in _SELVES:
            new = _itself(read, at, who, narrator)
        elif low in _OBJECTS:
            new = narrator.name(who)
        else:
            if narrator.is_one(who) and _may_be_past(read, at):
                return sentence
            joined = is_joined(read, at)
            again = (
                subject == who
                and narrator.name(who) != GENERIC
                and not (joined or (others if narrator.is_person(who) else things))
            )
            new = narrator.again(who) if again else narrator.name(who)
            subject = who
            edits += _agreeing(read, at, singular=narrator.is_one(who) and new != "they" and not joined)
        edits.append(Edit(word.start, word.end, new))
    made = _WANTS.sub("aims", applied(text, edits))
    said_again = rf"(?<=, and ){narrator.many}(?= (?:is|was|has|had|will)\b)"
    if narrator.is_person("we") or not made.startswith(f"{capitalised(narrator.many)} "):
        return made
    return re.sub(said_again, "it", made)  # "the shop is small, and the shop is old"


def _with_shared_subjects(text: str) -> str:
    """ "We use steel, and we sharpen it" as "we use steel and sharpen it", where the tense is the same."""
    read = analyse_syntax(text)
    start = read.opening()
    if read.word(start) not in ("i", "we") or read.word(start + 1) in ("cannot",):
        return text
    who = "I" if read.word(start) == "i" else "we"
    first = _tense(read, start + 1)

    def shared(found: re.Match[str]) -> str:
        at = next((n for n, word in enumerate(read.words) if word.start >= found.end()), read.stop)
        same = found[0].rstrip().endswith(who) and first and _tense(read, at) == first
        same = same and not is_joined(read, at - 1)
        same = same and not any(_other_subject(read, place) for place in range(start + 1, at - 1))
        return f" {found['joint']} " if same else found[0]

    return _SAME.sub(shared, text, count=1) if not read.quoted else text


def _tense(read: Syntax, place: int) -> str:
    while read.tag(place) == "RB":
        place += 1
    return {"VBP": "present", "VBD": "past"}.get(read.tag(place), "")


def _itself(read: Syntax, place: int, who: str, narrator: Narrator) -> str:
    if read.low[place] in ("mine", "ours"):
        return _genitive(narrator.name(who))
    if who == "i" and read.tag(place - 1) in NOUN | {"PRP"}:  # "I answer the phone myself"
        return "personally"
    return "themselves" if narrator.is_person(who) else "itself"


def _genitive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _other_subject(read: Syntax, place: int) -> bool:
    """Whether somebody or something else begins a clause here."""
    opens = place == 0 or read.tags[place - 1] in (",", "CC", ":") or read.word(place - 1) in _OPENS_CLAUSE
    return opens and read.low[place] not in ("i", "we") and read.subject_and_verb(place)


def _owned(read: Syntax, place: int, who: str, narrator: Narrator, *, bound: bool, rival: bool) -> str | None:
    """What stands for "my" and "our": "their" of who was just named, else the name or an article.

    None where it would be lost whose it is.
    """
    end = read.noun_phrase(place)
    head = read.word(end - 1) if end > place + 1 else read.word(place + 1)
    name = narrator.name(who)
    if name and name.removeprefix("the ") in " ".join(read.low[place + 1 : end]):
        return "the"
    if _VIEWS.fullmatch(read.word(place + 1)) and read.word(place - 1) in ("in", "from"):
        return _genitive(name) if name not in ("", GENERIC) else None
    if bound and not rival:
        return "its" if not narrator.is_person(who) else "their"
    close = head in SETS["close_people"] or (head.rstrip("s") in SETS["close_people"])
    close = close or read.tag(place + 1) == "JJS"
    if who == "i" and not name:
        return None
    if name in ("", GENERIC):
        is_whose = close or head in SETS["of_somebody"] or read.word(place + 1) == "own"
        return "the" if _other_subject(read, place) and not is_whose else None
    told = close or bound or (who == "i" and not narrator.alone and name in _WRITERS)
    told = told or (name == "the group" and not narrator.passive)
    return _genitive(name) if told else "the"


def _agreeing(read: Syntax, subject: int, *, singular: bool) -> list[Edit]:
    """The verbs of a subject that was "I" or "we" in the third person."""
    if read.tag(subject - 1) in ("VBP", "VBD") and read.word(subject - 1) in _SINGULAR_VERBS:
        before = read.words[subject - 1]
        new = _SINGULAR_VERBS[read.low[subject - 1]]
        return [Edit(before.start, before.end, new)] if singular else []
    places = [_first_verb(read, subject + 1), *_further_verbs(read, subject)]
    edits: list[Edit] = []
    for place in (one for one in places if one is not None):
        word = read.words[place]
        new = _third(read, place) if singular else {"am": "are", "was": "were"}.get(read.low[place], "")
        if new and new != read.low[place]:
            edits.append(Edit(word.start, word.end, new))
    return edits


def _may_be_past(read: Syntax, subject: int) -> bool:
    """Whether nothing says when it was: "we put the samples in a jar" may be told of now or of then."""
    place = _first_verb(read, subject + 1)
    if place is None or _tells_of_then(read, place):
        return False
    forms = BY_FORM.get(read.low[place])
    return forms is not None and forms.past == read.low[place] == forms.base


def _tells_of_then(read: Syntax, place: int) -> bool:
    """Whether another verb than that at a place is in the past: "we read them and invited six people"."""
    tags = [*read.tags[:place], "", *read.tags[place + 1 : read.stop]]
    shared = any(
        tags[at : at + 2] == ["CC", "VBN"] and tags[at - 1] in NOUN for at in range(place + 1, len(tags))
    )
    return "VBD" in tags or (shared and read.tags[place] in ("VBP", "VBD"))


def _first_verb(read: Syntax, place: int) -> int | None:
    while read.tag(place) in ("RB", "DT") and read.word(place) != "n't":  # "we all agree"
        place += 1
    return place if place < read.stop else None


def _further_verbs(read: Syntax, subject: int) -> list[int]:
    """Verbs in the present that share the subject: "we meet, talk and decide"."""
    first = _first_verb(read, subject + 1)
    helps = (
        first is not None and read.low[first] in ("have", "do") and read.tag(first + 1) in ("VB", "VBN", "RB")
    )
    if first is None or helps or read.tag(first) not in ("VBP", "VB", "VBD"):
        return []
    found: list[int] = []
    for at in range(first + 1, read.stop):
        if (
            read.subject_and_verb(at)
            or read.tags[at] in ("WDT", "WP", "WRB")
            or read.low[at] in SUBORDINATORS
            or (read.tags[at] == "TO" and read.tag(at + 1) == "VB")  # "we want to help and save them"
        ):
            break
        if read.tags[at] in ("CC", ","):
            place = at + 1
            while read.tag(place) == "RB":
                place += 1
            shared = read.tag(place) in ("VBP", "VB") or read.word(place) == "were"
            hidden = read.tag(place) == "NN" and read.word(place) in VERBS
            shared = shared or (hidden and read.tag(place + 1) in ("DT", "PRP$", "PRP"))
            if shared and read.low[place] not in read.low[:subject]:
                found.append(place)
    return found


def _third(read: Syntax, place: int) -> str:
    low, tag = read.low[place], read.tags[place]
    if low in _SINGULAR_VERBS:
        return _SINGULAR_VERBS[low]
    forms = forms_of(low, "VBP")
    known = BY_FORM.get(low)
    base = tag == "VBD" and known is not None and known.base == low != known.past  # "when I light the oven"
    if tag not in ("VBP", "VB", "VBG", "NN", "IN", "JJ") and not base:
        return ""
    if forms is not None and forms.past == low and _tells_of_then(read, place):  # "we read them and left"
        return ""
    return forms.third if forms is not None and forms.base == low else ""
