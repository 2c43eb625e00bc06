"""Phrases that are errors, sifted for `corrections/data/wrong-phrases.txt`.

    python benchmarks/phrases.py LIST... --prose FOLDER --pairs PAIRS.jsonl... --out FILE

A line of a LIST is `wrong -> right`. Left out are what occurs in the prose (FOLDER has `*.jsonl.gz` of
{"text"}) or in a corrected text, but for `--most` times where two pairs ({"input", "target"}) put it
right in the same way; what changes a phrase into itself, is put right in two ways, or is but a longer form of
a phrase that is there already; and what most of the pairs that have it put otherwise.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from learners import lines
from redraft.text import write_text

WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
LONGEST = 6
SURE = 0.7
"""The share of the pairs with a phrase that must put it as the list does."""
HEAD = """\
# Phrases that are errors wherever they stand -> what is right. A large language model wrote them for this
# project, or they were found in pairs that it wrote; `benchmarks/phrases.py` left out what occurs in prose
# without errors.
"""


def words(text: str) -> list[str]:
    """The words and marks of a text, in small letters."""
    return [word.lower().replace("’", "'") for word in WORD.findall(text)]


def runs(found: list[str], phrases: set[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The phrases that stand in a text."""
    for size in range(1, LONGEST + 1):
        for start in range(len(found) - size + 1):
            run = tuple(found[start : start + size])
            if run in phrases:
                yield run


def counted(texts: Iterable[str], phrases: set[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """How often each phrase stands in texts."""
    return Counter(run for text in texts for run in runs(words(text), phrases))


def read(paths: Iterable[Path]) -> dict[tuple[str, ...], str]:
    """What is right for each phrase; nothing where the lists say two things."""
    found: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            wrong, arrow, right = (part.strip().replace("’", "'") for part in line.partition(" -> "))
            key = tuple(words(wrong))
            plain = re.fullmatch(r"[\w' ]+", wrong) and re.fullmatch(r"[\w' -]+", right)
            if arrow and plain and words(right) != list(key) and len(key) <= LONGEST:
                found[key][right] += 1
    return {key: next(iter(own)) for key, own in found.items() if len(own) == 1}


def is_longer_form(key: tuple[str, ...], right: str, known: dict[tuple[str, ...], str]) -> bool:
    """Whether a shorter phrase in it already does the same."""
    for size in range(1, len(key)):
        for start in range(len(key) - size + 1):
            part = key[start : start + size]
            if part in known:
                made = [*key[:start], *words(known[part]), *key[start + size :]]
                if made == words(right):
                    return True
    return False


def main() -> None:
    """Read the command line, and write what is left."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lists", type=Path, nargs="+")
    parser.add_argument("--prose", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, nargs="*", default=[])
    parser.add_argument("--most", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    phrases = read(given.lists)
    keys = set(phrases)
    prose = (str(row["text"]) for path in sorted(given.prose.glob("*.jsonl.gz")) for row in lines(path))
    often = counted(prose, keys)
    pairs = [(row["input"], row["target"]) for path in given.pairs for row in lines(path)]
    often += counted((target for _, target in pairs), keys)
    seen: Counter[tuple[str, ...]] = Counter()
    right: Counter[tuple[str, ...]] = Counter()
    for source, target in pairs:
        after = " ".join(words(target))
        for key in set(runs(words(source), keys)):
            seen[key] += 1
            right[key] += " ".join(words(phrases[key])) in after
    kept: dict[tuple[str, ...], str] = {}
    for key in sorted(keys, key=lambda one: (len(one), one)):
        met = given.most if right[key] > 1 else 0
        if often[key] > met or (seen[key] > 1 and right[key] < SURE * seen[key]):
            continue
        if not is_longer_form(key, phrases[key], kept):
            kept[key] = phrases[key]
    rows = sorted(f"{' '.join(key)} -> {right}" for key, right in kept.items())
    write_text(given.out, HEAD + "".join(f"{row}\n" for row in rows))
    print(f"{len(rows):,} of {len(phrases):,} phrases")


if __name__ == "__main__":
    main()
