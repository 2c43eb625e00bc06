"""Bounds as people word them: `fewer than 300`, `300 or fewer`, `max 300`, `between 250 and 300`, `twice`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from redraft.constraints.bounds import LARGEST, Relation, relate

from .chunks import Chunk, Line, fold, joined
from .references import Range

_TIMES = {"once": 1, "one time": 1, "a single time": 1, "twice": 2, "thrice": 3}
_FREQUENCY = re.compile(
    r"(?P<pre>[<>{}=~L]{0,20})[dL]?(?:(?P<number>[nr])(?P<mid>[\[\]])?j?(?P<noun>t|Ud|d)|(?P<times>f)(?:\|(?P<more>f))?)"
    r"(?P<post>[\[\]{}=~](?!d?[nrf])|L)?"
)
# A strict relation and an inclusive one are each other's negation: "not more than" is "at most".
_NEGATED = {">": "{", "<": "}", "{": ">", "}": "<"}
_POST = {"]": "{", "[": "}"}
_WORDS = {"<": "less than", ">": "more than", "{": "at most", "}": "at least", "=": "equal"}


@dataclass(frozen=True, slots=True)
class Bound:
    """A number or a range with a relation as worded; `relation` is a tag, empty where none is said."""

    low: int
    high: int
    relation: str = ""
    unit: str = ""

    def resolved(self, negated: bool, bare: str = "=") -> list[tuple[int, Relation]]:
        """The counts and relations that it demands; nothing where it demands nothing that can be checked."""
        if self.low != self.high:
            if negated or self.relation == "~":
                return []
            upper = [] if self.relation == "}" else [relate(self.high, "at most")]
            lower = [] if self.relation in ("{", "<") else [relate(self.low, "at least")]
            return [(count, relation) for count, relation in upper + lower if count >= 0]
        relation = self.relation or bare
        if negated and self.relation:
            relation = opposite(self.relation)
        elif negated and bare == "=":
            return []
        if relation not in _WORDS:
            return []
        count, known = relate(self.low, _WORDS[relation])
        return [(count, known)] if count >= 0 else []


def said(*tags: str | None) -> str:
    """The relation that stands around a number; the nearest to it wins, "about" only where it is alone.

    Over a maximum is over, and below a minimum below: "exceed a maximum of 300".
    """
    found = [_POST.get(tag, tag) for group in tags if group for tag in group if tag in "<>{}=~[]"]
    exact = [tag for tag in found if tag != "~"]
    if "".join(exact[-2:]) in (">{", "<}"):
        return exact[-2]
    return (exact or found or [""])[-1]


def opposite(relation: str) -> str:
    """The relation that a "not" makes of another; empty where it says nothing that can be checked."""
    return _NEGATED.get(relation, "")


def quantity(chunk: Chunk, relation: str, unit: str = "") -> Bound | None:
    """The bound that a number or range chunk makes with a relation."""
    if isinstance(chunk.value, Range):
        return Bound(chunk.value.low, chunk.value.high, relation, unit)
    if isinstance(chunk.value, float | int) and chunk.value == int(chunk.value) and chunk.value < LARGEST:
        return Bound(int(chunk.value), int(chunk.value), relation, unit)
    return None


def fold_frequencies(line: Line) -> Line:
    """The line with "at least three times", "no more than twice" as one chunk each."""
    return fold(line, _FREQUENCY, _frequency)


def _frequency(line: Line, match: re.Match[str]) -> Chunk | None:
    relation = said(match["post"], match["mid"], match["pre"])
    if match["number"]:
        noun = line.words(match.start("noun"), match.end("noun"))
        if match["noun"] != "t" and noun not in ("mention of", "use of"):
            return None
        bound = quantity(line.chunks[match.start("number")], relation)
        return joined(line, match.start(), match.end(), "F", bound) if bound else None
    low = _TIMES[line.chunks[match.start("times")].text]
    high = _TIMES[line.chunks[match.start("more")].text] if match["more"] else low
    if high < low:
        return None
    return joined(line, match.start(), match.end(), "F", Bound(low, high, relation))
