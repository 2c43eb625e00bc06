"""Following a recipe: every stage in a folder of its own, with a stamp that says how it was made.

DIR/STAGE         what a stage made
DIR/STAGE.json    its stamp: the key of its settings and inputs, written as it begins, and again as it ends
DIR/recipe.json   the recipe, for the card of what is exported
DIR/recipe.log    when what began, ended or failed
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from redraft.errors import FileError, InputError
from redraft.models import sha256_of
from redraft.text import write_text
from redraft.train.recipe.reading import BACKEND, OUT, RECIPE, SMALL, WEIGHTS, Options, Recipe, Stage, filled
from redraft.train.rows import read_record

RECORD: Final = "recipe.json"
LOG: Final = "recipe.log"

Do = Callable[[Stage, list[str]], None]
"""Runs a command of ours with its words."""


@dataclass(frozen=True)
class RecipeRun:
    """A recipe that is followed in a folder, with the raw data under a root."""

    recipe: Recipe
    named: str
    """The recipe as the command line named it."""
    root: Path
    out: Path
    small: int | None = None
    """The size of a rehearsal."""
    without: tuple[str, ...] = ()
    """Optional raw files that are left out."""
    backend: str = "embedded"
    tell: Callable[[str], None] = field(default=lambda _: None)

    def __post_init__(self) -> None:
        for name in self.without:
            if name not in self.recipe.data or not self.recipe.data[name].optional:
                optional = ", ".join(one for one, raw in self.recipe.data.items() if raw.optional)
                raise InputError(
                    f"{name} cannot be left out of {self.recipe.name}; what can: {optional or 'none'}"
                )

    @cached_property
    def stages(self) -> dict[str, Stage]:
        """The stages by name, in their order."""
        return {stage.name: stage for stage in self.recipe.stages}

    def needed(self, name: str | None) -> tuple[Stage, ...]:
        """All stages, or one with those that it needs."""
        if name is None:
            return self.recipe.stages
        if name not in self.stages:
            raise InputError(f"{self.recipe.name} has no stage {name}; there are {', '.join(self.stages)}")
        wanted = {name}
        for stage in reversed(self.recipe.stages):
            if stage.name in wanted:
                wanted |= stage.places() & set(self.stages)
        return tuple(stage for stage in self.recipe.stages if stage.name in wanted)

    def key(self, stage: Stage) -> str:
        """The hash of a stage's settings and inputs; another where those of a stage that it needs are."""
        places = stage.places()
        said = {
            "run": stage.run,
            "words": stage.words_in(self.small),
            "small": self.small if SMALL in places else None,
            "weights": self._weights if WEIGHTS in places else None,
            "backend": self.backend if BACKEND in places else None,
            "dev": repr(self.recipe.dev) if RECIPE in places else None,
            "data": {name: self.recipe.data[name].sha256 for name in self._raw(stage)},
            "stages": {name: self.key(self.stages[name]) for name in sorted(places & set(self.stages))},
        }
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()

    def done(self, stage: Stage) -> bool:
        """Whether a stage is finished with these settings, and what it made is still there."""
        stamp = self._stamp(stage)
        if stamp.get("key") != self.key(stage) or "files" not in stamp:
            return False
        return all(
            (path := self.out / stage.name / name).is_file() and path.stat().st_size == size
            for name, size in stamp["files"].items()
        )

    def words(self, stage: Stage) -> list[str]:
        """The words that follow the command."""
        known = {name: str(self.root / raw.file) for name, raw in self.recipe.data.items()}
        known |= {name: str(self.out / name) for name in self.stages}
        known |= {OUT: str(self.out / stage.name), SMALL: str(self.small), RECIPE: self.named}
        known |= {WEIGHTS: self._weights, BACKEND: self.backend}
        arguments, options = stage.words_in(self.small)
        taken = [one for one in arguments if not self._left_out(one)]
        return [*(filled(one, known) for one in taken), *self._options(options, known)]

    def follow(self, do: Do, only: str | None = None) -> None:
        """Do what is not done yet, in order; what is finished stays, whatever happens to a later stage."""
        todo = [stage for stage in self.needed(only) if not self.done(stage)]
        self.check_data(todo)
        self._check_kind()
        _make(self.out)
        write_text(self.out / RECORD, json.dumps(self._record(), indent=2, ensure_ascii=False) + "\n")
        for stage in self.needed(only):
            if self.done(stage):
                self.tell(f"{stage.name}: finished before")
            else:
                self._do(stage, do)

    def check_data(self, stages: Sequence[Stage]) -> None:
        """InputError that names every raw file which is missing, or is not the one that was expected."""
        wrong = []
        for name in dict.fromkeys(name for stage in stages for name in self._raw(stage)):
            raw = self.recipe.data[name]
            path = self.root / raw.file
            hint = f"; to make it: {raw.how}" if raw.how else ""
            hint += f"; or leave it out: --without {name}" if raw.optional else ""
            if not path.exists():
                wrong.append(f"{path} is missing ({raw.licence}, SHA-256 {raw.sha256}){hint}")
            elif (found := digest(path, raw.parts)) != raw.sha256:
                wrong.append(f"{path} has the SHA-256 {found}, and {raw.sha256} is expected{hint}")
        if wrong:
            raise InputError(
                f"the data of {self.recipe.name} are not those of the recipe:\n  " + "\n  ".join(wrong)
            )

    def _check_kind(self) -> None:
        """InputError where the folder holds a rehearsal, and this is none, or the other way round."""
        old, new = read_record(self.out / RECORD), self._record()
        for name in ("name", "rehearsal", "without"):
            if old and old.get(name) != new[name]:
                raise InputError(
                    f"{self.out} was made with another {name} ({old.get(name)}, now {new[name]}): choose "
                    "another --out, for what is finished there would be made again"
                )

    def _do(self, stage: Stage, do: Do) -> None:
        folder, key, began = self.out / stage.name, self.key(stage), time.monotonic()
        stamp = self._stamp(stage)
        goes_on = stamp.get("key") == key and folder.exists()
        if not goes_on and folder.exists():
            if not stamp:
                raise InputError(f"{folder} is no stage's: name another --out, or move it away")
            shutil.rmtree(folder)
        _make(folder)
        at = self.out / f"{stage.name}.json"
        write_text(at, json.dumps({"key": key}) + "\n")
        self._log(f"{stage.name}: {stage.run}, {'goes on' if goes_on else 'begins'}")
        try:
            do(stage, [*self.words(stage), *(stage.again if goes_on else ())])
        except BaseException as error:
            self._log(f"{stage.name}: stopped by {type(error).__name__} {error}".rstrip())
            raise
        seconds = round(time.monotonic() - began, 1)
        made = {path.relative_to(folder).as_posix(): path.stat().st_size for path in _files(folder)}
        write_text(at, json.dumps({"key": key, "seconds": seconds, "files": made}, indent=1) + "\n")
        self._log(f"{stage.name}: finished in {seconds:g} s")

    def _stamp(self, stage: Stage) -> dict[str, Any]:
        return read_record(self.out / f"{stage.name}.json")

    def _log(self, line: str) -> None:
        self.tell(line)
        stamped = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {line}\n"
        try:
            with (self.out / LOG).open("a", encoding="utf-8") as log:
                log.write(stamped)
        except OSError as error:
            raise FileError(f"{self.out / LOG} cannot be written: {error.strerror}") from None

    def _raw(self, stage: Stage) -> list[str]:
        return sorted((stage.places() & set(self.recipe.data)) - set(self.without))

    @property
    def _weights(self) -> str:
        own = {name: weight for name, weight in self.recipe.weights.items() if name not in self.without}
        return ",".join(f"{name}={weight:g}" for name, weight in own.items())

    def _left_out(self, text: object) -> bool:
        return any(text == f"{{{name}}}" for name in self.without)

    def _options(self, options: Options, known: dict[str, str]) -> Iterator[str]:
        for name, value in options.items():
            for one in value if isinstance(value, tuple) else (value,):
                if one is False or self._left_out(one):
                    continue
                yield f"--{name}"
                if one is not True:
                    yield filled(str(one), known)

    def _record(self) -> dict[str, Any]:
        """What the card of an export says of the recipe."""
        raw = {name: one for name, one in self.recipe.data.items() if name not in self.without}
        return {
            "name": self.recipe.name,
            "sha256": self.recipe.sha256,
            "ships": self.recipe.ships and self.small is None,
            "rehearsal": self.small,
            "without": list(self.without),
            "stages": {stage.name: stage.run for stage in self.recipe.stages},
            "data": [
                {"file": one.file, "licence": one.licence, "sha256": one.sha256, "measured": one.measured}
                for one in raw.values()
            ],
        }


def digest(path: Path, parts: Sequence[str] = ()) -> str:
    """The SHA-256 of a file; of a folder, of the names and hashes of its files, or of those in some parts."""
    if path.is_file():
        return sha256_of(path)
    found = [file for part in parts or ("",) for file in _files(path / part)]
    lines = (f"{sha256_of(file)}  {file.relative_to(path).as_posix()}\n" for file in sorted(found))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _files(folder: Path) -> list[Path]:
    return [folder] if folder.is_file() else sorted(path for path in folder.rglob("*") if path.is_file())


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder} cannot be made: {error.strerror}") from None
