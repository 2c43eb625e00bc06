"""What the metrics give and how fast, beside their peers: python benchmarks/metrics.py DATA_DIR

DATA_DIR holds EditEval's test sets as JSON lines (jfleg.jsonl, asset.jsonl, …; id, input, references). One
core, one run. SARI and GLEU are compared with plain transcriptions of the published formulas, BLEU and ROUGE
with sacrebleu and rouge-score. The exit status is 1 if a number or a speed falls short.
"""

# ruff: noqa: E402  (threads are set before numpy is imported, the path before our tests are)

from __future__ import annotations

import os

for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_threads] = "1"

import json
import random
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import sacrebleu
from rouge_score.rouge_scorer import RougeScorer

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.metrics.formulas import plain_gleu, plain_sari

from redraft.metrics import (
    NORMALISATIONS,
    Columns,
    Metric,
    Sample,
    estimate,
    load_metric,
    metrics,
    rouge_tokens,
    rows_of,
    score_samples,
    tokens_13a,
    treebank_words,
)
from redraft.text import NLTK_3_7

COPY_ROW = {
    "jfleg": {"sari": 26.7, "gleu": 40.5},
    "iterater_fluency": {"sari": 32.3, "gleu": 86.0},
    "iterater_clarity": {"sari": 29.5, "gleu": 62.9},
    "iterater_coherence": {"sari": 31.3, "gleu": 77.2},
    "stsb_multi_mt": {"sari": 21.1},
    "turk": {"sari": 26.3},
    "asset": {"sari": 20.7},
    "wnc": {"sari": 31.9, "em": 0.0},
}
"""EditEval, Table 3: the input copied."""
LEARNED = {"similarity", "bertscore", "lens", "lens_salsa"}

failures: list[str] = []


def main(folder: Path) -> int:
    data = {name: read(folder / f"{name}.jsonl") for name in COPY_ROW}
    copy_row(data)
    agreement(data)
    speed(data)
    bootstrap(data["asset"])
    memory(folder)
    for failure in failures:
        print(f"FELL SHORT  {failure}")
    return bool(failures)


def read(path: Path) -> list[Sample]:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Sample(record["input"], record["input"], tuple(record["references"])) for record in records]


def expect(holds: bool, what: str) -> str:
    if not holds:
        failures.append(what)
    return "ok" if holds else "NO"


def copy_row(data: dict[str, list[Sample]]) -> None:
    print("\nCopy row (prediction = input), normalised as EditEval does; the paper's value behind")
    for name, samples in data.items():
        columns = Columns.of(
            [sample.prediction for sample in samples],
            [sample.source for sample in samples],
            [sample.references for sample in samples],
            None,
            NORMALISATIONS["editeval"],
        )
        cells = []
        for metric, published in COPY_ROW[name].items():
            found = score_samples([load_metric(metric)], columns)[metric]
            low, high = found.interval or (0, 0)
            fine = expect(f"{found.value:.1f}" == f"{published:.1f}", f"{name} {metric}: {found.value:.3f}")
            cells.append(f"{metric} {found.value:7.3f} [{low:.1f}, {high:.1f}] ({published}) {fine}")
        print(f"  {name:20} {'   '.join(cells)}")


def damaged(samples: list[Sample]) -> Iterator[tuple[str, list[Sample]]]:
    """Predictions of many kinds for the same sources."""
    generator = random.Random(5)

    def shuffle(text: str) -> str:
        words = text.split()
        generator.shuffle(words)
        return " ".join(words)

    def drop(text: str) -> str:
        return "".join(character for character in text if generator.random() > 0.1)

    kinds: dict[str, Callable[[Sample], str]] = {
        "copy": lambda s: s.source,
        "a reference": lambda s: generator.choice(s.references),
        "another's reference": lambda _: generator.choice(generator.choice(samples).references),
        "cut short": lambda s: s.source[: generator.randint(0, len(s.source))],
        "letters lost": lambda s: drop(s.source),
        "reordered": lambda s: shuffle(s.source),
        "reference reordered": lambda s: shuffle(generator.choice(s.references)),
        "repeated": lambda s: f"{s.source} {s.references[0]} {s.source}",
        "upper case": lambda s: s.references[0].upper(),
        "often empty": lambda s: generator.choice(["", s.references[-1]]),
        "empty": lambda _: "",
    }
    for kind, predict in kinds.items():
        yield kind, [replace(sample, prediction=predict(sample)) for sample in samples]


