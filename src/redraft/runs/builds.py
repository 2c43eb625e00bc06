"""Building a data set in a folder, step after step, and the card that says what it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from redraft.models import Usage, remaining_budget
from redraft.runs.jobs import Engine, Job, OpenWorker
from redraft.runs.results import Record, Results, RunDir
from redraft.runs.runner import Progress, execute, open_run
from redraft.settings import Settings
from redraft.text import markdown_code, markdown_text, replace_surrogates, to_json, write_text

ProgressDisplay = Callable[[int], AbstractContextManager[Callable[[Progress], None]]]
"""Opens a display of the progress of so many jobs."""

Recipe = TypeVar("Recipe")
Sources = TypeVar("Sources")


@dataclass
class Build(Generic[Recipe, Sources]):
    """One build: what is built, of what, where, and where its models work.

    Each step of it has a file of results that only grows, so that a build that was stopped goes on.
    """

    recipe: Recipe
    sources: Sources
    out: Path
    settings: Settings
    engine: Engine
    display: ProgressDisplay
    _spent: Usage = field(default_factory=Usage, init=False)
    _results: dict[str, Results] = field(default_factory=dict, init=False)

    def results(self, name: str) -> Results:
        """The results of a step, by the name of their file without its suffix."""
        return self._results.setdefault(name, Results(self.out / f"{name}.jsonl"))

    @contextmanager
    def open_folder(self, facts: Record, first: str, resume: bool) -> Iterator[RunDir]:
        """Have the folder for this process alone; `first` names the results of the first step."""
        folder = RunDir(self.out)
        folder.results = self.results(first)
        with open_run(folder, facts, resume), self.engine.held():
            yield folder

    async def do(
        self, jobs: Iterable[Job], planned: int, opening: OpenWorker, settings: Settings, results: Results
    ) -> Progress:
        """Do the jobs of a step that are not done yet, with what the steps before left of the budget."""
        left = remaining_budget(settings, self._spent)
        with self.display(planned) as progress:
            done = await execute(
                jobs, opening, left, results, self.engine, planned=planned, progress=progress
            )
        self._spent += done.usage
        return done

    def write_card(self, card: Record, package: str, name: str = "card.md") -> None:
        """Write the card, as data and as a page; the package has the template of it."""
        write_text(self.out / "card.json", to_json(card, indent=2) + "\n")
        write_text(self.out / name, replace_surrogates(card_page(card, package)))


def in_words(value: Any) -> str:
    """A value of a card in words: names with their counts, or items, one after another."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {count}" for name, count in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value)
    return "" if value is None else str(value)


def _escaped(value: Any) -> Any:
    """What stands in a card is text, whatever it looks like; what the template marks as safe stays."""
    if type(value) is int:
        return f"{value:,}"
    return markdown_text(value) if type(value) is str else value


_CARDS = Environment(
    finalize=_escaped,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_CARDS.filters.update(words=in_words, code=lambda text: Markup(markdown_code(text)))


def card_page(card: Record, package: str) -> str:
    """A card as Markdown, by the `card.md.j2` of the package that builds."""
    template = files(package).joinpath("card.md.j2").read_text(encoding="utf-8")
    return _CARDS.from_string(template).render(card)
