"""Simplifiers of a larger model, by SimPO on what its own answers agree on: for benchmarks/larger.py."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import torch

from editor import written
from larger_model import Asked, Larger, Texts, say
from policies import SARI, Set
from redraft.cli.train.models import SimplifierOptions
from redraft.editor import editor_messages
from redraft.metrics import rows_of, score_of
from redraft.models import Models
from redraft.settings import load_settings
from redraft.simplification import Policy, load_policy, messages, open_judge, plain
from redraft.text import Document
from redraft.train import Guard, Lora, TrainingJob, export, loss_for, read_policy_data, train_simplifier

KEPT = {"lexical": 30.0, "rewrite": 0.0}
"""Points off for kept words, by policy."""
WORDS = {"lexical": "Paraphrase this sentence", "rewrite": "Rewrite this in simple English"}
"""How the pool of `simplify build-preferences` asks the editor."""
DRAWS = 8
"""Of a source's candidates, beside the greedy one."""
TOGETHER = 128
"""Pairs of a step."""
PART = 64
"""Sources that a process judges at a time."""


Places = tuple[int, int] | None
"""Those of the best and the worst candidate of a source; None where there is nothing to choose."""


def judge_all(policy: str, asked: Sequence[tuple[str, list[str]]]) -> list[Places]:
    """What the candidates of each source agree on."""

    async def verdicts() -> list[Places]:
        rules = load_policy(policy)
        async with Models(load_settings()) as models:
            judge = open_judge("agreement", models, kept=KEPT[policy])
            found: list[Places] = []
            for source, texts in asked:
                if len(set(map(plain, texts))) < 2:
                    found.append(None)
                    continue
                verdict = (await judge.judge(source, texts, rules)).verdicts[rules.decides]
                found.append((verdict.best, verdict.worst))
            return found

    return asyncio.run(verdicts())


def judged(pool: Executor, policy: str, sources: Sequence[str], texts: Texts) -> list[Places]:
    """The same, in several processes."""
    both = list(zip(sources, texts, strict=False))
    parts = [both[start : start + PART] for start in range(0, len(both), PART)]
    return list(chain.from_iterable(pool.map(judge_all, [policy] * len(parts), parts)))


def pair_rows(policy: Policy, sources: Sequence[str], texts: Texts, places: Sequence[Places]) -> list[Any]:
    """Pairs as `simplify build-preferences` makes them, as far as a training reads them."""
    rows = []
    for source, own, at in zip(sources, texts, places, strict=False):
        if at is None:
            continue
        best, worst = (own[place] for place in at)
        if plain(best) in (plain(worst), plain(source)):
            continue
        rows.append(
            {
                "source": source,
                "policy": policy.name,
                "judge": f"agreement|kept:{KEPT[policy.name]:g}",
                "prompt": [asdict(one) for one in messages(policy, source)],
                "chosen": [{"role": "assistant", "content": best}],
                "rejected": [{"role": "assistant", "content": worst}],
            }
        )
    return rows


