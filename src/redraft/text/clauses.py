"""The clauses of a sentence by patterns: where its subject and verb are, and where another clause begins.

Each word becomes one letter for its kind, so that phrases and clauses are regular expressions over letters:
D determiner, J adjective, C number, N noun, P subject pronoun, O object pronoun, E "there", V finite verb,
v base form, g gerund, n participle, R adverb, I preposition, T "to", U subordinator, W question word,
& and, or, K but and the like, S possessive, Q quoted, B in brackets; other marks stand for themselves.

`Syntax` looks for the main verb too, and gives the same answer for six sentences of seven. Both stay: the
rules that shorten a sentence were made with the one, those that split it with the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from redraft.text.inflection import BY_FORM, VERBS
from redraft.text.syntax import SUBJECT_PRONOUNS, SYNTAX_WORDS, analyse_syntax
from redraft.text.tagging import Tagged

_LETTERS: Final = {
    "DT": "D", "PRP$": "D", "PDT": "D", "JJ": "J", "JJR": "J", "JJS": "J", "CD": "C", "$": "C", "#": "C",
    "NN": "N", "NNS": "N", "NNP": "N", "NNPS": "N", "FW": "N", "EX": "E", "VBZ": "V", "VBP": "V", "VBD": "V",
    "MD": "V", "VB": "v", "VBG": "g", "VBN": "n", "RB": "R", "RBR": "R", "RBS": "R", "RP": "R", "IN": "I",
    "TO": "T", "WDT": "W", "WP": "W", "WP$": "W", "WRB": "W", "CC": "&", "POS": "S", ",": ",", ":": ":",
    ".": ".", "``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")",
}  # fmt: skip
_SUBORDINATORS: Final = SYNTAX_WORDS["clause_patterns.subordinators"]
_SUBJECTS: Final = SUBJECT_PRONOUNS | {"one"}
_CLAUSE_OPENERS: Final = SYNTAX_WORDS["clause_patterns.openers"]
# A noun between a noun and an object is a verb: "the child tries a note", "children contact each other".
_SPELT_ALIKE: Final = {"NNS": (("NN", "NNP"), 1), "NN": (("NNS", "NNPS"), 0)}
_OBJECTS: Final = frozenset({"DT", "PRP", "PRP$", "VBG"})
_NO_ORDERS: Final = SYNTAX_WORDS["clause_patterns.no_orders"]
_QUOTES: Final = {"“": "”", "‘": "’", '"': '"', "«": "»", "„": "“"}

_THING: Final = r"D{0,2}(?:R?[JnC]|[NgSQB]|DJ)*[NCQ]B*"
_BASE: Final = rf"(?:[PE]D?|DJ?(?=R*V)|DD?(?=W)|{_THING})"
_NOUN: Final = rf"(?:{_BASE}(?:[IT](?:{_THING}|g))*)"
_SUBJECT: Final = rf"(?:{_NOUN}(?:(?:,{_NOUN})*,?&{_NOUN})?)"
_OPENING: Final = rf"(?:(?:R+|[IT]{_NOUN}|Ig[IT]?{_NOUN}|I[gnRJ]{_NOUN}?),?)?"
_CLAUSE: Final = re.compile(rf"(?P<opening>{_OPENING})(?P<subject>{_SUBJECT})B*R*(?P<verb>V)")
_PLAIN: Final = re.compile(rf"(?P<opening>)(?P<subject>{_SUBJECT})B*R*(?P<verb>V)")
# A subject with something between commas behind it, with a clause of its own, or with anything else.
_INSERTED: Final = re.compile(rf"(?P<opening>{_OPENING})(?P<subject>{_NOUN})[,:][^;]*?[,:]R*(?P<verb>V)")
_RELATIVE: Final = re.compile(
    rf"(?P<opening>{_OPENING})(?P<subject>{_NOUN})(?:[WU]|[gn][ITRDJN])[^,;:]*?(?P<verb>V)"
)
_LOOSE: Final = re.compile(rf"(?P<opening>)(?P<subject>{_NOUN}|g)[^VUWK;:]*?(?P<verb>V)")
# The tagger takes a past for a participle; where there is no other verb, it is none.
_VERBLESS: Final = re.compile(rf"(?:^|(?<=:)){_NOUN}R*n(?=[^Vv:]*(?:$|:))")
_RETURN: Final = re.compile(r"[&K]R*[VU]|[,:]R*V|[&K]W")
_SHAPES: Final = (_CLAUSE, _INSERTED, _RELATIVE, _LOOSE)


@dataclass(frozen=True, slots=True)
class MainClause:
    """The main clause: its subject from `start` to `stop`, and its first verb."""

    start: int
    stop: int
    verb: int
    imperative: bool = False
    plain: bool = True
    """No clause stands between the subject and the verb."""


@dataclass(frozen=True, slots=True)
class Clauses:
    """A sentence without its end mark, as words and as the letters of their kinds."""

    text: str
    end: str
    words: tuple[Tagged, ...]
    letters: str
    _mains: dict[int, MainClause | None] = field(default_factory=dict, compare=False)

    def lower(self, place: int) -> str:
        """The word there in lower case; nothing past the ends."""
        return self.words[place].text.lower() if 0 <= place < len(self.words) else ""

    def tag(self, place: int) -> str:
        """The tag there; nothing past the ends."""
        return self.words[place].tag if 0 <= place < len(self.words) else ""

    def span(self, start: int, stop: int) -> str:
        """The text of the words from `start` up to `stop`."""
        return self.text[self.words[start].start : self.words[stop - 1].end] if start < stop else ""

    def before(self, place: int) -> str:
        """All that stands before that word, as a sentence."""
        asks = "?" in self.end and self.letters[:1] in ("V", "W")
        return as_sentence(self.text[: self.words[place].start], "?" if asks else ".")

    def after(self, place: int, lead: str = "") -> str:
        """That word and all that follows, as a sentence; `lead` opens it."""
        return as_sentence(f"{lead} {self.text[self.words[place].start :].lstrip(', ')}", self.end)

    def clause(self, place: int, opening: bool = True) -> re.Match[str] | None:
        """The subject and verb that stand there, if a clause begins."""
        return (_CLAUSE if opening else _PLAIN).match(self.letters, place)

    def main(self, stop: int | None = None) -> MainClause | None:
        """The main clause of the words before `stop`, if one is found."""
        stop = len(self.words) if stop is None else stop
        if stop not in self._mains:
            found = (self.main_at(start, stop) for start in self._openings(stop))
            self._mains[stop] = next((one for one in found if one), None)
        return self._mains[stop]

    def whole(self, stop: int) -> MainClause | None:
        """The main clause of the words before `stop`, if no clause among them lacks its verb."""
        begun = max(self.letters.rfind(letter, 0, stop) for letter in "UW")
        found = self.main(stop)
        return found if begun < 0 or "V" in self.letters[begun:stop] else None

    def returns(self, place: int) -> bool:
        """Whether the clause around that place goes on after it, or another one follows."""
        if _RETURN.search(self.letters, place):
            return True
        return any(
            self.letters[i] == "," and self.clause(i + 1, opening=False)
            for i in range(place, len(self.letters))
        )

    def main_at(self, start: int, stop: int | None = None) -> MainClause | None:
        """The main clause that begins there, or an order."""
        stop = len(self.words) if stop is None else stop
        if start >= stop:
            return None
        if self.orders(start) and (start == 0 or self.letters[start - 1] in "R,:"):
            return MainClause(start, start, start, imperative=True)
        for pattern in _SHAPES:
            found = pattern.match(self.letters, start, stop)
            if found:
                begin, end = found.span("subject")
                return MainClause(begin, end, found.start("verb"), plain=pattern is _CLAUSE)
        return None

    def begins(self, place: int) -> bool:
        """Whether a main clause begins there, maybe after a clause of its own: "if so, we go"."""
        if self.letters[place : place + 1] == ",":
            place += 1
        if self.clause(place):
            return True
        if self.letters[place : place + 1] not in ("U", "W", "I") or not self.clause(
            place + 1, opening=False
        ):
            return False
        return any(
            self.letters[comma] == "," and self.clause(comma + 1) for comma in range(place, len(self.letters))
        )

    def orders(self, place: int) -> bool:
        """Whether an order begins there; the tagger takes a verb with a capital for a name."""
        word, follows = self.lower(place), self.letters[place + 1 : place + 2]
        if self.letters[place : place + 1] == "v":
            return word not in ("be", "have")
        if self.tag(place) not in ("NN", "NNP", "VBP", "JJ", "VBD", "VBN") or word in _NO_ORDERS:
            return False
        if follows == "D" and self.letters[place] in "NJ" and self.words[place + 1].tag != "PDT":
            return True
        return word in VERBS and follows in tuple("DOCRINJ") and not _CLAUSE.match(self.letters, place)

    def _openings(self, stop: int) -> list[int]:
        """Where the main clause may begin: at once, or after the comma that ends what goes before it."""
        first = 1 if self.letters[:1] in ("&", "K") else 0
        letter = self.letters[first : first + 1]
        after_commas = [place + 1 for place in range(first, stop) if self.letters[place] == ","]
        subordinate = letter in ("U", "W") or (
            self.lower(first) in _CLAUSE_OPENERS and self.clause(first + 1, opening=False)
        )
        if subordinate or letter in ("n", "T"):
            return [*after_commas, first] if letter == "I" else after_commas
        adverbs = first
        while self.letters[adverbs : adverbs + 1] == "R":
            adverbs += 1
        if letter == "g":
            return [*after_commas, first]
        if letter in ("P", "E"):
            return [first]
        return [first, *([adverbs] if adverbs > first else []), *after_commas]


def as_sentence(text: str, end: str) -> str:
    """The text as a sentence, with a capital and an end mark."""
    text = text.strip().rstrip(",;:-–— ").lstrip(",;:–— ")
    # What ends in an abbreviation has its full stop.
    return capital(text) + ("" if end == "." and text[-1:] in tuple(".!?") else end) if text else ""


def capital(text: str) -> str:
    """The text with a capital first letter; a word such as "iPhone" stays."""
    first = text.split(maxsplit=1)[0] if text.split() else ""
    if not first[:1].islower() or any(letter.isupper() for letter in first[1:]):
        return text
    return text[0].upper() + text[1:]


@lru_cache(maxsize=1024)
def read_clauses(text: str) -> Clauses:
    """The clauses of a sentence."""
    match = re.search(r"(?<![.!?…])(?:[.!?]+|…)$", text)
    end = match[0] if match else ""
    words = analyse_syntax(text).words
    if end and words and words[-1].text == end:
        words = words[:-1]
        text = text[: -len(end)].rstrip()
    else:
        end = ""
    return Clauses(text, end, words, _letters(words))


def _letters(words: Sequence[Tagged]) -> str:
    letters: list[str] = []
    for place in range(len(words)):
        letters.append(_letter(words, place, letters))
    _protect(words, letters)
    return _VERBLESS.sub(lambda found: found[0][:-1] + "V", "".join(letters))


def _letter(words: Sequence[Tagged], place: int, letters: list[str]) -> str:
    word, tag = words[place].text.lower(), words[place].tag
    before = words[place - 1].text.lower() if place else ""
    if not place and word in ("so", "that", "then", "thus", "now"):
        return "D" if word == "that" else "R"
    if tag == "CC":
        return "&" if word in ("and", "or") else "K"
    if tag == "PRP":
        return "P" if word in _SUBJECTS else "O"
    if word in _SUBORDINATORS and tag in ("IN", "RB"):
        following = words[place + 1].text.lower() if place + 1 < len(words) else ""
        return "I" if following == "of" else "U"
    # After a subject a verb is finite; the tagger may take the past for a participle, and the like.
    if before in _SUBJECTS and tag in ("VBN", "VB"):
        asked = tag == "VB" and place > 1 and words[place - 2].tag in ("VB", "MD", "VBD", "VBP", "VBZ")
        return "v" if asked else "V"
    if (
        before in _SUBJECTS
        and tag in ("NN", "NNP", "NNS", "JJ")
        and word in BY_FORM
        and word in BY_FORM[word][:3]
    ):
        return "V"
    if (
        tag == "VB"
        and words[place - 1].tag in ("NNS", "NNPS", "-RRB-")
        and not {"V", "T", "v"} & set(letters)
    ):
        return "V"
    if tag in _SPELT_ALIKE and word in BY_FORM and 0 < place < len(words) - 1:
        number, form = _SPELT_ALIKE[tag]
        if (
            words[place - 1].tag in number
            and words[place + 1].tag in _OBJECTS
            and word == BY_FORM[word][form]
        ):
            return "V"
    return _LETTERS.get(tag, "X")


def _protect(words: Sequence[Tagged], letters: list[str]) -> None:
    """Mark what stands in quotation marks and in brackets; an open one reaches to the end."""
    closer: str | None = None
    depth = 0
    for place, word in enumerate(words):
        if closer:
            letters[place] = "Q"
            closer = None if word.text == closer else closer
        elif word.text in _QUOTES and (word.text != '"' or word.tag == "``"):
            closer = _QUOTES[word.text]
            letters[place] = "Q"
        elif letters[place] == "(":
            depth += 1
            letters[place] = "B"
        elif depth:
            depth -= letters[place] == ")"
            letters[place] = "B"
