"""What a jury's comparisons come to: wins, ties and losses, and how far the judges follow texts or places.

The verdict of a jury is that of more than half of its members; a member's, that of more than half of its
repeats; a repeat's, what both orders say. Where there is none, it is a tie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from redraft.judge.intervals import Interval, sign_test, wilson
from redraft.judge.judgement import Judgement
from redraft.judge.rubric import Rubric
from redraft.judge.verdicts import Verdict, by_member, majority, verdicts


@dataclass(frozen=True)
class Share:
    """So many of so many, with the interval of the share."""

    count: int
    total: int
    value: float | None
    interval: Interval | None

    @classmethod
    def of(cls, count: int, total: int) -> Share:
        """The share of a count."""
        return cls(count, total, count / total if total else None, wilson(count, total))


@dataclass(frozen=True)
class Trust:
    """How far a judge's answers follow the texts, and not the places that they are shown in."""

    consistent: Share | None
    """Pairs on which both orders say the same; None where only one was asked."""
    said_a: Share
    """Answers for A among those for A or B: half of them, if the place plays no part."""
    bias_p: float
    """How easily chance would make them as uneven (exact sign test)."""


@dataclass(frozen=True)
class AspectComparison:
    """An aspect over all pairs, seen from the first text."""

    aspect: str
    wins: Share
    ties: Share
    losses: Share
    p: float
    """How easily chance would make wins and losses as uneven (exact sign test; ties do not count)."""
    trust: Trust
    judges: Mapping[str, Trust]
    """The same of each judge."""
    unanimous: Share | None
    """Pairs on which all judges agree, among those with several; None for one judge."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {name: value for name, value in asdict(self).items() if name != "aspect"}


def compare_aspects(
    judgements: Sequence[Judgement], rubric: Rubric, *, both: bool = True, same: int = 0
) -> tuple[AspectComparison, ...]:
    """The comparisons of a jury, aspect by aspect; judgements that failed are left out.

    `both` says that pairs were asked in both orders, `same` how many pairs were not asked, since their texts
    are the same: those are ties, and say nothing about the judge.
    """
    found = verdicts(judgements, both=both)
    return tuple(
        _compared(aspect.name, [verdict for verdict in found if verdict.aspect == aspect.name], both, same)
        for aspect in rubric.aspects
    )


def _compared(aspect: str, found: Sequence[Verdict], both: bool, same: int) -> AspectComparison:
    members = by_member(found, aspect)
    counts = Counter(majority(list(votes.values())) for votes in members.values())
    total = len(members) + same
    several = [set(votes.values()) for votes in members.values() if len(votes) > 1]
    specs = dict.fromkeys(verdict.judge for verdict in found)
    return AspectComparison(
        aspect=aspect,
        wins=Share.of(counts["first"], total),
        ties=Share.of(counts["tie"] + same, total),
        losses=Share.of(counts["second"], total),
        p=sign_test(counts["first"], counts["second"]),
        trust=_trust(found, both),
        judges={
            spec: _trust([verdict for verdict in found if verdict.judge == spec], both) for spec in specs
        },
        unanimous=Share.of(sum(len(votes) == 1 for votes in several), len(several)) if several else None,
    )


def _trust(found: Sequence[Verdict], both: bool) -> Trust:
    said = Counter(mark for verdict in found for mark in verdict.said.values())
    consistent = sum(verdict.consistent is True for verdict in found)
    return Trust(
        consistent=Share.of(consistent, len(found)) if both else None,
        said_a=Share.of(said["A"], said["A"] + said["B"]),
        bias_p=sign_test(said["A"], said["B"]),
    )
