"""`redraft train split`: hold rows out of training files, and keep test sets out of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.cli.frame import note, put
from redraft.errors import InputError
from redraft.text import json_lines, write_text
from redraft.train import (
    Guard,
    HeldOut,
    Recipe,
    TrainingRow,
    dev_samples,
    read_recipe,
    read_rows,
    split_held_out,
)

Rows = Mapping[str, Sequence[TrainingRow]]


def train_split(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILES...", help="JSON lines of rows, or folders of them.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where train/ and dev/ are written.")],
    dev: Annotated[
        str | None,
        typer.Option(metavar="N|NAME=N,...", help="Inputs to hold out of each file, or of the named ones."),
    ] = None,
    recipe: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Hold out what the dev table of a recipe says.")
    ] = None,
    tests: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="A test set: rows like its texts are left out. May be repeated."),
    ] = None,
    seed: Annotated[int, typer.Option(help="For drawing what is held out.")] = 0,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over the split that the folder holds.")
    ] = False,
) -> None:
    """Part training files into rows to train on and held-out rows.

    Rows that share an input or a target, in whichever file, stay together, and rows nearly like a held-out
    text are left out: nothing of dev is seen in training. A recipe also writes dev/editeval/, a folder that
    `bench run editeval --data` reads.
    """
    if (dev is None) == (recipe is None):
        raise InputError("say what to hold out, with either --dev or --recipe")
    found = _files(files)
    rows = {name: _read(file) for name, file in found.items()}
    plan = read_recipe(recipe) if recipe else Recipe({}, {})
    holds = list(plan.dev.values()) if dev is None else _holds(dev, tuple(rows))
    folders = {
        out / "train": tuple(rows),
        out / "dev": tuple(rows),
        out / "dev" / "editeval": tuple(plan.dev),
    }
    _spare([*found.values(), *(tests or ())], folders)
    _fresh(folders, replace=replace)
    if tests:
        rows = _guarded(rows, Guard.from_files(tests), "a test set")
    train, held = split_held_out(rows, holds, seed=seed)
    texts = (text for found in held.values() for row in found for text in (row.input, row.target))
    train = _guarded(train, Guard(texts), "a held-out text")
    samples = {name: dev_samples(_held(held, hold), f"{name}-dev") for name, hold in plan.dev.items()}
    _make(folder for folder, names in folders.items() if names)
    for part, side in (("train", train), ("dev", held)):
        for name, kept in side.items():
            _write(out / part / f"{name}.jsonl", (row.as_dict() for row in kept))
    for name, records in samples.items():
        _write(out / "dev" / "editeval" / f"{name}.jsonl", records)
    _tell(rows, train, held, samples)


def _files(paths: Sequence[Path]) -> dict[str, Path]:
    named: dict[str, Path] = {}
    for path in paths:
        found = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        if not found:
            raise InputError(f"{path} holds no .jsonl file")
        for file in found:
            if file.stem in named:
                raise InputError(f"two files are named {file.stem}; the second is {file}")
            named[file.stem] = file
    return named


def _read(file: Path) -> list[TrainingRow]:
    rows = list(read_rows(file))
    if not rows:
        raise InputError(f"{file} is empty: it holds no row")
    return rows


def _holds(text: str, names: Sequence[str]) -> list[HeldOut]:
    if text.strip().isdecimal():
        return [HeldOut(name, int(text)) for name in names]
    holds = []
    for part in text.split(","):
        name, _, count = (piece.strip() for piece in part.partition("="))
        if not count.isdecimal():
            raise InputError(f"--dev has {part!r}, where a number or name=number is needed")
        holds.append(HeldOut(name, int(count)))
    return holds


def _spare(inputs: Iterable[Path], folders: Mapping[Path, Sequence[str]]) -> None:
    """An input that the split would be written over, or beside, is an error."""
    targets = {(folder / f"{name}.jsonl").resolve() for folder, names in folders.items() for name in names}
    for file in inputs:
        place = file.resolve()
        for folder in folders:
            if place.is_relative_to(folder.resolve()) or place in targets:
                raise InputError(f"{file} is read, but --out would write to {folder}; give another --out")


def _fresh(folders: Mapping[Path, Sequence[str]], *, replace: bool) -> None:
    """An earlier split is an error, unless it is to be replaced and every file of it would be."""
    for folder, names in folders.items():
        for file in sorted(folder.glob("*.jsonl")):
            if not replace:
                raise InputError(f"{file} is of another split; give an empty folder, or --replace")
            if file.stem not in names:
                raise InputError(
                    f"{file} is of another split, and this one has no file of that name to replace it; "
                    "delete it, or give an empty folder"
                )


def _make(folders: Iterable[Path]) -> None:
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{folder} cannot be made: {(error.strerror or str(error)).lower()}") from None


def _guarded(rows: Rows, guard: Guard, what: str) -> dict[str, list[TrainingRow]]:
    kept = {name: list(guard.filter(found)) for name, found in rows.items()}
    equal, near = guard.refused["equal"], guard.refused["near"]
    note(f"left out: {equal} rows equal to {what}, {near} nearly so")
    for row, reason in guard.examples[:5]:
        note(f"  {row.source or row.task}: {reason}")
    return kept


def _held(held: Rows, hold: HeldOut) -> list[TrainingRow]:
    return [row for row in held[hold.file] if hold.takes(row)]


def _write(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    write_text(path, json_lines(records))


def _tell(rows: Rows, train: Rows, held: Rows, samples: Mapping[str, Sequence[Any]]) -> None:
    width = max(map(len, (*rows, *samples)))
    put(f"{'file':{width}} {'rows':>7} {'train':>7} {'dev':>7}\n")
    for name, found in rows.items():
        put(f"{name:{width}} {len(found):7} {len(train[name]):7} {len(held[name]):7}\n")
    for name, records in samples.items():
        put(f"{name:{width}} {len(records)} dev samples\n")
