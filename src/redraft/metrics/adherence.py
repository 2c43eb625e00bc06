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

    A sample without constraints counts in neither. `adherence:default` counts words and sentences by our
    convention rather than by ConsTRev's.
    """

    counting: str = "constrev"

    components: ClassVar[tuple[str, ...]] = ("all_met",)
    needs: ClassVar[frozenset[Need]] = frozenset({"source", "calls"})

    @property
    def name(self) -> str:
        return "adherence" if self.counting == "constrev" else f"adherence:{self.counting}"

    @property
    def signature(self) -> str:
        return sign("adherence", f"counting:{self.counting}")

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        from redraft.constraints import check_constraints  # noqa: PLC0415  (only this metric needs the floor below)

        for block in batched(samples, BLOCK):
            rows = np.zeros((len(block), 4))
            for row, sample in zip(rows, block, strict=True):
                if sample.calls:
                    findings = check_constraints(
                        sample.prediction, sample.calls, original=sample.source, counting=self.counting
                    )
                    met = [finding.met for finding in findings.findings]
                    row[:] = sum(met), len(met), all(met), 1
            yield rows

    def score(self, sums: Rows) -> Rows:
        return 100 * ratio(sums[..., ::2], sums[..., 1::2])
