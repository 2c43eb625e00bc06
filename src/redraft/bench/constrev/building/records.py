"""The records of a benchmark, drawn from revised texts: which text, which constraints, which witness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from redraft.bench.constrev.building.recipe import ConsTRevRecipe, Slot, Source
from redraft.bench.constrev.building.rendering import Rendered, render_from_templates
from redraft.constraints import (
    Constraint,
    Drawn,
    Keyword,
    KeywordFrequency,
    Pair,
    Reading,
    SentenceCount,
    SentenceLength,
    WordCount,
    draw,
    read,
    render,
    terms,
)
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
        rendered = render_from_templates(drawn.constraints, source.text, name)
        if rendered is not None:
            found.append(Draft(slot, source, drawn, rendered))
    return min(found, key=level.cost, default=None)


_WITH_A_WORD: Final = 0.7
_OFTEN: Final = 4
_BETTER: Final = "better"


@dataclass(frozen=True, slots=True)
class Goal:
    """What to make of a text: a name, and constraints."""

    name: str
    constraints: tuple[Constraint, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether the text is to be made better, whatever else."""
        return self.name.startswith(_BETTER)

    def words(self, seed: int) -> str:
        """The goal in plain English."""
        return render(self.constraints, seed)


def draw_goal(name: str, text: str, seed: int) -> Goal:
    """The goal of the text of that name: the same for the same seed, whatever other texts there are."""
    choose = Random(f"{seed} goal {name}")
    kind = choose.choices(list(_GOALS), [weight for weight, _ in _GOALS.values()])[0]
    before = read(text)
    wanted = _GOALS[kind][1](before, choose)
    word = _word_goal(before, choose) if choose.random() < _WITH_A_WORD else ()
    return Goal(f"{kind}, {word[0].call}" if word else kind, (*([wanted] if wanted else []), *word))


_GoalKind = Callable[[Reading, Random], Constraint | None]
_GOALS: Final[Mapping[str, tuple[float, _GoalKind]]] = {
    "shorter": (5, lambda text, draw: WordCount(round(text.words * draw.uniform(0.7, 0.9)), "less than")),
    "longer": (1, lambda text, draw: WordCount(round(text.words * draw.uniform(1.02, 1.06)), "more than")),
    "fewer sentences": (
        3,
        lambda text, draw: SentenceCount(max(len(text.sentences) - draw.randint(0, 3), 2), "less than"),
    ),
    "more sentences": (
        2,
        lambda text, draw: SentenceCount(len(text.sentences) + draw.randint(0, 3), "more than"),
    ),
    "shorter sentences": (
        4,
        lambda text, draw: SentenceLength(
            max(20, round(max(text.sentence_words) * draw.uniform(0.65, 0.9))), "less than"
        ),
    ),
    "no short sentence": (3, lambda text, draw: SentenceLength(draw.randint(3, 6), "more than")),
    _BETTER: (4, lambda text, draw: None),
}
"""How often each goal is drawn, and the constraint that it comes to for a text."""


def _word_goal(before: Reading, choose: Random) -> tuple[Constraint, ...]:
    """A word to do without, or to use less often."""
    found = [term for term in terms(before) if term.word.islower()]
    rare = [term for term in found if 2 <= term.count < _OFTEN]
    frequent = [term for term in found if term.count >= _OFTEN]
    if frequent and (not rare or choose.random() < 0.5):
        term = choose.choice(frequent)
        return (KeywordFrequency(term.word, term.count - choose.randint(0, 1), "less than"),)
    if rare:
        return (Keyword(choose.choice(rare).word, "remove"),)
    return ()
