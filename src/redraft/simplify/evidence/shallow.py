"""A parser that is always there: a tree from tags and simple phrases, read once from left to right.

It knows no words but a few, and so not what a phrase belongs to: "of" belongs to the noun before it, and so
does any other preposition inside a prepositional phrase or before the verb; all else belongs to the verb.
What it is for is comparing: a sentence with more clauses, or more of them inside one another, has a tree with
more of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from redraft.quality.cues import listed
from redraft.revise.rewriting.parts import FINITE, NOUN, SUBORDINATORS, Parts, parts
from redraft.simplify.evidence.parsing import Parsed
from redraft.simplify.evidence.trees import Tree

_VERB: Final = FINITE | {"VB", "VBN", "VBG"}
_AUXILIARY: Final = listed(
    "be am is are was were been being 's 're 'm have has had having 've 'd do does did"
    " get gets got getting gotten"
)
_ALWAYS: Final = listed("because although though whereas unless if whether lest while until till whilst")
"""These open a clause, whatever follows."""
_SAYING: Final = listed(
    "say says said think thinks thought believe believes believed know knows knew claim claims claimed"
    " hope hopes hoped suggest suggests suggested feel feels felt mean means meant find finds found see saw"
)
_WH: Final = frozenset({"WDT", "WP", "WP$", "WRB"})
_ADVERBS: Final = frozenset({"RB", "RBR", "RBS"})
_ADJECTIVES: Final = frozenset({"JJ", "JJR", "JJS"})
_BREAKS: Final = frozenset({":", "."})
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
    found = parts(sentence)
    return Parsed(_Reader(found).sentence()) if len(found) else Parsed(None, "there are no words in it")


class _Reader:
    """A sentence, and how far it has been read."""

    def __init__(self, found: Parts) -> None:
        self._parts = found
        self._at = 0
        self._level = 0

    def sentence(self) -> Tree:
        """Clauses side by side, with what joins them and the end mark."""
        found: list[Tree] = []
        while self._at < self._parts.stop:
            before = self._at
            clause = self._clause(self._parts.stop)
            if clause:
                found.append(Tree("S", tuple(clause)))
            while self._at < self._parts.stop and self._tag() in (",", ":", ".", "CC", "''"):
                found.append(self._leaf())
            if self._at == before:
                found.append(self._leaf())
        end = []
        while self._at < len(self._parts):
            end.append(self._leaf())
        if len(found) == 1 and found[0].label == "S":
            return Tree("S", (*found[0].children, *end))
        return Tree("S", (*found, *end))

    def _tag(self, ahead: int = 0) -> str:
        return self._parts.tag(self._at + ahead)

    def _word(self, ahead: int = 0) -> str:
        return self._parts.word(self._at + ahead)

    def _leaf(self) -> Tree:
        word = self._parts.words[self._at].text
        tag = self._parts.tags[self._at]
        self._at += 1
        return Tree(tag, word=word)

    def _clause(self, stop: int) -> list[Tree]:
        """What stands before the verb, and the verb with what follows."""
        found: list[Tree] = []
        verb = self._finite_before(stop)
        while self._at < stop:
            tag = self._tag()
            if tag in FINITE or (tag == "VB" and not any(child.label == "NP" for child in found)):
                found.append(self._verb_phrase(stop))
                break
            if any(child.label == "NP" for child in found) and self._is_verb(stop):
                found.append(self._verb_phrase(stop))
                break
            if tag in _BREAKS and found:
                break
            if self._opens_clause() and (end := self._clause_end(stop)) > self._at + 1:
                found.append(self._subordinate(end))
            elif tag in ("VBG", "VBN") or (tag == "TO" and self._tag(1) == "VB"):
                opens = not found and (tag != "VBG" or self._comma_first(stop))
                ends = self._comma(stop) if opens else verb
                found.append(Tree("S", (self._verb_phrase(max(ends or stop, self._at + 1)),)))
            else:
                found.append(self._phrase(stop, subject=True))
        return found

    def _finite_before(self, stop: int) -> int | None:
        """Where the next finite verb is, before the clause ends for sure."""
        found = (n for n in range(self._at, stop) if self._parts.tags[n] in FINITE | _BREAKS)
        place = next(found, None)
        return None if place is None or self._parts.tags[place] in _BREAKS else place

    def _is_verb(self, stop: int) -> bool:
        """Whether a participle here is the clause's verb, which the tagger took for one."""
        back = range(self._at - 1, -1, -1)
        before = next((n for n in back if self._parts.tags[n] in FINITE | _BREAKS), None)
        lacking = before is None or self._parts.tags[before] in _BREAKS
        return self._tag() == "VBN" and lacking and self._finite_before(stop) is None

    def _comma(self, stop: int) -> int | None:
        return next((n for n in range(self._at, stop) if self._parts.tags[n] == ","), None)

    def _comma_first(self, stop: int) -> bool:
        comma, verb = self._comma(stop), self._finite_before(stop)
        return comma is not None and (verb is None or comma < verb)

    def _opens_clause(self) -> bool:
        """Whether a subordinate clause begins here."""
        tag, word = self._tag(), self._word()
        if tag in _WH:
            return True
        if tag not in ("IN", "RB"):
            return False
        if word in _ALWAYS:
            return self._word(1) not in ("of", "to")
        return word in SUBORDINATORS and self._parts.subject_and_verb(self._at + 1)

    def _clause_end(self, stop: int) -> int:
        """Where the subordinate clause that begins here ends at the latest: before the clause it opens."""
        if self._at == 0:
            opened = self._parts.opening()
            if 1 < opened < stop:
                return opened - 1 if self._parts.tags[opened - 1] == "," else opened
        return stop

    def _subordinate(self, stop: int) -> Tree:
        """A subordinate or relative clause with the word that opens it."""
        tag = self._tag()
        opener: list[Tree] = []
        if tag == "IN" and self._tag(1) in _WH:
            opener.append(Tree("WHPP", (self._leaf(), Tree("WHNP", (self._leaf(),)))))
        elif tag in _WH:
            label = "WHADVP" if tag == "WRB" else "WHNP"
            inner = [self._leaf()]
            if tag == "WP$" or (tag in ("WDT", "WP") and self._word(-1) in ("what", "which", "whose")):
                while self._at < stop and self._tag() in NOUN | _ADJECTIVES:
                    inner.append(self._leaf())
            opener.append(Tree(label, tuple(inner)))
        else:
            opener.append(self._leaf())
        self._level += 1
        inside = self._flat(stop) if self._level > _DEEPEST else self._clause(stop)
        self._level -= 1
        return Tree("SBAR", (*opener, Tree("S", tuple(inside)))) if inside else Tree("SBAR", tuple(opener))

    def _flat(self, stop: int) -> list[Tree]:
        found = []
        while self._at < stop:
            found.append(self._leaf())
        return found

    def _verb_phrase(self, stop: int) -> Tree:
        """A verb with its helpers one inside the other, what belongs to it, and verbs joined to it."""
        self._level += 1
        try:
            first = self._verb_group(stop)
        finally:
            self._level -= 1
        joined = [first]
        while self._at < stop:
            gap = 1 if self._tag() == "," and self._tag(1) == "CC" else 0
            after = 1 + gap + (self._tag(1 + gap) in _ADVERBS)
            comma_verb = self._tag() == "," and self._tag(1) in FINITE and self._word(1) not in _AUXILIARY
            if self._at + after >= stop:
                break
            if self._tag(gap) == "CC" and self._tag(after) in _VERB:
                joined += [self._leaf() for _ in range(1 + gap)]
            elif comma_verb and len(joined) > 1:
                joined.append(self._leaf())
            else:
                break
            joined.append(self._verb_phrase(stop) if self._level < _DEEPEST else self._leaf())
        return joined[0] if len(joined) == 1 else Tree("VP", tuple(joined))

    def _verb_group(self, stop: int) -> Tree:
        found: list[Tree] = []
        while self._at < stop and self._tag() in _ADVERBS:
            found.append(Tree("ADVP", (self._leaf(),)))
        if self._at >= stop:
            return Tree("VP", tuple(found))
        helper = self._tag() in ("MD", "TO") or self._word() in _AUXILIARY
        saying = self._word() in _SAYING
        found.append(self._leaf())
        if self._level > _DEEPEST:
            return Tree("VP", (*found, *self._flat(stop)))
        if helper:
            while self._at < stop and self._tag() in _ADVERBS and self._tag(1) in _VERB | _ADVERBS:
                found.append(self._leaf())
            if self._at < stop and self._tag() in ("VB", "VBN", "VBG", "VBD"):
                found.append(self._verb_phrase(stop))
                return Tree("VP", tuple(found))
        while self._at < stop and not self._ends_verb_phrase():
            if saying and self._parts.subject_and_verb(self._at):
                found.append(Tree("SBAR", (Tree("S", tuple(self._inner_clause(stop))),)))
            else:
                self._belongs(found, stop)
        return Tree("VP", tuple(found))

    def _inner_clause(self, stop: int) -> list[Tree]:
        self._level += 1
        found = self._flat(stop) if self._level > _DEEPEST else self._clause(stop)
        self._level -= 1
        return found

    def _ends_verb_phrase(self) -> bool:
        """Whether what follows belongs to a clause further out."""
        tag = self._tag()
        if tag in FINITE or tag in _BREAKS or (tag == "CC" and self._tag(1) in _VERB):
            return True
        if tag == "CC":
            return self._parts.subject_and_verb(self._at + 1) or self._opens(self._at + 1)
        if tag != ",":
            return False
        following = self._tag(1)
        if following == "CC":
            after = self._tag(2)
            return after in _VERB | _ADVERBS or self._parts.subject_and_verb(self._at + 2)
        return following in FINITE or self._parts.subject_and_verb(self._at + 1)

    def _opens(self, place: int) -> bool:
        return self._parts.word(place) in _ALWAYS

    def _belongs(self, found: list[Tree], stop: int) -> None:
        """What follows a verb: one phrase, or a mark with it."""
        tag = self._tag()
        if tag == ",":
            found.append(self._leaf())
            relative = self._tag() in _WH or (self._tag() == "IN" and self._tag(1) in _WH)
            if relative and len(found) > 1 and found[-2].label in ("NP", "PP"):
                comma = found.pop()
                found[-1] = _extended(found[-1], comma, self._subordinate(stop))
            elif (
                self._parts.noun_phrase(self._at) > self._at
                and len(found) > 1
                and found[-2].label in ("NP", "PP")
            ):
                comma = found.pop()
                found[-1] = _extended(found[-1], comma, self._phrase(stop))
        elif self._opens_clause() or (tag == "IN" and self._tag(1) in _WH):
            found.append(self._subordinate(stop))
        elif (tag == "TO" and self._tag(1) in ("VB", "RB")) or tag in ("VBG", "VBN", "VB"):
            found.append(Tree("S", (self._verb_phrase(stop),)))
        else:
            found.append(self._phrase(stop))

    def _phrase(self, stop: int, subject: bool = False) -> Tree:
        """One phrase, of whatever kind begins here; a mark or a word that begins none is itself."""
        tag = self._tag()
        if self._level > _DEEPEST:
            return self._leaf()
        end = min(self._parts.noun_phrase(self._at), stop)
        if end > self._at:
            return self._noun_phrase(end, stop, nested=subject)
        if self._at + 1 < stop and (tag in ("IN", "TO") or self._due()):
            return self._preposition(stop)
        if tag in _ADJECTIVES:
            inner = [self._leaf()]
            while (
                self._at < stop
                and not self._due()
                and (self._tag() in _ADJECTIVES or (self._tag() == "CC" and self._tag(1) in _ADJECTIVES))
            ):
                inner.append(self._leaf())
            return Tree("ADJP", tuple(inner))
        if tag in _ADVERBS:
            inner = [self._leaf()]
            while self._at < stop and self._tag() in _ADVERBS:
                inner.append(self._leaf())
            if (
                self._at < stop
                and self._tag() in _ADJECTIVES
                and self._parts.noun_phrase(self._at) == self._at
            ):
                return Tree("ADJP", (*inner, self._leaf()))
            return Tree("ADVP", tuple(inner))
        if tag == "RP":
            return Tree("PRT", (self._leaf(),))
        if tag == "-LRB-":
            return self._parenthesis(stop)
        return self._leaf()

    def _due(self) -> bool:
        return self._word() == "due" and self._word(1) == "to"

    def _parenthesis(self, stop: int) -> Tree:
        self._level += 1
        inner = [self._leaf()]
        close = next((n for n in range(self._at, stop) if self._parts.tags[n] == "-RRB-"), stop)
        while self._at < close:
            inner.append(self._phrase(close))
        if self._at < stop:
            inner.append(self._leaf())
        self._level -= 1
        return Tree("PRN", tuple(inner))

    def _preposition(self, stop: int) -> Tree:
        """A preposition with what it governs; two may follow one another, as in "because of"."""
        self._level += 1
        found: list[Tree] = [self._leaf()]
        if self._level <= _DEEPEST:
            if self._tag() in ("IN", "TO") and self._tag(1) != "VB":
                found.append(self._preposition(stop))
            elif self._tag() in _WH:
                found.append(self._subordinate(stop))
            elif self._tag() == "VBG" and self._parts.noun_phrase(self._at) <= self._at:
                found.append(Tree("S", (self._verb_phrase(stop),)))
            elif self._at < stop and self._tag() not in FINITE | _BREAKS | {",", "CC"}:
                end = min(self._parts.noun_phrase(self._at), stop)
                found.append(
                    self._noun_phrase(end, stop, nested=True) if end > self._at else self._phrase(stop)
                )
        self._level -= 1
        return Tree("PP", tuple(found))

    def _noun_phrase(self, end: int, stop: int, nested: bool) -> Tree:
        """A noun phrase with what describes it; `nested` where any preposition after it belongs to it."""
        self._level += 1
        whole = self._described(self._chunk(end), stop, nested)
        joined = [whole]
        while self._level <= _DEEPEST and self._joins(stop):
            while self._tag() in (",", "CC"):
                joined.append(self._leaf())
            further = min(self._parts.noun_phrase(self._at), stop)
            joined.append(self._described(self._chunk(further), stop, nested))
        self._level -= 1
        return whole if len(joined) == 1 else Tree("NP", tuple(joined))

    def _chunk(self, end: int) -> Tree:
        words = []
        while self._at < end:
            words.append(self._leaf())
        return Tree("NP", tuple(words))

    def _described(self, noun: Tree, stop: int, nested: bool) -> Tree:
        found = [noun]
        while self._at < stop and self._level <= _DEEPEST:
            tag = self._tag()
            if tag == "IN" and self._tag(1) in _WH and self._word() not in _ALWAYS:
                found.append(self._subordinate(stop))
            elif tag in ("IN", "TO") and not self._opens_clause() and self._tag(1) != "VB":
                if not (nested or self._word() == "of"):
                    break
                found.append(self._preposition(stop))
            elif tag in _WH or (self._word() == "that" and tag == "IN"):
                found.append(self._subordinate(stop))
            elif tag in ("VBG", "VBN") and nested and not self._is_verb(stop):
                found.append(self._verb_phrase(self._description_end(stop)))
            elif tag == "-LRB-":
                found.append(self._parenthesis(stop))
            elif tag == "," and (self._tag(1) in _WH or (self._tag(1) == "IN" and self._tag(2) in _WH)):
                found.append(self._leaf())
                found.append(self._subordinate(self._description_end(stop)))
                if self._tag() == "," and self._tag(1) in FINITE:
                    found.append(self._leaf())
            else:
                break
        return noun if len(found) == 1 else Tree("NP", tuple(found))

    def _description_end(self, stop: int) -> int:
        """Where what describes a noun ends: at a comma, if it is not a list's."""
        return next(
            (
                n
                for n in range(self._at + 1, stop)
                if self._parts.tags[n] == "," and self._parts.tag(n + 1) in FINITE
            ),
            stop,
        )

    def _joins(self, stop: int) -> bool:
        """Whether another noun phrase is joined to the one before: "and", or a comma in a list."""
        ahead = 0
        while self._tag(ahead) in (",", "CC") and ahead < 2:
            ahead += 1
        place = self._at + ahead
        if not ahead or place >= stop or self._parts.noun_phrase(place) == place:
            return False
        if self._tag() == "," and ahead == 1 and not self._list_goes_on(place, stop):
            return False
        return not self._parts.subject_and_verb(place)

    def _list_goes_on(self, place: int, stop: int) -> bool:
        """Whether a comma is one of a list: "and" or "or" follows, with nothing but short phrases between."""
        while place < stop:
            end = self._parts.with_complements(place)
            if end == place:
                return False
            if self._parts.tag(end) == "CC" or (
                self._parts.tag(end) == "," and self._parts.tag(end + 1) == "CC"
            ):
                return True
            if self._parts.tag(end) != ",":
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
