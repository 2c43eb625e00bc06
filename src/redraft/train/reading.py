"""Instructions as people type them, with their calls: what the reader of instructions learns from.

A row stands for many: with other numbers and other words of the writer's own, together with another one, and
with slips of typing. So the model learns what is asked for, and to copy what it is asked of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from redraft.constraints import (
    NUMBER_WORDS,
    is_borne_out,
    parse_call,
    read_call,
    reader_answer,
    reader_question,
)
from redraft.editor import places, read_phrasings
from redraft.errors import CallError, InputError
from redraft.text import list_lines, spell_number
from redraft.train.rows import read_objects

_NEEDS: Final = '{"instruction": …, "calls": […], "rest": …}'
_ASIDE: Final = ("aside", "choice")
"""Parts of a file that are for measuring."""
_VARIANTS: Final = 4
"""Of a row with values, beside itself."""
_JOINED: Final = 0.5
"""Pairs of rows as one, for each row."""
_SLIPS: Final = 0.15
"""The share of rows with slips of typing."""
_SMALL: Final = 12
"""Numbers up to it are places or small counts, and keep their distances."""
_LEAST_SLIPPED: Final = 5
_FACTORS: Final = (0.4, 0.6, 0.8, 1.25, 1.5, 2, 2.5, 3.3)
_GRAINS: Final = (100, 50, 10, 5, 1)
_GLUES: Final = (". ", ". Also, ", ", and ", "; ")
_KEYWORDS: Final = ("keyword_keep_removal_check", "keyword_frequency_check")
_REPLACES: Final = "replacement_check"
_HOW: Final = ("free", "kept")
_WISHES: Final = (
    *("fluency", "clarity", "coherence", "simplification", "paraphrasing", "neutralization", "updating"),
    *("plain", "formal", "friendly", "polite", "concise", "confident"),
)
"""What the editor is asked for that no call says."""
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NUMBER: Final = re.compile(r"(?<![\w.\\{-])\d+(?![\w.}])")
_PLACED: Final = re.compile(r"(?<=paragraph )\d+|(?<=after )\d+")
_BOUND: Final = re.compile(r'(.*?)(\d+)((?:, "\w+")?), "(less|more) than"\)')
_SUFFIXED: Final = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_ORDINALS: Final = (
    *("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """An instruction, its calls in its own order, and what else it asks for."""

    instruction: str
    calls: tuple[str, ...]
    rest: str = ""

    @property
    def is_sound(self) -> bool:
        """Whether each call is one that we know, and borne out by the instruction."""
        try:
            return all(
                parse_call(one) and is_borne_out(read_call(one), self.instruction) for one in self.calls
            )
        except CallError:
            return False


def read_asked(path: Path) -> Iterator[Asked]:
    """The instructions of a file, a row each; those of a part that is kept for measuring are left out."""
    for where, row in read_objects(path, _NEEDS):
        instruction, calls = row.get("instruction"), row.get("calls")
        if not isinstance(instruction, str) or not isinstance(calls, list):
            raise InputError(f"{where}: needs {_NEEDS}")
        if row.get("part") not in _ASIDE:
            rest = str(row.get("rest") or "")
            yield Asked(instruction, tuple(_as_worded(str(call), instruction) for call in calls), rest)


def reader_rows(asked: Iterable[Asked], seed: int) -> list[dict[str, Any]]:
    """Conversations for `redraft train chat`: the rows, variants and pairs of them, and our own wordings."""
    rows = [one for one in asked if one.is_sound]
    if not rows:
        raise InputError("no instruction of these files has calls that its own words bear out")
    random = Random(f"reader {seed}")
    words = sorted({line.split()[0] for line in list_lines("redraft.simplification", "simpler.txt")})
    found = [*rows, *(_varied(one, words, random) for one in rows for _ in range(_VARIANTS))]
    found += _worded(words, random)
    found += (Asked(way, (), way) for task in _WISHES for way in _ways(task))
    for _ in range(round(_JOINED * len(rows))):
        one, other = random.sample(found, 2)
        found.append(_joined(one, other, random))
    sound = [one for one in dict.fromkeys(found) if one.is_sound]
    slipped = [_slipped(one, random) if random.random() < _SLIPS else one for one in sound]
    random.shuffle(slipped)
    return [_conversation(one) for one in slipped]


def _conversation(asked: Asked) -> dict[str, Any]:
    question, answer = reader_question(asked.instruction), reader_answer(asked.calls, asked.rest)
    said = {"user": question, "assistant": answer}
    return {"messages": [{"role": role, "content": content} for role, content in said.items()]}


def _ways(task: str) -> Iterator[str]:
    return (way for way in read_phrasings()[task]["training"] if not places(way))


def _as_worded(call: str, instruction: str) -> str:
    """A bound as the instruction words it: "less than 121" of "at most 120"."""
    match = _BOUND.fullmatch(call)
    if match is None or is_borne_out(read_call(call), instruction):
        return call
    number, relation = (-1, "at most") if match[4] == "less" else (1, "at least")
    return f'{match[1]}{int(match[2]) + number}{match[3]}, "{relation}")'


def _worded(words: Sequence[str], random: Random) -> Iterator[Asked]:
    """Our own wordings of every kind, and each with values drawn anew."""
    for call in list_lines("redraft.constraints", "examples.txt"):
        for phrasing in parse_call(call).phrasings():
            own = Asked(phrasing, (_as_worded(call, phrasing),))
            yield from (own, _varied(own, words, random))


def _varied(asked: Asked, words: Sequence[str], random: Random) -> Asked:
    """The same with other numbers and other words of the writer's own."""
    return _renumbered(_reworded(asked, words, random), random)