@dataclass
class Course:
    """The training of one policy's simplifier."""

    policy: Policy
    larger: Larger
    pool: Executor
    editor: Path
    dev: Set
    test: Set
    sentences: list[str]
    guard: Guard
    given: Any
    systems: tuple[str, ...] = ("editor",)
    """Whose candidates the first round learns from."""
    used: int = 0
    """Sentences that were drawn for."""
    best: tuple[float, str] = (0.0, "")
    scores: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, larger: Larger, given: Any, pool: Executor) -> Course:
        """From what the command line says."""
        dev, test = (Set.of(name, dict(files)[name], given.limit) for files in (given.dev, given.tests))
        lines = given.sentences.read_text(encoding="utf-8").splitlines()
        order = random.Random(name).sample(lines, len(lines))
        guard = Guard.from_files([path for _, path in given.tests])
        return cls(load_policy(name), larger, pool, given.editor, dev, test, order, guard, given)

    @property
    def name(self) -> str:
        """The policy's."""
        return self.policy.name

    @property
    def best_file(self) -> Path:
        """The adapter that is best so far."""
        return self.file(self.best[1])

    def folder(self, arm: str) -> Path:
        """Where an arm is trained."""
        return Path(self.given.work) / f"{self.name}-{arm}"

    def file(self, arm: str) -> Path:
        """Its adapter."""
        return self.folder(arm) / "file" / f"simplify-{self.name}.gguf"

    def out(self, ending: str) -> Path:
        """A file of results."""
        return Path(self.given.out) / f"{self.name}-{ending}"

    def told(self, source: str) -> Asked:
        """Asked in the words of the policy."""
        return source, messages(self.policy, source)

    def in_its_words(self, source: str) -> Asked:
        """Asked as the editor's pool is."""
        return source, editor_messages(WORDS[self.name], source)

    def drawn_by(self, system: str, sources: Sequence[str], draws: int, seconds: float) -> Texts:
        """What a system makes of sources: greedy, and so many sampled."""
        ask = self.in_its_words if system == "editor" else self.told
        adapter = None if system == "plain" else self.editor
        return self.larger.pool([ask(one) for one in sources], adapter, draws, self.used, seconds)

    def choose_pool(self, count: int) -> None:
        """Take the systems whose candidates, chosen by agreement, are best on development sentences."""
        sources = self.dev.sources[:count]
        names = ("editor", "told", "plain")
        drawn = {name: self.drawn_by(name, sources, DRAWS, self.larger.left()) for name in names}
        found = {}
        for size in range(1, len(names) + 1):
            for some in combinations(names, size):
                # As many candidates as of one system alone.
                own = (drawn[name] for name in some)
                mixed = [
                    list(chain.from_iterable(texts[: each(size)] for texts in of))
                    for of in zip(*own, strict=True)
                ]
                places = judged(self.pool, self.name, sources, mixed)
                best = (
                    texts[at[0]] if at else (texts or [source])[0]
                    for source, texts, at in zip(sources, mixed, places, strict=True)
                )
                found["+".join(some)] = self.sari(dict(zip(sources, best, strict=True)))
        self.scores["pools"] = found
        self.scores["pools, greedy"] = {
            name: self.sari(
                {source: (own or [source])[0] for source, own in zip(sources, texts, strict=True)}
            )
            for name, texts in drawn.items()
        }
        self.systems = tuple(max(found, key=lambda names: found[names]).split("+"))
        self.tell()

    def next_sentences(self, count: int) -> list[str]:
        """Sentences that nothing was drawn for."""
        self.used += count
        return self.sentences[self.used - count : self.used]

    def first_pairs(self, count: int, seconds: float) -> None:
        """Pairs of the chosen pool's candidates, each system's in its part of the time."""
        sources = self.next_sentences(count)
        seconds = min(seconds, self.larger.left() / 3) / len(self.systems)
        made = []
        for system in self.systems:
            made.append(self.drawn_by(system, sources, each(len(self.systems)) - 1, seconds))
            sources = sources[: len(made[-1])]
        self.keep_pairs(
            "pairs", sources, [list(chain.from_iterable(own)) for own in zip(*made, strict=False)]
        )

    def own_pairs(self, count: int, seconds: float) -> None:
        """Pairs of the best arm's own answers."""
        sources = self.next_sentences(count)
        asked = [self.told(one) for one in sources]
        seconds = min(seconds, self.larger.left() / 3)
        self.keep_pairs(
            "own-pairs", sources, self.larger.pool(asked, self.best_file, DRAWS, self.used, seconds)
        )

    def keep_pairs(self, name: str, sources: Sequence[str], texts: Texts) -> None:
        """Write the pairs of what was drawn."""
        places = judged(self.pool, self.name, sources, texts)
        rows = pair_rows(self.policy, sources, texts, places)
        self.out(f"{name}.jsonl").write_text("".join(map(written, rows)), encoding="utf-8")
        self.scores[name] = {"sources": len(texts), "pairs": len(rows), "pool": self.systems}
        say(self.name, name, self.scores[name])

    def first(self, rate: float, *, from_plain: bool = False) -> None:
        """A first round, with a rate."""
        arm = f"{'plain' if from_plain else 'editor'}-{rate:g}"
        start = None if from_plain else Path(self.given.work) / "editor.gguf"
        self.train(arm, self.out("pairs.jsonl"), start, rate, beta=5.0, gamma=2.5)

    def second(self) -> None:
        """A round on the best arm's own answers, from there."""
        rate = self.scores[self.best[1]]["rate"]
        self.train("second", self.out("own-pairs.jsonl"), self.folder(self.best[1]), rate)

    def train(self, arm: str, pairs: Path, start: Path | None, rate: float, **constants: Any) -> None:
        """Train an arm, export it, and have it write the development sentences; keep it where it is best."""
        torch.cuda.empty_cache()
        given = self.given
        options = SimplifierOptions(
            rate=rate,
            rank=given.rank,
            tokens=given.tokens,
            pairs=given.pairs,
            accumulate=max(1, TOGETHER // given.pairs),
        )
        minutes = max(0.3, self.larger.left() / 60 - 0.5)
        config = replace(options.config_for("simpo", has_dev=False), minutes=minutes)
        data = read_policy_data(self.policy, [pairs], guard=self.guard)
        record = {**data.record, "command": f"benchmarks/larger.py, {self.name}: {arm}"}
        job = TrainingJob(self.larger.base, self.folder(arm), Lora(given.rank), config, record, start)
        outcome = train_simplifier(job, data, loss_for("simpo", alpha=0.2, **constants), lambda _: None)
        torch.cuda.empty_cache()
        self.file(arm).parent.mkdir(exist_ok=True)
        export(self.folder(arm), self.file(arm), self.larger.base)
        if not self.best[1]:
            shutil.copy(self.file(arm), given.out)  # should there be no time to measure it
        texts = self.write(self.file(arm), self.dev.sources)
        score = self.sari(texts)
        self.scores[arm] = {
            "sari": score,
            "split": sum(sentences(text) > sentences(source) for source, text in texts.items()) / len(texts),
            "rate": rate,
            **constants,
            "steps": outcome.progress.step,
            "seconds": outcome.seconds,
            "memory": outcome.peak_memory,
            "tokens_per_second": outcome.tokens_per_second,
        }
        put(self.out(f"{arm}-dev.jsonl"), texts)
        if score > self.best[0]:
            self.best = score, arm
            shutil.copy(self.file(arm), given.out)
            for file in ("train.json", "metrics.jsonl"):
                shutil.copy(self.folder(arm) / file, self.out(file))
        self.tell()

    def write(self, adapter: Path | None, sources: Sequence[str]) -> dict[str, str]:
        """The greedy answer to each source; itself where that is of no use."""
        found = self.larger.draw([self.told(one) for one in sources], adapter, 1, 0.0, 0, self.larger.left())
        both = zip(sources, found, strict=True)
        return {source: own[0][0] if own else source for source, own in both}

    def write_test(self) -> None:
        """What the best so far makes of the test sentences; nobody looks at it here."""
        path = self.out(f"{self.best[1]}-test.jsonl")
        if self.best[1] and not path.exists():
            put(path, self.write(self.best_file, self.test.sources))

    def baselines(self) -> None:
        """The plain model and the editor, told the policy, on both sets."""
        for name, adapter in (("plain", None), ("told", self.editor)):
            texts = self.write(adapter, (*self.dev.sources, *self.test.sources))
            put(self.out(f"{name}.jsonl"), texts)
            self.scores[name] = {"sari": self.sari({source: texts[source] for source in self.dev.sources})}
        self.tell()

    def sari(self, outputs: Mapping[str, str]) -> float:
        """On the development sentences that have an output."""
        rows = [row for row in zip(self.dev.sources, self.dev.references, strict=True) if row[0] in outputs]
        part = Set(self.name, *zip(*rows, strict=True))
        return float(score_of(SARI, rows_of(SARI, part.samples(outputs)), resamples=0).value)

    def tell(self) -> None:
        """Keep the scores."""
        self.scores["best"] = self.best[1]
        self.out("scores.json").write_text(json.dumps(self.scores, indent=2) + "\n", encoding="utf-8")
        say(self.name, json.dumps(self.scores))


def each(systems: int) -> int:
    """Candidates that each system has in a pool."""
    return -(-(DRAWS + 1) // systems)


def sentences(text: str) -> int:
    """How many there are."""
    return len(Document(text, "text").sentences)


def put(path: Path, texts: Mapping[str, str]) -> None:
    """Write outputs by their sources."""
    rows = ({"source": source, "output": text} for source, text in texts.items())
    path.write_text("".join(map(written, rows)), encoding="utf-8")
