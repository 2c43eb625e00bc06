"""What a judge knows of good English, of the same meaning and of the better text, beside today's scores.

    python benchmarks/judge.py --sets DIR [--made ROWS.jsonl] [--web PAIRS.jsonl] [--columns NAME …] [--all]
    python benchmarks/judge.py --sets DIR --fit [--limit SOURCES]

`--sets` has a folder a set, as `redraft train judge-data` reads them: only what training leaves out is
looked at. `--hand` has what the rules of `revise` offered, read and labelled one by one (judge_rules.jsonl
beside this file); `--made` has rows that rules made, with a task and a label; `--web` has pairs of an input
and a target that nothing is trained on. A measure whose data is not there is left out.

The columns are `trained` (the embedded model with the adapter `--adapter`), `likelihood` (SmolLM2's, of a
token for a sentence, of the whole for a revision), `harper` (fewer errors), `value` (PassageScore.value: of a
revision only) and `preferring` (PreferringJudge: `trained` and the likelihood together). Shares
count a tie as half. A broken sentence is recognised where a limit that refuses at most one good one in twenty
refuses it. Human rankings are parted by their source; one half is for development, and the other is looked at
once, with `--reported`. `--fit` fits the weights of PreferringJudge on the development half, and says how
often they agree with people on sources that they were not fitted on.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from redraft.models import Models
from redraft.quality import PreferringJudge, Signs, TrainedJudge, grammar_findings, weight
from redraft.revision.judging.scoring import Appraiser
from redraft.revision.tuning import LOST_WORD_COST, MEANING_CHANGE_COST
from redraft.settings import load_settings
from redraft.train.damage.profile import damage, load_profile
from redraft.train.judging import is_held_out

HAND = Path(__file__).parent / "judge_rules.jsonl"
REFUSED = 0.05
"""The share of good sentences that a limit may refuse."""
LIMIT = 400
"""Rows of a measure, unless all are asked for."""
PER_PARADIGM = 50
SEED = 20261117

Pair = tuple[str, str]
"""A source and a revision of it."""
Row = dict[str, Any]
Soundness = Callable[[Sequence[str]], Awaitable[Sequence[float]]]
OfPairs = Callable[[Sequence[Pair]], Awaitable[Sequence[float]]]


class Judge(Protocol):
    """Whatever judges sentences and revisions; more is better."""

    async def soundness(self, sentences: Sequence[str]) -> Sequence[float]:
        """Whether each is good English."""

    async def sameness(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """Whether each revision says what its source says."""

    async def improvement(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """Whether each revision is better than its source."""


@dataclass(frozen=True)
class Column:
    """A judge by its name; what it cannot say is None."""

    name: str
    soundness: Soundness | None = None
    sameness: OfPairs | None = None
    improvement: OfPairs | None = None
    same_from: float | None = None
    """From where on a revision counts as saying the same; found on rows that are not held out if None."""


@dataclass(frozen=True)
class Measure:
    """A line of the table: so many rows, and what a judge makes of them."""

    name: str
    rows: int
    score: Callable[[Column], Awaitable[float | None]]


@dataclass(frozen=True)
class Draw:
    """How many rows are looked at: a number of each measure, or all where it is None."""

    limit: int | None = LIMIT
    per_paradigm: int | None = PER_PARADIGM
    reported: bool = False
    """Whether the half of the human rankings that is looked at once is among them."""

    def some(self, rows: Sequence[Any]) -> list[Any]:
        """Rows drawn by the seed, in their order."""
        if self.limit is None or len(rows) <= self.limit:
            return list(rows)
        return [rows[place] for place in sorted(random.Random(SEED).sample(range(len(rows)), self.limit))]


def read(path: Path) -> Iterator[Row]:
    data = path.read_bytes()
    for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines():
        yield json.loads(line)


# What is measured


def share_above(better: Sequence[float], worse: Sequence[float]) -> float | None:
    """How often the one is above the other; a tie is half."""
    won = [(one > other) + 0.5 * (one == other) for one, other in zip(better, worse, strict=True)]
    return sum(won) / len(won) if won else None


def recognised(good: Sequence[float], broken: Sequence[float]) -> float | None:
    """The share of the broken ones under the limit that refuses at most REFUSED of the good ones."""
    if not good or not broken:
        return None
    limit = sorted(good)[int(REFUSED * len(good))]
    return sum(score < limit for score in broken) / len(broken)


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's r; None where either does not vary."""
    if len(one) < 3 or np.std(one) == 0 or np.std(other) == 0:
        return None
    return float(np.corrcoef(one, other)[0, 1])


