"""Verdicts and sentences to learn from, of answers that were read sentence by sentence.

    python benchmarks/labelled.py benchmarks/written_labelled.jsonl.gz --out DIR

A line is a passage with its wish and, block by block, what drawn answers of the larger model's editor made of
a sentence of it (now and then of two), each with a letter: `g` says the same in good English as was wished,
`t` does too little of it, `m` says something else, `e` is broken English. DIR gets `verdicts.jsonl`, what a
judge of such edits learns from, and `taken.jsonl`, the good ones as pairs for `redraft train editor`;
`chat.jsonl` has the verdicts as the small judge is asked, for `redraft train chat`.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from learners import lines, save
from redraft.editor import NO, YES, verdict_input
from redraft.quality import question

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
            said = YES if letter in RIGHT else NO
            task = "kept" if is_cut else "same"
            yield {
                "task": task,
                "input": verdict_input(source, text),
                "target": said,
                "source": f"labelled/{row['id']}",
            }


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


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(given.seed)
    rows = list(lines(given.file))
    print(Counter(letter for row in rows for *_, letter in variants(row)))
    judged = [made for row in rows for made in verdicts(row, rng)]
    save(given.out / "verdicts.jsonl", judged)
    save(given.out / "taken.jsonl", (made for row in rows for made in taken(row)))
    save(given.out / "chat.jsonl", (asked(row) for row in judged if row["task"] == "same"))


if __name__ == "__main__":
    main()
