"""What the checks of meaning see: python benchmarks/meaning.py SETS_DIR [--pairs DATA_DIR] [--held-out]

SETS_DIR has folders of gzipped JSON lines: paws_wiki, cannot_negation, summedits, nli, gec_eracond,
elife_revisions and multimwa (gold links between words); DATA_DIR has fluency_jfleg_dev.jsonl. For pairs that
mean something else it tells the share in which a change is found, for pairs that mean the same the share of
false alarms, and both by kind of change. Of whole texts, the statements are compared. Rules are made on the
pairs whose first sentence has an MD5 that four does not divide; `--held-out` takes the others, and MultiMWA's
test parts. `--show N` prints N pairs of each set that were judged wrongly, `--limit` is the most of a set.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redraft.quality import claim_changes, compare_meaning
from redraft.text import Document, align_words

Pair = tuple[str, str]
TEXTS = 200
DEVELOPMENT = ("wiki_dev", "mtref_dev")
TEST = ("wiki_test", "mtref_test", "arxiv_test")
AUXILIARY = re.compile(r"\b(?:is|are|was|were|can|could|will|would|should|has|have)\b(?! not)")
MOST_ALIKE = 0.9


def main(folder: Path, pairs: Path | None, held_out: bool, show: int, limit: int) -> None:
    for name, changed, rows in sets(folder, pairs):
        part = [pair for pair in rows if is_held_out(pair[0]) is held_out and pair[0] != pair[1]]
        random.Random(5).shuffle(part)
        report(name, changed, part[:limit], show)
    whole_texts(folder, held_out)
    aligned_words(folder, TEST if held_out else DEVELOPMENT)


def whole_texts(folder: Path, held_out: bool) -> None:
    """Abstracts as they were copy-edited, and with one statement lost, turned round or put in."""
    rows = read(folder / "elife_revisions" / "abstracts.jsonl.gz")
    pairs = [
        (row["source"], row["target"])
        for row in rows
        if row["sim"] >= MOST_ALIKE and is_held_out(row["source"]) is held_out
    ]
    draw = random.Random(9)
    draw.shuffle(pairs)
    told: Counter[str] = Counter()
    found: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    sentences = 0
    for place, (source, text) in enumerate(pairs[:TEXTS]):
        changes = claim_changes(source, text)
        told.update(change.kind for change in changes if not change.minor)
        document = Document(text)
        sentences += len(document.sentences)
        lost = draw.choice(document.sentences)
        other = Document(pairs[place - 1][1]).sentences[-1].text
        damaged = {"left out": text.replace(lost.text, ""), "new": f"{text} {other}"}
        if match := AUXILIARY.search(text):
            damaged["reversed"] = f"{text[: match.end()]} not{text[match.end() :]}"
        for kind, damage in damaged.items():
            tried[kind] += 1
            found[kind] += kind in {
                change.kind for change in set(claim_changes(source, damage)) - set(changes)
            }
    print(f"Statements of {min(TEXTS, len(pairs))} copy-edited abstracts, {sentences} sentences")
    print("    told of the edits   " + "  ".join(f"{kind} {count}" for kind, count in told.items()))
    print("    found of the damage " + "  ".join(f"{kind} {found[kind]}/{tried[kind]}" for kind in tried))


def aligned_words(folder: Path, parts: tuple[str, ...]) -> None:
    """Precision, recall and F1 of the links between words that are the same, and those that differ."""
    for part in parts:
        right: Counter[bool] = Counter()
        found: Counter[bool] = Counter()
        sure: Counter[bool] = Counter()
        for row in read(folder / "multimwa" / f"{part}.jsonl.gz"):
            a, b = row["a"], row["b"]
            gold = {(i, j) for i, j in row["sure"]}
            links = set(align_words(a, b))
            for counts, those in ((right, links & gold), (found, links), (sure, gold)):
                counts.update(a[i].lower() == b[j].lower() for i, j in those)
        for same in (True, False):
            precision, recall = right[same] / found[same], right[same] / sure[same]
            f1 = 2 * precision * recall / (precision + recall)
            what = "identical words" if same else "different words"
            print(f"{part:12} {what:16} P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}", flush=True)


def is_held_out(sentence: str) -> bool:
    return int(hashlib.md5(sentence.encode(), usedforsecurity=False).hexdigest(), 16) % 4 == 0


def report(name: str, changed: bool, rows: list[Pair], show: int) -> None:
    kinds: Counter[str] = Counter()
    wrong: list[str] = []
    found = 0
    for source, text in rows:
        changes = compare_meaning(source, text)
        kinds.update({change.kind for change in changes})
        found += bool(changes)
        if bool(changes) is not changed:
            wrong.append(f"      {source}\n   -> {text}\n      {'; '.join(map(str, changes))}")
    told = "found" if changed else "false alarms"
    shares = "  ".join(f"{kind} {100 * count / len(rows):.1f}" for kind, count in kinds.most_common())
    print(f"{name:34} {len(rows):5} pairs, {told:12} {100 * found / len(rows):5.1f} %   {shares}", flush=True)
    for one in random.Random(7).sample(wrong, min(show, len(wrong))):
        print(one)


def sets(folder: Path, pairs: Path | None) -> Iterator[tuple[str, bool, list[Pair]]]:
    """Each set by its name, with whether its pairs differ in meaning."""
    paws = list(read(folder / "paws_wiki" / "dev.jsonl.gz"))
    yield "PAWS, not the same", True, [(row["a"], row["b"]) for row in paws if not row["label"]]
    yield from negated(folder / "cannot_negation" / "cannot.jsonl.gz", 1)
    yield from edited(folder / "summedits" / "summedits.jsonl.gz", 0)
    yield "CAD, premises that differ", True, list(counterfactual(folder / "nli" / "cad_snli.jsonl.gz"))
    yield "PAWS, the same", False, [(row["a"], row["b"]) for row in paws if row["label"]]
    yield from negated(folder / "cannot_negation" / "cannot.jsonl.gz", 0)
    yield from edited(folder / "summedits" / "summedits.jsonl.gz", 1)
    corrections = read(folder / "gec_eracond" / "eracond.jsonl.gz")
    yield "ErAConD, corrections", False, [(row["source"], row["targets"][0]) for row in corrections]
    for name in ("abstract", "preprint"):
        rows = read(folder / "elife_revisions" / f"{name}_sentences.jsonl.gz")
        alike = [(row["source"], row["target"]) for row in rows if is_rewording(row)]
        yield f"eLife, {name}s copy-edited", False, alike
    if pairs:
        rows = read(pairs / "fluency_jfleg_dev.jsonl")
        yield "JFLEG dev, corrections", False, [(row["input"], row["target"]) for row in rows]


def is_rewording(row: dict[str, Any]) -> bool:
    """Whether a sentence was edited little, with every number as it was."""
    digits = [re.findall(r"\d+", row[side]) for side in ("source", "target")]
    return row["sim"] >= MOST_ALIKE and row["n"] == [1, 1] and digits[0] == digits[1]


def negated(path: Path, label: int) -> Iterator[tuple[str, bool, list[Pair]]]:
    parts: dict[str, list[Pair]] = defaultdict(list)
    for row in read(path):
        if row["negated"] == label:
            parts[row["part"]].append((row["a"], row["b"]))
    for part, rows in parts.items():
        yield f"CANNOT, {part}", bool(label), rows


def edited(path: Path, label: int) -> Iterator[tuple[str, bool, list[Pair]]]:
    """By the kind of the edit, where there is only one."""
    kinds: dict[str, list[Pair]] = defaultdict(list)
    for row in read(path):
        if row["consistent"] == label:
            kind = row["edit_types"][0] if len(row["edit_types"]) == 1 else "several"
            kinds[kind if not label else "consistent"].append((row["original_summary"], row["summary"]))
    for kind, rows in sorted(kinds.items()):
        yield f"SummEdits, {kind.replace('_', ' ')}", not label, rows


def counterfactual(path: Path) -> Iterator[Pair]:
    """Two premises, of which one was changed as little as made another label true of the hypothesis."""
    by_hypothesis: dict[str, dict[str, str]] = defaultdict(dict)
    for row in read(path):
        by_hypothesis[row["hypothesis"]].setdefault(row["label"], row["premise"])
    for premises in by_hypothesis.values():
        if "entailment" in premises and "contradiction" in premises:
            yield premises["entailment"], premises["contradiction"]


def read(path: Path) -> Iterator[dict[str, Any]]:
    data = path.read_bytes()
    for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines():
        yield json.loads(line)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--limit", type=int, default=1500)
    asked = parser.parse_args()
    main(asked.sets, asked.pairs, asked.held_out, asked.show, asked.limit)
