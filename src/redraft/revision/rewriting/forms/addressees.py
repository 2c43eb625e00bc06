"""Advice and rules for a group, spoken to the reader: "visitors should keep their tickets" as "you should …".

What is then a duty of the reader can be put as a command.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from redraft.revision.rewriting.edits import WORDS, Edit, applied, capitalised
from redraft.revision.rewriting.voice.voice import SETS, forms_of
from redraft.text import (
    COMMAND_VERBS,
    Syntax,
    analyse_syntax,
    bases,
    is_main,
    singular,
    told_verbs,
    verb_forms,
)

_DUTY: Final = r"should|must|need to|needs to|have to|has to|ought to|may not|shall"
_BIDDEN: Final = r"asked|requested|advised|required|expected|encouraged|reminded|urged|supposed"
_GROUP: Final = r"(?P<which>(?:all|the|any|our|all the|all our|every|each) )?(?!they )(?P<noun>[a-z]{3,})"
_LEAD: Final = (
    r"(?P<lead>(?:(?:in|at|on|after|before|during|when|if) [^,;]{2,60}, |[^,;]{6,60}, (?:but|and|so) )?)"
)
_HAPPENS: Final = r"(?:feel|find|get|hear|know|notice|receive|see|understand)\b"
_TOLD: Final = re.compile(
    rf"(?i)^{_LEAD}{_GROUP} "
    rf"(?P<verb>(?:{_DUTY})(?: not| never| always| also)?+ (?!be\b|{_HAPPENS})[a-z]+"
    rf"|(?:are|is) (?:kindly )?(?:{_BIDDEN}) (?:not )?to [a-z]+)"
)
_LEAVE: Final = re.compile(
    rf"(?i)^{_LEAD}{_GROUP} "
    r"(?P<verb>(?:may|can|need not|(?:are|is) (?:allowed|welcome|free) to"
    r"|do(?:es)?(?: not|n['’]t) (?:have|need) to) [a-z]+)"
)
_THEY: Final = re.compile(
    rf"(?i)\bthey (?=(?:{_DUTY}|may|can|could|are|do|want|wish)\b"
    r"|will (?:get|receive|need|be (?:asked|given|told|charged))\b)"
)
_THEY_TOLD: Final = re.compile(rf"(?i)^they (?:{_DUTY}) ")
_THEIRS: Final = {"their": "your", "themselves": "yourself", "theirs": "yours"}
_OWN: Final = re.compile(r"\b(?:their|themselves|theirs)\b")
_ADVICE: Final = (
    re.compile(rf"(?i)\byou are (?:kindly )?(?:{_BIDDEN}) (?P<not>not )?to "),
    re.compile(
        r"(?i)\b(?:I|we) (?:would |strongly )*(?:recommend|suggest|advise)(?: that)? you (?:should |to )?"
        r"(?P<not>not (?:to )?)?"
    ),
    re.compile(
        r"(?i)\bit is (?:(?:a good idea|best|essential|necessary|important|vital|crucial)"
        r"|(?P<not>not |un)?(?:advisable|recommended|wise|sensible)|(?P<no>not) a good idea) to "
    ),
    re.compile(r"(?i)\byou(?: will|['’]ll) (?:also )?(?:want|need|have) to "),
    re.compile(rf"(?i)(?:^|(?<=, ))you (?:might|may) (?:also )?want to (?!be\b|have\b|{_HAPPENS})"),
)
_PASSIVE_NEED: Final = re.compile(
    r"(?P<before>\b[\w'’]+ )(?P<need>needs?|has|have) to be (?=[a-z]+(?:ed|en|[a-z]t|un)\b)"
)
_OPEN: Final = frozenset({
    "not", "never", "to", "will", "would", "may", "might", "can", "could", "shall", "should", "must", "do",
    "does", "did", "hardly", "only",
})  # fmt: skip
"""Behind these "have to" and "need to" say no duty by themselves."""
_GAPPED: Final = re.compile(
    r"\b(?P<duty>should|must) be (?P<one>\w+) and (?P<what>(?:the|all|your) \w+) (?P<two>\w+(?:ed|en))"
    r"(?=[.,;])"
)
"""A second thing without its verb: "the chairs should be stacked and the windows closed"."""
_FORBIDDEN: Final = re.compile(
    r"\bmay not be (?=(?P<done>[a-z]+)\b)(?![^.;]*\b(?:on time|in time|yet|immediately|everywhere)\b)"
)
_PROCESS: Final = re.compile(
    r"(?P<lead>^|(?<=, and )|(?<=, then )|(?<=, )|^Then )"
    r"(?P<what>(?:(?:[Tt]he |[Tt]his |[Aa]ll the )(?:[a-z]+ )?(?P<head>[a-z]+)"
    r"|[Ee]verything|[Ii]t(?: all)?)) "
    r"(?:should|must|has to|have to|needs to|need to) (?P<then>then )?"
    r"(?=(?P<act>rest|simmer|cool|dry|boil|rise|soak|bake|cook|stand|chill|set|drain|marinate|freeze|thaw"
    r"|steep)\b)"
)
_RISING: Final = frozenset({"dough", "bread", "batter", "cake", "loaf", "loaves", "rolls", "sponge"})
_BANNED: Final = re.compile(
    r"(?P<lead>^|^[A-Z][\w ]{2,30}, )(?:(?P<act>[A-Za-z]+ing)|(?P<fires>(?:open |camp ?)?fires|barbecues)) "
    r"(?P<rest>(?:(?:in|on|at|near|inside|here|after|during|the) (?:[a-z]+ ){0,4}?)?)"
    r"(?:is|are) (?:strictly )?(?:not (?:allowed|permitted)|forbidden|prohibited)"
    r"(?=[.,;!]| (?:here|anywhere|in|on|at|near|inside|after|before|during|within|between|while|except)\b)",
    re.IGNORECASE,
)
_REQUIRED: Final = re.compile(
    r"^(?P<what>It|They) (?:must|has to|have to) (?P<not>not )?"
    r"(?P<do>contain|include|match|begin|start|end|consist)\b(?= \w)"
)
"""What has to be so with a thing that something is to be done with: "it must contain a digit"."""
_LAST: Final = re.compile(
    r"(?i)^(?P<who>the (?:last|first) (?P<noun>[a-z]+))(?P<more> (?:to|in|out|at|on|from|who) [a-z ]+?)? "
    rf"(?P<duty>{_DUTY}) (?!be\b|have\b)"
    r"(?P<rest>[a-z])"
)
_LAST_ONE: Final = re.compile(
    rf"(?i)(?P<who>the last one)(?P<more> to leave| out)? (?:{_DUTY}) "
    r"(?P<rest>lock up|lock the|turn o(?:ff|ut)|switch off|(?:close|shut) the)\b"
)
_HELD: Final = re.compile(r"(?i)^(?P<whom>\w+) (?:should|must) be held by the hand\b")


def spoken_to(sentences: Sequence[str]) -> list[str]:
    """Sentences that tell a group, or anybody, what to do, as they would be said to one of them.

    >>> spoken_to(["Visitors are asked to wait.", "They should keep their tickets."])
    ['You should wait.', 'You should keep your tickets.']
    """
    found: list[str] = []
    groups = _told_groups(sentences)
    addressed = False
    others: list[str] = []
    for sentence in sentences:
        text = sentence
        start = 0
        told = _TOLD.match(text) or _LEAVE.match(text)
        if told and (told.re is _TOLD or told["noun"].lower() in groups):
            start = told.end()
            addressed = _is_for_readers(told) and not _is_theirs_in_doubt(text, start)
            text = _to_reader(text, told) if addressed else text
            others = []
        elif addressed and _THEY.search(text) and _are_readers(text, others):
            text = _yours(text)
            others = []
        others += _others(analyse_syntax(sentence), start)
        text = _plainer(_advised(text))
        if found and told_verbs(analyse_syntax(found[-1])):
            text = _REQUIRED.sub(_make_sure, text)
        found.append(capitalised(text) if sentence[:1].isupper() else text)
    return found


def _told_groups(sentences: Sequence[str]) -> set[str]:
    """Whom the sentences tell what to do, by name or by a "they" in the next one."""
    found = {
        told["noun"].lower() for one in sentences if (told := _TOLD.match(one)) and _is_for_readers(told)
    }
    for one, following in pairwise(sentences):
        if (leave := _LEAVE.match(one)) and _is_for_readers(leave) and _THEY_TOLD.match(following):
            found.add(leave["noun"].lower())
    return found


def are_others_between(read: Syntax, first: int, end: int) -> bool:
    """Whether others than those spoken of stand there, who may be meant by a "their" that follows."""
    return any(
        read.tags[at] in ("NNS", "NNPS")
        and (read.word(read.phrase_start(at + 1)) != "their" or read.low[at] in SETS["readers"])
        for at in range(first, end)
    )


def _is_for_readers(told: re.Match[str]) -> bool:
    """Whether a rule is for people; a capital within a sentence makes them a name."""
    noun, which = told["noun"], (told["which"] or "").strip().lower()
    many = f"{noun}s" if which in ("every", "each") or (which == "any" and not noun.endswith("s")) else noun
    ours = which.endswith("our") and many.lower() in SETS["wards"]  # "our children" are not the reader
    return many.lower() in SETS["readers"] and not ours and (noun.islower() or told.start("noun") == 0)


def _is_theirs_in_doubt(text: str, start: int) -> bool:
    """Whether others stand between those who are told and a "their"."""
    read = analyse_syntax(text)
    first = next((at for at, word in enumerate(read.words) if word.start >= start), read.stop)
    theirs = (at for at in range(first, len(read.low)) if _OWN.fullmatch(read.low[at]))
    return any(are_others_between(read, first, at) for at in theirs)


def _others(read: Syntax, start: int = 0, end: int | None = None) -> list[str]:
    """Of what else more than one is spoken of, for which a "they" behind it may stand."""
    words = zip(read.words, read.tags, read.low, strict=True)
    return [
        low
        for at, (word, tag, low) in enumerate(words)
        if start <= word.start < (len(read.text) if end is None else end)
        and tag in ("NNS", "NNPS")
        and low not in SETS["times"]
        and not (read.tag(at - 1) == "CD" and read.word(at + 1) == "of")  # "two litres of water"
    ]


def _are_readers(text: str, others: Sequence[str]) -> bool:
    """Whether each "they" is those who were told: nothing else was spoken of, or only people do so.

    Whoever looks after children rings the school, and they do not; otherwise other people may be meant.
    """
    if _is_theirs_in_doubt(text, 0):
        return False
    read = analyse_syntax(text)
    for at in _they(read):
        if read.word(at - 1) in ("that", "which") or read.tag(at - 1) == "NNS":
            continue  # "the pills that they take": the pills are none of them
        named = [*others, *_others(read, end=read.words[at].start)]
        acts = {*named} & SETS["wards"]
        if any(map(_is_person, {*named} - acts)) or (named and not _only_people(read, at + 1, bool(acts))):
            return False
    return True


def _they(read: Syntax) -> list[int]:
    return [at for at, low in enumerate(read.low) if low == "they" and not read.held[at]]


def _is_person(noun: str) -> bool:
    one = singular(noun) or noun
    known = WORDS.person_words | WORDS.reader_roles | WORDS.generic_people
    ends = one.endswith(("er", "or", "ist", "man", "ant", "ee", "ian")) and one not in SETS["things"]
    return noun in SETS["readers"] | SETS["persons"] or one in known or ends


def _only_people(read: Syntax, place: int, keepers: bool) -> bool:
    """Whether only people do or are what is said there of "them": of `keepers`, only those in charge."""
    while read.tag(place) in ("MD", "RB", "TO") or read.word(place) in ("need", "ought", "do", "have"):
        if read.word(place) in ("need", "have") and read.word(place + 1) != "to":
            break
        place += 1
    if read.word(place) in ("are", "be", "feel"):
        start = place + 1
        place = next((at for at in range(start, read.stop) if read.tag(at) != "RB"), place)
        bidden = read.word(place + 1) == "to" and read.word(place + 2) != "be"
        asked = bidden and re.fullmatch(_BIDDEN, read.low[place]) is not None and not keepers
        so = SETS["keepers_are"] if keepers else SETS["people_are"]
        return asked or bool(so & {*read.low[start : place + 1]})
    low = read.word(place)
    if keepers:
        return low in SETS["keepers_acts"]
    what = place + 1 + (read.tag(place + 1) == "RP")
    handled = COMMAND_VERBS - SETS["things_too"]
    takes = read.tag(what) in ("DT", "PRP$", "PRP", "CD", "NNP", "``", "JJ", "NN", "NNS")
    return low in SETS["people_acts"] or (takes and (low in handled or read.word(what) == "their"))


def _yours(text: str) -> str:
    """What is said of "them", said to the reader."""
    read = analyse_syntax(text)
    edits = [Edit(read.words[at].start, read.words[at].end, "you") for at in _they(read)]
    return _OWN.sub(lambda one: _THEIRS[one[0]], applied(text, edits))


def _to_reader(text: str, told: re.Match[str]) -> str:
    verb = re.sub(
        rf"^(?:are|is) (?:kindly )?(?:{_BIDDEN}) (?P<not>not )?to ",
        lambda one: "should " + (one["not"] or ""),
        told["verb"],
    )
    verb = re.sub(r"^(?:needs|has) ", lambda one: {"needs ": "need ", "has ": "have "}[one[0]], verb)
    verb = re.sub(r"^(?:is|does)\b", lambda one: {"is": "are", "does": "do"}[one[0]], verb)
    rest = text[told.end() :]
    lead = _yours(told["lead"]) if _are_readers(told["lead"], ()) else told["lead"]
    rest = _yours(rest) if _are_readers(rest, ()) else _OWN.sub(lambda one: _THEIRS[one[0]], rest)
    return f"{lead}you {verb}{rest}"


def _advised(text: str) -> str:
    """Advice in the main clause as a duty: "it is best to wait" as "you should wait"."""
    for pattern in _ADVICE:
        found = pattern.search(text)
        if found is not None and _is_advice(text, found):
            denied = "not " if {*found.groupdict().values()} - {None} else ""
            text = f"{text[: found.start()]}you should {denied}{text[found.end() :]}"
    return text


def _is_advice(text: str, found: re.Match[str]) -> bool:
    """Whether advice is given by the sentence itself, under no condition, and a verb says what to do."""
    read = analyse_syntax(text)
    starts = [word.start for word in read.words]
    if found.start() not in starts or found.end() not in starts:
        return False
    first, verb = starts.index(found.start()), starts.index(found.end())
    opens = first == 0 or read.tag(first - 1) in (",", ":", "CC") or read.tags[:first] == ("RB",)
    while read.tag(verb) == "RB":
        verb += 1
    alone = read.word(verb) == "do" and read.tag(verb + 1) == "."  # "we recommend that you do"
    return opens and is_main(read, first) and read.tag(verb) in ("VB", "VBP") and not alone


def _plainer(text: str) -> str:
    """The duties that have other words: "needs to be pressed", "may not be brought in", "has to simmer"."""
    text = _PASSIVE_NEED.sub(_should_be, text)
    text = _GAPPED.sub(r"\g<duty> be \g<one> and \g<what> \g<duty> be \g<two>", text)
    text = _FORBIDDEN.sub(_must_not_be, text)
    text = _HELD.sub(lambda one: f"you should hold {one['whom'].lower()} by the hand", text)
    text = _BANNED.sub(_must_not, text)
    text = _LAST_ONE.sub(_if_you_are_last, text)
    text = _LAST.sub(_if_you_are, text)
    return _PROCESS.sub(_let, text)


def _should_be(found: re.Match[str]) -> str:
    read = analyse_syntax(found.string)
    starts = [word.start for word in read.words]
    before = found["before"].strip().lower()
    open_duty = before in _OPEN or before.endswith(("n't", "n’t", "'ll", "’ll", "'d", "’d"))
    place = found.start("need")
    if open_duty or place not in starts or not is_main(read, starts.index(place)):
        return found[0]
    return f"{found['before']}should be "


def _must_not_be(found: re.Match[str]) -> str:
    forms = forms_of(found["done"], "VBN")
    forbids = forms is not None and forms.base in SETS["forbidden_acts"]
    return "must not be " if forbids else found[0]


def _if_you_are(found: re.Match[str]) -> str:
    if found["noun"].lower() + "s" not in SETS["readers"]:
        return found[0]
    who = found["who"][:1].lower() + found["who"][1:] + (found["more"] or "")
    duty = "must not" if found["duty"].lower() == "may not" else "should"
    return f"if you are {who}, you {duty} {found['rest']}"


def _must_not(found: re.Match[str]) -> str:
    """ "Smoking is forbidden" as "you must not smoke"."""
    if found["fires"]:
        what = f"light {found['fires'].lower()}"
    else:
        base = next((one for one in bases(found["act"].lower(), "VBG") if one in SETS["banned_acts"]), None)
        what = base or ""
    return f"{found['lead']}you must not {what} {found['rest']}".rstrip() if what else found[0]


def _make_sure(found: re.Match[str]) -> str:
    one = found["what"] == "It"
    does = found["do"]
    if does == "include" and not one:
        return found[0]  # "they" may be people
    if found["not"]:
        does = f"{'does' if one else 'do'} not {does}"
    elif one:
        does = verb_forms(does).third
    return f"you should make sure {found['what'].lower()} {does}"


def _if_you_are_last(found: re.Match[str]) -> str:
    return f"if you are {found['who'].lower()}{found['more'] or ''}, you should {found['rest']}"


def _let(found: re.Match[str]) -> str:
    """ "The dough has to rest" as "let the dough rest": what people or prices must do is no such step."""
    head = found["head"] or ""
    if head in SETS["readers"] or head + "s" in SETS["readers"]:
        return found[0]
    if found["act"] == "rise" and head not in _RISING:
        return found[0]
    what = found["what"]
    return f"{found['lead']}{found['then'] or ''}let {what[:1].lower()}{what[1:]} "
