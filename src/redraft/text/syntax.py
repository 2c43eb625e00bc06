"""The syntax of a sentence: its words with their tags, and the phrases and clauses that they form.

This is the one analysis over the one tagger. Whoever rewrites a sentence asks for its phrases and its main
verb; whoever splits it matches patterns of clauses over the same words (`clauses.py`); the parser of
simplification builds its trees from the same phrases. Only `train/damage/reading.py` has tags of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from redraft.text.inflection import BY_FORM, VERBS
from redraft.text.tagging import Tagged, tagged
from redraft.text.word_lists import word_sets

FINITE: Final = frozenset({"MD", "VBZ", "VBP", "VBD"})
VERB: Final = FINITE | {"VB", "VBN", "VBG"}
NOUN: Final = frozenset({"NN", "NNS", "NNP", "NNPS"})
ADJECTIVE: Final = frozenset({"JJ", "JJR", "JJS"})
ADVERB: Final = frozenset({"RB", "RBR", "RBS"})
QUESTION_WORD: Final = frozenset({"WDT", "WP", "WP$", "WRB"})
PHRASE_ENDS: Final = NOUN | {"PRP", "CD", "RB", "RP", "-RRB-", "''", "JJ", "VBN", "PRP$"}
"""What a clause may end with."""
RELATIVES: Final = frozenset({"which", "who", "whose", "whom", "where"})
SYNTAX_WORDS: Final = word_sets(__package__, "syntax.txt")
SUBORDINATORS: Final = SYNTAX_WORDS["subordinators"]
SUBJECT_PRONOUNS: Final = SYNTAX_WORDS["subject_pronouns"]
_IN_NOUN_PHRASE: Final = NOUN | ADJECTIVE | {"DT", "PDT", "PRP$", "CD", "POS", "$", "#", "VBN", "VBG"}
_MANY: Final = frozenset({"i", "we", "you", "they"})
_PARTING: Final = QUESTION_WORD | {"CC", ",", ":", "``", "''"}
_QUOTED: Final = re.compile(
    r"\"[^\"]*\"|“[^”]*”|``[^'`]*''|«[^»]*»|(?<!\w)[‘'][^‘’']{1,200}[’'](?!\w)|`[^`]*`"
)
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_CLOSED: Final = frozenset(")]}\"”’'»")


class Syntax:
    """The words of a sentence by index; a phrase is a pair of indices, the second one past its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: tuple[Tagged, ...] = tuple(tagged(text))
        self.low = tuple(word.text.lower().replace("’", "'") for word in self.words)
        self.tags = self._tags()
        self.quoted = _quotations(text)
        self.held = tuple(
            word.text.startswith("[[") or any(start <= word.start < end for start, end in self.quoted)
            for word in self.words
        )
        self.depth = self._depths()
        self._phrases: dict[int, int] = {}
        self.stop = self._stop()
        self.main = self._main_verb()

    def _tags(self) -> tuple[str, ...]:
        """The tags, with verbs in the present put right that were taken for something else."""
        tags = [word.tag for word in self.words]
        for index, tag in enumerate(tags):
            forms = BY_FORM.get(self.low[index])
            before = index - 1
            while before > 0 and tags[before] == "RB":
                before -= 1
            low = self.low[before] if before >= 0 else ""
            if tag == "NNS" and low in ("he", "she", "it") and self.low[index].endswith("s"):
                tags[index] = "VBZ"
            elif forms is None:
                continue
            elif tag == "VBZ" and forms.base == self.low[index] != forms.third:
                tags[index] = "VB"  # "lets it ring"
            elif tag == "JJ" and forms.base == self.low[index] and self._does(index, tags):
                tags[index] = "VBP"
            elif forms.base == self.low[index]:
                follows_on = low in ("and", "or", "but") and _last_verb(tags[:before]) == "VBP"
                if (tag in ("VB", "NN") and self._is_subject(before, tags)) or (tag == "VB" and follows_on):
                    tags[index] = "VBP"
            elif tag in ("NN", "NNS") and forms.third == self.low[index] and self._lacks_verb(index, tags):
                tags[index] = "VBZ"
        return tuple(tags)

    def _is_subject(self, place: int, tags: Sequence[str]) -> bool:
        """Whether "we" does what follows: not in "do we go" and "let them go"."""
        if place < 0 or self.low[place] not in _MANY or tags[place] != "PRP":
            return False
        opens = place - 1
        while opens > 0 and tags[opens] == "RB":
            opens -= 1
        return opens < 0 or tags[opens] not in VERB

    def _does(self, index: int, tags: Sequence[str]) -> bool:
        """Whether several do what was taken for an adjective: "players of six deliver parcels"."""
        comma = tags.index(",") if "," in tags else len(tags)
        if index > comma or tags[index - 1] not in ("NNS", "CD") or FINITE & {*tags[:comma]}:
            return False
        return "NNS" in tags[: index - 1] and tags[index + 1 : index + 2] in (["NNS"], ["DT"], ["PRP$"])

    def _lacks_verb(self, index: int, tags: Sequence[str]) -> bool:
        """Whether the clause of a word that may be a verb has no other: "when the train stops"."""
        follows = tags[index + 1] if index + 1 < len(tags) else ""
        if index < 2 or tags[index - 1] not in ("NN", "NNP") or follows in NOUN | {"POS"}:
            return False
        start, stop = index, index + 1
        while start > 0 and not self._parts(start - 1, tags):
            start -= 1
        while stop < len(tags) and not self._parts(stop, tags):
            stop += 1
        before = start - 1
        opened = before >= 0 and (tags[before] in QUESTION_WORD or self.low[before] in SUBORDINATORS)
        # Without such an opening only a sentence must have a verb: "the phone calls and letters" is none.
        alone = stop >= len(tags) or tags[stop] not in ("CC", ",") or tags[stop + 1 : stop + 2] == ["PRP"]
        is_clause = opened or (start == 0 and alone)
        return (
            is_clause
            and start < index - 1
            and "IN" not in tags[start:index]
            and not FINITE & {*tags[start:stop]}
        )

    def _parts(self, place: int, tags: Sequence[str]) -> bool:
        """Whether a word or a mark parts two clauses."""
        return tags[place] in _PARTING or self.low[place] in SUBORDINATORS

    def __len__(self) -> int:
        return len(self.words)

    def tag(self, index: int) -> str:
        """The tag at an index, empty outside of the sentence."""
        return self.tags[index] if 0 <= index < len(self.words) else ""

    def word(self, index: int) -> str:
        """The word at an index in small letters, empty outside of the sentence."""
        return self.low[index] if 0 <= index < len(self.words) else ""

    def phrase_text(self, first: int, last: int) -> str:
        """The text of a phrase."""
        return self.text[self.words[first].start : self.words[last - 1].end]

    def _depths(self) -> tuple[int, ...]:
        found: list[int] = []
        depth = 0
        for word in self.words:
            if word.text in _CLOSING:
                depth = max(0, depth - 1)
            found.append(depth)
            if word.text in _OPENING:
                depth += 1
        return tuple(found)

    def _stop(self) -> int:
        """The index past the last word, where the end mark with what closes after it begins."""
        closed = len(self.words)
        while closed and self.words[closed - 1].text in _CLOSED:
            closed -= 1
        index = closed if closed and self.tags[closed - 1] in (".", "...") else len(self.words)
        while index and self.tags[index - 1] in (".", "..."):
            index -= 1
        return index

    def noun_phrase(self, first: int) -> int:
        """The end of the noun phrase that begins at an index; the index itself where there is none."""
        if first not in self._phrases:
            self._phrases[first] = self._noun_phrase(first)
        return self._phrases[first]

    def _noun_phrase(self, first: int) -> int:
        if self.tag(first) in ("PRP", "EX", "WP"):
            return first + 1
        index = first
        while index < self.stop and self.depth[index] == self.depth[first]:
            tag, low = self.tags[index], self.low[index]
            if index > first and low in ("today", "yesterday", "tomorrow", "tonight"):
                break
            if tag in _IN_NOUN_PHRASE:
                inner = index > first and self.tag(index - 1) not in NOUN
                if tag in ("VBN", "VBG") and not (inner and self.tag(index + 1) in NOUN):
                    break
                if tag == "DT" and index > first and self.tag(index - 1) not in ("PDT", "DT"):
                    break
                if tag == "PRP$" and index > first and self.tag(index - 1) not in ("PDT", "DT"):
                    break
            elif (tag in ADVERB and self.tag(index + 1) in ("JJ", "JJR", "CD")) or (
                tag == "," and self.tag(index - 1) == "JJ" and self.tag(index + 1) == "JJ"
            ):
                pass
            elif not (
                low in ("and", "or")
                and self.tag(index - 1) in ("JJ", "NN")
                and self.tag(index - 1) == self.tag(index + 1)
                and self.tag(index + 2) in NOUN
            ):
                break
            index += 1
        while index > first and self.tags[index - 1] not in NOUN | {"CD", "DT"}:
            index -= 1
        return index

    def with_complements(self, first: int) -> int:
        """The end of a noun phrase with the "of" phrases that follow."""
        end = self.noun_phrase(first)
        while end > first and self.word(end) == "of":
            further = self.noun_phrase(end + 1)
            if further == end + 1:
                break
            end = further
        return end

    def phrase_start(self, end: int) -> int:
        """Where the noun phrase that ends at an index begins; the index itself where there is none."""
        return next((n for n in range(max(0, end - 7), end) if self.noun_phrase(n) == end), end)

    def _main_verb(self) -> int | None:
        """The index of the main clause's verb, where it can be told."""
        first = self.opening()
        if first < self.stop and self._commands(first):
            return first
        waiting = 0
        for index in range(first, self.stop):
            tag, low, before = self.tags[index], self.low[index], self.tag(index - 1)
            if self.depth[index] or self.held[index]:
                continue
            if tag == "," and self.tag(index + 1 + (self.tag(index + 1) == "RB")) in FINITE:
                waiting = 0
            if (
                tag in QUESTION_WORD
                or (tag == "IN" and low in SUBORDINATORS and (low != "as" or self.tag(index + 1) == "PRP"))
                or (tag == "PRP" and before in NOUN and low in SUBJECT_PRONOUNS and self.tag(first) != "IN")
            ):
                waiting = 1
            elif tag == "VBD" and before in NOUN and "by" in self.low[index + 1 : index + 3]:
                continue  # "the work carried out by them": a participle, whatever its tag
            elif tag in FINITE:
                if not waiting:
                    return index
                waiting -= 1
        orders = self.word(first) in VERBS or self.tag(first + 1) in ("DT", "PRP$", "RB")
        return first if orders and self.tag(first) in ("NN", "NNP", "NNS", "VBP", "JJ") else None

    def opening(self) -> int:
        """Where the main clause begins: after an opening subordinate clause or phrase and its comma."""
        index = 0
        while index < self.stop and self.tags[index] in ("``", "-LRB-", "CC", ","):
            index += 1
        begun = index
        opens = self.tag(index) in ("IN", "TO", "WRB", "RB", "VBG", "VBN")
        if not opens and self.word(index) not in ("once", "like", "unlike", "given"):
            return begun
        clause = False
        for place in range(index, self.stop):
            if self.depth[place] or self.held[place]:
                continue
            tag, following = self.tags[place], self.tag(place + 1)
            clause = clause or tag in ("WRB", "WDT", "WP") or self.low[place] in SUBORDINATORS
            if tag in FINITE and not clause:
                break
            if tag == "," and (
                following in ("PRP", "DT", "EX", "NNP", "PRP$", "NNS", "VB", "CD", "PDT")
                or (following == "VBG" and clause)
                or (following in ("NN", "JJ", "VBP") and self.tag(place - 1) not in ("NN", "JJ"))
            ):
                return place + 1
        return begun

    def _commands(self, first: int) -> bool:
        """Whether a clause is an order: it begins with a verb in its base form."""
        tag, low, following = self.tags[first], self.low[first], self.tag(first + 1)
        if tag == "VB":
            return True
        if low in ("do", "don't", "be", "have", "let"):
            return tag in ("VBP", "VB") and following not in ("PRP",)
        return low in VERBS and (
            following in ("DT", "PRP$", "PRP", "RP") or (following == "IN" and self.word(first + 1) != "of")
        )  # fmt: skip

    def clause_ends(self) -> tuple[int, ...]:
        """Where clauses end: at a semicolon, before ", and" with a new subject, at the sentence's end."""
        found: list[int] = []
        for index in range(1, self.stop):
            if self.depth[index] or self.held[index]:
                continue
            joint = index + (self.tags[index] == ",")
            if self.words[index].text == ";" or (
                self.tag(joint) == "CC"
                and self.subject_and_verb(joint + 1)
                and self.tag(joint - 1) not in ("IN", "DT", "TO", "MD")
                and (joint > index or self.tag(self.phrase_start(index) - 1) not in (",", "CC"))
                and (joint > index or self._has_verb(index))
                and (not found or found[-1] < index - 1)
            ):
                found.append(index)
        return (*found, self.stop)

    def _has_verb(self, end: int) -> bool:
        """Whether the clause that goes up to an index has its verb: not so in "because Bo and Al came"."""
        for index in range(end - 1, -1, -1):
            if self.tags[index] in FINITE:
                return True
            if self.low[index] in SUBORDINATORS and self.tags[index] == "IN":
                return any(self.tags[n] in VERB for n in range(index, end))
        return any(self.tags[n] in VERB for n in range(end))

    def subject_and_verb(self, first: int) -> bool:
        """Whether a clause begins at an index: a noun phrase with a finite verb close after it."""
        index = first
        while self.tag(index) in ("RB", ",") and index < first + 3:
            index += 1
        end = self.with_complements(index)
        if end == index:
            return False
        if self.tag(end) in ("WP", "WDT"):  # "the one who arrives last wins"
            stop = next((n for n in range(end, self.stop) if self.tags[n] in (",", "CC", ":")), self.stop)
            return sum(self.tags[n] in FINITE for n in range(end, stop)) > 1
        while self.tag(end) == "RB":
            end += 1
        return self.tag(end) in FINITE


def _quotations(text: str) -> list[tuple[int, int]]:
    """Where quotations stand, also one that began in an earlier sentence or goes on in a later one."""
    found = [match.span() for match in _QUOTED.finditer(text)]
    rest = list(text)
    for start, end in found:
        rest[start:end] = " " * (end - start)
    for index, letter in enumerate(rest):
        if letter == "“" or (letter == '"' and not "".join(rest[:index]).strip()):
            found.append((index, len(text)))
        elif letter in '”"':
            found.append((0, index + 1))
    return sorted(found)


@lru_cache(maxsize=256)
def analyse_syntax(text: str) -> Syntax:
    """The syntax of a sentence."""
    return Syntax(text)


def _last_verb(tags: Sequence[str]) -> str:
    """The tag of the last verb, or of the "to" that makes it an infinitive."""
    return next((tag for tag in reversed(tags) if tag in VERB or tag == "TO"), "")
