"""What a run of ConsTRev shows beside its scores: adherence by group and kind, and over revision rounds.

{"groups": {"length": {"score": 91.2, "low": …, "high": …, "n": 120}, …},
 "kinds": {"word_count_check less than": {…}, …},
 "rounds": {"L1": [{"round": 1, "n": 50, "adherence": 71.0, "perplexity": 30.1, …}, …], …}}
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np

from redraft.bench.constrev.reading import GROUP_OF
from redraft.bench.measures import QUALITY
from redraft.constraints import Constraint, Finding, check
from redraft.metrics import Mean, estimate
from redraft.runs import Record


def details_of(records: Sequence[Record], measured: Mapping[str, Record], counting: str) -> Record:
    """The details of finished records; `measured` has what was measured of each, by its key."""
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    kinds: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for record in records:
        found = _findings(record["output"], record, counting)
        for name, counts in _counted(found, group_of):
            groups[name].append(counts)
        for name, counts in _counted(found, kind_of):
            kinds[name].append(counts)
    return {
        "counting": counting,
        "groups": {name: _share(groups[name]) for name in sorted(groups)},
        "kinds": {name: _share(kinds[name]) for name in sorted(kinds)},
        "rounds": _rounds(records, measured, counting),
    }


def group_of(constraint: Constraint) -> str:
    """The group of a constraint in Table 11."""
    return GROUP_OF.get(constraint.name, "other")


def kind_of(constraint: Constraint) -> str:
    """The kind of a constraint, with what it relates: `word_count_check less than`."""
    return f"{constraint.name} {getattr(constraint, 'relation', '')}".rstrip()


def _findings(text: str, record: Record, counting: str) -> tuple[Finding, ...]:
    calls = record.get("calls", ())
    if not calls:
        return ()
    return check(text, calls, original=record["input"], counting=counting).findings


def _counted(
    found: Iterable[Finding], name_of: Callable[[Constraint], str]
) -> Iterator[tuple[str, tuple[float, float]]]:
    """For each name, how many of a sample's constraints are met, in hundreds, and how many there are."""
    own: dict[str, list[bool]] = defaultdict(list)
    for finding in found:
        own[name_of(finding.constraint)].append(finding.met)
    for name, mets in own.items():
        yield name, (100.0 * sum(mets), float(len(mets)))


def _share(counts: Sequence[tuple[float, float]]) -> Record:
    """The share that is met, with an interval over samples."""
    rows = np.array(counts)
    found = estimate(Mean("share", lambda sample: ()), rows)
    low, high = found.interval
    return {"score": float(found.value[0]), "low": low, "high": high, "n": int(rows[:, 1].sum())}


def _rounds(
    records: Sequence[Record], measured: Mapping[str, Record], counting: str
) -> dict[str, list[Record]]:
    """The means after each round; a sample with fewer rounds stays as its last one left it."""
    found: dict[str, list[Record]] = {}
    for dataset in dict.fromkeys(record["dataset"] for record in records):
        own = [record for record in records if record["dataset"] == dataset]
        most = max(len(record.get("rounds", ())) for record in own)
        if most:
            found[dataset] = [_round(own, place, measured, counting) for place in range(most)]
    return found


def _round(records: Sequence[Record], place: int, measured: Mapping[str, Record], counting: str) -> Record:
    mets: list[bool] = []
    values: dict[str, list[float]] = defaultdict(list)
    for record in records:
        texts = record.get("rounds") or [record["output"]]
        at = min(place, len(texts) - 1)
        mets += [each.met for each in _findings(texts[at], record, counting)]
        own = measured.get(record["key"], {})
        known = own.get("rounds") or [own.get("measures", {})]
        for name, value in (known[at] if at < len(known) else {}).items():
            if name in QUALITY and value is not None and math.isfinite(value):
                values[name].append(value)
    means = {name: fmean(numbers) for name, numbers in values.items()}
    adherence = {"adherence": 100 * fmean(mets)} if mets else {}
    return {"round": place + 1, "n": len(records), **adherence, **means}
