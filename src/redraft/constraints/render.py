"""Constraints as an instruction in plain English, with many phrasings, from a seed.

Whatever is rendered is read back before it is given out, so `parse_instruction(render(constraints))` has the
same constraints, each once, in an order that may differ; an upper and a lower bound may be said together
("between"). That holds for every constraint that English can carry: a keyword of one line, no longer than 300
characters, without white space at its ends, and a count below a billion.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from redraft.constraints.base import Constraint
from redraft.constraints.bounds import plural
from redraft.constraints.instruction import parse_instruction
from redraft.constraints.kinds import CharacterCount, ParagraphCount, SentenceCount, SentenceLength, WordCount

_JOINTS = (" ", " ", "; ", ", and ", " and ", "\n- ")
_BETWEEN = (
    "The text should contain {bound}.",
    "Make sure that the output has {bound}.",
    "Use {bound} in total.",
)
_BETWEEN_EACH = ("Each sentence should have {bound}.", "Make sure that every sentence contains {bound}.")
_NARROW = 10
"""From this distance on, "between" is read without its ends; see the range rule of the parser."""

_Counted = CharacterCount | ParagraphCount | SentenceCount | SentenceLength | WordCount
_UNITS: dict[type[Constraint], str] = {
    CharacterCount: "character",
    ParagraphCount: "paragraph",
    SentenceCount: "sentence",
    SentenceLength: "word",
    WordCount: "word",
}


def render(constraints: Sequence[Constraint], seed: int = 0, style: str = "") -> str:
    """An instruction that means the constraints, after the style part; a seed always gives the same words."""
    choose = random.Random(seed)
    sentences = [_sentence(group, choose) for group in _groups(constraints, choose)]
    lead = style.strip().rstrip(".:;")
    wanted = {*constraints, *parse_instruction(lead).constraints}
    text = _assembled(lead, sentences, choose.choice(_JOINTS))
    if set(parse_instruction(text).constraints) != wanted:
        text = _assembled(lead, sentences, " ")
    return text


def _groups(constraints: Sequence[Constraint], choose: random.Random) -> Iterator[tuple[Constraint, ...]]:
    """The constraints in order, each once; at times an upper and a lower bound together."""
    left = list(dict.fromkeys(constraints))
    while left:
        first = left.pop(0)
        partner = next((other for other in left if _range(first, other)), None)
        if partner is not None and choose.random() < 0.5:
            left.remove(partner)
            yield first, partner
        else:
            yield (first,)


def _range(first: Constraint, second: Constraint) -> tuple[int, int] | None:
    """The two numbers between which a pair of bounds on the same thing leaves room, themselves excluded."""
    if not (isinstance(first, _Counted) and type(first) is type(second) and isinstance(second, _Counted)):
        return None
    ends = {bound.relation: _number(bound) for bound in (first, second)}
    if ends.keys() != {"less than", "more than"} or ends["less than"] - ends["more than"] < 3:
        return None
    return ends["more than"], ends["less than"]


def _number(bound: _Counted) -> int:
    return bound.length if isinstance(bound, SentenceLength) else bound.count


def _sentence(group: tuple[Constraint, ...], choose: random.Random) -> str:
    """A phrasing of one constraint or of a pair, that reads back as it."""
    ends = _range(*group) if len(group) == 2 else None
    phrasings = list(_between(group[0], *ends)) if ends else list(group[0].phrasings())
    choose.shuffle(phrasings)
    return next((p for p in phrasings if set(parse_instruction(p).constraints) == set(group)), phrasings[0])


def _between(bound: Constraint, low: int, high: int) -> Iterator[str]:
    unit = _UNITS[type(bound)]
    wordings = [f"{low + 1} to {plural(high - 1, unit)}", f"from {low + 1} to {plural(high - 1, unit)}"]
    if high - low >= _NARROW:
        wordings.append(f"between {low} and {plural(high, unit)}")
    for template in _BETWEEN_EACH if isinstance(bound, SentenceLength) else _BETWEEN:
        for wording in wordings:
            yield template.format(bound=wording)


def _assembled(lead: str, sentences: list[str], joint: str) -> str:
    if joint == " " or len(sentences) < 2:
        return " ".join(([f"{lead}."] if lead else []) + sentences)
    if joint == "\n- ":
        return "".join(
            [f"{lead}:" if lead else "Please mind:", *(f"\n- {sentence}" for sentence in sentences)]
        )
    parts = [sentences[0], *(sentence[0].lower() + sentence[1:] for sentence in sentences[1:])]
    body = joint.join(part.removesuffix(".") for part in parts) + "."
    return f"{lead}. {body}" if lead else body
