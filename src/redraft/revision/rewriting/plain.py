"""Cuts of wordy phrases, or plain words for them: the sentence loses nothing by it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.records import Reason
from redraft.revision.rewriting.edits import SETS, Replacement, cased_like, uncapital
from redraft.text import FINITE, NOUN, VERBS, WORDY, Syntax, list_lines

_NOT_BACK: Final = SETS["plain.not_back"]
"""Plain words that a wordy phrase does not always stand for."""


def _table() -> dict[str, str]:
    found = {
        wordy: plain
        for plain, phrases in WORDY.items()
        if plain not in _NOT_BACK
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
_INTENSIFIERS: Final = SETS["plain.intensifiers"]
_BEFORE_INTENSIFIERS: Final = SETS["plain.before_intensifiers"]
_AFTER_INTENSIFIERS: Final = SETS["plain.after_intensifiers"]
_REPORTING: Final = SETS["plain.reporting"]
_ONLY_FIRST: Final = SETS["plain.only_first"]
_AUXILIARIES: Final = frozenset({"is", "are", "am", "be", "has", "have", "was", "were"})
_LIGHT: Final = re.compile(
    r"(?i)\b(mak(?:e|es|ing)|made) (?:a|an|the) (decision|choice|attempt|suggestion|change|promise|comparison"
    r"|contribution|request|mistake|recommendation)(?= (?:to|in)\b)"
)
_LIGHT_VERBS: Final = {
    "decision": ("decide", "decides", "deciding", "decided"), "attempt": ("try", "tries", "trying", "tried"),
    "promise": ("promise", "promises", "promising", "promised"),
    "contribution": ("contribute", "contributes", "contributing", "contributed"),
}  # fmt: skip


def plain_cuts(parts: Syntax) -> list[Replacement]:
    """What can be said shorter at no loss, or nearly none."""
    rules = (_from_table, _openers, _light_verbs, _small_words, _there)
    found = (cut for rule in rules for cut in rule(parts))
    return [cut for cut in found if not _touches_held(parts, cut)]


def _touches_held(parts: Syntax, cut: Replacement) -> bool:
    return any(
        held and word.start < cut.end and word.end > cut.start
        for word, held in zip(parts.words, parts.held, strict=True)
    )


def _from_table(parts: Syntax) -> Iterator[Replacement]:
    at = {word.start: index for index, word in enumerate(parts.words)}
    for match in _WORDY.finditer(parts.text):
        wordy, index = match[0].lower(), at.get(match.start())
        if index is None or not _fits(parts, index, index + wordy.count(" ") + 1, wordy):
            continue
        plain = cased_like(match[0], _PLAIN[wordy])
        yield Replacement(*match.span(), plain, Reason("replace" if plain else "omit", wordy, plain), 0.3)


def _fits(parts: Syntax, first: int, end: int, wordy: str) -> bool:
    """Whether the plain phrase can stand where the wordy one does."""
    before, following = parts.word(first - 1), parts.tag(end)
    if wordy.endswith(" to") and wordy.split(maxsplit=1)[0] in _AUXILIARIES:
        negated = before in ("do", "does", "did", "n't", "not")
        auxiliary = negated or parts.tag(first - 1) in ("MD", "TO", "RB")
        return following == "VB" and auxiliary != (wordy != "be able to")
    if wordy == "the fact that":
        return parts.tag(first - 1) not in ("IN", "TO", "VBG")
    counts = _PLAIN[wordy] in ("many", "several", "various", "few", "most")
    if counts and wordy.endswith((" of", "several different", "numerous different")):
        end_of_phrase = parts.noun_phrase(end)
        return parts.tag(end_of_phrase - 1) in ("NNS", "NNPS") and before not in ("the", "such", "a", "an")
    if _PLAIN[wordy] in _ONLY_FIRST:
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
            end = len(opening) + 1
            yield Replacement(0, end, "", Reason("omit", opening.strip(",")), _OPENER_COSTS[kind])
    if (match := _ADVICE.match(parts.text)) and not parts.text.endswith("?"):
        after = next(index for index, word in enumerate(parts.words) if word.start >= match.end())
        if parts.word(after) in VERBS:
            yield Replacement(0, match.end(), "", Reason("order", match[0].strip().lower()), 1.0)


def _light_verbs(parts: Syntax) -> Iterator[Replacement]:
    for match in _LIGHT.finditer(parts.text):
        forms = _LIGHT_VERBS.get(match[2].lower())
        if forms:
            verb = match[1].lower()
            form = forms[("make", "makes", "making", "made").index(verb)]
            yield Replacement(*match.span(), form, Reason("replace", match[0].lower(), form), 0.2)


def _small_words(parts: Syntax) -> Iterator[Replacement]:
    for index in range(parts.stop):
        low, before, following = parts.low[index], parts.word(index - 1), parts.tag(index + 1)
        word = parts.words[index]
        if low in _INTENSIFIERS and parts.tags[index] in ("RB", "RBR", "PDT"):
            so_that = low == "so" and "that" in parts.low[index : index + 8]
            free = before not in _BEFORE_INTENSIFIERS and parts.word(index + 1) not in _AFTER_INTENSIFIERS
            if free and not so_that and following in ("JJ", "RB", "VBN"):
                yield Replacement(word.start, word.end, "", Reason("omit", low), 0.3)
        elif low == "that" and before in _REPORTING and parts.tag(index - 1) != "NN":
            clause = following in ("DT", "PRP$", "NNP") and parts.subject_and_verb(index + 1)
            if following == "PRP" or clause:
                yield Replacement(word.start, word.end, "", Reason("omit", "that"), 0.25)
        elif low in ("that", "who", "which") and parts.tag(index - 1) in NOUN and _reducible(parts, index):
            why = Reason("omit", parts.said(index, index + 2).lower())
            yield Replacement(word.start, parts.words[index + 1].end, "", why, 0.5)


def _reducible(parts: Syntax, index: int) -> bool:
    """Whether "that is" may go: "the paint that is used here"."""
    return (
        parts.word(index + 1) in ("is", "are", "was", "were")
        and parts.tag(index + 2) in ("VBN", "VBG")
        and parts.tag(index + 3) in ("IN", "TO", "DT", "PRP$")
    )


def _there(parts: Syntax) -> Iterator[Replacement]:
    """ "There are people who think" as "people think"."""
    if parts.tag(0) != "EX" or parts.word(1) not in ("is", "are", "was", "were"):
        return
    end = parts.with_complements(2)
    if end > 2 and parts.word(end) in ("that", "who", "which") and parts.tag(end + 1) in FINITE:
        noun = parts.said(2, end)
        if parts.word(2) not in ("a", "an", "no", "nothing", "something"):
            yield Replacement(0, parts.words[end].end, uncapital(noun, ""), Reason("omit", "there is"), 0.4)
