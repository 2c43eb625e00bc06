"""Constraints as an instruction in plain English, with many phrasings, from a seed.

Whatever is rendered is read back before it is given out, so `parse(render(constraints))` has the
same constraints, each once, in an order that may differ; an upper and a lower bound may be said together
("more than 250 but fewer than 300 words"). That holds for every constraint that English can carry: a keyword
of one line, no longer than 300 characters, without white space at its ends, and a count below a billion.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from redraft.constraints.base import Constraint, templates
from redraft.constraints.bounds import plural
from redraft.constraints.instruction import parse
from redraft.constraints.kinds.counts import Counted, SentenceLength

Group = tuple[Constraint, ...]
"""What is said in one breath: a constraint, or two bounds on the same thing."""

_ENSURE = ("Make sure that", "Ensure that", "Please make sure that", "Please ensure that")
_ENSURING = (", making sure that", ", ensuring that", " so that")
"""The last of these goes with one clause."""
_DECLARING = ("The ", "Each ", "Every ", "All ", "No ", "There ", "Sentence")
"""How phrasings begin that are no imperatives; the two are not joined in one sentence."""
_LONGEST_FIRST = 60
"""Characters of a sentence that another one may be joined to."""

_Bounded = Counted | SentenceLength


def render(constraints: Sequence[Constraint], seed: int = 0, style: str = "") -> str:
    """An instruction that means the constraints, after the style part; a seed always gives the same words."""
    text = render_unchecked(constraints, seed, style)
    lead = _lead(style)
    before, read = parse(lead), parse(text)
    if {*before.constraints, *constraints} == set(read.constraints) and before.style == read.style:
        return text
    choose = random.Random(seed)
    sentences = [_phrasing(group, choose) for group in _groups(constraints, choose)]
    return " ".join([f"{lead}."] * bool(lead) + sentences)


def render_unchecked(constraints: Sequence[Constraint], seed: int = 0, style: str = "") -> str:
    """The same, not read back: said together, clauses may read as they do not by themselves."""
    choose = random.Random(seed)
    return _assembled(_lead(style), list(_groups(constraints, choose)), choose)


def _lead(style: str) -> str:
    return style.strip().rstrip(".:;")


def _groups(constraints: Sequence[Constraint], choose: random.Random) -> Iterator[Group]:
    """The constraints, each once, in an order of their own; an upper and a lower bound together."""
    left = list(dict.fromkeys(constraints))
    choose.shuffle(left)
    while left:
        first = left.pop(0)
        partner = next((other for other in left if _range(first, other)), None)
        if partner is not None:
            left.remove(partner)
            yield first, partner
        else:
            yield (first,)


def _range(first: Constraint, second: Constraint) -> tuple[int, int] | None:
    """The two numbers between which a pair of bounds on the same thing leaves room, themselves excluded."""
    if not (isinstance(first, _Bounded) and type(first) is type(second) and isinstance(second, _Bounded)):
        return None
    ends = {
        bound.relation: bound.length if isinstance(bound, SentenceLength) else bound.count
        for bound in (first, second)
    }
    if ends.keys() != {"less than", "more than"} or ends["less than"] - ends["more than"] < 3:
        return None
    return ends["more than"], ends["less than"]


def _phrasing(group: Group, choose: random.Random) -> str:
    """A sentence that says a group, and reads back as it."""
    phrasings = list(group[0].phrasings() if len(group) == 1 else _between(group, ""))
    choose.shuffle(phrasings)
    found = next((phrasing for phrasing in phrasings if _reads(phrasing, group)), None)
    if found is None and len(group) > 1:
        return " ".join(_phrasing((one,), choose) for one in group)
    return found or phrasings[0]


def _clause(group: Group, choose: random.Random) -> str | None:
    """A clause that says a group after "make sure that", if there is one that reads back as it."""
    clauses = list(group[0].clauses() if len(group) == 1 else _between(group, " clause"))
    choose.shuffle(clauses)
    return next((clause for clause in clauses if _reads(f"{_ENSURE[0]} {clause}.", group)), None)


def _reads(text: str, group: Group) -> bool:
    return set(parse(text).constraints) == set(group)


def _between(group: Group, form: str) -> Iterator[str]:
    """Sentences, or clauses, that say an upper and a lower bound together."""
    ends, first = _range(*group), group[0]
    if ends is None or not isinstance(first, _Bounded):
        return
    (low, high), unit = ends, first.unit
    # "Between 250 and 300" would leave open whether 250 is meant too.
    wordings = [
        f"more than {low} {joint} {plural(high, unit)}" for joint in ("but fewer than", "and fewer than")
    ]
    wordings += [f"over {low} but under {plural(high, unit)}"] * (unit == "word")
    of_sentences = isinstance(first, SentenceLength)
    for template in templates(f"{first.name} between{form}" if of_sentences else f"between{form}"):
        for wording in wordings:
            yield template.format(bound=wording)


def _assembled(lead: str, groups: Sequence[Group], choose: random.Random) -> str:
    """The lead and what is wanted: some of it ensured in clauses, the rest in sentences."""
    ensured = choose.choice((0, 0, 1, 1, 2, 3))
    clauses = [clause for group in groups[:ensured] if (clause := _clause(group, choose)) is not None]
    rest = groups[len(clauses) :] if len(clauses) == min(ensured, len(groups)) else groups
    parts = list(_joined([_phrasing(group, choose) for group in rest], choose))
    if len(rest) == len(groups):
        return " ".join([f"{lead}."] * bool(lead) + parts)
    if lead and choose.random() < 0.6:
        first = f"{lead}{choose.choice(_ENSURING[: 3 if len(clauses) == 1 else 2])} {_listed(clauses)}."
    else:
        asked = choose.choice(_ENSURE[: 2 if lead.startswith("Please") else 4])  # one "please" is enough
        first = " ".join([f"{lead}."] * bool(lead) + [f"{asked} {_listed(clauses)}."])
    return " ".join([first, *parts])


def _listed(clauses: Sequence[str]) -> str:
    return f"{', that '.join(clauses[:-1])} and that {clauses[-1]}" if len(clauses) > 1 else clauses[0]


def _joined(sentences: Sequence[str], choose: random.Random) -> Iterator[str]:
    """The sentences, at times two in one, the last at times after "also"."""
    left = list(sentences)
    while left:
        first = left.pop(0)
        if left and _alike(first, left[0]) and len(first) < _LONGEST_FIRST and choose.random() < 0.4:
            yield f"{first.removesuffix('.')}, and {_lowered(left.pop(0))}"
        elif not left and len(sentences) > 1 and choose.random() < 0.3:
            yield f"Also, {_lowered(first)}"
        else:
            yield first


def _alike(one: str, other: str) -> bool:
    return one.startswith(_DECLARING) == other.startswith(_DECLARING)


def _lowered(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
