"""Adherence to constraints, as ConsTRev reports it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from redraft.metrics.base import BLOCK, Need, Rows, Sample, batched, ratio, sign


@dataclass(frozen=True)
class Adherence:
    """The share of all constraints that the predictions meet, and of samples that meet all of theirs.

    A sample without constraints counts in neither. `adherence:constrev` and `adherence:default` count words
    and sentences by that convention, whichever one the scoring has. `all_met` puts the second share first.
    """

    own_counting: str = ""
    counting: str = "default"

    components: ClassVar[tuple[str, ...]] = ("all_met",)
    needs: ClassVar[frozenset[Need]] = frozenset({"source", "calls"})

    kind: ClassVar[str] = "adherence"

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.own_counting}" if self.own_counting else self.kind

    @property
    def signature(self) -> str:
        return sign(self.kind, f"counting:{self._counting}")

    @property
    def _counting(self) -> str:
        return self.own_counting or self.counting

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        from redraft.constraints import check  # noqa: PLC0415  (only this metric needs the floor below)

        for block in batched(samples, BLOCK):
            rows = np.zeros((len(block), 4))
            for row, sample in zip(rows, block, strict=True):
                if sample.calls:
                    findings = check(
                        sample.prediction, sample.calls, original=sample.source, counting=self._counting
                    )
                    met = [finding.met for finding in findings.findings]
                    row[:] = sum(met), len(met), all(met), 1
            yield rows

    def score(self, sums: Rows) -> Rows:
        return 100 * ratio(sums[..., ::2], sums[..., 1::2])

    def sample_scores(self, rows: Rows) -> Rows:
        """The score of each sample; NaN where it has no constraints."""
        return np.where(rows[:, 1] > 0, self.score(rows)[:, 0], np.nan)


class AllMet(Adherence):
    """The share of samples that meet all of their constraints, and of all constraints that are met."""

    kind: ClassVar[str] = "all_met"
    components: ClassVar[tuple[str, ...]] = ("adherence",)

    def score(self, sums: Rows) -> Rows:
        return super().score(sums)[..., ::-1]
