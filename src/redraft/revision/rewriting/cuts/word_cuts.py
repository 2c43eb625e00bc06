"""Cuts of words: wordy phrases or plain words for them, adverbs, adjectives, one of several joined items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.records import Reason
from redraft.revision.rewriting.cuts.clauses import cut
from redraft.revision.rewriting.cuts.reductions import AND_THAT, reductions
from redraft.revision.rewriting.edits import WORDS, Replacement, cased_like, uncapital
from redraft.text import CARDINALS, FINITE, NOUN, VERBS, WORDY, Syntax, inflected, list_lines


def _table() -> dict[str, str]:
    found = {
        wordy: plain
        for plain, phrases in WORDY.items()
        if plain not in WORDS.not_always_wordy
        for wordy in phrases
        if wordy.count(" ") > plain.count(" ")
    }
    for line in list_lines(__package__, "plain.txt"):
        wordy, plain = line.split(" | ")
        found[wordy] = "" if plain == "-" else plain
    return found


_PLAIN: Final = _table()
_WORDY: Final = re.compile(
    rf"(?i)(?<![\w-])(?:{'|'.join(sorted(map(re.escape, _PLAIN), key=len, reverse=True))})(?![\w-])"
)
_OPENERS: Final = tuple(tuple(line.split(" | ")) for line in list_lines(__package__, "openers.txt"))
_OPENER_COSTS: Final = {"hollow": 0.2, "empty": 0.3, "link": 0.9}
_ADVICE: Final = re.compile(
    r"\A(?:You (?:should|can|may want to|might want to|need to|will need to|have to|must) (?:also )?"
    r"|(?:Make sure|Be sure|Remember|Be careful|Try|Feel free|You are advised) to )(?=[a-z])"
)
_LIGHT_NOUNS: Final = {
    "decision": "decide",
    "attempt": "try",
    "promise": "promise",
    "contribution": "contribute",
}
_MAKE: Final = {"make": "VB", "makes": "VBZ", "making": "VBG", "made": "VBD"}
_LIGHT: Final = re.compile(
    rf"(?i)\b({'|'.join(_MAKE)}) (?:a|an|the) ({'|'.join(_LIGHT_NOUNS)})(?= (?:to|in)\b)"
)
_VERB: Final = FINITE | {"VB", "VBG", "VBN"}
_AFTER_ADVERBS: Final = frozenset({"IN", ".", ",", "", "CC", "DT", "PRP$", "TO"})


def plain_cuts(parts: Syntax) -> list[Replacement]:
    """What can be said shorter at no loss, or nearly none."""
    rules = (reductions, _from_table, _openers, _light_verbs, _small_words, _there)
    held = [word for word, is_held in zip(parts.words, parts.held, strict=True) if is_held]
    return [
        one
        for rule in rules
        for one in rule(parts)
        if not any(word.start < one.end and word.end > one.start for word in held)
    ]


def _from_table(parts: Syntax) -> Iterator[Replacement]:
    at = {word.start: index for index, word in enumerate(parts.words)}
    for match in _WORDY.finditer(parts.text):
        wordy, index = match[0].lower(), at.get(match.start())
        if index is None or not _fits(parts, index, index + wordy.count(" ") + 1, wordy):
            continue
        plain = cased_like(match[0], _PLAIN[wordy])
        if _PLAIN[wordy] in WORDS.wordy_plurals and parts.tag(index + wordy.count(" ") + 1) in ("DT", "PRP$"):
            plain += " of"  # the majority of the students
        yield Replacement(*match.span(), plain, Reason("replace" if plain else "omit", wordy, plain), 0.3)


def _fits(parts: Syntax, first: int, end: int, wordy: str) -> bool:
    """Whether the plain phrase can stand where the wordy one does."""
    before, following = parts.word(first - 1), parts.tag(end)
    if wordy.endswith(" to") and wordy.split(maxsplit=1)[0] in WORDS.be_and_have:
        negated = before in ("do", "does", "did", "n't", "not")
        auxiliary = negated or parts.tag(first - 1) in ("MD", "TO", "RB")
        return following == "VB" and auxiliary != (wordy != "be able to")
    if wordy == "the fact that":
        return parts.tag(first - 1) not in ("IN", "TO", "VBG")
    counts = _PLAIN[wordy] in ("many", "several", "various", "few", "most")
    if counts and wordy.endswith((" of", "several different", "numerous different")):
        end_of_phrase = parts.noun_phrase(end)
        return parts.tag(end_of_phrase - 1) in ("NNS", "NNPS") and before not in ("the", "such", "a", "an")
    if _PLAIN[wordy] in WORDS.opening_adverbs:
        return first == 0 and following == ","
    if wordy in ("a large amount of", "a great deal of"):
        return parts.tag(parts.noun_phrase(end) - 1) == "NN"
    if wordy in ("whether or not", "in the process of", "a bit of"):
        return True
    return before not in ("not", "n't", "no") or wordy in ("in order to", "so as to")


def _openers(parts: Syntax) -> Iterator[Replacement]:
    low = parts.text.lower().replace("’", "'")
    for opening, kind in _OPENERS:
        if low.startswith(opening + " ") and len(parts) > 6:
            end, new = len(opening) + 1, ""
            if opening.endswith(" that") and (again := AND_THAT.search(parts.text, end)):
                # Neither "that" has anything before it any more.
                end, new = again.end(), parts.text[end : again.start("that")]
            yield Replacement(0, end, new, Reason("omit", opening.strip(",")), _OPENER_COSTS[kind])
    if (match := _ADVICE.match(parts.text)) and not parts.text.endswith("?"):
        after = next(index for index, word in enumerate(parts.words) if word.start >= match.end())
        if parts.word(after) in VERBS:
            yield Replacement(0, match.end(), "", Reason("order", match[0].strip().lower()), 1.0)


def _light_verbs(parts: Syntax) -> Iterator[Replacement]:
    for match in _LIGHT.finditer(parts.text):
        form = inflected(_LIGHT_NOUNS[match[2].lower()], _MAKE[match[1].lower()])
        if form:
            yield Replacement(*match.span(), form, Reason("replace", match[0].lower(), form), 0.2)


def _small_words(parts: Syntax) -> Iterator[Replacement]:
    for index in range(parts.stop):
        low, before, following = parts.low[index], parts.word(index - 1), parts.tag(index + 1)
        word = parts.words[index]
        if low in WORDS.intensifiers and parts.tags[index] in ("RB", "RBR", "PDT"):
            so_that = low == "so" and "that" in parts.low[index : index + 8]
            bound = before in WORDS.before_intensifiers or parts.word(index + 1) in WORDS.after_intensifiers
            if not bound and not so_that and following in ("JJ", "RB", "VBN"):
                yield Replacement(word.start, word.end, "", Reason("omit", low), 0.3)
        elif low == "that" and before in WORDS.that_verbs and parts.tag(index - 1) != "NN":
            clause = following in ("DT", "PRP$", "NNP") and parts.subject_and_verb(index + 1)
            if following == "PRP" or clause:
                yield Replacement(word.start, word.end, "", Reason("omit", "that"), 0.25)
        elif low in ("that", "which") and parts.tag(index - 1) in NOUN and _has_own_subject(parts, index + 1):
            yield Replacement(word.start, word.end, "", Reason("omit", low), 0.45)
        elif low in ("that", "who", "which") and _reducible(parts, index) and _follows_noun(parts, index):
            why = Reason("omit", parts.phrase_text(index, index + 2).lower())
            yield Replacement(word.start, parts.words[index + 1].end, "", why, 0.5)


def _has_own_subject(parts: Syntax, first: int) -> bool:
    """Whether a clause about a noun has a subject, so that "which" may go: "repairs (which) he made"."""
    end = parts.noun_phrase(first)
    subject = parts.tag(first) in ("DT", "PRP") and first < end <= first + 3
    relative = parts.tag(first - 1) == "WDT" or (
        parts.tag(first) == "PRP" and parts.word(first - 2) not in WORDS.that_nouns | WORDS.that_verbs
    )
    asked = parts.word(first - 1) == "which" and not WORDS.asking_verbs.isdisjoint(parts.low[: first - 1])
    return subject and parts.tag(end) in FINITE and relative and not asked


def _follows_noun(parts: Syntax, index: int) -> bool:
    """Whether a clause is about the noun before it, perhaps after a comma."""
    return parts.tag(index - 1 - (parts.tag(index - 1) == ",")) in NOUN


def _reducible(parts: Syntax, index: int) -> bool:
    """Whether "that is" may go: "the paint that is used here", "the help that is available to them"."""
    if parts.word(index + 1) not in ("is", "are", "was", "were") or parts.word(index + 2) == "going":
        return False
    described = parts.tag(index + 2) in ("VBN", "VBG") or parts.word(index + 2) in WORDS.following_adjectives
    told = ("IN", "TO", "DT", "PRP$", "RB", "RP", "CD", "NNS")
    follows = told if parts.tag(index + 2) != "VBN" else ("IN", "TO")
    return described and parts.tag(index + 3) in follows


def _there(parts: Syntax) -> Iterator[Replacement]:
    """ "There are people who think" as "people think"."""
    if parts.tag(0) != "EX" or parts.word(1) not in ("is", "are", "was", "were"):
        return
    end = parts.with_complements(2)
    if end > 2 and parts.word(end) in ("that", "who", "which") and parts.tag(end + 1) in FINITE:
        noun = parts.phrase_text(2, end)
        if parts.word(2) not in ("a", "an", "no", "nothing", "something"):
            yield Replacement(0, parts.words[end].end, uncapital(noun, ""), Reason("omit", "there is"), 0.4)


def modifier_cuts(parts: Syntax) -> list[Replacement]:
    """The cuts of single words and of what "and" joins."""
    rules = (_please, _adverbs, _adjectives, _joined_words, _joined_nouns, _lists, _verb_lists, _complements)
    return [one for rule in rules for one in rule(parts) if one is not None]


def _please(parts: Syntax) -> Iterator[Replacement | None]:
    """A request without "please", where a verb follows."""
    for index in range(parts.stop - 1):
        if parts.low[index] == "please" and parts.word(index + 1) in VERBS:
            yield cut(parts, index, index + 1, "", 0.7)


def _is_whole_word(parts: Syntax, index: int) -> bool:
    word = parts.words[index]
    return not parts.held[index] and parts.text[word.end : word.end + 1] != "-"


def _adverbs(parts: Syntax) -> Iterator[Replacement | None]:
    for index in range(parts.stop):
        low, tag = parts.low[index], parts.tags[index]
        before, following = parts.tag(index - 1), parts.tag(index + 1)
        if tag != "RB" or low in WORDS.kept_adverbs or not (low.endswith("ly") or low in WORDS.cut_adverbs):
            continue
        if parts.word(index - 1) in WORDS.degree_words or following in ("CD", "$", "RB"):
            continue
        if low == "too" and following == "JJ":
            continue  # too much is not much
        if parts.word(index + 1) in WORDS.after_kept_adverbs or not _is_whole_word(parts, index):
            continue
        if index == 0:
            if following in ("PRP", "DT", "NNP", "PRP$", "EX", "NNS"):
                yield cut(parts, 0, 1, "", 0.7)
        elif following in _VERB | {"JJ", "MD"} and before not in ("DT",) and parts.word(index + 1) != "than":
            yield cut(parts, index, index + 1, "", 0.5 if low == "also" else 0.8)
        elif before == "DT" and following in ("JJ", "VBN"):
            yield cut(parts, index, index + 1, "", 0.8)
        elif before in _VERB | NOUN | {"PRP", "RP"} and following in _AFTER_ADVERBS:
            if parts.word(index - 1) not in WORDS.manner_verbs | {"be", "is", "are", "was", "were"}:
                yield cut(parts, index, index + 1, "", 1.1)
        elif before == "," and following in (".", "") and low in ("too", "however", "though"):
            yield cut(parts, index - 1, index + 1, "", 0.5)


def _adjectives(parts: Syntax) -> Iterator[Replacement | None]:
    for index in range(parts.stop):
        word = parts.words[index]
        if parts.tags[index] != "JJ" or parts.low[index] in WORDS.kept_adjectives:
            continue
        if word.text[0].isupper() or any(letter.isdigit() for letter in word.text):
            continue
        if parts.low[index] in CARDINALS:
            continue
        if not _is_whole_word(parts, index) or _tells_apart(parts, index):
            continue
        before, following = parts.tag(index - 1), parts.tag(index + 1)
        bound = before in ("RB", "RBR", "RBS", "POS", "CC") or (before == "CD" and len(word.text) < 3)
        if bound or parts.word(index - 1) in WORDS.degree_words | {"non", "pre", "multi"}:
            continue
        if following in ("NN", "NNS") and parts.word(index + 1) not in WORDS.hollow_nouns:
            stacked = before in ("JJ", ",", "CD") or following == "JJ"
            if before == "," and parts.tag(index - 2) != "JJ":
                continue
            first = index - (before == ",")
            yield cut(parts, first, index + 1, "", 1.2 if stacked else 1.7)
        elif following == "JJ" and parts.tag(index + 2) in NOUN:
            yield cut(parts, index, index + 1, "", 1.2)
        elif following == "," and parts.tag(index + 2) == "JJ" and parts.tag(index + 3) in NOUN:
            yield cut(parts, index, index + 2, "", 1.2)


def _tells_apart(parts: Syntax, index: int) -> bool:
    """Whether the noun stands there again, with another word before it: the early and the late group."""
    noun = parts.word(index + 1)
    again = (n for n in range(1, parts.stop) if parts.low[n] == noun and n != index + 1)
    return any(parts.tag(n - 1) == "JJ" and parts.low[n - 1] != parts.low[index] for n in again)


def _joined_words(parts: Syntax) -> Iterator[Replacement | None]:
    """ "clear and simple" as "clear"; "collect and check data" as "collect data"."""
    for index in range(1, parts.stop - 1):
        if parts.low[index] not in ("and", "or") or not _is_whole_word(parts, index):
            continue
        before, following = parts.tag(index - 1), parts.tag(index + 1)
        if before == following and before in ("JJ", "RB", "VB", "VBD", "VBN", "VBG", "VBP", "VBZ"):
            if parts.tag(index - 2) == "," or WORDS.paired_words & {*parts.low[max(0, index - 4) : index]}:
                continue
            verb = before.startswith("VB")
            if verb and parts.tag(index + 2) not in ("DT", "PRP", "PRP$", "NN", "NNS", "JJ"):
                continue
            yield cut(parts, index, index + 2, "", 1.3 if not verb else 1.6)


def _joined_nouns(parts: Syntax) -> Iterator[Replacement | None]:
    """ "a pen and some paper" as "a pen", where no verb has to agree with both."""
    for index in range(2, parts.stop - 1):
        if parts.low[index] not in ("and", "or") or parts.tag(index - 1) not in NOUN or parts.held[index]:
            continue
        end = parts.with_complements(index + 1)
        if end == index + 1 or parts.tag(end - 1) not in NOUN:
            continue
        if WORDS.paired_words & {*parts.low[max(0, index - 7) : index]} or _has_comma_before(parts, index):
            continue
        if WORDS.negations & {*parts.low[:index]}:
            continue  # what is denied of two things is two claims
        if _subject(parts, end) or parts.main is None or index < parts.main or _described(parts, end):
            continue
        if parts.tag(index - 1).startswith("NNP") != parts.tag(end - 1).startswith("NNP"):
            continue
        if parts.tag(index + 1) == "NN" and end > index + 2:
            continue
        if parts.tag(index - 1).startswith("NNP") and parts.tag(index + 1) not in ("NNP", "DT"):
            continue
        yield cut(parts, index, end, "", 1.6)


def _subject(parts: Syntax, end: int) -> bool:
    """Whether a verb follows a noun phrase, so that the phrase is, or belongs to, its subject."""
    while parts.tag(end) == "RB":
        end += 1
    return parts.tag(end) in FINITE


def _described(parts: Syntax, end: int) -> bool:
    """Whether more is said of a noun phrase right after it."""
    comma = parts.tag(end) == ","
    return parts.tag(end + comma) in ("WDT", "WP", "WP$", "DT", "NNP", "VBN", "VBG", "WRB") or (
        not comma and parts.tag(end) in ("IN", "POS", "TO")
    )


def _has_comma_before(parts: Syntax, index: int) -> bool:
    """Whether "and" ends a list of three or more."""
    start = parts.phrase_start(index)
    return parts.tag(index - 1) == "," or parts.tag(start - 1) == ","


def _lists(parts: Syntax) -> Iterator[Replacement | None]:
    """ "a pen, some paper and ink" as "a pen and ink"."""
    for index in range(4, parts.stop - 1):
        if parts.low[index] not in ("and", "or") or parts.held[index] or parts.depth[index]:
            continue
        last = index - (parts.tags[index - 1] == ",")
        end = parts.with_complements(index + 1)
        if end == index + 1 or (_subject(parts, end) and last == index):
            continue
        place, first = last, parts.phrase_start(last)
        while first < place and parts.tag(first - 1) == ",":
            place, first = first - 1, parts.phrase_start(first - 1)
        if place in (last, first) or parts.subject_and_verb(index + 1):
            continue
        yield cut(parts, place, index, "the middle of the list", 1.4)


def _verb_lists(parts: Syntax) -> Iterator[Replacement | None]:
    """ "He sat down, read the paper and slept" as "He sat down and slept"."""
    for index in range(4, parts.stop - 1):
        tag = parts.tag(index + 1)
        if parts.low[index] != "and" or tag not in ("VB", "VBD", "VBZ", "VBP") or parts.depth[index]:
            continue
        commas = [
            n
            for n in range(parts.main or 0, index - 1)
            if parts.tags[n] == "," and parts.tags[n + 1] == tag and not parts.depth[n] and not parts.held[n]
        ]
        if commas:
            yield cut(parts, commas[0], index, "the middle of the list", 1.8)


def _complements(parts: Syntax) -> Iterator[Replacement | None]:
    """ "the results of the study" as "the results"."""
    for index in range(2, parts.stop - 1):
        if parts.low[index] != "of" or parts.tag(index - 1) not in ("NN", "NNS") or parts.held[index]:
            continue
        start = parts.phrase_start(index)
        end = parts.noun_phrase(index + 1)
        if end == index + 1 or parts.word(start) not in ("the", "this", "these", "their", "our", "its"):
            continue
        if parts.word(index - 1) in WORDS.measures | WORDS.relational_nouns:
            continue
        if parts.word(end) in ("of", "and", "or", "'s", "&") or _described(parts, end):
            continue
        yield cut(parts, index, end, "", 2.0)
