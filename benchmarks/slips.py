"""What the patterns of errors find in prose without any: python benchmarks/slips.py PROSE_FOLDER [--most N]

Each finding is printed with its pattern: nearly all of them should be errors of the prose. `PROSE_FOLDER` has
files of {"text"}, as `*.jsonl.gz`; `N` sentences of each are looked at.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from redraft.revision.corrections.slips import slips
from redraft.text import Document
from redraft.train.rows import read_objects


def main() -> None:
    """Read the command line, and print what is found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=1000)
    given = parser.parse_args()
    seen = found = 0
    for path in sorted(given.folder.glob("*.jsonl.gz")):
        for sentence in islice(sentences(path), given.most):
            seen += 1
            for slip in slips(sentence):
                found += 1
                before, after = sentence[: slip.start][-50:], sentence[slip.end :][:40]
                wrong = sentence[slip.start : slip.end]
                print(f"{before}[{wrong}|{slip.right}]{after}    {slip.pattern}")
    print(f"{found} found in {seen} sentences")


def sentences(path: Path) -> Iterator[str]:
    """Sentences of the texts of a file, in an order of chance that stays the same."""
    texts = [row["text"] for _, row in read_objects(path, "an object")]
    random.Random(5).shuffle(texts)
    for text in texts:
        for sentence in islice(Document(" ".join(text[:4000].split())).sentences, 12):
            if 4 < len(sentence.text.split()) < 50:
                yield sentence.text


if __name__ == "__main__":
    main()
