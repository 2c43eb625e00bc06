"""A parser that is always there: a tree from tags and simple phrases, read once from left to right.

It knows no words but a few, and so not what a phrase belongs to: "of" belongs to the noun before it, and so
does any other preposition inside a prepositional phrase or before the verb; all else belongs to the verb.
What it is for is comparing: a sentence with more clauses, or more of them inside one another, has a tree with
more of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from redraft.simplification.judging.trees import Parsed, Tree
from redraft.simplification.verdicts import WORD_SETS
from redraft.text import (
    ADJECTIVE,
    ADVERB,
    FINITE,
    NOUN,
    QUESTION_WORD,
    SUBORDINATORS,
    VERB,
    Syntax,
    analyse_syntax,
)

BREAKS: Final = frozenset({":", "."})
"""Marks that no clause goes over."""
ALWAYS: Final = WORD_SETS["subordinators"]
"""Words that open a clause, whatever follows."""
_AUXILIARY: Final = WORD_SETS["auxiliary_forms"]
_SAYING: Final = WORD_SETS["saying"]
_DEEPEST: Final = 25
"""Calls inside one another; what follows is put down word by word."""


class ShallowParser:
    """Parses with our own tags and rules."""

    name: Final = "shallow"

    async def parse(self, sentences: Sequence[str]) -> tuple[Parsed, ...]:
        return tuple(map(parsed, sentences))


def parsed(sentence: str) -> Parsed:
    """The tree of a sentence.

    >>> parsed("We ran to the end.").tree.brackets()
    '(S (NP (PRP We)) (VP (VBD ran) (PP (TO to) (NP (DT the) (NN end)))) (. .))'
    """
    found = analyse_syntax(sentence)
    return Parsed(_TreeBuilder(found).sentence()) if len(found) else Parsed(None, "there are no words in it")


class _TreeBuilder:
    """Reads a sentence from left to right: each method builds the phrase that begins where it has come to."""

    def __init__(self, found: Syntax) -> None:
        self.parts = found
        self.at = 0
        self._level = 0

    def sentence(self) -> Tree:
        """Clauses side by side, with what joins them and the end mark."""
        found: list[Tree] = []
        while self.at < self.parts.stop:
            before = self.at
            clause = self._clause(self.parts.stop)
            if clause:
                found.append(Tree("S", tuple(clause)))
            while self.at < self.parts.stop and self.tag() in (",", ":", ".", "CC", "''"):
                found.append(self.leaf())
            if self.at == before:
                found.append(self.leaf())
        end = self.flat(len(self.parts))
        if len(found) == 1 and found[0].label == "S":
            return Tree("S", (*found[0].children, *end))
        return Tree("S", (*found, *end))

    def _clause(self, stop: int) -> list[Tree]:
        """What stands before the verb, and the verb with what follows."""
        found: list[Tree] = []
        verb = self.finite_before(stop)
        while self.at < stop:
            tag = self.tag()
            if tag in FINITE or (tag == "VB" and not any(child.label == "NP" for child in found)):
                found.append(self._verb_phrase(stop))
                break
            if any(child.label == "NP" for child in found) and self.is_verb(stop):
                found.append(self._verb_phrase(stop))
                break
            if tag in BREAKS and found:
                break
            if self.opens_clause() and (end := self.clause_end(stop)) > self.at + 1:
                found.append(self._subordinate(end))
            elif tag in ("VBG", "VBN") or (tag == "TO" and self.tag(1) == "VB"):
                opens = not found and (tag != "VBG" or self.comma_first(stop))
                ends = self.comma(stop) if opens else verb
                found.append(Tree("S", (self._verb_phrase(max(ends or stop, self.at + 1)),)))
            else:
                found.append(self._phrase(stop, subject=True))
        return found

    def _subordinate(self, stop: int) -> Tree:
        """A subordinate or relative clause with the word that opens it."""
        tag = self.tag()
        opener: list[Tree] = []
        if tag == "IN" and self.tag(1) in QUESTION_WORD:
            opener.append(Tree("WHPP", (self.leaf(), Tree("WHNP", (self.leaf(),)))))
        elif tag in QUESTION_WORD:
            label = "WHADVP" if tag == "WRB" else "WHNP"
            inner = [self.leaf()]
            if tag == "WP$" or (tag in ("WDT", "WP") and self.word(-1) in ("what", "which", "whose")):
                while self.at < stop and self.tag() in NOUN | ADJECTIVE:
                    inner.append(self.leaf())
            opener.append(Tree(label, tuple(inner)))
        else:
            opener.append(Tree("IN", word=self.leaf().word))
        inside = self._inner_clause(stop)
        return Tree("SBAR", (*opener, Tree("S", tuple(inside)))) if inside else Tree("SBAR", tuple(opener))

    def _verb_phrase(self, stop: int) -> Tree:
        """A verb with its helpers one inside the other, what belongs to it, and verbs joined to it."""
        self._level += 1
        joined = [self._verb_group(stop)]
        self._level -= 1
        while self.at < stop:
            gap = 1 if self.tag() == "," and self.tag(1) == "CC" else 0
            after = 1 + gap + (self.tag(1 + gap) in ADVERB)
            if self.at + after >= stop or self.tag(gap) != "CC" or self.tag(after) not in VERB:
                break
            joined += self.flat(self.at + 1 + gap)
            joined.append(self._verb_phrase(stop) if self._level < _DEEPEST else self.leaf())
        return joined[0] if len(joined) == 1 else Tree("VP", tuple(joined))

    def _verb_group(self, stop: int) -> Tree:
        found: list[Tree] = []
        while self.at < stop and self.tag() in ADVERB:
            found.append(Tree("ADVP", (self.leaf(),)))
        if self.at >= stop:
            return Tree("VP", tuple(found))
        helper = self.tag() in ("MD", "TO") or self.word() in _AUXILIARY
        saying = self.word() in _SAYING
        found.append(self.leaf())
        if self._level > _DEEPEST:
            return Tree("VP", (*found, *self.flat(stop)))
        if helper:
            while self.at < stop and self.tag() in ADVERB and self.tag(1) in VERB | ADVERB:
                found.append(self.leaf())
            if self.at < stop and self.tag() in ("VB", "VBN", "VBG", "VBD"):
                found.append(self._verb_phrase(stop))
                return Tree("VP", tuple(found))
        while self.at < stop and not self.ends_verb_phrase():
            if saying and self.parts.subject_and_verb(self.at):
                found.append(Tree("SBAR", (Tree("S", tuple(self._inner_clause(stop))),)))
            else:
                self._belongs(found, stop)
        return Tree("VP", tuple(found))

    def _inner_clause(self, stop: int) -> list[Tree]:
        self._level += 1
        found = self.flat(stop) if self._level > _DEEPEST else self._clause(stop)
        self._level -= 1
        return found

    def _belongs(self, found: list[Tree], stop: int) -> None:
        """What follows a verb: one phrase, or a mark with it."""
        tag = self.tag()
        if tag == ",":
            found.append(self.leaf())
            relative = self.relative()
            noun = self.parts.noun_phrase(self.at) > self.at
            if (relative or noun) and found[-2].label in ("NP", "PP"):
                comma = found.pop()
                more = self._subordinate(stop) if relative else self._phrase(stop)
                found[-1] = _extended(found[-1], comma, more)
        elif self.opens_clause() or self.relative():
            found.append(self._subordinate(stop))
        elif (tag == "TO" and self.tag(1) in ("VB", "RB")) or tag in ("VBG", "VBN", "VB"):
            found.append(Tree("S", (self._verb_phrase(stop),)))
        else:
            found.append(self._phrase(stop))

    def _phrase(self, stop: int, subject: bool = False) -> Tree:
        """One phrase, of whatever kind begins here; a mark or a word that begins none is itself."""
        tag = self.tag()
        if self._level > _DEEPEST:
            return self.leaf()
        end = min(self.parts.noun_phrase(self.at), stop)
        if end > self.at:
            return self._noun_phrase(end, stop, nested=subject)
        if self.at + 1 < stop and (tag in ("IN", "TO") or self.due()):
            return self._preposition(stop)
        if tag in ADJECTIVE:
            inner = [self.leaf()]
            while (
                self.at < stop
                and not self.due()
                and (self.tag() in ADJECTIVE or (self.tag() == "CC" and self.tag(1) in ADJECTIVE))
            ):
                inner.append(self.leaf())
            return Tree("ADJP", tuple(inner))
        if tag in ADVERB:
            inner = [self.leaf()]
            while self.at < stop and self.tag() in ADVERB:
                inner.append(self.leaf())
            if self.at < stop and self.tag() in ADJECTIVE and self.parts.noun_phrase(self.at) == self.at:
                return Tree("ADJP", (*inner, self.leaf()))
            return Tree("ADVP", tuple(inner))
        if tag == "RP":
            return Tree("PRT", (self.leaf(),))
        if tag == "-LRB-":
            return self._parenthesis(stop)
        return self.leaf()

    def _parenthesis(self, stop: int) -> Tree:
        self._level += 1
        inner = [self.leaf()]
        close = next((n for n in range(self.at, stop) if self.parts.tags[n] == "-RRB-"), stop)
        while self.at < close:
            inner.append(self._phrase(close))
        if self.at < stop:
            inner.append(self.leaf())
        self._level -= 1
        return Tree("PRN", tuple(inner))

    def _preposition(self, stop: int) -> Tree:
        """A preposition with what it governs; two may follow one another, as in "because of"."""
        self._level += 1
        found: list[Tree] = [self.leaf()]
        if self._level <= _DEEPEST:
            if self.tag() in ("IN", "TO") and self.tag(1) != "VB":
                found.append(self._preposition(stop))
            elif self.tag() in QUESTION_WORD:
                found.append(self._subordinate(stop))
            elif self.tag() == "VBG" and self.parts.noun_phrase(self.at) <= self.at:
                found.append(Tree("S", (self._verb_phrase(stop),)))
            elif self.at < stop and self.tag() not in FINITE | BREAKS | {",", "CC"}:
                end = min(self.parts.noun_phrase(self.at), stop)
                found.append(
                    self._noun_phrase(end, stop, nested=True) if end > self.at else self._phrase(stop)
                )
        self._level -= 1
        return Tree("PP", tuple(found))

    def _noun_phrase(self, end: int, stop: int, nested: bool) -> Tree:
        """A noun phrase with what describes it; `nested` where any preposition after it belongs to it."""
        self._level += 1
        whole = self._described(Tree("NP", tuple(self.flat(end))), stop, nested)
        joined = [whole]
        while self._level <= _DEEPEST and self.joins(stop):
            while self.tag() in (",", "CC"):
                joined.append(self.leaf())
            further = min(self.parts.noun_phrase(self.at), stop)
            joined.append(self._described(Tree("NP", tuple(self.flat(further))), stop, nested))
        self._level -= 1
        return whole if len(joined) == 1 else Tree("NP", tuple(joined))

    def _described(self, noun: Tree, stop: int, nested: bool) -> Tree:
        found = [noun]
        while self.at < stop and self._level <= _DEEPEST:
            tag = self.tag()
            if tag == "IN" and self.tag(1) in QUESTION_WORD and self.word() not in ALWAYS:
                found.append(self._subordinate(stop))
            elif tag in ("IN", "TO") and not self.opens_clause() and self.tag(1) != "VB":
                if not (nested or self.word() == "of"):
                    break
                found.append(self._preposition(stop))
            elif tag in QUESTION_WORD or (self.word() == "that" and tag == "IN"):
                found.append(self._subordinate(stop))
            elif tag in ("VBG", "VBN") and nested and not self.is_verb(stop):
                found.append(self._verb_phrase(self.description_end(stop)))
            elif tag == "-LRB-":
                found.append(self._parenthesis(stop))
            elif tag == "," and self.relative(1):
                found.append(self.leaf())
                found.append(self._subordinate(self.description_end(stop)))
                if self.tag() == "," and self.tag(1) in FINITE:
                    found.append(self.leaf())
            else:
                break
        return noun if len(found) == 1 else Tree("NP", tuple(found))

    def tag(self, ahead: int = 0) -> str:
        """The tag here, or further on."""
        return self.parts.tag(self.at + ahead)

    def word(self, ahead: int = 0) -> str:
        """The word here, or further on, in small letters."""
        return self.parts.word(self.at + ahead)

    def leaf(self) -> Tree:
        """The word here with its tag; it is read now."""
        word = self.parts.words[self.at].text
        tag = self.parts.tags[self.at]
        self.at += 1
        return Tree(tag, word=word)

    def flat(self, stop: int) -> list[Tree]:
        """The words before a place, each by itself."""
        return [self.leaf() for _ in range(self.at, stop)]

    def finite_before(self, stop: int) -> int | None:
        """Where the next finite verb is, before the clause ends for sure."""
        found = (n for n in range(self.at, stop) if self.parts.tags[n] in FINITE | BREAKS)
        place = next(found, None)
        return None if place is None or self.parts.tags[place] in BREAKS else place

    def is_verb(self, stop: int) -> bool:
        """Whether a participle here is the clause's verb, which the tagger took for one."""
        back = range(self.at - 1, -1, -1)
        before = next((n for n in back if self.parts.tags[n] in FINITE | BREAKS), None)
        lacking = before is None or self.parts.tags[before] in BREAKS
        return self.tag() == "VBN" and lacking and self.finite_before(stop) is None

    def comma(self, stop: int) -> int | None:
        """Where the next comma is."""
        return next((n for n in range(self.at, stop) if self.parts.tags[n] == ","), None)

    def comma_first(self, stop: int) -> bool:
        """Whether a comma comes before the next verb."""
        comma, verb = self.comma(stop), self.finite_before(stop)
        return comma is not None and (verb is None or comma < verb)

    def opens_clause(self) -> bool:
        """Whether a subordinate clause begins here."""
        tag, word = self.tag(), self.word()
        if tag in QUESTION_WORD:
            return True
        if tag not in ("IN", "RB"):
            return False
        if word in ALWAYS:
            return self.word(1) not in ("of", "to")
        return word in SUBORDINATORS and self.parts.subject_and_verb(self.at + 1)

    def clause_end(self, stop: int) -> int:
        """Where the subordinate clause that begins here ends at the latest: before the clause it opens."""
        if self.at == 0:
            opened = self.parts.opening()
            if 1 < opened < stop:
                return opened - 1 if self.parts.tags[opened - 1] == "," else opened
        return stop

    def ends_verb_phrase(self) -> bool:
        """Whether what follows belongs to a clause further out."""
        tag = self.tag()
        if tag in FINITE or tag in BREAKS or (tag == "CC" and self.tag(1) in VERB):
            return True
        if tag == "CC":
            return self.parts.subject_and_verb(self.at + 1) or self.word(1) in ALWAYS
        if tag != ",":
            return False
        following = self.tag(1)
        if following == "CC":
            after = self.tag(2)
            return after in VERB | ADVERB or self.parts.subject_and_verb(self.at + 2)
        return following in FINITE or self.parts.subject_and_verb(self.at + 1)

    def relative(self, ahead: int = 0) -> bool:
        """Whether a question word begins here, or further on, also after a preposition: "in which"."""
        return self.tag(ahead + (self.tag(ahead) == "IN")) in QUESTION_WORD

    def due(self) -> bool:
        """Whether "due to" stands here, which is a preposition."""
        return self.word() == "due" and self.word(1) == "to"

    def description_end(self, stop: int) -> int:
        """Where what describes a noun ends: at a comma with a verb after it."""
        commas = (n for n in range(self.at + 1, stop) if self.parts.tags[n] == ",")
        return next((n for n in commas if self.parts.tag(n + 1) in FINITE), stop)

    def joins(self, stop: int) -> bool:
        """Whether another noun phrase is joined to the one before: "and", or a comma in a list."""
        ahead = 0
        while self.tag(ahead) in (",", "CC") and ahead < 2:
            ahead += 1
        place = self.at + ahead
        if not ahead or place >= stop or self.parts.noun_phrase(place) == place:
            return False
        if self.tag() == "," and ahead == 1 and not self._list_goes_on(place, stop):
            return False
        return not self.parts.subject_and_verb(place)

    def _list_goes_on(self, place: int, stop: int) -> bool:
        """Whether a comma is one of a list: "and" or "or" follows, with nothing but short phrases between."""
        while place < stop:
            end = self.parts.with_complements(place)
            if end == place:
                return False
            if self.parts.tag(end + (self.parts.tag(end) == ",")) == "CC":
                return True
            if self.parts.tag(end) != ",":
                return False
            place = end + 1
        return False


def _extended(phrase: Tree, *more: Tree) -> Tree:
    """The phrase with more at the last noun phrase in it."""
    if phrase.label == "NP":
        return Tree("NP", (phrase, *more))
    *before, last = phrase.children
    if last.word is not None or last.label not in ("NP", "PP"):
        return Tree(phrase.label, (*phrase.children, *more))
    return Tree(phrase.label, (*before, _extended(last, *more)))
