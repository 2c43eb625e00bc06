"""`redraft train split`, `synthesise`, `judge-data`, `writer-data`, `trajectories`: making training data."""

from __future__ import annotations

import asyncio
import json as json_module
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Final, TextIO

import typer

from redraft.bench import Excluded, Source, read_levels
from redraft.cli.console import console, note, put, put_json
from redraft.cli.options import Json
from redraft.cli.runs import counted
from redraft.cli.train.options import Tests
from redraft.errors import InputError
from redraft.models import Models
from redraft.revision import planner_has_learnt
from redraft.settings import load_settings
from redraft.text import json_lines, open_for_writing, write_text
from redraft.train import (
    Guard,
    HeldOut,
    JudgeRow,
    Recipe,
    SourceText,
    TrainingRow,
    clean_texts,
    damage_texts,
    dev_samples,
    fresh_requests,
    generate_trajectories,
    is_kept_aside,
    judge_conversations,
    judge_rows,
    load_profile,
    read_asked,
    read_judge_rows,
    read_kept,
    read_passages,
    read_recipe,
    read_rows,
    read_some,
    read_taught,
    read_texts,
    reader_rows,
    rewrite_rows,
    split_held_out,
    teacher_trajectories,
    trajectory_lines,
    without,
    writer_rows,
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
    tests: Tests = None,
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
    rows = {name: read_some(file, read_rows, "row") for name, file in found.items()}
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
    samples = {
        name: dev_samples(filter(hold.takes, held[hold.file]), f"{name}-dev")
        for name, hold in plan.dev.items()
    }
    train_lines, dev_lines = (
        {name: [row.as_dict() for row in kept] for name, kept in side.items()} for side in (train, held)
    )
    for folder, files_in_it in zip(folders, (train_lines, dev_lines, samples), strict=True):
        if files_in_it:
            _make(folder)
        for name, records in files_in_it.items():
            write_text(folder / f"{name}.jsonl", json_lines(records))
    _say_split(rows, train, held, samples)


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


def _make(folder: Path) -> None:
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


def _say_split(rows: Rows, train: Rows, held: Rows, samples: Mapping[str, Sequence[Any]]) -> None:
    width = max(map(len, (*rows, *samples)))
    put(f"{'file':{width}} {'rows':>7} {'train':>7} {'dev':>7}\n")
    for name, found in rows.items():
        put(f"{name:{width}} {len(found):7} {len(train[name]):7} {len(held[name]):7}\n")
    for name, records in samples.items():
        put(f"{name:{width}} {len(records)} dev samples\n")


_SAMPLES: Final = 3


def synthesise_command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Clean text: .txt, or .jsonl.")],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Where the pairs go.")],
    profile: Annotated[
        str, typer.Option(metavar="NAME", help="learner, web, wordy, or a .toml file of yours.")
    ] = "learner",
    per_text: Annotated[int, typer.Option(min=1, max=1000, help="Pairs made of each text.")] = 1,
    seed: Annotated[int, typer.Option(help="Another seed makes other errors.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after so many pairs.")] = None,
    json: Json = False,
) -> None:
    """Damage clean English text into pairs that an editor can be trained on.

    From a .jsonl file it takes the field `target` or `text`; from any other, the sentences. What is unfit as
    a target (not whole, not English, already broken) is passed over.
    """
    chosen = load_profile(profile)
    check_out(out, files)
    kinds: Counter[str] = Counter()
    tasks: Counter[str] = Counter()
    samples: list[tuple[str, str]] = []
    untouched = 0
    made = damage_texts((text for _, text in clean_texts(files)), chosen, seed, per_text=per_text)
    with open_for_writing(out) as file, counted("pairs") as show:
        for number, (row, done) in enumerate(islice(made, limit), 1):
            file.write(json_module.dumps(row.as_dict(), ensure_ascii=False) + "\n")
            kinds.update(edit.kind for edit in done.edits)
            tasks[row.task] += 1
            untouched += not done.edits
            if done.edits and len(samples) < _SAMPLES:
                samples.append((row.input, row.target))
            show(number, limit)
        rows = tasks.total()
        if not rows:
            raise InputError(_nothing(files))
    if json:
        put_json(
            {
                "out": str(out), "profile": chosen.name, "seed": seed, "rows": rows, "untouched": untouched,
                "tasks": dict(tasks.most_common()), "errors": dict(kinds.most_common()),
                "samples": [{"input": before, "target": after} for before, after in samples],
            }
        )  # fmt: skip
        return
    put(f"{rows:,} pairs in {out}; {untouched:,} of them with nothing to correct\n")
    for kind, count in kinds.most_common():
        put(f"  {kind:12} {count:8,}\n")
    for before, after in samples:
        put(f"\n- {before}\n+ {after}\n")


