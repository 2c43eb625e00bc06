"""Instructions that no rule reads: the embedded model reads them, with an adapter that was taught to.

It answers with calls, a line each, and with what else is asked for. What it says is data: a call counts
where it is one that we know, all that it names (numbers, words, parts) is in the instruction, and it is sure
enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from redraft.constraints.base import Constraint
from redraft.constraints.calls import Call, parse_call, read_call
from redraft.constraints.checking import infeasible
from redraft.constraints.instruction.parsing import Instruction
from redraft.constraints.instruction.tokens import figure, spelled
from redraft.errors import CallError
from redraft.text import Span

READER: Final = "reader"
"""The adapter that was trained for it."""
LONGEST_READ: Final = 700
"""Characters of an instruction that is read so; a longer one is not like those that were learnt."""
SURE: Final = 0.4
"""How likely a call has to be to count."""
SURE_OF_ALL: Final = 0.85
"""How likely an answer has to be to outweigh a rule. Both were chosen on the part `choice` of
`benchmarks/asked_unseen.jsonl`."""
_QUESTION: Final = "What does this ask for?\n"
_REST: Final = "rest:"
_NOTHING: Final = "none"
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d[\d,.]*\d|\d")
_DIGITS: Final = re.compile(r"\d+")
_FIGURE: Final = re.compile(r"\d[\d,.]*\d|\d")
_EVERYWHERE: Final = frozenset({-2.0, -1.0, 0.0, 1.0})
"""Numbers that need not be said: the last, the first, none, the one before the last."""
_SHARES: Final[dict[str, tuple[float, ...]]] = {
    **dict.fromkeys(("half", "halve", "halves", "halved"), (50,)),
    **dict.fromkeys(("double", "doubled"), (100,)),
    **dict.fromkeys(("couple", "both", "pair"), (2,)),
    **{"once": (1,), "single": (1,), "twice": (2, 100), "thrice": (3,), "triple": (200,), "dozen": (12,)},
    **{"third": (33,), "thirds": (67,), "quarter": (25,), "quarters": (75,), "fifth": (20,), "tenth": (10,)},
}
"""Words that stand for a number, or for so much per cent."""
_OWN_WORDS: Final = {
    **dict.fromkeys(("keyword_keep_removal_check", "keyword_frequency_check"), (0,)),
    **dict.fromkeys(("starts_with_check", "ends_with_check", "sentence_start_check", "pattern_check"), (0,)),
    **{"replacement_check": (0, 1), "part_edit_check": (4,), "sentence_edit_check": (3,)},
}
"""Which arguments of a call are words of the writer's own."""
_LEAST_LEFT: Final = 3
"""A smaller number may be no more than "one" or "a second"."""
_SECTION: Final = "section "
_MARKS: Final = str.maketrans("‘’“”–—", "''\"\"--", "\\")


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What a model read in an instruction."""

    calls: tuple[tuple[Constraint | None, float], ...]
    """Each call that it gave and how sure it was of it; None in the place of one that cannot be meant."""
    rest: str | None
    """What it says besides, in its own words; None where these are not the instruction's, or not sure."""
    sure: float
    """How likely the whole answer is."""


def reader_question(instruction: str) -> str:
    """How the model is asked, and how it was taught."""
    return _QUESTION + " ".join(instruction.split())


def reader_answer(calls: Iterable[str], rest: str) -> str:
    """The answer that is to be learnt."""
    return "\n".join((*calls, f"{_REST} {' '.join(rest.split()) or _NOTHING}"))


def read_reading(answer: str, sure: Sequence[float], instruction: str) -> ModelReading:
    """What an answer says of an instruction, as far as the instruction bears it out; so sure of each line.

    >>> read_reading('word_count_check(90, "at most")\\nrest: be kind', [0.9, 1], "90 words, be kind").rest
    'be kind'
    """
    calls: list[tuple[Constraint | None, float]] = []
    rest: str | None = None
    for line, likely in zip(answer.split("\n"), sure, strict=False):
        if line.startswith(_REST):
            said = line.removeprefix(_REST).strip()
            known = {word.lower() for word in _WORD.findall(instruction)}
            if likely >= SURE_OF_ALL and (
                said == _NOTHING or all(word.lower() in known for word in _WORD.findall(said))
            ):
                rest = "" if said == _NOTHING else said
            break
        calls.append((_borne_out(line, instruction), likely))
    return ModelReading(tuple(dict.fromkeys(calls)), rest, prod(sure))


