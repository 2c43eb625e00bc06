"""What a reader may want to know of each passage of a revision: where it stands, and what else was tried."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from redraft.constraints import Reading
from redraft.revision.records import Change, Concern, Considered, Node
from redraft.revision.showing.settling import find_passages

_MOST: Final = 6
"""What else was tried that is told of a passage."""


@dataclass(frozen=True, slots=True)
class Detail:
    """A passage: its numbers before and after, what else was tried for it, and what is wrong with it.

    Of one that stayed as it was, both are the same, and `text` is the passage.
    """

    text: str
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    chosen: Considered | None = None
    """What stands there now, with its scores, where it was scored."""
    considered: tuple[Considered, ...] = ()
    concerns: tuple[Concern, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What `--json` says of a passage beside its text."""
        return {
            "sentences_before": list(self.before),
            "sentences_after": list(self.after),
            "chosen": None if self.chosen is None else self.chosen.to_dict(),
            "considered": [one.to_dict() for one in self.considered],
            "concerns": [one.to_dict() for one in self.concerns],
        }


def read_detail(text: str, row: Mapping[str, Any]) -> Detail:
    """The detail that `to_dict` described."""
    return Detail(
        text,
        tuple(row["sentences_before"]),
        tuple(row["sentences_after"]),
        None if row["chosen"] is None else Considered(**row["chosen"]),
        tuple(Considered(**one) for one in row["considered"]),
        tuple(Concern(**one) for one in row["concerns"]),
    )


class Details:
    """The details of a revision of one text; `considered` are the candidates that were scored, by passage."""

    def __init__(
        self,
        before: Reading,
        after: Reading,
        considered: Mapping[str, Mapping[str, Considered]],
        nodes: Sequence[Node] = (),
    ) -> None:
        self._before = before
        self._after = after
        self._considered = considered
        self._nodes = nodes

    def of_changes(self, changes: Sequence[Change], concerns: Sequence[Concern]) -> tuple[Detail, ...]:
        """Those of the passages that changed, in the order of the changes."""
        befores = _numbers(self._before, [change.before for change in changes])
        afters = _numbers(self._after, [change.after for change in changes])
        return tuple(
            Detail(
                change.before,
                before,
                after,
                self._considered.get(change.before, {}).get(change.after),
                self._others(change.before, change.after),
                tuple(one for one in concerns if _is_about(one, change, after)),
            )
            for change, before, after in zip(changes, befores, afters, strict=True)
        )

    def of_others(self, changes: Sequence[Change]) -> tuple[Detail, ...]:
        """Those of the sentences that stayed as they were though something else was tried."""
        changed = set(chain.from_iterable(_numbers(self._before, [change.before for change in changes])))
        stayed = [one for one in self._before.counted if one.counted not in changed]
        texts = [self._before.text[one.start : one.end] for one in stayed]
        afters = _numbers(self._after, texts)
        return tuple(
            Detail(text, (one.counted,), after, considered=others)
            for one, text, after in zip(stayed, texts, afters, strict=True)
            if (others := self._others(text, text))
        )

    def _others(self, before: str, after: str) -> tuple[Considered, ...]:
        """What was tried for a passage beside what stands there, the best first."""
        found = dict(self._considered.get(before, {}))
        for change in (change for node in self._nodes for change in node.changes):
            if change.before == before:
                found.setdefault(change.after, Considered(change.after, change.by, change.why))
        others = [one for text, one in found.items() if text not in (before, after)]
        return tuple(sorted(others, key=lambda one: (bool(one.refused), -(one.worth or 0.0)))[:_MOST])


def _numbers(reading: Reading, passages: Iterable[str]) -> Iterator[tuple[int, ...]]:
    """The sentences that each passage is made of, as people count them; none where it stands no more."""
    texts, sentences = list(passages), reading.counted
    starts, ends = [one.start for one in sentences], [one.end for one in sentences]
    for start, text in zip(find_passages(reading.text, texts), texts, strict=True):
        if start is None:
            yield ()
        else:
            first, last = bisect_right(ends, start), bisect_left(starts, start + len(text))
            yield tuple(one.counted for one in sentences[first:last])


def _is_about(concern: Concern, change: Change, numbers: Sequence[int]) -> bool:
    if concern.sentence is not None:
        return concern.sentence in numbers
    return concern.text in change.before or concern.text in change.after
