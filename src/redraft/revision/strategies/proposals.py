"""What was proposed for the passages of a text, kept for all nodes of a search."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.revision.draft import Draft, Option
from redraft.revision.records import Candidate, Reason


def _text(item: tuple[Candidate, float]) -> tuple[str, tuple[Reason, ...]]:
    return item[0].text, item[0].why


class Proposals:
    """What was proposed for a passage of the original, by anyone, at any time."""

    def __init__(self) -> None:
        self._candidates: dict[tuple[str, ...], dict[Candidate, float]] = {}

    def add(self, draft: Draft, options: Sequence[Option]) -> None:
        """Remember the options, each for the passages of the original that its units came from."""
        for option in options:
            own = self._candidates.setdefault(_sources(draft, option.start, option.stop), {})
            own[option.candidate] = option.value

    def take(self, other: Proposals) -> None:
        """Remember all that another has."""
        for source, candidates in other._candidates.items():
            self._candidates.setdefault(source, {}).update(candidates)

    def options(self, draft: Draft) -> list[Option]:
        """All that is known for the units of a draft, in an order that does not depend on who came first."""
        found: list[Option] = []
        sizes = sorted({len(sources) for sources in self._candidates})
        for start, stop in ((at, at + size) for at in range(len(draft.units)) for size in sizes):
            own = self._candidates.get(_sources(draft, start, stop), {})
            if stop <= len(draft.units) and all(unit.free for unit in draft.units[start:stop]):
                made = (Option(start, stop, one, value) for one, value in sorted(own.items(), key=_text))
                found += (option for option in made if option.candidate.text != draft.passage(start, stop))
        return found


def _sources(draft: Draft, start: int, stop: int) -> tuple[str, ...]:
    return tuple(unit.source for unit in draft.units[start:stop])