def best_limit(scores: Sequence[float], labels: Sequence[int]) -> float:
    """From where on most are told right if what is above counts as 1."""
    limits = sorted(set(scores))
    return max(limits, key=lambda limit: right_share(scores, labels, limit))


def right_share(scores: Sequence[float], labels: Sequence[int], limit: float) -> float:
    right = [(score >= limit) == bool(label) for score, label in zip(scores, labels, strict=True)]
    return sum(right) / len(right)


def corrections(name: str, pairs: Sequence[Pair], draw: Draw) -> Iterator[Measure]:
    """A correction over what it corrects, and over itself damaged; by each alone, and by both together."""
    profiles = [load_profile(profile) for profile in ("learner", "web")]
    rng = random.Random(SEED)
    chosen = draw.some([pair for pair in pairs if pair[0].split() != pair[1].split()])
    damaged = [(damage(right, rng.choice(profiles), rng).text, right) for _, right in chosen]
    damaged = [pair for pair in damaged if pair[0] != pair[1]]
    for what, rows in (("over its source", chosen), ("over itself damaged", damaged)):
        yield Measure(f"{name}: correction {what}, each alone", len(rows), alone(rows))
        yield Measure(f"{name}: correction {what}, side by side", len(rows), side_by_side(rows))


def alone(pairs: Sequence[Pair]) -> Callable[[Column], Awaitable[float | None]]:
    async def score(column: Column) -> float | None:
        if column.soundness is None:
            return None
        texts = [text for pair in pairs for text in pair]
        found = await column.soundness(texts)
        return share_above(found[1::2], found[::2])

    return score


def side_by_side(pairs: Sequence[Pair]) -> Callable[[Column], Awaitable[float | None]]:
    async def score(column: Column) -> float | None:
        if column.improvement is None:
            return None
        there = await column.improvement(pairs)
        back = await column.improvement([(right, wrong) for wrong, right in pairs])
        return share_above(there, back)

    return score


def labelled(name: str, rows: Sequence[Row]) -> Measure:
    """Broken sentences recognised among good ones; a revision is judged by its source where need be."""

    async def score(column: Column) -> float | None:
        if column.soundness is not None:
            found = await column.soundness([row["text"] for row in rows])
        elif column.improvement is not None and all(row.get("source") for row in rows):
            found = await column.improvement([(row["source"], row["text"]) for row in rows])
        else:
            return None
        return recognised(*by_label(found, rows))

    return Measure(f"{name}: broken ones recognised, at most 5 % of good ones refused", len(rows), score)


def by_label(scores: Sequence[float], rows: Sequence[Row]) -> tuple[list[float], list[float]]:
    """The scores of the rows that are labelled 1, and of the others."""
    parted: tuple[list[float], list[float]] = ([], [])
    for value, row in zip(scores, rows, strict=True):
        parted[1 - row["label"]].append(value)
    return parted


def same_or_not(name: str, rows: Sequence[Row], others: Sequence[Row]) -> Measure:
    """The share of pairs told right; `others` are to find the limit on, where a judge has none of its own."""

    async def score(column: Column) -> float | None:
        if column.sameness is None or not rows:
            return None
        limit = column.same_from
        if limit is None:
            known = await column.sameness([(row["a"], row["b"]) for row in others])
            limit = best_limit(known, [row["label"] for row in others])
        found = await column.sameness([(row["a"], row["b"]) for row in rows])
        return right_share(found, [row["label"] for row in rows], limit)

    return Measure(f"{name}: same meaning or not, right", len(rows), score)


def made_pairs(name: str, rows: Sequence[Row], task: str) -> Measure:
    """The share of rows of a task whose label a judge gives, from one half on."""

    async def score(column: Column) -> float | None:
        ask = {"same": column.sameness, "better": column.improvement}[task]
        if ask is None or column.same_from is None or not rows:
            return None
        found = await ask([(row["source"], row["text"]) for row in rows])
        return right_share(found, [row["label"] for row in rows], 0.5)

    return Measure(f"{name}: {task}, right", len(rows), score)


def preferences(rows: Sequence[Row]) -> list[tuple[str, str, str]]:
    """A source, the edit that people ranked above another, and the other."""
    return [
        (row["source"], one["text"], other["text"])
        for row in rows
        for one, other in (
            sorted(pair, key=lambda edit: edit["rank"]) for pair in combinations(row["candidates"], 2)
        )
        if one["rank"] != other["rank"]
    ]


