"""How fast the embedded models are on this machine: `python benchmarks/models.py [--threads N]`.

Weights come from the user's cache (fetched first if need be); answers are cached only where that is what is
measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from redraft.models import (
    CHATML,
    Completion,
    EmbeddedEmbedder,
    EmbeddedScorer,
    Engine,
    EngineConfig,
    Message,
    Models,
    Request,
    weights,
)
from redraft.settings import Settings, load_settings

PARAGRAPH = (
    "The committee met in the spring to consider how the town should look after its river. "
    "Some members wanted higher banks; others argued that the water needs more room, not less. "
)
Row = tuple[str, str, float, str]


def generation(root: Path, threads: int) -> Iterator[Row]:
    """Prompt and generation speed, for both quantisations."""
    for kind in (weights.ORIGINAL, weights.CHAT):
        path = weights.ensure(kind, root) / weights.MODEL_FILE
        engine = Engine(EngineConfig(path, threads, context=2048, template=CHATML))
        timings = chat(engine, PARAGRAPH * 12, 100)["timings"]
        yield kind.name, "prompt", timings["prompt_per_second"], "tokens/s"
        yield kind.name, "generation", timings["predicted_per_second"], "tokens/s"
        engine.close()


def chat(engine: Engine, prompt: str, tokens: int) -> dict[str, dict[str, float]]:
    payload = {
        "messages": [{"role": "user", "content": prompt}],
        "max_tokens": tokens,
        "temperature": 0,
        "ignore_eos": True,
        "stream_options": {"include_usage": True},
    }
    last: dict[str, dict[str, float]] = engine.chat(payload, None, threading.Event())[-1]
    return last


async def scoring(settings: Settings) -> list[Row]:
    scorer = EmbeddedScorer(settings)
    await scorer.log_probs(["warm"])
    rows: list[Row] = []
    for name, texts in (("sentences", [PARAGRAPH] * 32), ("one long text", [PARAGRAPH * 64])):
        started = time.perf_counter()
        scores = await scorer.log_probs(texts)
        tokens = sum(len(score.values) for score in scores)
        rows.append(("scoring", name, tokens / (time.perf_counter() - started), "tokens/s"))
    return rows


async def embeddings(settings: Settings) -> list[Row]:
    embedder = EmbeddedEmbedder(settings)
    sentences = [f"{i}. {PARAGRAPH[:86]}" for i in range(128)]
    rows: list[Row] = []
    for name, embed in (("sentences", embedder.embed), ("tokens of sentences", embedder.embed_tokens)):
        await embed(["warm"])
        started = time.perf_counter()
        await embed(sentences)
        rows.append(("embeddings", name, len(sentences) / (time.perf_counter() - started), "sentences/s"))
    return rows


class Instant:
    """A backend that takes no time, so that what is left is ours."""

    spec = "instant"

    def identity(self, request: Request) -> str:
        return self.spec

    async def sample(self, request: Request, first: int, count: int) -> tuple[Completion, ...]:
        return tuple(Completion("answer " * 50) for _ in range(count))

    async def aclose(self) -> None:
        return


async def cache(settings: Settings) -> list[Row]:
    requests = [Request((Message("user", f"{i} {PARAGRAPH}"),)) for i in range(1000)]
    rows: list[Row] = []
    async with Models(settings) as models:
        models._backends["instant"] = Instant()
        model = models.open("instant")
        for name in ("misses, stored", "hits"):
            started = time.perf_counter()
            for request in requests:
                await model.complete(request)
            rows.append(("cache", name, len(requests) / (time.perf_counter() - started), "requests/s"))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=0, help="0: as many as there are idle cores")
    parser.add_argument("--json", action="store_true", help="print rows as JSON lines")
    options = parser.parse_args()
    root = load_settings().weights()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(cache_dir=Path(folder), weights_dir=root, threads=options.threads)
        rows = [
            *generation(root, options.threads),
            *asyncio.run(scoring(settings)),
            *asyncio.run(embeddings(settings)),
            *asyncio.run(cache(settings)),
        ]
    if options.json:
        for row in rows:
            print(json.dumps(row))
        return
    table = Table("what", "how", "speed", "unit")
    for what, how, speed, unit in rows:
        table.add_row(what, how, f"{speed:,.0f}", unit)
    Console().print(table)


if __name__ == "__main__":
    main()
