"""What is known of how reliable judges are: measured by `redraft judge meta`, and kept in a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from redraft.errors import FileError
from redraft.judge.intervals import Interval
from redraft.judge.item import Item
from redraft.judge.judges import score_question
from redraft.judge.rubric import Rubric
from redraft.models import KEPT, locked
from redraft.settings import Settings
from redraft.text import private_folder, read_text, write_text

NOT_MEASURED = "reliability not measured: redraft judge meta"


@dataclass(frozen=True)
class Reliability:
    """How often a judge was found to order two texts as people do, marking by a rubric in these words."""

    judge: str
    """The spec of the model."""
    rubric: str
    prompt_hash: str
    pairs: int
    groups: int
    """The instructions that the pairs belong to."""
    unanswered: int
    """Pairs for which it gave no valid marks; they are not among `pairs`."""
    consistency: float
    interval: Interval | None
    date: str
    file_hash: str
    """Of the file with people's scores."""

    def __str__(self) -> str:
        ends = "" if self.interval is None else " [{:.0f}, {:.0f}]".format(*(100 * x for x in self.interval))
        share = f"{100 * self.consistency:.0f} %{ends}"
        silent = f", {self.unanswered} more unanswered" if self.unanswered else ""
        return f"agreed with people on {share} of {self.pairs} pairs ({self.rubric}){silent}"


_STORED = TypeAdapter(tuple[Reliability, ...])


def kept_in(settings: Settings) -> Path:
    """The file of what was measured."""
    return settings.cache_dir / "reliability.json"


def wording(rubric: Rubric) -> str:
    """The `prompt_hash` of all judgements that score by a rubric."""
    return score_question(rubric, Item("", "")).prompt_hash


def read_reliability(path: Path) -> tuple[Reliability, ...]:
    """Everything that a file has; nothing where there is no file."""
    if path.is_symlink():
        raise FileError(f"{path} is a link, which is not followed: delete it, or link its folder instead")
    if not path.exists():
        return ()
    try:
        return _STORED.validate_json(read_text(path))
    except ValidationError:
        raise FileError(
            f"{path} does not hold what judges were found to be worth: delete it, and measure them again"
        ) from None


def keep(found: Iterable[Reliability], path: Path) -> None:
    """Add what was measured; the same judge with the same rubric and pairs of the same file is replaced."""
    new = {_place(each): each for each in found}
    try:
        private_folder(path.parent, KEPT)
        with locked(path.with_suffix(".lock"), timeout=60, on_wait=lambda: None):
            kept = {_place(each): each for each in read_reliability(path)} | new
            text = _STORED.dump_json(tuple(kept.values()), indent=1).decode() + "\n"
            write_text(path, text, private=True)
    except OSError as error:
        raise FileError(f"{path.parent} cannot be written: {error.strerror}") from None


def reliability_of(
    spec: str, rubric: Rubric, settings: Settings, path: Path | None = None
) -> Reliability | None:
    """What was found of a judge: by the most pairs, and of those last.

    None where it was not measured with this rubric in the words that it has now.
    """
    asked = spec, rubric.name, wording(rubric)
    known = [
        each
        for each in read_reliability(path or kept_in(settings))
        if (each.judge, each.rubric, each.prompt_hash) == asked
    ]
    return max(known, key=lambda each: (each.pairs, each.date), default=None)


def _place(found: Reliability) -> tuple[str, str, str, str, int]:
    return found.judge, found.rubric, found.prompt_hash, found.file_hash, found.pairs