def rankings(name: str, rows: Sequence[Row]) -> Iterator[Measure]:
    """Two edits of a source of which people ranked one above the other."""
    kept = preferences(rows)

    async def by_improvement(column: Column) -> float | None:
        if column.improvement is None:
            return None
        better = await column.improvement([(source, one) for source, one, _ in kept])
        return share_above(better, await column.improvement([(source, other) for source, _, other in kept]))

    yield Measure(
        f"{name}: agreement, each alone", len(kept), alone([(other, one) for _, one, other in kept])
    )
    yield Measure(f"{name}: agreement, as revisions", len(kept), by_improvement)


def rated(name: str, texts: Sequence[str], ratings: Sequence[float]) -> Measure:
    """How soundness goes with people's ratings."""

    async def score(column: Column) -> float | None:
        return correlation(await column.soundness(texts), ratings) if column.soundness else None

    return Measure(f"{name}: Pearson's r", len(texts), score)


def rated_pairs(name: str, pairs: Sequence[Pair], ratings: Sequence[float], what: str) -> Measure:
    """How sameness or improvement goes with people's ratings."""

    async def score(column: Column) -> float | None:
        ask: OfPairs | None = getattr(column, what)
        return correlation(await ask(pairs), ratings) if ask else None

    return Measure(f"{name}: Pearson's r", len(pairs), score)


# The data


def measures(
    sets: Path | None, hand: Path | None, made: Path | None, web: Path | None, draw: Draw
) -> Iterator[Measure]:
    """Every measure whose data is there."""
    if sets is not None:
        yield from held_out_corrections(sets, draw)
    if web is not None:
        yield from corrections("fluency_cweb", [(row["input"], row["target"]) for row in read(web)], draw)
    if hand is not None:
        rows = list(read(hand))
        for part in ("dev", "test"):
            yield labelled(f"our rules, read by hand, {part}", [row for row in rows if row["part"] == part])
    if made is not None:
        rows = list(read(made))
        by_task = {task: [row for row in rows if row["task"] == task] for task in ("sound", "same", "better")}
        yield labelled("our rules, held out", draw.some(by_task["sound"]))
        for task in ("same", "better"):
            yield made_pairs("our rules, held out", draw.some(by_task[task]), task)
    if sets is not None:
        yield from meaning_and_ratings(sets, draw)


def held_out_corrections(sets: Path, draw: Draw) -> Iterator[Measure]:
    """Corrections of the sets that are trained on, those that were left out."""
    path = sets / "gec_eracond" / "eracond.jsonl.gz"
    if path.is_file():
        rows = [row for row in read(path) if is_held_out(row["source"])]
        pairs = [(row["source"], target) for row in rows for target in row["targets"]]
        yield from corrections("gec_eracond", pairs, draw)
    path = sets / "gec_harper" / "pairs.jsonl.gz"
    if path.is_file():
        rows = [row for row in read(path) if is_held_out(row["source"])]
        yield from corrections("gec_harper", [(row["source"], row["target"]) for row in rows], draw)
    path = sets / "elife_revisions" / "abstract_sentences.jsonl.gz"
    if path.is_file():
        rows = [row for row in read(path) if is_held_out(str(row["id"]))]
        yield from corrections("eLife abstracts", [(row["source"], row["target"]) for row in rows], draw)


