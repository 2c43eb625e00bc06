"""Verdicts and sentences to learn from, of answers that were read sentence by sentence.

    python benchmarks/labelled.py benchmarks/written_labelled.jsonl.gz --rewrites SENTENCES --out DIR
    python benchmarks/labelled.py benchmarks/written_labelled_dev.jsonl.gz --measure embedded:qwen-1.5b

A line is a passage with its wish and, block by block, what answers of the larger model's editor made of a
sentence of it (now and then of two), each with a letter: `g` says the same in good English as was wished,
`t` does too little of it, `m` says something else, `e` is broken English. DIR gets `verdicts.jsonl`, what a
judge of such edits learns from, and `taken.jsonl`, the good ones as pairs for `redraft train editor`;
`chat.jsonl` has the verdicts as the small judge is asked, for `redraft train chat`. SENTENCES are those of
`benchmarks/faithful.py`: each says the same, and with one thing changed by a rule it does not. `--measure`
tells how well a larger model's editor parts the right from the rest, and beside it the small judge.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from learners import lines, save
from redraft.editor import NO, YES, EditVerdicts, verdict_input
from redraft.models import Models
from redraft.quality import JUDGE, TrainedJudge, question
from redraft.settings import load_settings
from redraft.train.judging import rewrite_rows

CUTS = ("shorten", "concise")
RIGHT = "gt"
"""Letters of what says the same in good English."""
COPIES = 0.15
"""The share kept of sentences that stayed as they were: everybody can tell that they say the same."""


def variants(row: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The source, what became of it, and its letter."""
    for block in row["blocks"]:
        for text, letter in zip(block["variants"], block["letters"], strict=True):
            yield block["source"], text, letter


def verdicts(row: dict[str, Any], rng: random.Random) -> Iterator[dict[str, Any]]:
    """A question for each edit: of a cut, whether it keeps what matters."""
    for source, text, letter in variants(row):
        is_cut = row["task"] in CUTS
        if (text or is_cut) and (text != source or rng.random() < COPIES):
            yield verdict(source, text, letter in RIGHT, is_cut=is_cut, name=f"labelled/{row['id']}")


def verdict(source: str, text: str, is_right: bool, *, is_cut: bool, name: str) -> dict[str, Any]:
    """The question about an edit, and its answer, as a row."""
    return {
        "task": "kept" if is_cut else "same",
        "input": verdict_input(source, text),
        "target": YES if is_right else NO,
        "source": name,
    }


def rewritten(path: Path, seed: int) -> Iterator[dict[str, Any]]:
    """A question for each sentence that was rewritten, and for what it is with one thing changed."""
    for row in rewrite_rows(path, seed):
        is_cut = row.set.split(":")[1] in CUTS
        yield verdict(row.source, row.text, bool(row.label), is_cut=is_cut, name=row.set)


def taken(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The good edits, but for cuts, which were told the length of a whole passage."""
    for source, text, letter in variants(row) if row["task"] not in CUTS else ():
        if letter == "g" and text and text != source:
            yield {"task": row["task"], "input": source, "target": text, "source": f"labelled/{row['id']}"}


def asked(row: dict[str, Any]) -> dict[str, Any]:
    """A verdict as the small judge is asked for it."""
    source, text = row["input"].split("\n")
    said = [
        {"role": "user", "content": question("same", text, source)},
        {"role": "assistant", "content": row["target"]},
    ]
    return {"messages": said}


class Read(NamedTuple):
    """An edit and its source, whether it was to be shorter, and whether it was right."""

    edit: tuple[str, str]
    is_cut: bool
    is_right: bool


def edits(rows: Sequence[dict[str, Any]], limit: int | None, seed: int) -> list[Read]:
    """What was read, but for sentences that stayed as they were, or so many of it."""
    found = [
        Read((source, text), row["task"] in CUTS, letter in RIGHT)
        for row in rows
        for source, text, letter in variants(row)
        if text != source and (text or row["task"] in CUTS)
    ]
    return random.Random(seed).sample(found, min(limit or len(found), len(found)))


async def measure(found: Sequence[Read], spec: str) -> None:
    """Print, of cuts and of other edits, how well the right ones are told from the rest, and by whom."""
    async with Models(load_settings()) as models:
        own, small = EditVerdicts(models.editor_answerer(spec)), TrainedJudge(models.yes_or_no(JUDGE))
        for is_cut in (False, True):
            own_kind = [one for one in found if one.is_cut == is_cut]
            asked, right = [one.edit for one in own_kind], [one.is_right for one in own_kind]
            both = asked + [(text, source) for source, text in asked]
            same = await small.sameness([tuple(one or "(nothing)" for one in pair) for pair in both])
            told = {
                spec: await own.sure(asked, is_cut=is_cut),
                "judge": [fmean(pair) for pair in zip(same[: len(asked)], same[len(asked) :], strict=True)],
            }
            print(f"{'cuts' if is_cut else 'other edits'}: {len(asked)}, of which {sum(right)} are right")
            for name, sure in told.items():
                print(f"  {name}: AUC {area(sure, right):.3f}; {shares(sure, right)}")


def area(sure: Sequence[float], right: Sequence[bool]) -> float:
    """How often a right one is surer than another: 0.5 is chance."""
    good, bad = (
        [one for one, is_right in zip(sure, right, strict=True) if is_right is side] for side in (True, False)
    )
    return fmean((one > other) + (one == other) / 2 for one in good for other in bad)


def shares(sure: Sequence[float], right: Sequence[bool]) -> str:
    """What is taken of the right ones and of the rest, at several degrees of sureness."""
    parts = []
    for least in (0.3, 0.5, 0.7, 0.85, 0.95):
        good, bad = (
            fmean(one >= least for one, is_right in zip(sure, right, strict=True) if is_right is side)
            for side in (True, False)
        )
        parts.append(f"at {least} {good:.0%} and {bad:.0%}")
    return ", ".join(parts)


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--rewrites", type=Path)
    parser.add_argument("--measure", metavar="SPEC")
    parser.add_argument("--limit", type=int, help="edits to measure on, drawn by the seed")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    if given.measure:
        asyncio.run(measure(edits(list(lines(given.file)), given.limit, given.seed), given.measure))
        return
    if given.out is None:
        parser.error("say --out DIR, or --measure SPEC")
    given.out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(given.seed)
    rows = list(lines(given.file))
    print(Counter(letter for row in rows for *_, letter in variants(row)))
    judged = [made for row in rows for made in verdicts(row, rng)]
    more = rewritten(given.rewrites, given.seed) if given.rewrites else ()
    save(given.out / "verdicts.jsonl", [*judged, *more])
    save(given.out / "taken.jsonl", (made for row in rows for made in taken(row)))
    save(given.out / "chat.jsonl", (asked(row) for row in judged if row["task"] == "same"))


if __name__ == "__main__":
    main()
