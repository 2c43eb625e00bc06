"""Splits of sentences that hold one clause within another: what is said of a thing, who says what, and how.

What is set apart names the thing again ("this research"): "it" alone would often point to something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.edits import WORDS
from redraft.revision.rewriting.splits.coordination import Phrase, Split
from redraft.revision.rewriting.splits.orders import first_order
from redraft.text import (
    BY_FORM,
    FINITE,
    NOUN,
    VERB,
    Clauses,
    Syntax,
    analyse_syntax,
    as_sentence,
    read_clauses,
)

_SHOWN: Final = re.compile(
    r"\b(?P<shown>(?:(?:has|have) )?(?:found|shown|showed|discovered|reported|concluded|calculated)) that "
)
_GRANTS: Final = re.compile(r", (?:although|though|but|while|whereas|which)\b")
_TAKES_UP: Final = re.compile(r"(?:\w+ ){0,3}(?:it|they|he|she|that)\b|.*\b(?:its|their|his|her|we|our|us)\b")
_REPLIED: Final = re.compile(
    r", to which (?P<said>[^,;]{2,60}? (?:replied|answered|responded|objected|added|agreed)\b)"
)
_TOLD: Final = r"(?: (?:him|her|them|us|me|you|(?:the|his|her|their|our) [a-z]+))?"
_THAT: Final = re.compile(
    rf"(?i)\b(?P<verb>[a-z]+)(?P<told>{_TOLD}) that (?P<one>[^;]{{1,400}}?),?"
    r" (?P<link>and|but) that (?=[a-z\d])"
)
_EITHER: Final = re.compile(
    r"(?i)\b(?P<you>(?P<I>you|we|they|I)|[a-z]+s(?: (?:who|that) [^,;]{1,60}?)?) (?P<can>can|may|could)"
    r" either (?P<one>[^;]{1,400}?),? or "
)
_FOUND: Final = re.compile(
    r" that (?P<thing>(?P<article>the|this|our|his|her|its|their) [^,;]{2,40}), which"
    r" (?P<said>(?:is|are|was|were|has|have|had) [^,;]+), (?=[a-z])"
)
_BY_DOING: Final = re.compile(r" by (?P<verb>[a-z]+ing) (?P<rest>[^;]+)")
_WHILE: Final = re.compile(r",? while (?P<verb>[a-z]+ing) (?P<rest>[^;,]+)\Z")
_OPEN: Final = re.compile(
    r"(?P<be>is|are|was|were) (?P<open>open|closed|available|free|on sale|shut) (?P<one>[^;]{1,400}?),? and"
    r" (?P<two>(?:on|from|at|in|during) [^;,]+)"
)
_SO_ORDER: Final = re.compile(r", so (?P<rest>(?:please )?(?P<verb>[a-z]+) [^;]+)")
_MOST_NAMED: Final = 3
"""Words of a subject that is named again, at most."""
_MOST_SUBJECT: Final = 8
"""Words of the subject of a clause about a thing, at most."""
_AFTER_GAP: Final = frozenset({"IN", "TO", "RB", "CC", ",", ".", ""})


def at_objects(reading: Clauses) -> Iterator[Split]:
    """ "My book, which I began in May, is done." gives "My book is done. I began this book in May." """
    read = analyse_syntax(reading.text + reading.end)
    for index in range(1, read.stop - 4):
        if read.tags[index] != "," or read.word(index + 1) != "which" or read.depth[index]:
            continue
        thing = _named_again(read, index)
        verb = _verb_of(read, index + 2)
        if thing is None or verb is None:
            continue
        end = _end_of_clause(read, verb)
        if end is None:
            continue
        said = _with_object(read, index + 2, verb, end, thing)
        rest = reading.text[read.words[end].end :] if end < read.stop else ""
        first = reading.text[: read.words[index].start] + rest
        yield Split(as_sentence(first, reading.end), as_sentence(said, "."), 'at "which"', 0.7)


def _named_again(read: Syntax, stop: int) -> str | None:
    """How the thing before a comma is named again: "this research", "version 4.1"."""
    start = read.phrase_start(stop)
    if start == stop or read.word(start) in ("it", "that", "this", "what"):
        return None
    while read.word(start - 1) in ("of", "on", "in", "for", "from", "at", "between") and start > 1:
        before = read.phrase_start(start - 1)
        if before == start - 1:
            break
        start = before
    end = read.noun_phrase(start)
    if read.tags[end - 1] in ("NNP", "NNPS", "CD"):
        article = read.tag(start) in ("PRP$", "DT")
        words = read.phrase_text(start + article, end)
        return f"the {words}" if article else words
    if read.tags[end - 1] not in NOUN or read.low[end - 1] in WORDS.person_nouns:
        return None
    return f"{'these' if read.tags[end - 1] == 'NNS' else 'this'} {read.low[end - 1]}"


def _verb_of(read: Syntax, subject: int) -> int | None:
    """The last verb of a clause that begins at an index and lacks its object, if it is such a clause."""
    if read.tag(subject) not in ("PRP", "DT", "NNP", "PRP$", "NNS", "CD"):
        return None
    near = range(subject + 1, min(subject + 1 + _MOST_SUBJECT, read.stop))
    verb = next((n for n in near if read.tags[n] in FINITE), None)
    if verb is None or any(read.tags[n] in ("WDT", "WP", ",") for n in range(subject, verb)):
        return None
    while read.tag(verb + 1) in VERB | {"RB"} and read.word(verb + 1) not in ("only", "then"):
        verb += 1
    while read.tag(verb) == "RB":
        verb -= 1
    meant = read.word(verb) in WORDS.auxiliaries or read.word(verb) in ("is", "are", "was", "were", "been")
    passive = read.tags[verb] == "VBN" and read.word(verb - 1) in ("is", "are", "was", "were", "been", "be")
    return None if meant or passive or read.tag(verb + 1) not in _AFTER_GAP else verb


def _end_of_clause(read: Syntax, verb: int) -> int | None:
    """The comma after which the sentence goes on, or its end; nothing where that cannot be told."""
    commas = [n for n in range(verb + 1, read.stop) if read.tags[n] == "," and not read.depth[n]]
    if not commas:
        return read.stop
    goes_on = read.tag(commas[0] + 1 + (read.tag(commas[0] + 1) == "RB")) in FINITE
    return commas[0] if goes_on else None


def _with_object(read: Syntax, subject: int, verb: int, end: int, thing: str) -> str:
    """The clause with its object; a second verb has it, too: "I began this in May and ended it in June"."""
    it = "them" if thing.startswith("these ") else "it"
    said = f"{read.phrase_text(subject, verb + 1)} {thing}"
    for index in range(verb + 1, end):
        space = read.text[read.words[index - 1].end : read.words[index].start]
        again = read.word(index - 1) == "and" and read.tags[index] in (read.tags[verb], "VBN")
        lacks = again and read.tag(index + 1) in _AFTER_GAP
        said += space + read.words[index].text + f" {it}" * lacks
    return said


def at_doers(reading: Clauses) -> Iterator[Split]:
    """ "The men, working in pairs, built it." gives "The men built it. They worked in pairs." """
    main = reading.main()
    if main is None or main.plain or main.imperative or reading.letters[main.stop : main.stop + 2] != ",g":
        return
    forms = BY_FORM.get(reading.lower(main.stop + 1))
    close = reading.letters.rfind(",", main.stop + 1, main.verb + 1)
    subject = Phrase(reading, main.start, main.stop)
    again = subject.pronoun()
    if forms is None or again is None or close <= main.stop or "," in reading.letters[main.stop + 1 : close]:
        return
    if "V" in reading.letters[main.stop : close] or reading.tag(main.verb) == "MD":
        return
    past = reading.tag(main.verb) == "VBD" or reading.lower(main.verb) in ("has", "have", "had")
    many = again in ("They", "We", "I", "You")
    said = forms.past if past else forms.base if many else forms.third
    first = reading.span(0, main.stop) + " " + reading.text[reading.words[close + 1].start :]
    second = f"{again} {said} {reading.span(main.stop + 2, close)}"
    yield Split(as_sentence(first, reading.end), as_sentence(second, "."), "at the participle", 0.9)


def at_sayings(reading: Clauses) -> Iterator[Split]:
    """ "He said that A and that B." gives "He said that A. He added that B." """
    text, main = reading.text, reading.main()
    for found in _REPLIED.finditer(text):
        second = found["said"] + text[found.end() :]
        yield Split(
            as_sentence(text[: found.start()], "."), as_sentence(second, reading.end), "the reply", 0.3
        )
    if main is None or main.imperative or "?" in reading.end:
        return
    again = Phrase(reading, main.start, main.stop).pronoun()
    if again == "It" and main.stop - main.start <= _MOST_NAMED:
        again = reading.span(main.start, main.stop)  # "it" would offend the keeper
    for found in _THAT.finditer(text):
        verb = found["verb"].lower()
        if again is None or reading.words[main.verb].start != found.start("verb"):
            continue
        if verb in WORDS.reporting_verbs | {"said", "says", "told", "explained", "stated", "noted"}:
            told = "adds" if verb.endswith("s") else "add" if verb == BY_FORM[verb].base else "added"
        else:
            told = f"also {verb}{found['told']}"
        named = again == "I" or reading.tag(main.start) == "NNP"
        small = again if named else again[0].lower() + again[1:]
        who = f"However, {small}" if found["link"] == "but" else again
        first = text[: found.end("one")]
        second = f"{who} {told} that {text[found.end() :]}"
        yield Split(
            as_sentence(first, "."), as_sentence(second, reading.end), "one thing said at a time", 0.4
        )


def at_findings(reading: Clauses) -> Iterator[Split]:
    """ "We found that the pump, which is new, leaks." gives "The pump is new. We found that it leaks." """
    for found in _FOUND.finditer(reading.text):
        many = found["said"].startswith(("are ", "were ", "have "))
        first = f"{found['thing']} {found['said']}"
        rest = reading.text[found.end() :]
        if read_clauses(rest + ".").tag(0) not in FINITE:
            continue
        second = f"{reading.text[: found.start()]} that {'they' if many else 'it'} {rest}"
        yield Split(as_sentence(first, "."), as_sentence(second, reading.end), 'at "which"', 0.7)
        if reading.lower(0) in ("we", "our", "i"):
            bare = as_sentence(f"{'they' if many else 'it'} {rest}", reading.end)
            yield Split(as_sentence(first, "."), bare, 'at "which"', 1.3)


def at_told_first(reading: Clauses) -> Iterator[Split]:
    """ "The men have shown that it works." gives "It works. That is what the men have shown." """
    main, found = reading.main(), _SHOWN.search(reading.text)
    if main is None or found is None or "?" in reading.end or main.start:
        return
    if reading.words[main.verb].start != found.start("shown") or _TAKES_UP.match(reading.text, found.end()):
        return
    who = reading.span(0, main.verb)
    if "," in who or _GRANTS.search(reading.text, found.end()):
        return  # what is granted is not what was shown
    small = who if reading.tag(0) in ("NNP", "PRP") and who[:2] != "We" else who[0].lower() + who[1:]
    first = as_sentence(reading.text[found.end() :], ".")
    second = as_sentence(f"That is what {small} {found['shown']}", reading.end)
    yield Split(first, second, "what is said, first", 1.2)


def at_choices(reading: Clauses) -> Iterator[Split]:
    """ "You can either wait or pay." gives "You can wait. Alternatively, you can pay." """
    for found in _EITHER.finditer(reading.text):
        rest = reading.text[found.end() :]
        if read_clauses(rest + ".").tag(0) not in ("VB", "VBP", "NN"):
            continue
        first = f"{reading.text[: found.start()]}{found['you']} {found['can']} {found['one']}"
        you = found["I"].lower().replace("i", "I") if found["I"] else "they"
        second = f"Alternatively, {you} {found['can']} {rest}"
        yield Split(as_sentence(first, "."), as_sentence(second, reading.end), 'at "either"', 0.4)


def at_means(reading: Clauses) -> Iterator[Split]:
    """ "Open it by turning the key." gives "Open it. To do so, turn the key." """
    read = analyse_syntax(reading.text + reading.end)
    start = first_order(read)
    found = _BY_DOING.search(reading.text)
    forms = BY_FORM.get(found["verb"]) if found else None
    if start is None or found is None or forms is None or read.word(start) in ("do", "never"):
        return
    before = reading.text[: found.start()]
    if len(before[read.words[start].start :].split()) < 3:
        return
    second = f"To do so, {forms.base} {found['rest']}"
    yield Split(as_sentence(before, "."), as_sentence(second, reading.end), "how it is done", 0.5)


def at_accompaniments(reading: Clauses) -> Iterator[Split]:
    """ "Turn the key while holding the door." gives "Turn the key. While doing so, hold the door." """
    found = _WHILE.search(reading.text)
    forms = BY_FORM.get(found["verb"]) if found else None
    if found is None or forms is None or first_order(analyse_syntax(reading.text + reading.end)) is None:
        return
    first, second = reading.text[: found.start()], f"While doing so, {forms.base} {found['rest']}"
    yield Split(as_sentence(first, "."), as_sentence(second, reading.end), 'at "while"', 0.5)


def at_hours(reading: Clauses) -> Iterator[Split]:
    """ "It is open on Monday, and on Friday at 9." gives "It is open on Monday. It is also …" """
    main, found = reading.main(), _OPEN.search(reading.text)
    if main is None or found is None or reading.words[main.verb].start != found.start("be"):
        return
    again = Phrase(reading, main.start, main.stop).pronoun()
    if again is None or "," in found["two"] or " and " in found["two"]:
        return
    second = f"{again} {found['be']} also {found['open']} {reading.text[found.start('two') :]}"
    first = reading.text[: found.end("one")]
    yield Split(as_sentence(first, "."), as_sentence(second, reading.end), "at the next time", 0.4)


def at_so_orders(reading: Clauses) -> Iterator[Split]:
    """ "It is hot, so please wait." gives "It is hot. So please wait." """
    found = _SO_ORDER.search(reading.text)
    if found is None or found["verb"] not in BY_FORM or BY_FORM[found["verb"]].base != found["verb"]:
        return
    if first_order(analyse_syntax(found["rest"] + reading.end)) is None:
        return
    first, second = reading.text[: found.start()], f"So {found['rest']}"
    yield Split(as_sentence(first, "."), as_sentence(second, reading.end), 'before "so"', 0.3)


RULES: Final = (
    *(at_objects, at_doers, at_sayings, at_findings, at_told_first, at_choices),
    *(at_means, at_accompaniments, at_hours, at_so_orders),
)
