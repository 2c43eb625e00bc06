"""What the reference-free scores can tell apart: python benchmarks/quality.py DATA_DIR [PART ...]

DATA_DIR holds pairs as JSON lines (fluency_gmeg.jsonl, …; input, target). The parts are grammar, meaning,
likelihood and speed; all of them unless some are named. Weights of grammar are compared on the even lines
of a file, and reported on the odd ones. The rules of meaning were written with the files FAITHFUL in sight;
of those in SELDOM no more than ten alarms each were looked at.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import perf_counter

from harper import Linter

from redraft.models import Models
from redraft.quality import CONTEXT, grammar, grammar_findings, meaning_changes
from redraft.settings import load_settings
from redraft.text import RuleFinder

FLUENCY = ("fluency_gmeg", "fluency_cweb", "fluency_jfleg_dev", "fluency_iterater", "fluency_arxivedits")
FAITHFUL = ("paraphrasing_stsb", "fluency_gmeg", "simplification_onestop", "clarity_iterater")
SELDOM = ("paraphrasing_sts_sick", "fluency_cweb", "simplification_wikilarge_valid", "clarity_smith")
ALL = 1000
PLACES = ("Berlin", "Toronto", "Nairobi", "Lisbon", "Chicago", "Osaka")
PEOPLE = ("Martin Keller", "Susan Hart", "Ahmed Rahman", "Laura Bennett")
TEMPLATES = {
    "the source, a line": "{source}\n",
    "in other words": CONTEXT,
    "original, revised": "Original: {source}\nRevised:\n",
    "means the same as": '"{source}" means the same as "',
}

Pair = tuple[str, str]
Damage = Callable[[str, random.Random], str | None]


def main(folder: Path, parts: list[str]) -> None:
    for name, part in {
        "grammar": grammar_weights,
        "meaning": meaning,
        "likelihood": likelihood,
        "speed": speed,
    }.items():
        if not parts or name in parts:
            part(folder)


def pairs(folder: Path, name: str, *, half: int | None = 1, limit: int = ALL) -> list[Pair]:
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in (lines if half is None else lines[half::2])]
    random.Random(1).shuffle(records)
    return [(record["input"], record["target"]) for record in records[:limit]]


def grammar_weights(folder: Path) -> None:
    print("\nGrammar: is the corrected text's score lower than, equal to or higher than the original's?")
    linter = Linter()
    linter.set_lint_config(
        {rule: on and rule != "LookingForwardTo" for rule, on in linter.get_default_lint_config().items()}
    )
    chosen = grammar.WEIGHTS
    sure = {kind: weight for kind, weight in chosen.items() if weight == 1}
    little = {"Formatting": 0.25, "Style": 0.25, "Redundancy": 0.25}
    kinds = dict.fromkeys((*chosen, *little, "Readability", "Enhancement", "Regionalism"), 1.0)
    ways: dict[str, Callable[[str], float]] = {
        "Harper as it comes": lambda text: len(linter.lint(text, language="plaintext")),
        "less false alarms, all kinds alike": lambda text: weigh(text, kinds),
        "less false alarms, sure kinds only": lambda text: weigh(text, sure),
        "as chosen": lambda text: weigh(text, chosen),
        "as chosen, and a little for style": lambda text: weigh(text, {**chosen, **little}),
    }
    for half, what in ((0, "lines to choose on"), (1, "lines to report")):
        rows = [pair for name in FLUENCY for pair in pairs(folder, name, half=half, limit=ALL // 2)]
        print(f"  {what}: {len(rows)} pairs")
        for name, score in ways.items():
            found: Counter[str] = Counter()
            for before, after in rows:
                one, other = score(before), score(after)
                found["lower" if other < one else "higher" if other > one else "equal"] += 1
                found["clean"] += other == 0
            shares = {key: found[key] / len(rows) for key in ("lower", "equal", "higher", "clean")}
            right = found["lower"] / (found["lower"] + found["higher"])
            cells = "  ".join(f"{key} {share:.3f}" for key, share in shares.items())
            print(f"    {name:36} {cells}  right where they differ {right:.3f}")


def weigh(text: str, weights: Mapping[str, float]) -> float:
    return sum(weights.get(found.kind, 0.0) for found in grammar_findings(text, "text"))


def meaning(folder: Path) -> None:
    print("\nMeaning: faithful pairs in which a check finds a change, and damage that is found")
    for name in (*FAITHFUL, *SELDOM):
        rows = pairs(folder, name, half=1 if name in FAITHFUL else None)
        alarms: Counter[str] = Counter()
        found: Counter[str] = Counter()
        tried: Counter[str] = Counter()
        generator = random.Random(3)
        for source, text in rows:
            changes = meaning_changes(source, text)
            alarms["any"] += bool(changes)
            alarms.update({kind_of(change) for change in changes})
            for kind, damaged in damages(source, text, generator):
                tried[kind] += 1
                found[kind] += bool(set(meaning_changes(source, damaged)) - set(changes))
        shown = "  ".join(f"{kind} {100 * count / len(rows):.1f} %" for kind, count in alarms.most_common())
        print(f"  {name} ({len(rows)}{', seldom looked at' if name in SELDOM else ''})\n    alarms  {shown}")
        print("    found   " + "  ".join(f"{kind} {found[kind]}/{tried[kind]}" for kind in tried))


def kind_of(change: str) -> str:
    match = re.match(r"number|name|negation|quantifier|modal|'only'", change)
    return match[0] if match else "opposite"


def damages(source: str, text: str, generator: random.Random) -> Iterator[tuple[str, str]]:
    """The text with one fact changed, in each way that it can be."""
    ways: dict[str, Damage] = {
        "not dropped": drop_not if re.search(r"\bnot\b|n't\b", source) else lambda *_: None,
        "not inserted": insert_not,
        "number changed": change_number,
        "name swapped": swap_name,
        "quantifier swapped": swap_quantifier,
    }
    for kind, damage in ways.items():
        damaged = damage(text, generator)
        if damaged is None or damaged == text:
            continue
        if kind != "quantifier swapped" or set(lost_words(text, damaged)) <= set(source.lower().split()):
            yield kind, damaged


def lost_words(text: str, damaged: str) -> list[str]:
    return [word for word in text.lower().split() if word not in damaged.lower().split()]


def drop_not(text: str, _: random.Random) -> str | None:
    match = re.search(r" not\b|(?<=[a-z])(?<!ca)(?<!wo)n't\b", text)
    return text[: match.start()] + text[match.end() :] if match else None


def insert_not(text: str, _: random.Random) -> str | None:
    match = re.search(r"\b(?:is|are|was|were|can|could|will|would|should|may|must)\b", text)
    if re.search(r"\bnot\b|n't\b", text) or not match:
        return None
    return f"{text[: match.end()]} not{text[match.end() :]}"


def change_number(text: str, generator: random.Random) -> str | None:
    places = list(re.finditer(r"(?<![\w.,-])\d+(?![\w-]|[.,]\d)", text))
    if not places:
        return None
    match = generator.choice(places)
    return f"{text[: match.start()]}{int(match[0]) + generator.choice([1, 2, 3, 10])}{text[match.end() :]}"


def swap_name(text: str, generator: random.Random) -> str | None:
    names = [entity for entity in RuleFinder().find(text) if entity.kind in ("person", "place")]
    if not names:
        return None
    name = generator.choice(names)
    others = [other for other in (PLACES if name.kind == "place" else PEOPLE) if other not in text]
    return f"{text[: name.start]}{generator.choice(others)}{text[name.end :]}"


def swap_quantifier(text: str, _: random.Random) -> str | None:
    swaps = {"all": "some", "every": "hardly any", "most": "few", "some": "all", "always": "sometimes"}
    match = re.search(
        r"(?<!the )(?<!of )(?<!after )(?<!above )(?<!at )\b(?:all|every|most|some|always)\b", text
    )
    return f"{text[: match.start()]}{swaps[match[0]]}{text[match.end() :]}" if match else None


def likelihood(folder: Path) -> None:
    print("\nLikelihood given the source: how often a faithful revision scores above …")
    generator = random.Random(4)
    cases: list[tuple[str, str, dict[str, str]]] = []
    for name in FAITHFUL:
        rows = [pair for pair in pairs(folder, name, limit=60) if pair[0] != pair[1] and len(pair[0]) < 300]
        for place, (source, text) in enumerate(rows):
            rivals = dict(damages(source, text, generator))
            copies = dict(damages(source, source, generator))
            rivals["unrelated"] = rows[place - 1][1]
            if copies:
                rivals["copy with a changed fact"] = next(iter(copies.values()))
            cases.append((source, text, rivals))
    for name, template in TEMPLATES.items():
        print(f"  {name:20} {asyncio.run(compared(template, cases))}", flush=True)


async def compared(template: str, cases: list[tuple[str, str, dict[str, str]]]) -> str:
    asked = [(source, text) for source, own, rivals in cases for text in (own, *rivals.values())]
    async with Models(load_settings()) as models:
        contexts = [template.format(source=source) for source, _ in asked]
        scores = await models.scorer().log_probs([text for _, text in asked], contexts)
    means = {pair: score.mean for pair, score in zip(asked, scores, strict=True)}
    above: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for source, own, rivals in cases:
        for kind, rival in rivals.items():
            tried[kind] += 1
            above[kind] += means[source, own] > means[source, rival]
    return "  ".join(f"{kind} {above[kind]}/{tried[kind]}" for kind in tried)


def speed(folder: Path) -> None:
    print("\nSpeed")
    texts = [text for text, _ in pairs(folder, "fluency_cweb", half=None, limit=400)]
    count = sum(len(text.split()) for text in texts)
    began = perf_counter()
    grammar_findings("A tset of the honour of teh linter.")
    print(f"  grammar, ready after        {perf_counter() - began:.2f} s")
    for what in ("first time", "again"):
        began = perf_counter()
        for text in texts:
            grammar_findings(text)
        print(f"  grammar, {what:18} {count / (perf_counter() - began):,.0f} words/s")
    whole = " ".join(texts)
    grammar_findings(whole, "text")
    began = perf_counter()
    grammar_findings(f"{whole} One more sentence.", "text")
    print(f"  grammar, one sentence changed in {count:,} words  {perf_counter() - began:.3f} s")
    began = perf_counter()
    for source, text in pairs(folder, "fluency_cweb", half=None, limit=400):
        meaning_changes(source, text)
    print(f"  meaning, checks             {400 / (perf_counter() - began):,.0f} pairs/s")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
