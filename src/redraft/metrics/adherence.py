"""Adherence to constraints, as ConsTRev reports it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from redraft.constraints import parse_call
from redraft.errors import CallError
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


JUDGING: Final = "text_eval()"
"""Part of every gold set, as in Figure 7 of the paper."""
_LOOKING: Final = "detect_keyword"
"""Lists what to keep, and checks nothing: it counts neither for a planner nor against it."""


def tool_use(planned: Iterable[str] | None, gold: Iterable[str]) -> dict[str, float]:
    """F1 of the planned calls and whether they are just the gold ones, in per cent; empty where none were.

    `check_f1` is F1 without `text_eval()` on either side, as the paper's Figure 6 has it: where nothing is to
    be checked, and nothing is, that is right.
    """
    if planned is None:
        return {}
    chosen = {_spelled(call) for call in planned if not call.startswith(_LOOKING)}
    wanted = {JUDGING, *map(_spelled, gold)}
    return {
        "tool_f1": _f1(chosen, wanted),
        "tool_exact": 100.0 * (chosen == wanted),
        "check_f1": _f1(chosen - {JUDGING}, wanted - {JUDGING}),
    }


def _f1(chosen: set[str], wanted: set[str]) -> float:
    if not chosen and not wanted:
        return 100.0
    return 100 * 2 * len(chosen & wanted) / (len(chosen) + len(wanted))


def _spelled(call: str) -> str:
    """A call in one spelling; one that cannot be read stays as it is, and is wrong."""
    try:
        return parse_call(call).call
    except CallError:
        return call.strip()