def judge_data_command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Sets as gzipped JSONL, one folder each.")],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Where the questions go.")],
    rows: Annotated[
        list[Path] | None, typer.Option(metavar="FILE.jsonl", help="More rows: task, source, text, label.")
    ] = None,
    rewrites: Annotated[
        list[Path] | None, typer.Option(metavar="FILE.jsonl", help="Rewrites: task, input, target.")
    ] = None,
    kept: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE.jsonl", help="Rows whose `source` is kept to measure on, and not learnt."),
    ] = None,
    seed: Annotated[int, typer.Option(help="For the damage, and the order.")] = 0,
) -> None:
    """Make the questions that the judge of sentences learns from, for `redraft train chat`.

    The folder may have gec_eracond, gec_harper, ged_realec, zorro, paws_wiki, cannot_negation, nli,
    summedits, elife_revisions and prose; what is held out to measure the judge on is left out. Rewrites that
    keep what is said teach what is the same, and with one thing changed what is not.
    """
    check_out(out, [*(rows or ()), *(rewrites or ()), *(kept or ())])
    measured = frozenset[str]().union(*map(read_kept, kept or ()))
    made = chain(
        judge_rows(folder, seed),
        *map(read_judge_rows, rows or ()),
        *(rewrite_rows(path, seed) for path in rewrites or ()),
    )
    with counted("questions") as show:
        found: list[JudgeRow] = []
        for row in without(made, measured):
            found.append(row)
            show(len(found), None)
    if not found:
        raise InputError(f"{folder} has none of the sets that the judge learns from")
    write_text(out, json_lines(judge_conversations(found, seed)))
    for (task, label), count in sorted(Counter((row.task, row.label) for row in found).items()):
        put(f"{task:8} {'yes' if label else 'no':4} {count:8,}\n")


def reader_data_command(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE.jsonl…", help="Instructions with their calls.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Where the conversations go.")],
    seed: Annotated[int, typer.Option(help="For all that is drawn.")] = 0,
) -> None:
    """Make what the reader of instructions learns from, for `redraft train chat`.

    A row has an instruction, its calls, and the rest that no call says; one whose part is `aside` or `choice`
    is left out. Each is also learnt with other numbers and words, beside another, and with slips of typing.
    """
    check_out(out, files)
    rows = [row for path in files for row in read_asked(path)]
    found = reader_rows(rows, seed)
    write_text(out, json_lines(found))
    put(f"{len(rows):,} instructions, {len(found):,} conversations\n")


def writer_data_command(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where train.jsonl and dev.jsonl go.")],
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Sectioned documents: longform, elife_plain, prose.")
    ] = None,
    taught: Annotated[
        list[Path] | None, typer.Option(metavar="FILE.jsonl", help="What a teacher wrote.")
    ] = None,
    tests: Tests = None,
    most: Annotated[int | None, typer.Option(min=1, help="Passages of each set.")] = None,
    seed: Annotated[int, typer.Option(help="For all that is drawn.")] = 0,
) -> None:
    """Make what the writer of `redraft compose` learns from, for `redraft train chat`: a paragraph a line.

    A row of what a teacher wrote has genre, subject, section, points, angles and text, whose paragraphs
    stand apart by blank lines. One subject in fifty goes to dev.jsonl.
    """
    guard = Guard.from_files(tests) if tests else None
    sets = read_passages(folder, most, seed) if folder is not None else ()
    passages = (
        passage
        for passage in chain(sets, *map(read_taught, taught or ()))
        if guard is None or not any(map(guard.knows, (passage.subject, *passage.paragraphs)))
    )
    found: dict[str, list[dict[str, Any]]] = {"train": [], "dev": []}
    with counted("paragraphs") as show:
        for passage in passages:
            found["dev" if is_kept_aside(passage) else "train"].extend(writer_rows([passage], seed))
            show(len(found["train"]), None)
    if not found["train"]:
        raise InputError("nothing that was read has a paragraph that can be learnt from")
    out.mkdir(parents=True, exist_ok=True)
    for name, rows in found.items():
        write_text(out / f"{name}.jsonl", json_lines(rows))
        put(f"{name:8} {len(rows):8,}\n")


def check_out(out: Path, files: Sequence[Path]) -> None:
    """What is written must not be what is read."""
    for path in files:
        if path.resolve() == out.resolve() or (path.exists() and out.exists() and path.samefile(out)):
            raise InputError(f"--out {out} is the input {path} itself; name another file")