def meaning_and_ratings(sets: Path, draw: Draw) -> Iterator[Measure]:
    """Paraphrases, minimal pairs, and what people said of learners' sentences and of their corrections."""
    path = sets / "paws_wiki" / "dev.jsonl.gz"
    if path.is_file():
        rows = list(read(path))
        kept = [row for row in rows if is_held_out(row["a"], 4)]
        others = [row for row in rows if not is_held_out(row["a"], 4)]
        yield same_or_not("PAWS", draw.some(kept), draw.some(others))
    path = sets / "gug" / "test.jsonl.gz"
    if path.is_file():
        rows = draw.some(list(read(path)))
        yield rated("GUG, test part", [row["text"] for row in rows], [row["score"] for row in rows])
    path = sets / "blimp" / "blimp.jsonl.gz"
    if path.is_file():
        by_paradigm: dict[str, list[Row]] = defaultdict(list)
        for row in read(path):
            by_paradigm[row["uid"]].append(row)
        each = replace(draw, limit=draw.per_paradigm)
        rows = [row for paradigm in by_paradigm.values() for row in each.some(paradigm)]
        pairs = [(row["bad"], row["good"]) for row in rows]
        yield Measure(f"BLiMP, {len(by_paradigm)} paradigms: good over bad", len(pairs), alone(pairs))
    path = sets / "gec_rankings" / "conll14_grundkiewicz_rankings.jsonl.gz"
    if path.is_file():
        yield from rankings("human rankings, development half", draw.some(ranked(sets, development=True)))
        if draw.reported:
            yield from rankings("human rankings, reported half", draw.some(ranked(sets, development=False)))
    path = sets / "tmu_gfm" / "tmu_gfm.jsonl.gz"
    if path.is_file():
        rows = draw.some(list(read(path)))
        outputs = [row["output"] for row in rows]
        for what in ("grammar", "fluency"):
            yield rated(f"TMU-GFM, {what}", outputs, [row[what] for row in rows])
        pairs = [(row["source"], row["output"]) for row in rows]
        yield rated_pairs("TMU-GFM, meaning", pairs, [row["meaning"] for row in rows], "sameness")
    for path in sorted((sets / "gmeg_ratings").glob("*_test.jsonl.gz")):
        edits = [
            (spaced(row["source"]), spaced(edit["text"]), edit["score"])
            for row in read(path)
            for edit in {edit["text"]: edit for edit in row["candidates"]}.values()
        ]
        edits = draw.some(edits)
        name, ratings = f"GMEG {path.name.partition('_')[0]}", [rating for *_, rating in edits]
        yield rated(f"{name}, each alone", [text for _, text, _ in edits], ratings)
        pairs = [(source, text) for source, text, _ in edits]
        yield rated_pairs(f"{name}, as revisions", pairs, ratings, "improvement")


def ranked(sets: Path, *, development: bool) -> list[Row]:
    """One half of the human rankings, parted by their source."""
    path = sets / "gec_rankings" / "conll14_grundkiewicz_rankings.jsonl.gz"
    return [row for row in read(path) if is_held_out(row["source"], 2) == development]


def spaced(text: str) -> str:
    """A text in tokens as it is written."""
    text = re.sub(r" (?=[.,;:!?)%]|n't\b|'(?:s|m|d|re|ve|ll)\b)", "", text)
    return re.sub(r"(?<=[($]) ", "", re.sub(r'" ([^"]*?) "', r'"\1"', text))


# The judges


def column(name: str, models: Models, adapter: str) -> Column:
    """One of the judges, by its name."""
    if name in ("trained", "preferring"):
        judge = TrainedJudge(models.yes_or_no(adapter))
        return judge_column(name, judge if name == "trained" else PreferringJudge(judge, models.scorer()))
    return {"likelihood": likelihood, "harper": harper, "value": value}[name](models)


def judge_column(name: str, judge: Judge) -> Column:
    """A judge that is sure of yes from 0 to 1."""
    return Column(name, judge.soundness, judge.sameness, judge.improvement, same_from=0.5)


def likelihood(models: Models) -> Column:
    scorer = models.scorer()

    async def soundness(sentences: Sequence[str]) -> list[float]:
        return [found.mean for found in await scorer.log_probs(sentences)]

    async def improvement(pairs: Sequence[Pair]) -> list[float]:
        found = await scorer.log_probs([text for pair in pairs for text in pair])
        return [after.total - before.total for before, after in zip(found[::2], found[1::2], strict=True)]

    return Column("likelihood", soundness, None, improvement)


def harper(_: Models) -> Column:
    async def soundness(sentences: Sequence[str]) -> list[float]:
        return [-weight(grammar_findings(sentence, "text")) for sentence in sentences]

    async def improvement(pairs: Sequence[Pair]) -> list[float]:
        before = await soundness([source for source, _ in pairs])
        after = await soundness([text for _, text in pairs])
        return [new - old for old, new in zip(before, after, strict=True)]

    return Column("harper", soundness, None, improvement)


def value(models: Models) -> Column:
    appraiser = Appraiser(models.scorer(), models.embedder())

    async def sameness(pairs: Sequence[Pair]) -> list[float]:
        found = await appraiser.score(pairs)
        return [-LOST_WORD_COST * one.loss - MEANING_CHANGE_COST * len(one.changes) for one in found]

    async def improvement(pairs: Sequence[Pair]) -> list[float]:
        return [one.value for one in await appraiser.score(pairs)]

    return Column("value", None, sameness, improvement)


# The weights of PreferringJudge

FOLDS = 5
PENALTY = 1.0
"""On the square of a weight, in deviations of its sign: there are few sources."""


