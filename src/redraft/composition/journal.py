"""What is kept of a piece while it is written, so that it can go on after anything.

DIR/compose.json   what was asked for, and how it is done
DIR/steps.jsonl    one finished step a line, append-only; of two with a number, the later counts
DIR/outline.md     the outline, where a person wants to see it first
DIR/revised.md     the piece as it was revised to meet its constraints, where it had to be
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

from redraft.composition.brief import Brief, Genre, Language, Length
from redraft.composition.trajectory import Step
from redraft.constraints import CountingName
from redraft.errors import InputError
from redraft.notation import parse_json
from redraft.settings import ROLES
from redraft.text import Appender, dumped, is_private, read_text, sound, whole_lines, write_text

FACTS = "compose.json"
STEPS = "steps.jsonl"
_REVISED = "revised.md"


@dataclass(frozen=True, slots=True)
class Kept:
    """What a folder was begun with."""

    brief: Brief
    calls: tuple[str, ...]
    way: dict[str, Any]
    models: dict[str, str]
    counting: CountingName


class Journal(Appender):
    """The folder of one piece, open for writing; use it as a context."""

    option = "--trace"

    def __init__(self, folder: Path, kept: Kept) -> None:
        self.folder = folder
        self.private = is_private(folder)
        self._begun = {**asdict(kept), "calls": list(kept.calls)}
        super().__init__(folder / STEPS)

    def check_contents(self) -> None:
        """Raise where the folder holds another piece."""
        file = self.folder / FACTS
        if not file.exists():
            if next(whole_lines(self.path), None) is not None:
                raise InputError(
                    f"{self.folder} has steps of a piece, but no {FACTS}: choose another --trace"
                )
            return
        before = _read(file)
        for name in ("brief", "calls", "way", "models", "counting"):
            if before.get(name) != json.loads(json.dumps(self._begun[name])):
                raise InputError(
                    f"{self.folder} holds another piece: its {name} differs; go on with --resume"
                    f" {self.folder} alone, or choose another --trace"
                )

    def begin(self) -> None:
        """Write down what is begun, where it is not yet."""
        if not (self.folder / FACTS).exists():
            text = dumped(self._begun, indent=2) + "\n"
            write_text(self.folder / FACTS, text, private=self.private)

    def steps(self) -> tuple[Step, ...]:
        """Every step that was finished, by number."""
        found: dict[int, Step] = {}
        for number, line in enumerate(whole_lines(self.path), 1):
            try:
                step = Step.from_dict(parse_json(line))
            except (ValueError, KeyError, TypeError):
                raise InputError(
                    f"{self.path}, line {number}, is no step: delete that line, and those after it"
                ) from None
            if not 1 <= step.number <= len(found) + 1:
                raise InputError(
                    f"{self.path}, line {number}: step {len(found) + 1} is missing: delete that line, and"
                    " those after it"
                )
            found[step.number] = step
        return tuple(found.values())

    def revised(self) -> str | None:
        """The piece as it was revised; None where it was not."""
        file = self.folder / _REVISED
        return read_text(file) if file.exists() else None

    def keep_revised(self, text: str) -> None:
        """Keep the piece as it was revised: nobody pays for that again."""
        write_text(self.folder / _REVISED, sound(text), private=self.private)


def read_kept(folder: Path) -> Kept:
    """What a folder was begun with."""
    value = _read(folder / FACTS)
    try:
        brief = dict(value["brief"])
        length = None if brief["length"] is None else Length(**brief["length"])
        lists = {name: tuple(brief[name]) for name in ("headings", "points")}
        counting: CountingName = value["counting"]
        said = ((brief["language"], Language), (brief["genre"], Genre), (counting, CountingName))
        if any(name not in get_args(known) for name, known in said):
            raise ValueError
        # It may be somebody else's folder: nothing in it changes another setting.
        if not all(role in ROLES and isinstance(spec, str) for role, spec in value["models"].items()):
            raise ValueError
        return Kept(
            Brief(**{**brief, **lists, "length": length}),
            tuple(value["calls"]),
            value["way"],
            value["models"],
            counting,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"{folder / FACTS} is damaged: begin the piece anew") from None


def _read(file: Path) -> dict[str, Any]:
    try:
        value = parse_json(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{file.parent} is no folder of a piece: it has no {FACTS}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None
    if not isinstance(value, dict):
        raise InputError(f"{file} is damaged: it should hold an object")
    return value
