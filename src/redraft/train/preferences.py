"""Preferences to learn from: two conversations that begin alike, one of which is better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redraft.errors import InputError
from redraft.notation import parse_json
from redraft.train.conversations import ChatData, Turns, kept_out, read_messages, sifted, spelled
from redraft.train.guard import Guard
from redraft.train.rows import read_lines

FORM = '{"prompt": [message, …], "chosen": [message, …], "rejected": [message, …]}'


@dataclass(frozen=True, slots=True)
class Preference:
    """Two conversations with the same beginning. What is learnt of either comes after it."""

    preferred: Turns
    dispreferred: Turns


@dataclass(frozen=True, slots=True)
class PreferenceData:
    """Preferences from files, the same in every epoch."""

    pairs: tuple[Preference, ...]
    dev: tuple[Preference, ...]
    refused: Mapping[str, int]
    record: dict[str, Any]
    in_dev: Mapping[str, int] = field(default_factory=dict)

    def epoch(self, number: int) -> Iterable[Preference]:
        """All of them; the order is the loop's matter."""
        return self.pairs


def preference_data(
    files: Sequence[Path], dev: Sequence[Path], guard: Guard | None, limit: int | None = None
) -> PreferenceData:
    """Read the files; a pair with a message that is a test set's, or nearly, is kept out.

    So is one whose request the dev set has. Of what is left the first `limit` pairs are taken.
    """
    found = sifted("pair", files, dev, guard, read_preferences, _is_refused, _request, limit)
    return PreferenceData(found.kept, found.dev, found.refused, found.record, found.in_dev)


def preferred_only(data: PreferenceData) -> ChatData:
    """What is preferred, to be imitated."""
    turns, dev = (tuple(pair.preferred for pair in pairs) for pairs in (data.pairs, data.dev))
    return ChatData(turns, dev, data.refused, data.record, data.in_dev)


def read_preferences(path: Path) -> Iterator[Preference]:
    """Pairs from JSONL, a line `{"prompt": […], "chosen": […], "rejected": […]}`; other keys are for others.

    Of the prompt nothing is learnt, of the answers what the assistant says, or what has `learn: true`.
    """
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            place = f"{path}, line {number}"
            try:
                row = parse_json(line)
                prompt, better, worse = row["prompt"], row["chosen"], row["rejected"]
                sides = [(read_messages([*prompt, *side], place), len(prompt)) for side in (better, worse)]
            except (ValueError, KeyError, TypeError):
                raise InputError(f"{place}: needs {FORM}") from None
            yield Preference(*(_after(turns, asked, place) for turns, asked in sides))


def _after(turns: Turns, asked: int, place: str) -> Turns:
    """The same with nothing learnt of the first messages."""
    numbers = range(asked, len(turns.messages))
    learnt = tuple(number for number in numbers if turns.is_learnt(number))
    if not learnt:
        raise InputError(f"{place}: an answer holds nothing to learn: no message of the assistant's")
    return Turns(turns.messages, learnt)


def _request(pair: Preference) -> tuple[tuple[str, str], ...]:
    learnt = pair.preferred.learnt or ()
    return spelled(pair.preferred)[: min(learnt)]


def _is_refused(pair: Preference, guard: Guard) -> bool:
    return any(kept_out(turns, guard) for turns in (pair.preferred, pair.dispreferred))
