"""Rounds of drawing, choosing and training, for a simplifier that learns from its own answers.

    python benchmarks/rounds.py SETTINGS.toml --sentences FILE --dev FILE --tests FILE... --out DIR

Each round draws candidates for fresh sentences from the adapter of the round before (at first the editor),
finds out once what is known of them, trains every variant of the settings on the pairs that it would choose,
and goes on with the variant that has most SARI on the development set, unless the adapter that it started
from has more, or too many answers are broken. The base, the graphs and the judge stay loaded.

    policy = "lexical"
    start = "editor"
    sentences = 1600                    # of a round
    rounds = 8
    draws = {"0.8" = 5, "1.0" = 5}      # beside the likeliest answer
    first = ["words", "told"]           # how the editor is asked in the first round: words, whole, told
    broken = 5.0                        # percent more than the adapter that ships has, at the most
    options = {rank = 32, pairs = 16, accumulate = 8, tokens = 8192}
    [[variant]]
    name = "dear"
    kept = 30                           # of `train.rounds.Choosing`
    beta = 5.0                          # of the loss, and rate
    rounds = [1, 2]                     # only in these

DIR/log.jsonl has a line for each variant, DIR/champion.gguf and champion-16.gguf the best so far, and after
the last round DIR/outputs.jsonl what they make of the sentences of --tests, whose references are not read.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import multiprocessing
import random
import shutil
import time
import tomllib
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

import once  # noqa: F401 - the base is loaded once
from batched import Writer, base_file
from policies import Set, source_of
from redraft.cli.train.models import SimplifierOptions, start_of
from redraft.editor import editor_messages, room, usable
from redraft.metrics import load_metric, rows_of, score_of
from redraft.models import Completion, Message, find_adapter
from redraft.quality import JUDGE
from redraft.settings import load_settings
from redraft.simplification import Policy, judge_questions, load_policy, messages, plain
from redraft.text import write_text
from redraft.train import Lora, TrainingJob, export, loss_for, read_policy_data, train_simplifier
from redraft.train.rounds import Choosing, Drawn, choose_pairs, features

ASKED = {"words": "Paraphrase this sentence", "whole": "Rewrite this in simple English"}
SHOWN = ("copied", "split", "replaced", "deleted")
WORKERS = 3
"""Processes that find out what is known of candidates."""


@dataclass(frozen=True)
class Drawer:
    """Draws candidates, and asks the judge about them."""

    writer: Writer
    policy: Policy

    def draw(
        self, adapter: Path | None, sources: Sequence[str], ways: Sequence[tuple[str, float]], seed: int
    ) -> list[Drawn]:
        """What an adapter makes of each source, asked in each way: what is usable."""
        self.writer.use(adapter)
        asked = [self._asked(way, source) for source in sources for way, _ in ways]
        rooms = [room(source) for source in sources for _ in ways]
        found = iter(self.writer.write(asked, rooms, [heat for _ in sources for _, heat in ways], seed))
        drawn = []
        for source in sources:
            answers = [next(found) for _ in ways]
            texts = [
                usable(Completion(text, "stop" if ended else "length"), source) for text, ended in answers
            ]
            distinct = {plain(text): text for text in reversed(texts) if text}
            drawn.append(Drawn(source, tuple(distinct.values())))
        return drawn

    def _asked(self, way: str, source: str) -> tuple[Message, ...]:
        return messages(self.policy, source) if way == "told" else editor_messages(ASKED[way], source)

    def sure(self, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
        """How sure the judge is that a text is sound, and says what its source says."""
        asked = {pair: judge_questions(*pair) for pair in pairs}
        questions = list({one: None for found in asked.values() for one in found})
        self.writer.use(find_adapter(JUDGE, load_settings().weights()))
        known = dict(zip(questions, self.writer.yes(questions), strict=True))
        return {pair: min(known[one] for one in found) for pair, found in asked.items()}


@dataclass
class Search:
    """A search over rounds and variants, for one policy."""

    settings: Mapping[str, Any]
    sources: Sequence[str]
    dev: Set
    out: Path
    work: Path
    ends: float

    def __post_init__(self) -> None:
        self.policy = load_policy(self.settings["policy"])
        self.base = base_file()
        self.drawer = Drawer(Writer(self.base, rows=self.settings.get("rows", 512), slots=256), self.policy)
        self.pool = multiprocessing.get_context("spawn").Pool(WORKERS)
        for folder in (self.out / "dev", self.work):
            folder.mkdir(parents=True, exist_ok=True)
        self.lines = 0

    def run(self) -> Path | None:
        """Go through the rounds; the best adapter."""
        best = start_of(self.settings.get("start", "editor"), None, self.settings["options"]["rank"])
        shipped = find_adapter(f"simplify-{self.policy.name}", load_settings().weights())
        most_broken = self.measured(shipped, "shipped")["broken"] + self.settings.get("broken", 5.0)
        best_sari = self.measured(best, "start")["sari"]
        rate = 1.0
        for number in range(1, self.settings["rounds"] + 1):
            left = self.ends - time.time()
            each = left / (self.settings["rounds"] + 1 - number)
            if left < 60:
                self.say(f"no time for round {number}")
                break
            tried = self.round(number, best, rate, time.time() + min(left - 30, 1.3 * each))
            sound = [one for one in tried if one[0]["broken"] <= most_broken] or tried
            if not sound:
                break
            told, adapter = max(sound, key=lambda one: one[0]["sari"])
            if number > 1 and told["sari"] <= best_sari:
                rate /= 2
                self.say(f"round {number} brought nothing; the rate is now {rate:g} of what it was")
                continue
            best, best_sari = adapter, told["sari"]
            self.keep(adapter, told)
        return best

    def round(
        self, number: int, start: Path | None, rate: float, ends: float
    ) -> list[tuple[dict[str, Any], Path]]:
        """Draw, and train every variant there is time for; what was measured of each, and where it is."""
        began, count = time.monotonic(), self.settings["sentences"]
        first = (number - 1) * count % len(self.sources)
        sources = [*self.sources[first:], *self.sources[:first]][:count]
        draws = [(float(heat), times) for heat, times in self.settings["draws"].items()]
        if number == 1 and "first" in self.settings:
            asked = self.settings["first"]
            ways = [(way, 0.0) for way in asked]
            ways += [
                (way, 0.9) for way in asked for _ in range(max(1, sum(n for _, n in draws) // len(asked)))
            ]
        else:
            ways = [("told", 0.0), *(("told", heat) for heat, times in draws for _ in range(times))]
        drawn = [one for one in self.drawer.draw(start, sources, ways, number) if len(one.texts) > 1]
        at_drawn = time.monotonic()
        working = self.pool.map_async(partial(features, policy=self.policy), drawn, chunksize=25)
        sure = self.drawer.sure([(one.source, text) for one in drawn for text in one.texts])
        found = working.get()
        self.say(
            f"round {number}: {sum(len(one.texts) for one in drawn)} candidates for {len(drawn)} sentences, "
            f"{at_drawn - began:.0f} s drawn, {time.monotonic() - at_drawn:.0f} s judged"
        )
        tried: list[tuple[dict[str, Any], Path]] = []
        longest = 0.0
        for variant in self.settings["variant"]:
            if number not in variant.get("rounds", [number]):
                continue
            if tried and time.time() + longest > ends:
                self.say(f"no time for {variant['name']}")
                continue
            began = time.monotonic()
            try:
                by = Choosing(
                    **{one.name: variant[one.name] for one in fields(Choosing) if one.name in variant}
                )
                points = [
                    [
                        known.points(by, sure[one.source, text])
                        for text, known in zip(one.texts, own, strict=True)
                    ]
                    for one, own in zip(drawn, found, strict=True)
                ]
                pairs = choose_pairs(drawn, points, self.policy, by)
                adapter = self.train(f"{number}-{variant['name']}", start, pairs, variant, rate)
                facts = {"round": number, "pairs": len(pairs), "rate": rate}
                tried.append((self.measured(adapter, variant["name"], **facts), adapter))
            except Exception:  # another variant may do
                traceback.print_exc()
            longest = max(longest, time.monotonic() - began)
        if len(tried) > 1 and time.time() + longest < ends:
            tried += self.averaged(number, tried)
        return tried

    def train(
        self, name: str, start: Path | None, pairs: Sequence[Any], variant: Mapping[str, Any], rate: float
    ) -> Path:
        """An adapter that learnt from pairs."""
        out = self.work / name
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        file = out.parent / f"{name}.jsonl"
        write_text(file, "".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs))
        chosen = SimplifierOptions(**self.settings["options"], seed=self.settings.get("seed", 0))
        config = replace(chosen.config_for("simpo", has_dev=False), rate=rate * variant.get("rate", 2e-4))
        data = read_policy_data(self.policy, [file], objective="simpo")
        job = TrainingJob(self.base, out, Lora(chosen.rank), config, data.record, start)
        loss = loss_for(
            "simpo", alpha=variant.get("alpha", 0.2), beta=variant.get("beta"), gamma=variant.get("gamma")
        )
        train_simplifier(job, data, loss, lambda _: None)
        shutil.rmtree(out / "checkpoints", ignore_errors=True)
        gc.collect()
        torch.cuda.empty_cache()  # others want the memory too
        return job.result

    def averaged(
        self, number: int, tried: Sequence[tuple[dict[str, Any], Path]]
    ) -> list[tuple[dict[str, Any], Path]]:
        """The mean of the two best."""
        try:
            (one, first), (other, second) = sorted(tried, key=lambda one: -one[0]["sari"])[:2]
            beside, out = self.work / f"{number}-second.gguf", self.work / f"{number}-mean"
            export(second.parent, beside, self.base, precise=True)
            rank = self.settings["options"]["rank"]
            out.mkdir(exist_ok=True)
            export(first.parent, out / "adapter.gguf", self.base, rank=rank, average=(beside, 0.5))
            record = json.loads((first.parent / "train.json").read_text(encoding="utf-8"))
            write_text(out / "train.json", json.dumps({**record, "averaged": other["name"]}, indent=2))
            name = f"mean of {one['name']} and {other['name']}"
            mean = out / "adapter"
            return [(self.measured(mean, name, round=number), mean)]
        except Exception:  # it is an extra
            traceback.print_exc()
            return []

    def written(self, adapter: Path | None, sources: Sequence[str]) -> dict[str, str]:
        """What an adapter makes of each source, greedily; the source where that is of no use."""
        found = self.drawer.draw(adapter, sources, [("told", 0.0)], 0)
        return {one.source: one.texts[0] if one.texts else one.source for one in found}

    def measured(self, adapter: Path | None, name: str, **facts: Any) -> dict[str, Any]:
        """The scores of an adapter on the development set."""
        outputs = self.written(adapter, self.dev.sources)
        samples = self.dev.samples(outputs)
        sari = load_metric("sari")
        values = score_of(sari, rows_of(sari, samples), resamples=0)
        shares = {one: round(score_of(load_metric(one), samples, resamples=0).value, 1) for one in SHOWN}
        sure = self.drawer.sure(list(outputs.items()))
        broken = round(100 * sum(one < 0.5 for one in sure.values()) / len(sure), 1)
        told = {"name": name, **facts, "sari": round(values.value, 2), **shares, "broken": broken}
        told["parts"] = {part: round(value, 2) for part, value in getattr(values, "components", {}).items()}
        self.say(json.dumps(told))
        with (self.out / "log.jsonl").open("a") as log:
            log.write(json.dumps({**told, "adapter": str(adapter)}) + "\n")
        self.lines += 1
        write_text(self.out / "dev" / f"{self.lines:03}.json", json.dumps(outputs, ensure_ascii=False))
        return told

    def keep(self, adapter: Path, told: Mapping[str, Any]) -> None:
        """The best so far, as it is and with rank 16, with how it was made."""
        for rank in self.settings.get("kept_ranks", (16,)):
            export(
                adapter.parent,
                self.out / f"champion-{rank}.gguf",
                self.base,
                name=f"simplify-{self.policy.name}",
                rank=rank,
            )
            shutil.rmtree(self.out / f"champion-{rank}")
        shutil.copy(adapter.parent / "train.json", self.out / f"champion-train-{told['round']}.json")
        if (pairs := self.work / f"{adapter.parent.name}.jsonl").exists():
            (self.out / f"{pairs.name}.gz").write_bytes(gzip.compress(pairs.read_bytes()))
        write_text(self.out / "champion.json", json.dumps({**told, "adapter": str(adapter)}, indent=2) + "\n")

    def finish(self, best: Path | None, tests: Sequence[str]) -> None:
        """What the best makes of the test sentences, as it is and with the rank that is kept."""
        for rank in self.settings.get("kept_ranks", (16,)):
            if (file := self.out / f"champion-{rank}.gguf").exists():
                self.measured(file, f"champion of rank {rank}")
                self.write_tests(file, tests, f"test-{rank}.jsonl")
        self.write_tests(best, tests, "test.jsonl")

    def write_tests(self, adapter: Path | None, tests: Sequence[str], name: str) -> None:
        """The outputs for the test sentences."""
        rows = ({"source": source, "output": text} for source, text in self.written(adapter, tests).items())
        write_text(self.out / name, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))

    def say(self, text: str) -> None:
        """Tell what happens."""
        print(f"{time.strftime('%H:%M:%S')} {self.policy.name}: {text}", flush=True)


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("settings", type=Path)
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--tests", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, help="where all trainings go; DIR/work otherwise")
    parser.add_argument("--seconds", type=float, default=1e9, help="after which no round is begun")
    parser.add_argument("--limit", type=int, help="of the development and test sets, the first so many")
    given = parser.parse_args()
    settings = tomllib.loads(given.settings.read_text(encoding="utf-8"))
    sources = [line for line in given.sentences.read_text(encoding="utf-8").splitlines() if line.strip()]
    random.Random(settings.get("seed", 0)).shuffle(sources)
    dev = Set.of("dev", given.dev, given.limit)
    search = Search(
        settings, sources, dev, given.out, given.work or given.out / "work", time.time() + given.seconds
    )
    best = search.run()
    rows = (
        json.loads(line) for path in given.tests for line in path.read_text(encoding="utf-8").splitlines()
    )
    search.finish(best, list(dict.fromkeys(map(source_of, rows)))[: given.limit])


if __name__ == "__main__":
    main()
