"""Rows and pairs to train an editor on, of passages that were revised, or whose answers were put right.

    python benchmarks/faithful.py benchmarks/written_faithful.jsonl.gz benchmarks/written_revised.jsonl.gz \\
        --out DIR

A line is a passage with its wish, and the version that a reader wrote; in the first file also two answers of
the larger model's editor with what the reader found in them (`meaning` is something else now, `english` is
broken, `timid` did too little, `touch` is one small thing). DIR gets `passages.jsonl`, a paragraph a row,
`sentences.jsonl` where sentences go one to one, and `pairs/pairs.jsonl`: what was written in place of an
answer, and the answer, for `redraft train policy` without a policy.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from learners import lines, save
from redraft.editor import control_instruction, editor_messages
from redraft.text import Document

SAME = 0.2
"""The share of sentences that stay as they are which is kept: to leave alone is learnt from passages too."""
SLACK = 3
"""Words by which a version may be longer than was asked, to be learnt from."""


FEWEST = 5
"""Words of a paragraph that is a row of its own: greetings are none."""


def paragraphs(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of a text's paragraphs, where they go one to one; as the editor is asked."""
    before, after = (
        [line.strip() for line in row[side].split("\n") if line.strip()] for side in ("input", "target")
    )
    if len(before) != len(after):
        return
    for old, new in zip(before, after, strict=True):
        if len(before) == 1 or len(old.split()) >= FEWEST:
            yield {**row, "input": old, "target": new}


def passage(row: dict[str, Any]) -> dict[str, Any] | None:
    """The row that a passage makes, told the length that its version has."""
    made = {key: row[key] for key in ("task", "input", "target")} | {"source": f"faithful/{row['id']}"}
    if row["task"] == "shorten":
        length = len(row["target"].split())
        spared = row["asked"]["n"] + SLACK if "asked" in row else len(row["input"].split()) - 1
        return {**made, "values": {"n": length}} if length <= spared else None
    return made if row["task"] == "fluency" or row["input"] != row["target"] else None


def sentences(row: dict[str, Any], rng: random.Random) -> Iterator[dict[str, Any]]:
    """A row for each sentence, where none was joined or divided."""
    before, after = ([one.text for one in Document(row[side]).sentences] for side in ("input", "target"))
    if row["task"] == "shorten" or len(before) != len(after):
        return
    for old, new in zip(before, after, strict=True):
        if old != new or rng.random() < SAME:
            yield {"task": row["task"], "input": old, "target": new, "source": f"faithful/{row['id']}"}


def pairs(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What the reader wrote is preferred to every answer that was not good."""
    asked = editor_messages(control_instruction(row["task"], **row.get("asked", {})), row["input"])
    for text, verdict in row.get("answers", ()):
        if verdict not in (None, "good") and text != row["target"]:
            yield {
                "prompt": [{"role": one.role, "content": one.content} for one in asked],
                "chosen": [{"role": "assistant", "content": row["target"]}],
                "rejected": [{"role": "assistant", "content": text}],
                "judge": "a language model",
            }


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    (given.out / "pairs").mkdir(parents=True, exist_ok=True)
    rng = random.Random(given.seed)
    rows = [row for path in given.files for row in lines(path)]
    parts = [part for row in rows for part in paragraphs(row)]
    save(given.out / "passages.jsonl", (made for row in parts if (made := passage(row))))
    save(given.out / "sentences.jsonl", (made for row in parts for made in sentences(row, rng)))
    made = [made for row in rows for made in pairs(row)]
    rng.shuffle(made)
    save(given.out / "pairs" / "pairs.jsonl", made)


if __name__ == "__main__":
    main()
