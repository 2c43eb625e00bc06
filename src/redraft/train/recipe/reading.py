"""The format of a recipe: a TOML file with what an adapter is made of, and the commands that make it.

about = "…"                       what it makes
ships = true                      whether the adapter may go into the package
[data.NAME]                       a raw file (or folder) under the data root
file, sha256, licence             and: measured (never learnt from), optional, how (to make it again)
[[stages]]                        in their order; what a stage makes goes to DIR/NAME
name, run                         one of our commands, such as "train policy"
arguments, options                its words; {NAME} is a raw file or what an earlier stage made
small                             options that take the place of these in a rehearsal; {small} is its size
again                             words to go on with, where the stage was interrupted
[dev], [weights]                  of an editor: what is held out, and how often an epoch takes each file
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redraft.errors import InputError
from redraft.train.rows import TrainingRow, read_toml, toml_names

OURS: Final = files("redraft.train") / "recipes"
OUT, SMALL, WEIGHTS, RECIPE, BACKEND = "out", "small", "weights", "recipe", "backend"
BUILT_IN: Final = (OUT, SMALL, WEIGHTS, RECIPE, BACKEND)
"""Places that stand for no file: the stage's folder, the size of a rehearsal, the weights and the name of the
recipe, and what our own systems write with on the device."""
_PLACE: Final = re.compile(r"\{([A-Za-z0-9_-]+)\}")
_NAME: Final = re.compile(r"^[a-z][A-Za-z0-9_-]*$")
_CLOSED: Final = re.compile(r"\bNC\b|non-?commercial|\bA?GPL|not stated|none stated|unclear", re.I)
"""Terms under which nothing is learnt for what ships."""
_TABLES: Final = ("about", "ships", "data", "dev", "weights", "stages")

Value = bool | int | float | str
Options = dict[str, Value | tuple[Value, ...]]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RawFile(_Strict):
    """A file or a folder under the data root; of a folder, `parts` may say what of it is meant."""

    file: str = Field(min_length=1)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    licence: str = Field(min_length=1)
    measured: bool = False
    """Whether it is only measured on, or kept out of what is learnt."""
    optional: bool = False
    how: str = ""
    """How to make it again, where it is made and not found."""
    parts: tuple[str, ...] = ()


class Stage(_Strict):
    """One of our commands with its words."""

    name: str = Field(pattern=_NAME.pattern)
    run: str = Field(pattern=r"^[a-z][a-z -]*$")
    arguments: tuple[str, ...] = ()
    options: Options = {}
    small: Options = {}
    again: tuple[str, ...] = ()

    def words_in(self, small: int | None) -> tuple[tuple[str, ...], Options]:
        """The arguments and options, as they are in a rehearsal of that size or without one."""
        return self.arguments, self.options | (self.small if small is not None else {})

    def places(self) -> set[str]:
        """The names in braces."""
        said = [*self.arguments, *values(self.options), *values(self.small)]
        return {name for one in said if isinstance(one, str) for name in _PLACE.findall(one)}


def values(options: Options) -> Iterator[Value]:
    """Every value, those of a list one by one."""
    for one in options.values():
        yield from one if isinstance(one, tuple) else (one,)


def filled(text: str, known: Mapping[str, str]) -> str:
    """The text with what stands for each name in braces."""
    return _PLACE.sub(lambda place: known.get(place[1], place[0]), text)


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How many inputs of a file to hold out, and from which sources of it: the first are taken first."""

    file: str
    count: int
    sources: tuple[str, ...] = ()

    def takes(self, row: TrainingRow) -> bool:
        """Whether a row of the file may be counted."""
        return not self.sources or row.source in self.sources


@dataclass(frozen=True)
class Recipe:
    """What a TOML file says of a training; [dev] has a test set a line, [weights] a file a line."""

    dev: Mapping[str, HeldOut]
    weights: Mapping[str, float]
    name: str = ""
    about: str = ""
    ships: bool = True
    data: Mapping[str, RawFile] = field(default_factory=dict)
    stages: tuple[Stage, ...] = ()
    sha256: str = ""
    """Of all that it says."""

    def checked(self) -> Self:
        """The recipe; InputError where a stage names what is not there, or what ships must not be learnt."""
        known = {*self.data, *BUILT_IN}
        for stage in self.stages:
            if stage.name in known:
                raise InputError(f"{self.name}: two things are called {stage.name}; rename the stage")
            if unknown := sorted(stage.places() - known):
                raise InputError(
                    f"{self.name}, stage {stage.name}: {{{unknown[0]}}} is no data and no earlier stage; "
                    f"there are {', '.join(sorted(known))}"
                )
            known.add(stage.name)
        for name, raw in self.data.items():
            if self.ships and not raw.measured and _CLOSED.search(raw.licence):
                raise InputError(
                    f"{self.name}: {name} is under {raw.licence!r}, so what learns from it cannot ship: say "
                    "ships = false, or measured = true where it is only measured on"
                )
        return self


def recipe_names() -> list[str]:
    """The recipes that come with redraft."""
    return toml_names(OURS)


def read_recipe(name_or_path: str) -> Recipe:
    """A recipe of ours by its name, or that of a file."""
    found = read_toml("recipe", name_or_path, OURS)
    for table, value in found.items():
        if table not in _TABLES or (table in ("dev", "weights", "data") and not isinstance(value, dict)):
            raise InputError(
                f"{name_or_path}: {table!r} is not known; a recipe has {', '.join(_TABLES[:-1])} and stages, "
                "of which data, dev and weights are tables"
            )
    weights = found.get("weights", {})
    for name, weight in weights.items():
        check_weight(f"{name_or_path}, [weights]", name, weight)
    digest = hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()
    try:
        said = _Said.model_validate({key: found[key] for key in found if key not in ("dev", "weights")})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{name_or_path}, {place}: {first['msg'].lower()}") from None
    return Recipe(
        {name: _hold(name_or_path, name, line) for name, line in found.get("dev", {}).items()},
        {name: float(weight) for name, weight in weights.items()},
        re.sub(r"\.toml$", "", name_or_path.rpartition("/")[2]),
        said.about,
        said.ships,
        said.data,
        said.stages,
        digest,
    ).checked()


class _Said(_Strict):
    about: str = ""
    ships: bool = True
    data: dict[str, RawFile] = {}
    stages: tuple[Stage, ...] = ()


def _hold(where: str, name: str, line: Any) -> HeldOut:
    match line:
        case {"file": str(file), "count": int(count), **others} if set(others) <= {"source"}:
            sources = others.get("source", [])
            sources = [sources] if isinstance(sources, str) else sources
            if isinstance(sources, list) and all(isinstance(source, str) for source in sources):
                return HeldOut(file, count, tuple(sources))
    raise InputError(f'{where}, [dev] {name}: should be {{file = "…", count = N, source = "…" or ["…", …]}}')


def check_weight(where: str, name: str, weight: Any) -> None:
    """InputError where a weight is no number from 0 up."""
    number = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not number or not 0 <= weight < math.inf:
        raise InputError(f"{where} gives {name} the weight {weight!r}, where a number from 0 up is needed")
