"""The records of a benchmark, drawn from revised texts: which text, which constraints, which witness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from redraft.bench.constrev.building.recipe import ConsTRevRecipe, Slot
from redraft.bench.constrev.building.rendering import Rendered, from_templates
from redraft.bench.constrev.building.sources import Source
from redraft.constraints import Drawn, Pair, draw
from redraft.editor import runs_away
from redraft.errors import InputError

_SEEN = 5
_LEAST = 0.5
"""A revision keeps this share of its source's characters; else it is none."""


@dataclass(frozen=True)
class Draft:
    """A record before it has its last wording."""

    slot: Slot
    source: Source
    drawn: Drawn
    rendered: Rendered

    def record(self, recipe: ConsTRevRecipe, rendered: Rendered) -> dict[str, Any]:
        """The record, as it is written."""
        return {
            "id": self.slot.id,
            "level": self.slot.level,
            "set": self.slot.set,
            "kinds": list(self.drawn.kinds),
            "domain": self.source.domain,
            "instruction": rendered.instruction,
            "text": self.source.text,
            "calls": [constraint.call for constraint in self.drawn.constraints],
            "witness": self.drawn.witness,
            "source": {
                "id": self.source.id,
                "licence": self.source.licence,
                "source": self.source.source,
            },
            "reviser": recipe.reviser,
            "renderer": rendered.by,
            "seed": recipe.seed,
        }


def unusable(source: str, revision: str) -> str | None:
    """Why a revision can be no witness: it is no text, or the source itself."""
    if not revision.strip():
        return "empty"
    if revision == source:
        return "unchanged"
    if len(revision) < _LEAST * len(source):
        return "much too short"
    # A word that is replaced throughout makes new runs of words too, but no longer text.
    return "repeats itself" if len(revision) > len(source) and runs_away(revision, source) else None


def draw_records(
    recipe: ConsTRevRecipe, texts: Sequence[Source], revisions: Mapping[str, str]
) -> tuple[list[Draft], dict[str, int]]:
    """A draft for each slot of the recipe, and how often each text was used."""
    pairs = {source.id: Pair(source.text, revisions[source.id]) for source in texts if source.id in revisions}
    used: Counter[str] = Counter()
    drafts: list[Draft] = []
    of_level: dict[str, _Level] = {}
    for slot in recipe.slots():
        level = of_level.setdefault(slot.name, _Level())
        draft = _drafted(slot, recipe, level, list(level.order(texts, used, recipe.seed)), pairs)
        if draft is None:
            raise InputError(
                f"no text is left for {slot.id}: of {len(pairs)} revised texts, none carries what is due; "
                "give more --sources, or ask for fewer records"
            )
        used[draft.source.id] += 1
        level.add(draft)
        drafts.append(draft)
    return drafts, dict(used)


class _Level:
    """What has been drawn at one level, or for one group."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self._texts: set[str] = set()
        self._domains: Counter[str] = Counter()

    def add(self, draft: Draft) -> None:
        self.kinds.update(draft.drawn.kinds)
        self._texts.add(draft.source.id)
        self._domains[draft.source.domain] += 1

    def cost(self, draft: Draft) -> tuple[int, int]:
        """How often its kinds have been used already, and how loose they are."""
        return sum(self.kinds[kind] for kind in draft.drawn.kinds), draft.drawn.loose

    def order(self, texts: Sequence[Source], used: Counter[str], seed: int) -> Iterator[Source]:
        """The texts that are still free, of the domain with the fewest records and the least used first."""
        free = [source for source in texts if source.id not in self._texts]
        key = {source.id: (self._domains[source.domain], used[source.id]) for source in free}
        tie = {source.id: Random(f"{seed} {len(self._texts)} {source.id}").random() for source in free}
        yield from sorted(free, key=lambda source: (*key[source.id], tie[source.id]))


def _drafted(
    slot: Slot, recipe: ConsTRevRecipe, level: _Level, order: Sequence[Source], pairs: Mapping[str, Pair]
) -> Draft | None:
    """Of the first texts that carry what is due, the one with the least used kinds that bind it most."""
    found: list[Draft] = []
    for source in order:
        if len(found) == _SEEN or (found and source.domain != found[0].source.domain):
            break
        if (pair := pairs.get(source.id)) is None:
            continue
        name = f"{recipe.seed} {slot.id} {source.id}"
        drawn = draw(pair, slot.level, level.kinds, Random(name), slot.among)
        if drawn is None:
            continue
        rendered = from_templates(drawn.constraints, source.text, name)
        if rendered is not None:
            found.append(Draft(slot, source, drawn, rendered))
    return min(found, key=level.cost, default=None)
