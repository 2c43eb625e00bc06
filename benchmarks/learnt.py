"""List the papers of TETRA that a training used: python benchmarks/learnt.py SOURCES.jsonl TETRA > LIST.

The list is `src/redraft/revision/asking/data/tetra-learnt.txt`, of `constrev_sources.jsonl`: hashes of how
each paper begins, as its editors' files have it, with its name in the ACL Anthology.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from redraft.bench.constrev.tetra import read_tetra
from redraft.revision.asking.learnt import opening_hash


def main(sources: str, tetra: str) -> None:
    """Print the list."""
    found = set()
    for line in Path(sources).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if paper := re.search(r"tetra:original/(.+)-[A-Z]\.xml", row["source"]):
            found.add((paper[1], opening_hash(row["text"])))
    learnt = {name for name, _ in found}
    found |= {(one.id, opening_hash(one.original)) for one in read_tetra(Path(tetra)) if one.id in learnt}
    print(f"# python benchmarks/learnt.py {Path(sources).name} {Path(tetra).name}")
    for name, opening in sorted(found):
        print(opening, name)


if __name__ == "__main__":
    main(*sys.argv[1:])