def _nothing(files: Sequence[Path]) -> str:
    names = str(files[0]) if len(files) == 1 else f"{files[0]} and the other files"
    return (
        f"no text in {names} is fit to be damaged: it takes whole English sentences of 5 words or more that "
        "end in a full stop and have no errors yet; nothing was written"
    )


_UNSEEN: Final = 4
"""Instructions with so many constraints are kept for measuring."""
_SPARE: Final = 5
"""Requests for each trajectory that is wanted of a model, at most."""


def train_trajectories(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Clean texts: .jsonl with `text`, or .txt.", exists=True),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Where the trajectories go.")],
    count: Annotated[int, typer.Option(min=1, help="How many to make.")] = 2000,
    levels: Annotated[
        str, typer.Option(metavar="0-3", help="How many constraints an instruction has, by turns.")
    ] = "0-3",
    unseen: Annotated[
        bool, typer.Option("--unseen", help="Allow levels from 4 on, which are kept for measuring.")
    ] = False,
    harder: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Share of requests with remarks that ask for nothing, in words that rules misread, and in "
            "more steps.",
        ),
    ] = 0.0,
    seed: Annotated[int, typer.Option(min=0, help="For all that is drawn.")] = 0,
    tests: Tests = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE...", help="Leave out texts that these files name or hold."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC", help="A model that plans and revises.", show_default="none: damage is undone"
        ),
    ] = None,
) -> None:
    """Make trajectories for a planner: a request, then thought, calls and advice, step by step.

    Clean texts are damaged, and the plans undo it; or a model revises what was damaged, and what it did with
    the right tools is kept.
    """
    wanted = read_levels(levels)
    if max(wanted) >= _UNSEEN and not unseen:
        raise InputError(f"--levels from {_UNSEEN} on are kept for measuring; give --unseen to train on them")
    check_out(out, sources)
    with console().status("reading"):
        texts = _allowed(list(read_texts(sources)), tests or [], exclude or [])
    discarded: Counter[str] = Counter()
    with open_for_writing(out) as file, counted("trajectories") as show:
        if model is None:
            made = generate_trajectories(texts, wanted, count, seed, discarded, harder)
            for number, line in enumerate(trajectory_lines(made), 1):
                file.write(line)
                show(number, count)
            total = count
        else:
            total = asyncio.run(_by_model(texts, wanted, count, seed, model, discarded, file, show))
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in discarded.most_common())
    note(f"{total:,} trajectories; {discarded.total():,} discarded{f': {reasons}' if reasons else ''}")
    put(f"{out}\n")


def _allowed(texts: Sequence[SourceText], tests: Sequence[Path], exclude: Sequence[Path]) -> list[SourceText]:
    """The texts whose terms are not unknown, that are in no test set, and in none of the files to exclude.

    Papers of TETRA are left out too, for a planner is measured on them.
    """
    excluded, guard = Excluded(exclude), Guard.from_files(tests)
    stated = [one for one in texts if one.terms_stated]
    if unstated := len(texts) - len(stated):
        note(f"{unstated:,} of {len(texts):,} texts are left out, as their terms are not stated")
    own = [one for one in stated if not planner_has_learnt(one.text)]
    if measured := len(stated) - len(own):
        note(f"{measured:,} of {len(texts):,} texts are left out, as they are papers of TETRA")
    found = [one for one in own if Source(one.id, "", one.text) not in excluded and not guard.knows(one.text)]
    if left_out := len(own) - len(found):
        note(f"{left_out:,} of {len(texts):,} texts are left out, as they are in --tests or --exclude")
    if not found:
        raise InputError("no text is left to make trajectories from")
    return found


async def _by_model(
    texts: Sequence[SourceText],
    levels: Sequence[int],
    count: int,
    seed: int,
    spec: str,
    discarded: Counter[str],
    file: TextIO,
    show: Callable[[int, int], None],
) -> int:
    example = next(generate_trajectories(texts, [max(levels)], 1, seed))
    requests = islice(fresh_requests(texts, levels, _SPARE * count, seed), _SPARE * count)
    made = 0
    async with Models(load_settings({"model": spec})) as models:
        async for one in teacher_trajectories(requests, example, models.open(spec), discarded):
            file.writelines(trajectory_lines([one]))
            made += 1
            show(made, count)
            if made == count:
                break
    if not made:
        raise InputError(f"{spec} made no trajectory that can be used; nothing was written")
    return made