def corpus(metric: Metric, samples: list[Sample]) -> float:
    return float(estimate(metric, samples, resamples=0).value[0])


def columns_of(samples: list[Sample]) -> tuple[list[str], list[str], list[tuple[str, ...]]]:
    return [s.source for s in samples], [s.prediction for s in samples], [s.references for s in samples]


def tokens_of(
    samples: list[Sample],
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]], list[list[tuple[str, ...]]]]:
    split = treebank_words
    references = [[split(text) for text in sample.references] for sample in samples]
    return [split(s.source) for s in samples], [split(s.prediction) for s in samples], references


def agreement(data: dict[str, list[Sample]]) -> None:
    print("\nLargest difference from the plain formulas and the peers, over predictions of 11 kinds")
    sari, gleu, bleu = load_metric("sari"), load_metric("gleu"), load_metric("bleu")
    rouges = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    worst = dict.fromkeys(["sari", "gleu", "bleu", *rouges, *(f"{name}:stem" for name in rouges)], 0.0)

    def note(name: str, one: float, other: float) -> None:
        worst[name] = max(worst[name], abs(one - other))

    for samples in data.values():
        for _, predicted in damaged(samples):
            note("sari", corpus(sari, predicted), plain_sari(*columns_of(predicted))[0])
            streams = list(zip(*(sample.references for sample in predicted), strict=True))
            hypotheses = [sample.prediction for sample in predicted]
            note("bleu", corpus(bleu, predicted), sacrebleu.corpus_bleu(hypotheses, streams).score)
            for stem in (False, True):
                scorer = RougeScorer(rouges, use_stemmer=stem)
                few = [replace(s, references=s.references[:1]) for s in predicted[:40]]
                peer = [scorer.score(sample.references[0], sample.prediction) for sample in few]
                for name in rouges:
                    asked = f"{name}:stem" if stem else name
                    mean = 100 * sum(found[name].fmeasure for found in peer) / len(peer)
                    note(asked, corpus(load_metric(asked), few), mean)
    for name in ("jfleg", "iterater_clarity"):
        for _, predicted in damaged(data[name]):
            note("gleu", corpus(gleu, predicted), plain_gleu(*tokens_of(predicted)))
    for name, difference in worst.items():
        print(f"  {name:16} {difference:.1e}  {expect(difference < 1e-6, f'{name} is off by {difference}')}")


@dataclass(frozen=True)
class Race:
    """A metric and its peer over the same samples."""

    name: str
    samples: list[Sample]
    ours: Callable[[], object]
    peer: Callable[[], object]
    floor: float = 0.0
    """Sentences a second that ours must reach; where there is no such number, the peer's speed."""


