"""`redraft train synthesise`: training pairs from clean text."""

from __future__ import annotations

import json as json_module
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from redraft.cli.frame import Output, put, put_json
from redraft.cli.options import Json
from redraft.errors import InputError
from redraft.text import writing
from redraft.train import clean_texts, damage_texts, load_profile

_SAMPLES: Final = 3
_SILENT_S: Final = 2.0
_EVERY_S: Final = 0.5


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
    for path in files:
        if _same(path, out):
            raise InputError(f"--out {out} is the input {path} itself; name another file")
    kinds: Counter[str] = Counter()
    tasks: Counter[str] = Counter()
    samples: list[tuple[str, str]] = []
    untouched = 0
    made = damage_texts((text for _, text in clean_texts(files)), chosen, seed, per_text=per_text)
    progress = _Progress()
    with writing(out) as file:
        for row, done in islice(made, limit):
            file.write(json_module.dumps(row.as_dict(), ensure_ascii=False) + "\n")
            kinds.update(edit.kind for edit in done.edits)
            tasks[row.task] += 1
            untouched += not done.edits
            if done.edits and len(samples) < _SAMPLES:
                samples.append((row.input, row.target))
            progress.step()
        rows = tasks.total()
        if not rows:
            raise InputError(_nothing(files))
    progress.end()
    if json:
        found: dict[str, Any] = {"out": str(out), "profile": chosen.name, "seed": seed, "rows": rows}
        found |= {
            "untouched": untouched,
            "tasks": dict(tasks.most_common()),
            "errors": dict(kinds.most_common()),
        }
        put_json({**found, "samples": [{"input": before, "target": after} for before, after in samples]})
        return
    put(f"{rows:,} pairs in {out}; {untouched:,} of them with nothing to correct\n")
    for kind, count in kinds.most_common():
        put(f"  {kind:12} {count:8,}\n")
    for before, after in samples:
        put(f"\n- {before}\n+ {after}\n")


def _same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:  # one of them is not there
        return path.resolve() == other.resolve()


def _nothing(files: Sequence[Path]) -> str:
    names = str(files[0]) if len(files) == 1 else f"{files[0]} and the other files"
    return (
        f"no text in {names} is fit to be damaged: it takes whole English sentences of 5 words or more that "
        "end in a full stop and have no errors yet; nothing was written"
    )


class _Progress:
    """Says how many pairs there are, once the work takes longer than a moment."""

    def __init__(self) -> None:
        self._rows = 0
        self._next = time.monotonic() + _SILENT_S
        self._shown = False

    def step(self) -> None:
        """One more pair."""
        self._rows += 1
        if self._rows % 64 or Output.quiet or time.monotonic() < self._next or not sys.stderr.isatty():
            return
        self._next = time.monotonic() + _EVERY_S
        self._shown = True
        sys.stderr.write(f"\r{self._rows:,} pairs")
        sys.stderr.flush()

    def end(self) -> None:
        """Take the line away again."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