def _reworded(asked: Asked, words: Sequence[str], random: Random) -> Asked:
    instruction, rest, calls = asked.instruction, asked.rest, "\n".join(asked.calls)
    for string in dict.fromkeys(_own_words(asked.calls)):
        other = _like(string, words, random)
        place = re.compile(rf"(?<!\w){re.escape(string)}(?!\w)", re.IGNORECASE)
        if len(string) > 1 and place.search(instruction):
            instruction, rest = (place.sub(other, text) for text in (instruction, rest))
            calls = calls.replace(f'"{string}"', f'"{other}"')
    return Asked(instruction, tuple(calls.splitlines()), rest)


def _own_words(calls: Iterable[str]) -> Iterator[str]:
    """The words and phrases of keywords and replacements."""
    for call in calls:
        name = call.partition("(")[0]
        if name in _KEYWORDS:
            yield _STRING.findall(call)[0]
        elif name == _REPLACES:
            head = call.rpartition(", [")[0] if call.count("[") > len(_HOW) else call  # without its parts
            yield from (one for one in _STRING.findall(head) if one not in _HOW)


def _like(string: str, words: Sequence[str], random: Random) -> str:
    """Other words, as many, written alike."""
    other = " ".join(random.choice(words) for _ in string.split())
    if string.isupper() and len(string) > 1:
        return other.upper()
    return other.capitalize() if string[:1].isupper() else other


def _renumbered(asked: Asked, random: Random) -> Asked:
    calls = "\n".join(asked.calls)
    named = {int(one) for one in _NUMBER.findall(_STRING.sub("", calls))}
    named |= {int(one) for string in _STRING.findall(calls) for one in _PLACED.findall(string)}
    said = {number for number in named if number and _spoken(number).search(asked.instruction)}
    others = _other_numbers(said, random)
    if not others or "reading" in calls:  # a grade is no number like others
        return asked
    calls = _NUMBER.sub(lambda one: str(others.get(int(one[0]), one[0])), calls)
    instruction, rest = (_with_numbers(text, others) for text in (asked.instruction, asked.rest))
    return Asked(instruction, tuple(calls.splitlines()), rest)


def _other_numbers(numbers: Iterable[int], random: Random) -> Mapping[int, int]:
    """Small ones moved by the same step, large ones by the same factor, as round as they were."""
    small = sorted(number for number in numbers if number <= _SMALL)
    step = random.randint(1 - small[0], _SMALL - small[-1]) if small else 0
    factor = random.choice(_FACTORS)
    found = {number: number + step for number in small}
    for number in sorted(number for number in numbers if number > _SMALL):
        grain = next(grain for grain in _GRAINS if number % grain == 0)
        found[number] = max(grain * round(number * factor / grain), grain, _SMALL + 1)
    return found if len(set(found.values())) == len(found) else {}


def _spoken(number: int) -> re.Pattern[str]:
    """A number in digits, in words, or as a place."""
    ways = [rf"{number}(?=st\b|nd\b|rd\b|th\b|\b)", rf"{number:,}\b", rf"{spell_number(number)}\b"]
    ways += [rf"{_ORDINALS[number]}\b"] if number < len(_ORDINALS) else []
    return re.compile(rf"(?<![\w.,])(?:{'|'.join(ways)})(?![.,]\d)", re.IGNORECASE)


def _with_numbers(text: str, others: Mapping[int, int]) -> str:
    every = "|".join(f"(?P<n{number}>{_spoken(number).pattern})" for number in others)

    def other(match: re.Match[str]) -> str:
        number = next(number for number in others if match[f"n{number}"])
        new, said = others[number], match[0]
        if said[0].isdigit():
            return f"{new:,}" if "," in said else str(new)
        is_place = number < len(_ORDINALS) and said.lower() == _ORDINALS[number] and new < len(_ORDINALS)
        word = _ORDINALS[new] if is_place else spell_number(new)
        return word.capitalize() if said[0].isupper() else word

    text = re.sub(every, other, text, flags=re.IGNORECASE)
    return _SUFFIXED.sub(lambda one: one[1] + _suffix(int(one[1])), text)


def _suffix(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _joined(one: Asked, other: Asked, random: Random) -> Asked:
    """Two instructions as one; where both speak of the same kind of thing, the first alone."""
    names = {call.partition("(")[0] for call in one.calls}
    if any(call.partition("(")[0] in names for call in other.calls):
        return one
    first = one.instruction.rstrip()
    glue = " " if first.endswith((".", "!", "?")) else random.choice(_GLUES)
    rest = "; ".join(filter(None, (one.rest, other.rest)))
    return Asked(f"{first}{glue}{other.instruction}", (*one.calls, *other.calls), rest)


def _slipped(asked: Asked, random: Random) -> Asked:
    """With one or two slips of typing, in words that nothing depends on."""
    words = asked.instruction.split(" ")
    fit = [place for place, word in enumerate(words) if _may_slip(word, asked)]
    for place in random.sample(fit, min(len(fit), random.randint(1, 2))):
        word = words[place]
        at = random.randrange(1, len(word) - 2)
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        words[place] = random.choice((swapped, word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]))
    slipped = replace(asked, instruction=" ".join(words))
    return slipped if slipped.is_sound else asked


def _may_slip(word: str, asked: Asked) -> bool:
    is_plain = len(word) >= _LEAST_SLIPPED and word.isalpha() and word.lower() not in NUMBER_WORDS
    return is_plain and not any(word in said for said in (asked.rest, *asked.calls))
