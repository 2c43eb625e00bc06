"""A judge's answer to one question, as plain data, and the verdicts on pairs that follow from answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, NamedTuple

from redraft.errors import InputError
from redraft.judge.rubric import Label
from redraft.models import Usage


class Key(NamedTuple):
    """What makes two judgements the same question; the hash covers texts, wording, seed and temperature."""

    id: str
    judge: str
    order: str
    repeat: int
    request_hash: str


@dataclass(frozen=True)
class Judgement:
    """What a judge said of a text (`order` is empty) or of a pair in one order (`ab` or `ba`).

    Where no valid answer was had, `error` says why, and there are no marks.
    """

    id: str
    kind: str
    judge: str
    """The spec of the model."""
    rubric: str
    order: str
    repeat: int
    seed: int
    temperature: float
    prompt_hash: str
    """Of the wording without the texts: judgements with the same hash were asked for alike."""
    request_hash: str
    """Of the whole question with the texts."""
    marks: Mapping[str, Label]
    reason: str
    raw: tuple[str, ...]
    """Every answer as it came, invalid ones too; the last is the one that was read."""
    usage: Usage
    error: str | None = None

    @property
    def key(self) -> Key:
        """What this is the answer to."""
        return Key(self.id, self.judge, self.order, self.repeat, self.request_hash)

    def to_dict(self) -> dict[str, Any]:
        """The judgement as plain data, for a line of JSON."""
        return {**asdict(self), "marks": dict(self.marks), "raw": list(self.raw)}

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Judgement:
        """The judgement that `to_dict` wrote."""
        try:
            found = {field.name: value[field.name] for field in fields(cls)}
            found |= {"raw": tuple(value["raw"]), "usage": Usage(**value["usage"])}
            return cls(**found)
        except (KeyError, TypeError) as error:
            raise InputError(f"this is no judgement: {error}") from None


Preferred = Literal["first", "second", "tie"]

_MEANS: Mapping[tuple[str, str], Preferred] = {
    ("ab", "A"): "first",
    ("ab", "B"): "second",
    ("ba", "A"): "second",
    ("ba", "B"): "first",
}


@dataclass(frozen=True)
class PairVerdict:
    """Which text of a pair one judge holds to be better on one aspect, in one repeat."""

    id: str
    judge: str
    repeat: int
    aspect: str
    preferred: Preferred
    consistent: bool | None
    """Whether both orders said the same; None where only one was asked. If not, it is a tie."""
    answers: Mapping[str, str]
    """What was answered, by order: A, B or tie."""


def pair_verdicts(judgements: Iterable[Judgement], *, both: bool = True) -> tuple[PairVerdict, ...]:
    """The verdicts that comparisons give; with `both`, a pair counts only where both orders were answered."""
    answers: dict[tuple[str, str, int, str], dict[str, str]] = {}
    for judgement in judgements:
        if judgement.error is None:
            for aspect, mark in judgement.marks.items():
                place = judgement.id, judgement.judge, judgement.repeat, aspect
                answers.setdefault(place, {})[judgement.order] = str(mark)
    found = []
    for place, orders in answers.items():
        if both and len(orders) < 2:
            continue
        meant = [preferred_by(order, mark) for order, mark in orders.items()]
        agree = len(set(meant)) == 1
        found.append(PairVerdict(*place, meant[0] if agree else "tie", agree if both else None, orders))
    return tuple(found)


def preferred_by(order: str, mark: str) -> Preferred:
    """Which text an answer means, in the order in which it was asked."""
    return _MEANS.get((order, mark), "tie")


def majority(votes: Sequence[Preferred]) -> Preferred:
    """What more than half of the votes say; a tie where nothing has that many."""
    choice, count = Counter(votes).most_common(1)[0]
    return choice if 2 * count > len(votes) else "tie"


def votes_by_judge(found: Iterable[PairVerdict], aspect: str) -> dict[str, dict[str, Preferred]]:
    """For each pair what each judge says of an aspect: the majority of its repeats."""
    votes: dict[str, dict[str, list[Preferred]]] = {}
    for verdict in found:
        if verdict.aspect == aspect:
            votes.setdefault(verdict.id, {}).setdefault(verdict.judge, []).append(verdict.preferred)
    return {
        name: {judge: majority(repeats) for judge, repeats in members.items()}
        for name, members in votes.items()
    }
