"""What is taken from a model that is trusted: edits that people ranked, and edits that change a fact.

    python benchmarks/acceptance.py --rankings RANKINGS.jsonl.gz --revisions CONSTREV.jsonl

`--rankings` has rows with a source and ranked candidates (1 is best): of the edits that people ranked best,
and of those that they ranked lowest, the share that no fact speaks against. `--revisions` has texts with
published revisions: a changed number, name or negation is put into sentences of these by rule, 200 in all.
The share of them that is refused is told, beside the share that is taken of those that were published.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from redraft.quality import numerals
from redraft.revision.judging.facts import FactCheck
from redraft.revision.task import Task
from redraft.text import Document, RuleFinder, align

NAMES = ("Marlowe", "Okafor", "Tampere", "Lindqvist", "Vasquez", "Harrogate", "Brennan", "Kyoto", "Delacroix")
AUXILIARIES = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|may|might|must|has|have|had|do|does|did)\b(?! not|n[’'])"
)
NEGATION = re.compile(r"\b(can)not\b|\b(\w+)n[’']t\b|\b(\w+) not\b")


def read(path: Path) -> Iterator[dict[str, Any]]:
    data = path.read_bytes()
    for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines():
        yield json.loads(line)


def is_taken(source: str, text: str, wish: str) -> bool:
    return not FactCheck(Task(source, instruction=wish)).objections_to(source, text)


def ranked(path: Path) -> None:
    best: list[bool] = []
    lowest: list[bool] = []
    for row in read(path):
        ranks = [one["rank"] for one in row["candidates"]]
        for one in row["candidates"]:
            if one["text"] == row["source"] or min(ranks) == max(ranks):
                continue
            if one["rank"] in (min(ranks), max(ranks)):
                found = best if one["rank"] == min(ranks) else lowest
                found.append(is_taken(row["source"], one["text"], "Fix the grammar."))
    for name, found in (("ranked best", best), ("ranked lowest", lowest)):
        print(f"{name:14} {len(found):5} edits, taken {sum(found) / len(found):6.1%}")


def number(text: str, source: str, draw: random.Random) -> str | None:
    shared = {one.value for one in numerals(source)}
    found = [
        one
        for one in numerals(text)
        if one.value in shared and one.written == "in digits" and isinstance(one.value, float)
    ]
    if not found:
        return None
    one = draw.choice(found)
    digits = re.search(r"\d+", one.text)
    if digits is None:
        return None
    new = str(int(digits[0]) + draw.choice((1, 2, 3, 7, 10)))
    return text.replace(one.text, one.text.replace(digits[0], new, 1), 1)


def name(text: str, source: str, draw: random.Random) -> str | None:
    found = [
        one
        for one in RuleFinder().find(text)
        if one.kind in ("person", "place", "organisation") and one.text in source
    ]
    if not found:
        return None
    one = draw.choice(found)
    return text[: one.start] + draw.choice(NAMES) + text[one.end :]


def negation(text: str, source: str, draw: random.Random) -> str | None:
    if match := NEGATION.search(text):
        kept = next(group for group in match.groups() if group)
        return text[: match.start()] + kept + text[match.end() :]
    if match := AUXILIARIES.search(text):
        return f"{text[: match.end()]} not{text[match.end() :]}"
    return None


def changed(path: Path, count: int, seed: int) -> None:
    draw = random.Random(seed)
    pairs: list[tuple[str, str]] = []
    taken = 0
    for row in read(path):
        for revision in list(row["published"].values())[-1:]:
            before, after = Document(row["text"]), Document(revision)
            for link in align(before, after):
                if link.kind == "changed":
                    pairs.append(
                        (before.sentence(link.original[0]).text, after.sentence(link.revised[0]).text)
                    )
    pairs = [pair for pair in pairs if is_taken(*pair, "Improve the text.")] if (total := len(pairs)) else []
    taken = len(pairs)
    print(f"{'as published':14} {total:5} sentences, taken {taken / total:6.1%}")
    draw.shuffle(pairs)
    makers: dict[str, Callable[[str, str, random.Random], str | None]] = {
        "number": number,
        "name": name,
        "negation": negation,
    }
    for what, make in makers.items():
        made = ((source, make(text, source, draw)) for source, text in pairs)
        some = [(source, text) for source, text in made if text][: count // len(makers) + 1]
        passed = [(source, text) for source, text in some if is_taken(source, text, "Improve the text.")]
        print(f"{what:14} {len(some):5} changed, refused {1 - len(passed) / len(some):6.1%}")
        for source, text in passed[:4]:
            print(f"    missed: {source[:150]}\n         -> {text[:150]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rankings", type=Path)
    parser.add_argument("--revisions", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261117)
    asked = parser.parse_args()
    if asked.rankings:
        ranked(asked.rankings)
    if asked.revisions:
        changed(asked.revisions, asked.count, asked.seed)
