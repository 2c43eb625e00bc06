"""Recipes: what is held out of the training files, and how the rest is mixed, in a TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from redraft.errors import InputError
from redraft.notation import parse_toml
from redraft.text import read_text
from redraft.train.split import Hold


@dataclass(frozen=True)
class Recipe:
    """What a TOML file says of a training: [dev], a test set a line, and [weights], a file a line."""

    dev: Mapping[str, Hold]
    weights: Mapping[str, float]


def read_recipe(name_or_path: str) -> Recipe:
    """A recipe of ours by its name, or that of a file."""
    ours = {
        file.name.removesuffix(".toml"): file for file in files(__package__).joinpath("recipes").iterdir()
    }
    if name_or_path in ours:
        text = ours[name_or_path].read_text(encoding="utf-8")
    elif Path(name_or_path).suffix == ".toml":
        text = read_text(name_or_path)
    else:
        raise InputError(
            f"{name_or_path!r} is no recipe: name a .toml file, or one of ours ({', '.join(sorted(ours))})"
        )
    try:
        found = parse_toml(text)
    except ValueError as error:
        raise InputError(f"{name_or_path}: not TOML ({error})") from None
    for table in found:
        if table not in {"dev", "weights"} or not isinstance(found[table], dict):
            raise InputError(
                f"{name_or_path}: {table!r} is not known; a recipe has the tables dev and weights"
            )
    dev = {name: _hold(name_or_path, name, line) for name, line in found.get("dev", {}).items()}
    weights = {name: _weight(name_or_path, name, line) for name, line in found.get("weights", {}).items()}
    return Recipe(dev, weights)


def _hold(where: str, name: str, line: Any) -> Hold:
    match line:
        case {"file": str(file), "count": int(count), **others} if set(others) <= {"source"}:
            sources = others.get("source", [])
            sources = [sources] if isinstance(sources, str) else sources
            if isinstance(sources, list) and all(isinstance(source, str) for source in sources):
                return Hold(file, count, tuple(sources))
    raise InputError(f'{where}, [dev] {name}: should be {{file = "…", count = N, source = "…" or ["…", …]}}')


def _weight(where: str, name: str, line: Any) -> float:
    if isinstance(line, bool) or not isinstance(line, int | float):
        raise InputError(f"{where}, [weights] {name}: should be a number, not {line!r}")
    if not 0 <= line < float("inf"):
        raise InputError(f"{where}, [weights] {name}: {line} is no weight; it should be a number from 0 up")
    return float(line)
