"""The clauses of a sentence by patterns: where its subject and verb are, and where another clause begins.

Each word has a kind (`WordKind`), which is one letter, so that a sentence is a string of kinds, and phrases
and clauses are patterns over it.

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
from redraft.text.patterns import TagPatterns
from redraft.text.syntax import SUBJECT_PRONOUNS, SYNTAX_WORDS, analyse_syntax
from redraft.text.tagging import Tagged


class WordKind:
    """What a word is in its clause; other punctuation marks stand for themselves."""

    DETERMINER, ADJECTIVE, NUMBER, NOUN, POSSESSIVE = tuple("DJCNS")
    SUBJECT_PRONOUN, OBJECT_PRONOUN, THERE = tuple("POE")
    FINITE, BASE, GERUND, PARTICIPLE = tuple("Vvgn")
    ADVERB, PREPOSITION, TO, SUBORDINATOR, QUESTION_WORD = tuple("RITUW")
    AND_OR, BUT = tuple("&K")
    QUOTED, BRACKETED, COMMA, COLON, SEMICOLON, OTHER = tuple("QB,:;X")


_BY_TAG: Final = {
    tag: kind
    for kind, tags in {
        WordKind.DETERMINER: "DT PRP$ PDT",
        WordKind.ADJECTIVE: "JJ JJR JJS",
        WordKind.NUMBER: "CD $ #",
        WordKind.NOUN: "NN NNS NNP NNPS FW",
        WordKind.THERE: "EX",
        WordKind.FINITE: "VBZ VBP VBD MD",
        WordKind.BASE: "VB",
        WordKind.GERUND: "VBG",
        WordKind.PARTICIPLE: "VBN",
        WordKind.ADVERB: "RB RBR RBS RP",
        WordKind.PREPOSITION: "IN",
        WordKind.TO: "TO",
        WordKind.QUESTION_WORD: "WDT WP WP$ WRB",
        WordKind.AND_OR: "CC",
        WordKind.POSSESSIVE: "POS",
        WordKind.COMMA: ",",
        WordKind.COLON: ":",
        ".": ".",
        '"': "`` ''",
        "(": "-LRB-",
        ")": "-RRB-",
    }.items()
    for tag in tags.split()
}
_SUBORDINATORS: Final = SYNTAX_WORDS["clause_patterns.subordinators"]
_SUBJECTS: Final = SUBJECT_PRONOUNS | {"one"}
_CLAUSE_OPENERS: Final = SYNTAX_WORDS["clause_patterns.openers"]
# A noun between a noun and an object is a verb: "the child tries a note", "children contact each other".
_SPELT_ALIKE: Final = {"NNS": (("NN", "NNP"), 1), "NN": (("NNS", "NNPS"), 0)}
_OBJECTS: Final = frozenset({"DT", "PRP", "PRP$", "VBG"})
_NO_ORDERS: Final = SYNTAX_WORDS["clause_patterns.no_orders"]
_QUOTES: Final = {"“": "”", "‘": "’", '"': '"', "«": "»", "„": "“"}

_PARTS: Final = {
    "THING": """
        DETERMINER{0,2}
        (
              ADVERB? [ADJECTIVE PARTICIPLE NUMBER]
            | [NOUN GERUND POSSESSIVE QUOTED BRACKETED]
            | DETERMINER ADJECTIVE
        )* [NOUN NUMBER QUOTED] BRACKETED*
    """,
    "HEAD": """
          [SUBJECT_PRONOUN THERE] DETERMINER?
        | DETERMINER ADJECTIVE? (?=ADVERB* FINITE)
        | DETERMINER DETERMINER? (?=QUESTION_WORD)
        | THING
    """,
    "NOUN_PHRASE": "HEAD ([PREPOSITION TO] (THING | GERUND))*",
    "SUBJECT": "NOUN_PHRASE ((COMMA NOUN_PHRASE)* COMMA? AND_OR NOUN_PHRASE)?",
    "OPENING": """
        (
            (
                  ADVERB+
                | [PREPOSITION TO] NOUN_PHRASE
                | PREPOSITION GERUND [PREPOSITION TO]? NOUN_PHRASE
                | PREPOSITION [GERUND PARTICIPLE ADVERB ADJECTIVE] NOUN_PHRASE?
            ) COMMA?
        )?
    """,
}
_PATTERNS: Final = TagPatterns(WordKind)


def _pattern(text: str) -> re.Pattern[str]:
    return _PATTERNS.compile(text, **_PARTS)


_CLAUSE: Final = _pattern("(opening: OPENING) (subject: SUBJECT) BRACKETED* ADVERB* (verb: FINITE)")
_PLAIN: Final = _pattern("(opening:) (subject: SUBJECT) BRACKETED* ADVERB* (verb: FINITE)")
# A subject with something between commas behind it, with a clause of its own, or with anything else.
_INSERTED: Final = _pattern("""
    (opening: OPENING) (subject: NOUN_PHRASE) [COMMA COLON] [^SEMICOLON]*? [COMMA COLON]
    ADVERB* (verb: FINITE)
    """)
_RELATIVE: Final = _pattern("""
    (opening: OPENING) (subject: NOUN_PHRASE)
    (
          [QUESTION_WORD SUBORDINATOR]
        | [GERUND PARTICIPLE] [PREPOSITION TO ADVERB DETERMINER ADJECTIVE NOUN]
    ) [^COMMA SEMICOLON COLON]*? (verb: FINITE)
    """)
_LOOSE: Final = _pattern("""
    (opening:) (subject: NOUN_PHRASE | GERUND)
    [^FINITE SUBORDINATOR QUESTION_WORD BUT SEMICOLON COLON]*? (verb: FINITE)
    """)
# The tagger takes a past for a participle; where there is no other verb, it is none.
_VERBLESS: Final = _pattern("""
    (^ | (?<=COLON)) NOUN_PHRASE ADVERB* PARTICIPLE (?=[^FINITE BASE COLON]* ($ | COLON))
    """)
_RETURN: Final = _pattern("""
      [AND_OR BUT] ADVERB* [FINITE SUBORDINATOR]
    | [COMMA COLON] ADVERB* FINITE
    | [AND_OR BUT] QUESTION_WORD
    """)
_OPENS_QUESTION: Final = _PATTERNS.tags("FINITE QUESTION_WORD")
_OPENS_CLAUSE: Final = _PATTERNS.tags("SUBORDINATOR QUESTION_WORD")
_BEFORE_ORDER: Final = _PATTERNS.tags("ADVERB COMMA COLON")
_AFTER_ORDER: Final = _PATTERNS.tags("DETERMINER OBJECT_PRONOUN NUMBER ADVERB PREPOSITION NOUN ADJECTIVE")
_VERBAL: Final = _PATTERNS.tags("FINITE TO BASE")
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
        asks = "?" in self.end and self.letters[:1] in _OPENS_QUESTION
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
        begun = max(self.letters.rfind(letter, 0, stop) for letter in _OPENS_CLAUSE)
        found = self.main(stop)
        return found if begun < 0 or WordKind.FINITE in self.letters[begun:stop] else None

    def returns(self, place: int) -> bool:
        """Whether the clause around that place goes on after it, or another one follows."""
        if _RETURN.search(self.letters, place):
            return True
        return any(
            self.letters[i] == WordKind.COMMA and self.clause(i + 1, opening=False)
            for i in range(place, len(self.letters))
        )

    def main_at(self, start: int, stop: int | None = None) -> MainClause | None:
        """The main clause that begins there, or an order."""
        stop = len(self.words) if stop is None else stop
        if start >= stop:
            return None
        if self.orders(start) and (start == 0 or self.letters[start - 1] in _BEFORE_ORDER):
            return MainClause(start, start, start, imperative=True)
        for pattern in _SHAPES:
            found = pattern.match(self.letters, start, stop)
            if found:
                begin, end = found.span("subject")
                return MainClause(begin, end, found.start("verb"), plain=pattern is _CLAUSE)
        return None

    def begins(self, place: int) -> bool:
        """Whether a main clause begins there, maybe after a clause of its own: "if so, we go"."""
        if self.letters[place : place + 1] == WordKind.COMMA:
            place += 1
        if self.clause(place):
            return True
        kind = self.letters[place : place + 1]
        if kind not in _OPENS_CLAUSE and kind != WordKind.PREPOSITION:
            return False
        if not self.clause(place + 1, opening=False):
            return False
        commas = (at for at in range(place, len(self.letters)) if self.letters[at] == WordKind.COMMA)
        return any(self.clause(comma + 1) for comma in commas)

    def orders(self, place: int) -> bool:
        """Whether an order begins there; the tagger takes a verb with a capital for a name."""
        word, follows = self.lower(place), self.letters[place + 1 : place + 2]
        if self.letters[place : place + 1] == WordKind.BASE:
            return word not in ("be", "have")
        if self.tag(place) not in ("NN", "NNP", "VBP", "JJ", "VBD", "VBN") or word in _NO_ORDERS:
            return False
        if (
            follows == WordKind.DETERMINER
            and self.letters[place] in _PATTERNS.tags("NOUN ADJECTIVE")
            and self.words[place + 1].tag != "PDT"
        ):
            return True
        return word in VERBS and follows in _AFTER_ORDER and not _CLAUSE.match(self.letters, place)

    def _openings(self, stop: int) -> list[int]:
        """Where the main clause may begin: at once, or after the comma that ends what goes before it."""
        first = 1 if self.letters[:1] in (WordKind.AND_OR, WordKind.BUT) else 0
        letter = self.letters[first : first + 1]
        after_commas = [place + 1 for place in range(first, stop) if self.letters[place] == WordKind.COMMA]
        subordinate = letter in _OPENS_CLAUSE or (
            self.lower(first) in _CLAUSE_OPENERS and self.clause(first + 1, opening=False)
        )
        if subordinate or letter in (WordKind.PARTICIPLE, WordKind.TO):
            return [*after_commas, first] if letter == WordKind.PREPOSITION else after_commas
        adverbs = first
        while self.letters[adverbs : adverbs + 1] == WordKind.ADVERB:
            adverbs += 1
        if letter == WordKind.GERUND:
            return [*after_commas, first]
        if letter in (WordKind.SUBJECT_PRONOUN, WordKind.THERE):
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
    return _VERBLESS.sub(lambda found: found[0][:-1] + WordKind.FINITE, "".join(letters))


def _letter(words: Sequence[Tagged], place: int, letters: list[str]) -> str:
    word, tag = words[place].text.lower(), words[place].tag
    before = words[place - 1].text.lower() if place else ""
    if not place and word in ("so", "that", "then", "thus", "now"):
        return WordKind.DETERMINER if word == "that" else WordKind.ADVERB
    if tag == "CC":
        return WordKind.AND_OR if word in ("and", "or") else WordKind.BUT
    if tag == "PRP":
        return WordKind.SUBJECT_PRONOUN if word in _SUBJECTS else WordKind.OBJECT_PRONOUN
    if word in _SUBORDINATORS and tag in ("IN", "RB"):
        following = words[place + 1].text.lower() if place + 1 < len(words) else ""
        phrase = following in ("of", "then") or (word == "than" and before in ("other", "rather"))
        return WordKind.PREPOSITION if phrase else WordKind.SUBORDINATOR
    # After a subject a verb is finite; the tagger may take the past for a participle, and the like.
    if before in _SUBJECTS and tag in ("VBN", "VB"):
        asked = tag == "VB" and place > 1 and words[place - 2].tag in ("VB", "MD", "VBD", "VBP", "VBZ")
        return WordKind.BASE if asked else WordKind.FINITE
    if (
        before in _SUBJECTS
        and tag in ("NN", "NNP", "NNS", "JJ")
        and word in BY_FORM
        and word in BY_FORM[word][:3]
    ):
        return WordKind.FINITE
    if tag == "VB" and words[place - 1].tag in ("NNS", "NNPS", "-RRB-") and _VERBAL.isdisjoint(letters):
        return WordKind.FINITE
    if tag in _SPELT_ALIKE and word in BY_FORM and 0 < place < len(words) - 1:
        number, form = _SPELT_ALIKE[tag]
        if (
            words[place - 1].tag in number
            and words[place + 1].tag in _OBJECTS
            and word == BY_FORM[word][form]
        ):
            return WordKind.FINITE
    return _BY_TAG.get(tag, WordKind.OTHER)


def _protect(words: Sequence[Tagged], letters: list[str]) -> None:
    """Mark what stands in quotation marks and in brackets; an open one reaches to the end."""
    closer: str | None = None
    depth = 0
    for place, word in enumerate(words):
        if closer:
            letters[place] = WordKind.QUOTED
            closer = None if word.text == closer else closer
        elif word.text in _QUOTES and (word.text != '"' or word.tag == "``"):
            closer = _QUOTES[word.text]
            letters[place] = WordKind.QUOTED
        elif letters[place] == "(":
            depth += 1
            letters[place] = WordKind.BRACKETED
        elif depth:
            depth -= letters[place] == ")"
            letters[place] = WordKind.BRACKETED
