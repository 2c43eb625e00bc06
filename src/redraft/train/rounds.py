"""What a round of training on a simplifier's own answers prefers of them, and the pairs that come of that.

A candidate has points: its agreement with the others, less what is held against it. The best and the worst
of a sentence are a pair.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Final

from redraft.simplification import NOT_PERMITTED, Policy, agreement_points, kept_share, messages, plain
from redraft.text import zipf

_LEVELS: Final = 2.0
"""New words that are so much more common (Zipf) than those that they replace are as easy as can be."""
NEVER: Final = 1000
"""Points off for what the policy does not permit: where all is such, there is no pair."""
_AS_MANY: Final = 3
"""So many new words count in full."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """What counts beside agreement, in points of 100, and which of the pairs are taken."""

    kept: float = 0.0
    """Off for keeping every word of the source."""
    easier: float = 0.0
    """For new words that are far more common than the lost ones; off for rarer ones."""
    judged: float = 0.0
    """Off where the trained judge is sure that it is broken, or says something else."""
    agreed: float = 1.0
    apart: float = 0.0
    """Points between the best and the worst, at least."""
    share: float = 1.0
    """Of the pairs, those with most points between."""

    @property
    def name(self) -> str:
        """Who judges, as the record of a training has it."""
        return "|".join(["agreement", *(f"{key}:{value:g}" for key, value in asdict(self).items())])


@dataclass(frozen=True, slots=True)
class Features:
    """What is known of a candidate."""

    agreed: float
    """SARI with the others as references, 0 to 100."""
    permitted: bool
    """Whether the policy's limits and operations permit it."""
    kept: float
    """The share of the source's words that it keeps."""
    easier: float
    """How much more common its new words are than the lost ones, -1 to 1."""

    def points(self, by: Choosing, sure: float = 1.0) -> float:
        """What it is worth; `sure` is how sure the judge is that it is sound, and says the same."""
        found = by.agreed * self.agreed - by.kept * self.kept + by.easier * self.easier
        return found - by.judged * (1 - sure) - NEVER * (not self.permitted)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A sentence, and different candidates for it."""

    source: str
    texts: tuple[str, ...]


def features(drawn: Drawn, policy: Policy) -> list[Features]:
    """What is known of each candidate."""
    agreed = agreement_points(drawn.source, drawn.texts, range(len(drawn.texts)), policy)
    return [
        Features(
            points if points >= 0 else points + NOT_PERMITTED,
            points >= 0,
            kept_share(drawn.source, text),
            _easier(drawn.source, text),
        )
        for points, text in zip(agreed, drawn.texts, strict=True)
    ]


def _easier(source: str, text: str) -> float:
    before, after = (set(re.findall(r"[^\W\d_]+", one.lower())) for one in (source, text))
    new, lost = after - before, before - after
    if not new or not lost:
        return 0.0
    gained = (fmean(map(zipf, new)) - fmean(map(zipf, lost))) / _LEVELS
    return max(-1.0, min(1.0, gained)) * min(1.0, len(new) / _AS_MANY)


def choose_pairs(
    drawn: Sequence[Drawn], points: Sequence[Sequence[float]], policy: Policy, by: Choosing, judge: str = ""
) -> list[dict[str, Any]]:
    """The pairs, as `simplify build-preferences` writes them; none where the source itself is the best."""
    pairs = sorted(_ranked(drawn, points, by.apart), key=lambda pair: -pair[0])
    kept = pairs[: round(by.share * len(pairs))]
    random.Random(len(kept)).shuffle(kept)  # the first so many are as good as any others
    return [_row(source, best, worst, judge or by.name, policy) for _, source, best, worst in kept]


def _ranked(
    drawn: Sequence[Drawn], points: Sequence[Sequence[float]], apart: float
) -> Iterator[tuple[float, str, str, str]]:
    for one, given in zip(drawn, points, strict=True):
        ranked = sorted(zip(given, one.texts, strict=True), reverse=True)
        (most, best), (least, worst) = ranked[0], ranked[-1]
        if (
            plain(best) not in (plain(worst), plain(one.source))
            and most - least >= apart
            and most > -NEVER / 2
        ):
            yield most - least, one.source, best, worst


def _row(source: str, best: str, worst: str, judge: str, policy: Policy) -> dict[str, Any]:
    return {
        "source": source,
        "policy": policy.name,
        "judge": judge,
        "prompt": [asdict(message) for message in messages(policy, source)],
        "chosen": [{"role": "assistant", "content": best}],
        "rejected": [{"role": "assistant", "content": worst}],
    }