def read_both(rules: Instruction, model: ModelReading, *, is_left: bool = True) -> Instruction:
    """What the rules and the model read of an instruction, as one reading.

    A call of the model's counts where it is sure enough and contradicts no rule; one that deletes, where no
    number of the instruction is left over. One that the rules alone read stays, unless the model is sure of
    all that it said, or gave its numbers to something else. Where the rules leave nothing that they do not
    understand (not `is_left`), the model adds what it is sure of.
    """
    least = SURE if is_left else SURE_OF_ALL
    read = [_as_read(call, rules.constraints) for call, likely in model.calls if call and likely >= least]
    if not is_left:
        read = [one for one in read if not any(_means(one, rule) for rule in rules.constraints)]
    other = [one for one in rules.constraints if not (is_left and any(_means(call, one) for call in read))]
    contradicted = {one for one in other for call in read if call not in other and infeasible([call, one])}
    found = [
        call for call in read if call in other or not any(infeasible([call, one]) for one in contradicted)
    ]
    outweighs = is_left and bool(model.calls) and model.sure >= SURE_OF_ALL
    outweighs = outweighs and all(call is not None for call, _ in model.calls)
    own = [one for one in other if one not in found and (one in contradicted or not outweighs)]
    told = " ".join(one.call for one in (*found, *own)) + (model.rest or "")
    if _leaves_a_number(rules.text, told):  # "cut the second sentence to 20 words" deletes nothing
        found = [call for call in found if call in other or not _deletes(call)]
    chosen = tuple(dict.fromkeys((*found, *own)))
    has_new = not set(chosen) <= set(rules.constraints)
    is_whole = has_new and model.rest is not None and len(found) == len(model.calls)
    places = dict(zip(rules.constraints, rules.places, strict=True))
    whole = Span(0, len(rules.text))
    style = model.rest if is_whole and model.rest is not None else rules.style
    return Instruction(rules.text, chosen, tuple(places.get(one, whole) for one in chosen), style)


def _leaves_a_number(instruction: str, told: str) -> bool:
    """Whether no call, and nothing of the rest, has a number that the instruction gives."""
    words = [word.lower() for word in _WORD.findall(instruction)]
    spoken = (spelled(words[place:]) for place in range(len(words)))
    said = {*_figures(instruction), *(number[0] for number in spoken if number)}
    has = _figures(told)
    return any(number >= _LEAST_LEFT and not has & {number - 1, number, number + 1} for number in said)


def _deletes(call: Constraint) -> bool:
    return '("delete"' in call.call


def _as_read(call: Constraint, rules: Sequence[Constraint]) -> Constraint:
    """A call, or what a rule read in its place: one more or less, or more of a quotation."""
    return next((rule for rule in rules if _is_like(call, rule)), call)


def _is_like(call: Constraint, rule: Constraint) -> bool:
    if call.name != rule.name or call == rule:
        return False
    texts, others = (_own_texts(one) for one in (call, rule))
    if texts or others:
        return any(one in other or other in one for one in texts for other in others)
    numbers, bounds = (list(map(int, _DIGITS.findall(one.call))) for one in (call, rule))
    near = len(numbers) == len(bounds) and all(abs(a - b) <= 1 for a, b in zip(numbers, bounds, strict=True))
    return near and bool(numbers) and _DIGITS.sub("", call.call) == _DIGITS.sub("", rule.call)


def _own_texts(constraint: Constraint) -> list[str]:
    """The words of the writer's own that a constraint names."""
    call = read_call(constraint.call)
    places = _OWN_WORDS.get(call.name, ())
    values = [call.arguments[place].value for place in places if place < len(call.arguments)]
    texts = (one for value in values for one in (value if isinstance(value, tuple) else (value,)))
    return [_plain(one) for one in texts if isinstance(one, str) and one]


def is_borne_out(call: Call, instruction: str) -> bool:
    """Whether the numbers and the words that a call names are in the instruction.

    >>> is_borne_out(read_call('word_count_check(80, "at most")'), "eighty words")
    True
    """
    said, plain = _numbers(instruction), _plain(instruction)
    near = {float(round(number * share)) for number in said for share in (0.9, 1.1)}
    if call.name == "relative_length_check":
        near |= {100 - number for number in said}  # "to 60 % of its length"
    for place, argument in enumerate(call.arguments):
        values = argument.value if isinstance(argument.value, tuple) else (argument.value,)
        is_own = place in _OWN_WORDS.get(call.name, ())
        if not all(_is_said(one, is_own, plain, said) for one in values if isinstance(one, str)):
            return False
        numbers = {float(one) for one in values if not isinstance(one, str)}
        if len(numbers) > 1 and max(numbers) - min(numbers) == len(numbers) - 1:  # "the first three"
            if not {min(numbers), max(numbers)} & (said | {-1.0}):
                return False
        elif not numbers <= said | near | _EVERYWHERE:
            return False
    return True


def _borne_out(line: str, instruction: str) -> Constraint | None:
    try:
        return parse_call(line) if is_borne_out(read_call(line), instruction) else None
    except CallError:
        return None


def _is_said(text: str, is_own: bool, plain: str, numbers: set[float]) -> bool:
    """Whether a text of a call is in the instruction; of one that is not the writer's, its number."""
    if is_own or text.startswith(_SECTION):
        return _plain(text.removeprefix(_SECTION)) in plain
    return {float(one) for one in _DIGITS.findall(text)} <= numbers | _EVERYWHERE


def _means(call: Constraint, other: Constraint) -> bool:
    """Whether a call of another kind has all the numbers of one that a rule read."""
    numbers = set(_DIGITS.findall(other.call))
    return bool(numbers) and call.name != other.name and numbers <= set(_DIGITS.findall(call.call))


def _plain(text: str) -> str:
    return " ".join(text.translate(_MARKS).lower().split())


def _numbers(text: str) -> set[float]:
    """The numbers that a text names, in digits, in words, as places and as shares."""
    words = [word.lower() for word in _WORD.findall(text)]
    return _figures(text).union(_spoken(words))


def _figures(text: str) -> set[float]:
    return {value for one in _FIGURE.findall(text) if (value := figure(one)) is not None}


def _spoken(words: Sequence[str]) -> Iterator[float]:
    for place, word in enumerate(words):
        yield from _SHARES.get(word, ())
        if number := spelled(words[place:]):
            yield number[0]
