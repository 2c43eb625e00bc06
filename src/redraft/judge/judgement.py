"""One answer of one judge, with all that is needed to trust it or to doubt it; plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

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