async def fit(models: Models, adapter: str, rows: Sequence[Row]) -> None:
    """Fit the weights on human preferences, and print them."""
    kept = preferences(rows)
    judge = PreferringJudge(TrainedJudge(models.yes_or_no(adapter)), models.scorer())
    pairs = sorted({(source, text) for source, *texts in kept for text in texts})
    found = dict(zip(pairs, [astuple(signs) for signs in await judge.signs(pairs)], strict=True))
    gains = np.array([np.subtract(found[source, one], found[source, other]) for source, one, other in kept])
    sources = sorted({source for source, *_ in kept})
    random.Random(SEED).shuffle(sources)
    fold = np.array([sources.index(source) % FOLDS for source, *_ in kept])
    seen = [agreement(gains[fold == one], fitted(gains[fold != one])) for one in range(FOLDS)]
    share = float(np.average(seen, weights=[int(np.sum(fold == one)) for one in range(FOLDS)]))
    print(f"{len(sources)} sources, {len(kept):,} pairs: {share:.3f} agree on sources not fitted on")
    for place, field in enumerate(fields(Signs)):
        alone = agreement(gains, np.eye(len(fields(Signs)))[place])
        print(f"    {field.name:12} alone {max(alone, 1 - alone):.3f}")
    weights = Signs(*(round(float(weight), 4) for weight in fitted(gains)))
    print(weights)


def fitted(gains: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The weights under which what was preferred is likeliest to be (Newton's method)."""
    scale = gains.std(axis=0) + 1e-9
    scaled = gains / scale
    weights = np.zeros(gains.shape[1])
    for _ in range(50):
        missed = 1 - 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ missed - PENALTY * weights
        curve = (scaled * (missed * (1 - missed))[:, None]).T @ scaled + PENALTY * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights / scale


def agreement(gains: np.ndarray[Any, Any], weights: np.ndarray[Any, Any]) -> float:
    return share_above(list(gains @ weights), [0.0] * len(gains)) or 0.0


# The table


async def table(asked: Sequence[Measure], columns: Sequence[Column]) -> list[Row]:
    """Each measure with what every judge reaches, printed as it comes."""
    names = [column.name for column in columns]
    print(f"| measure | rows | {' | '.join(names)} |\n|---|{'---|' * (len(names) + 1)}", flush=True)
    found: list[Row] = []
    for measure in asked:
        scores = {column.name: await measure.score(column) for column in columns if measure.rows}
        cells = ["–" if scores.get(name) is None else f"{scores[name]:.3f}" for name in names]
        print(f"| {measure.name} | {measure.rows:,} | {' | '.join(cells)} |", flush=True)
        found.append({"measure": measure.name, "rows": measure.rows, **scores})
    return found


async def main(given: argparse.Namespace) -> None:
    draw = Draw(None if given.all else given.limit, None if given.all else given.per_paradigm, given.reported)
    if given.fit:
        if given.sets is None:
            raise SystemExit("--fit needs --sets, a folder with gec_rankings")
        half = ranked(given.sets, development=True)
        some = set(draw.some(sorted({row["source"] for row in half})))
        async with Models(load_settings()) as models:
            await fit(models, given.adapter, [row for row in half if row["source"] in some])
        return
    asked = list(measures(given.sets, given.hand, given.made, given.web, draw))
    if given.only:
        asked = [measure for measure in asked if given.only.lower() in measure.name.lower()]
    async with Models(load_settings()) as models:
        found = await table(asked, [column(name, models, given.adapter) for name in given.columns])
    if given.out:
        given.out.write_text(json.dumps(found, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=Path, help="a folder with a sub-folder a set")
    parser.add_argument("--hand", type=Path, default=HAND)
    parser.add_argument("--made", type=Path)
    parser.add_argument("--web", type=Path, help="fluency_cweb.jsonl, for evaluation only")
    names = ["trained", "likelihood", "harper", "value", "preferring"]
    parser.add_argument("--columns", nargs="+", choices=names, default=names[:4])
    parser.add_argument("--adapter", default="judge", help="the trained judge's, by its name or file")
    parser.add_argument("--only", help="measures whose name has this")
    parser.add_argument("--limit", type=int, default=LIMIT, help="rows of a measure")
    parser.add_argument("--per-paradigm", type=int, default=PER_PARADIGM, help="pairs of each of BLiMP's")
    parser.add_argument("--all", action="store_true", help="every row there is")
    parser.add_argument("--reported", action="store_true", help="the half of the rankings kept for the end")
    parser.add_argument("--fit", action="store_true", help="fit the weights of PreferringJudge instead")
    parser.add_argument("--out", type=Path, help="where to write the table as JSON")
    asyncio.run(main(parser.parse_args()))
