"""What comes of simplifying a text: the text, each sentence beside its source, and a glossary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from redraft.constraints import Conflict, Findings, read_conflicts, read_findings
from redraft.errors import ModelError
from redraft.models import Usage
from redraft.quality import Quality, read_quality
from redraft.revision import exit_status
from redraft.text import Level


@dataclass(frozen=True, slots=True)
class Replaced:
    """A word or phrase of the source, what stands there now (nothing, where it was left out), and why."""

    old: str
    new: str
    why: str
    level: Level | None = None
    """Of the word that was replaced, where it is one that has a level."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of the source, and what stands for it."""

    source: str
    simplified: str
    by: str = ""
    why: str = ""
    replaced: tuple[Replaced, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether it is no longer as it was."""
        return self.source != self.simplified


@dataclass(frozen=True)
class Simplification:
    """A simplified text, the proof that it obeys, and what it took."""

    text: str
    policy: str
    passages: tuple[Passage, ...]
    findings: Findings
    infeasible: tuple[Conflict, ...] = ()
    before: Quality | None = None
    after: Quality | None = None
    usage: Usage = field(default_factory=Usage)
    failure: ModelError | None = None
    interrupted: bool = False
    refused: bool = False
    """Whether nothing was done, since the constraints conflict."""

    @property
    def status(self) -> int:
        """The exit status of the command."""
        return exit_status(self.findings, self.failure, interrupted=self.interrupted, refused=self.refused)

    @property
    def glossary(self) -> tuple[tuple[Replaced, int], ...]:
        """The words and phrases that were replaced or left out, in the order of the text, with how often."""
        found: dict[tuple[str, str], tuple[Replaced, int]] = {}
        for passage in self.passages:
            for one in passage.replaced:
                key = (one.old.lower(), one.new.lower())
                first, times = found.get(key, (one, 0))
                found[key] = (first, times + 1)
        return tuple(found.values())

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `redraft simplify --json`."""
        return {
            "text": self.text,
            "policy": self.policy,
            "sentences": [
                {
                    "source": one.source,
                    "simplified": one.simplified,
                    "by": one.by,
                    "why": one.why,
                    "replaced": [asdict(each) for each in one.replaced],
                }
                for one in self.passages
            ],
            "glossary": [
                {"said": one.old, "new": one.new, "level": one.level, "why": one.why, "times": times}
                for one, times in self.glossary
            ],
            **self.findings.to_dict(),
            "infeasible": [conflict.to_dict() for conflict in self.infeasible],
            "quality": {
                "before": None if self.before is None else self.before.to_dict(),
                "after": None if self.after is None else self.after.to_dict(),
            },
            "usage": self.usage.to_dict(),
        }


def read_simplification(value: Mapping[str, Any], failure: ModelError | None = None) -> Simplification:
    """The simplification that `to_dict` described, as a server tells of it."""
    passages = (
        Passage(
            row["source"],
            row["simplified"],
            row["by"],
            row["why"],
            tuple(Replaced(**one) for one in row["replaced"]),
        )
        for row in value["sentences"]
    )
    return Simplification(
        value["text"],
        value["policy"],
        tuple(passages),
        read_findings(value),
        read_conflicts(value["infeasible"]),
        read_quality(value["quality"]["before"]),
        read_quality(value["quality"]["after"]),
        Usage(**value["usage"]),
        failure,
        refused=value["refused"],
    )
