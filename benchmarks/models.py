"""How fast the embedded models are on this machine: `python benchmarks/models.py [--threads N]`.

With `--model embedded:qwen-0.5b`, how fast that is: as llama.cpp runs it, with its adapter, with drafts that
are copied from the prompt, and in CTranslate2 with 8 bits, alone and several at once. Seconds are then those
of a processor, since a busy machine has fewer of them.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import ctranslate2
import xllamacpp
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
    known_adapters,
    larger_file,
    llama,
    weights,
)
from redraft.models.convert import to_ctranslate2
from redraft.settings import Settings, load_settings

CORRECT = "Correct the grammar of the text. Answer with the corrected text alone.\n\n"
LEARNER = (
    "Last year our team have started a new project about the water in small rivers. We was measuring the "
    "temperature every day, and the results was written in a big table. Many of the rivers is warmer than "
    "ten years ago, because there is less trees on the banks. The farmers has told us that fishes are more "
    "rare now. In the next step we will comparing our numbers with the ones from other countries."
)
PARAGRAPH = (
    "The committee met in the spring to consider how the town should look after its river. "
    "Some members wanted higher banks; others argued that the water needs more room, not less. "
)
DRAFT = 8
"""Tokens of a draft that is verified at once."""
ANSWERS = 4
"""Answers that are written at once."""
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


def larger(name: str, root: Path, threads: int) -> Iterator[Row]:
    """A larger model corrects a paragraph: tokens read, and written, in a second of a processor's time.

    As it comes, and with the adapter that it has, if any: beside the weights in llama.cpp, in them in
    CTranslate2, which also writes several answers at once.
    """
    path = larger_file(name, root)
    adapter = known_adapters(root, name).get("editor")
    engine = Engine(EngineConfig(path, threads, context=1024))
    tokens = engine.tokens([{"role": "user", "content": CORRECT + LEARNER}])
    yield from rates(f"{name} llama.cpp", len(tokens), partial(written, engine, None))
    engine.close()
    ways = (("", nullcontext()), (f", {DRAFT} tokens at a time", reading()), (", drafting", drafting()))
    for how, changed in ways:
        with changed:
            engine = Engine(EngineConfig(path, threads, context=1024))
            what = f"{name} llama.cpp{how}" if adapter is None else f"{name} llama.cpp, adapter{how}"
            yield from rates(what, len(tokens), partial(written, engine, adapter))
            engine.close()
    with tempfile.TemporaryDirectory() as folder:
        to_ctranslate2(path, Path(folder), Path(folder) / "tokenizer.json", adapter)
        generator = ctranslate2.Generator(folder, compute_type="int8", intra_threads=threads or 2)
        words = json.loads((Path(folder) / "vocabulary.json").read_text(encoding="utf-8"))
        prompt = [words[token] for token in tokens]

        def generate(count: int, most: int) -> int:
            options = {"max_length": most, "sampling_topk": 1, "end_token": "<|im_end|>"}
            found = generator.generate_batch([prompt] * count, include_prompt_in_result=False, **options)
            return sum(len(one.sequences[0]) for one in found)

        for count in (1, ANSWERS):
            what = f"{name} CTranslate2 int8, {count} at once"
            yield from rates(what, count * len(tokens), partial(generate, count))


def rates(what: str, prompt: int, generate: Callable[[int], int]) -> Iterator[Row]:
    """From an answer of one token, and a longer one, how fast is reading and how fast is writing."""
    generate(1)
    seconds, lengths = [], []
    for most in (1, 160):
        started = time.process_time()
        lengths.append(generate(most))
        seconds.append(time.process_time() - started)
    yield what, "prompt", prompt / seconds[0], "tokens/processor second"
    more = lengths[1] - lengths[0]
    yield what, "generation", more / (seconds[1] - seconds[0]), "tokens/processor second"


def written(engine: Engine, adapter: Path | None, most: int) -> int:
    usage: dict[str, int] = chat(engine, CORRECT + LEARNER, most, adapter, ignore_eos=False)["usage"]
    return usage["completion_tokens"]


@contextmanager
def reading() -> Iterator[None]:
    """Engines made here read a prompt a few tokens at a time: what it takes to verify as long a draft."""
    usual, llama.PROMPT_BATCH = llama.PROMPT_BATCH, DRAFT
    try:
        yield
    finally:
        llama.PROMPT_BATCH = usual


@contextmanager
def drafting() -> Iterator[None]:
    """Engines made here draft what follows in the prompt, where three tokens are the same, and verify it."""
    start = xllamacpp.Server

    def start_drafting(params: xllamacpp.CommonParams) -> xllamacpp.Server:
        kind = xllamacpp.common_speculative_type.COMMON_SPECULATIVE_TYPE_NGRAM_SIMPLE
        params.speculative.types = [kind]
        params.speculative.ngram_simple.size_n, params.speculative.ngram_simple.size_m = 3, DRAFT
        return start(params)

    xllamacpp.Server = start_drafting
    try:
        yield
    finally:
        xllamacpp.Server = start


def chat(
    engine: Engine, prompt: str, tokens: int, adapter: Path | None = None, *, ignore_eos: bool = True
) -> dict[str, Any]:
    payload = {
        "messages": [{"role": "user", "content": prompt}],
        "max_tokens": tokens,
        "temperature": 0,
        "ignore_eos": ignore_eos,
        "cache_prompt": False,
        "stream_options": {"include_usage": True},
    }
    last: dict[str, Any] = engine.chat(payload, adapter, threading.Event())[-1]
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


def own(settings: Settings, threads: int) -> list[Row]:
    """The models that come with redraft, and the cache."""
    return [
        *generation(settings.weights(), threads),
        *asyncio.run(scoring(settings)),
        *asyncio.run(embeddings(settings)),
        *asyncio.run(cache(settings)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=0, help="0: as many as there are idle cores")
    parser.add_argument("--model", help="embedded:NAME, a larger model that was pulled")
    parser.add_argument("--json", action="store_true", help="print rows as JSON lines")
    options = parser.parse_args()
    root = load_settings().weights()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(cache_dir=Path(folder), weights_dir=root, threads=options.threads)
        rows = (
            [*larger(options.model.partition(":")[2], root, options.threads)]
            if options.model
            else own(settings, options.threads)
        )
    if options.json:
        for row in rows:
            print(json.dumps(row))
        return
    table = Table("what", "how", "speed", "unit")
    for what, how, speed, unit in rows:
        table.add_row(what, how, f"{speed:,.1f}" if speed < 100 else f"{speed:,.0f}", unit)
    Console().print(table)


if __name__ == "__main__":
    main()