def speed(data: dict[str, list[Sample]]) -> None:
    print("\nSentences a second, one core: first pass (nothing remembered); best of 15; the peer's best of 3")
    asset = next(found for kind, found in damaged(data["asset"]) if kind == "a reference")
    jfleg = next(found for kind, found in damaged(data["jfleg"]) if kind == "letters lost")
    single = [replace(sample, references=sample.references[:1]) for sample in asset]
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"])
    bleu_columns = [s.prediction for s in asset], list(zip(*(s.references for s in asset), strict=True))
    jfleg_tokens = tokens_of(jfleg)
    races = [
        Race(
            *("sari, ASSET, 10 references", asset, lambda: corpus(load_metric("sari"), asset)),
            *(lambda: plain_sari(*columns_of(asset)), 5000),
        ),
        Race(
            *("gleu, JFLEG, 4 references, 500 draws", jfleg, lambda: corpus(load_metric("gleu"), jfleg)),
            *(lambda: plain_gleu(*jfleg_tokens), 1750),
        ),
        Race(
            *("bleu, ASSET, 10 references", asset, lambda: corpus(load_metric("bleu"), asset)),
            *(lambda: sacrebleu.corpus_bleu(*bleu_columns), 0.1),
        ),
        Race(
            *("rouge1 + rouge2 + rougeL, 1 reference", single),
            lambda: [corpus(load_metric(name), single) for name in ("rouge1", "rouge2", "rougeL")],
            lambda: [scorer.score(sample.references[0], sample.prediction) for sample in single],
        ),
    ]
    for race in races:
        for remembered in (
            tokens_13a,
            rouge_tokens,
            treebank_words,
        ):
            remembered.cache_clear()
        NLTK_3_7.forget()
        times = [timed(race.ours) for _ in range(16)]
        first, best = (len(race.samples) / seconds for seconds in (times[0], min(times[1:])))
        peer = len(race.samples) / min(timed(race.peer) for _ in range(3))
        floor = race.floor or peer
        fine = expect(best >= floor, f"{race.name}: {best:.0f} sentences/s, wanted {floor:.0f}")
        print(f"  {race.name:38} {first:8.0f} {best:8.0f}   peer {peer:7.0f}   x{best / peer:.1f}  {fine}")


def timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def bootstrap(samples: list[Sample]) -> None:
    print(f"\nSeconds for 1,000 bootstrap resamples of {len(samples)} samples, statistics given")
    for name in sorted(set(metrics()) - LEARNED - {"adherence"}):
        metric = load_metric(name)
        given = Given(metric, rows_of(metric, samples))
        seconds = timed(lambda given=given: estimate(given, samples))  # type: ignore[misc]
        print(f"  {name:16} {seconds:.3f}  {expect(seconds < 1, f'{name}: bootstrap in {seconds:.2f} s')}")


class Given:
    """A metric whose statistics are there already, so that the bootstrap alone is timed."""

    def __init__(self, metric: Metric, rows: object) -> None:
        self.name, self.signature = metric.name, metric.signature
        self.components, self.needs, self.score = metric.components, metric.needs, metric.score
        self._rows = rows

    def statistics(self, _: object) -> Iterator[object]:
        yield self._rows


@dataclass(frozen=True)
class Stream:
    """As many samples as wanted, made from a few as they are asked for, each with words of its own."""

    seeds: list[Sample]
    count: int

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Sample]:
        for at in range(self.count):
            seed = self.seeds[at % len(self.seeds)]
            yield replace(seed, source=f"{seed.source} n{at}", prediction=f"{seed.prediction} n{at // 2}")


def memory(folder: Path) -> None:
    print("\nPeak memory in MiB while scoring with interval (sari, gleu, rougeL), each in its own process")
    peaks = []
    for count in (1_000, 10_000, 100_000):
        command = [sys.executable, __file__, str(folder), "--memory", str(count)]
        peaks.append(int(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
        print(f"  {count:>8,} samples  {peaks[-1]:5}")
    grown = peaks[-1] - peaks[0]
    fine = expect(grown < 50, f"memory grows by {grown} MiB")
    print(f"  grown by {grown} MiB  {fine}")


def peak(folder: Path, count: int) -> None:
    stream = Stream(read(folder / "jfleg.jsonl"), count)
    score_samples([load_metric(name) for name in ("sari", "gleu", "rougeL")], stream, resamples=100)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    if sys.argv[2:3] == ["--memory"]:
        peak(Path(sys.argv[1]), int(sys.argv[3]))
    else:
        sys.exit(main(Path(sys.argv[1])))
