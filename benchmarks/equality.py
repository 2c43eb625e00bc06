"""Is the shipped editor the same in llama.cpp as in transformers? python benchmarks/equality.py DATA_DIR

DATA_DIR is a folder of EditEval's data. COUNT samples (`--count`, 200), as many of each of its sets, are
edited greedily under their first instruction, from the same weights and the same adapter:

    transformers        float32; the adapter added to the weights
    llama.cpp, 16 bits  weights and adapter in F16
    llama.cpp, shipped  weights in Q8_0, the adapter as it comes with redraft
    torch               the `torch` backend

Each is compared with the first, answer by answer, and by SARI, as the mean over the data sets. With weights
in 8 bits llama.cpp rounds activations to 8 bits too, so that near ties fall another way. Nothing is cached.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from redraft.bench import Item, open_benchmark, plan
from redraft.editor import editor_messages, room, usable
from redraft.metrics import score
from redraft.models import (
    CHAT,
    END,
    MODEL_FILE,
    SHIPPED,
    START,
    Backend,
    Base,
    Completion,
    Lora,
    Message,
    Pretrained,
    Request,
    ensure,
    load_gguf,
    open_backend,
    read_lora,
    requantize,
    thread_count,
    write_lora,
)
from redraft.settings import Settings, load_settings

BATCH = 8
"""Texts that transformers writes together: one that is finished costs time until the last one is."""

Writer = Callable[[Sequence[Request]], list[Completion]]


def main() -> None:
    """Read the command line, let each write, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--count", type=int, default=200)
    given = parser.parse_args()
    datasets = open_benchmark("editeval").load(given.data)
    items = plan(datasets, "1", max(1, given.count // len(datasets))).items
    requests = [asked(item) for item in items]
    settings = load_settings({"cache": False})
    torch.set_num_threads(thread_count(settings.threads))
    print(f"{len(items)} edits, {len(datasets)} data sets\n")
    print(f"{'':20} {'identical':>14} {'SARI':>7} {'seconds':>8}")
    first: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, write in writers(settings, Path(folder)):
            started = time.monotonic()
            answers = write(requests)
            texts = [answer.text for answer in answers]
            first = first or texts
            same = sum(one == other for one, other in zip(first, texts, strict=True))
            share = f"{same} ({100 * same / len(texts):.1f} %)"
            seconds = time.monotonic() - started
            print(f"{name:20} {share:>14} {mean_sari(items, answers):7.2f} {seconds:8.0f}", flush=True)


def asked(item: Item) -> Request:
    """An edit as the editor asks for it, of the adapter that comes with redraft whatever else was added."""
    sample = item.sample
    messages = editor_messages(item.instruction, sample.input, sample.documents)
    return Request(messages, max_tokens=room(sample.input), adapter=str(SHIPPED / "editor.gguf"))


def writers(settings: Settings, folder: Path) -> Iterator[tuple[str, Writer]]:
    """Each way to write, by name; the first is the standard."""
    model = ensure(CHAT, settings.weights()) / MODEL_FILE
    base = Base.of(model)
    lora = read_lora(SHIPPED / "editor.gguf", base.heads)
    yield "transformers", Transformers(model, lora).write
    requantize(model, folder / "model.gguf", sixteen_bits=True)
    write_lora(folder / "editor.gguf", lora, base.heads, "editor", precise=True)
    precise = open_backend(f"embedded:{folder / 'model.gguf'}", settings)
    yield "llama.cpp, 16 bits", lambda asked: answered(precise, asked, str(folder / "editor.gguf"))
    yield "llama.cpp, shipped", lambda asked: answered(open_backend("embedded", settings), asked)
    yield "torch", lambda asked: answered(open_backend("torch", settings), asked)


def answered(backend: Backend, requests: Sequence[Request], adapter: str | None = None) -> list[Completion]:
    """The answers of a backend, asked for all at once."""

    async def run() -> list[Completion]:
        asked = [replace(request, adapter=adapter or request.adapter) for request in requests]
        found = await asyncio.gather(*(backend.sample(request, 0, 1) for request in asked))
        return [completion for (completion,) in found]

    return asyncio.run(run())


class Transformers:
    """`LlamaForCausalLM.generate`, in batches of similar length."""

    def __init__(self, model: Path, lora: Lora) -> None:
        self._loaded = with_lora(load_gguf(model), lora)
        vocabulary = self._loaded.tokenizer.get_vocab()
        self._start, self._end = vocabulary[START], vocabulary[END]
        self._ends = {self._end, vocabulary["<|endoftext|>"]}

    def write(self, requests: Sequence[Request]) -> list[Completion]:
        prompts = [self._prompt(request.messages) for request in requests]
        order = sorted(range(len(requests)), key=lambda at: len(prompts[at]))
        found: dict[int, Completion] = {}
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            rooms = [requests[at].max_tokens for at in batch]
            for at, most, tokens in zip(
                batch, rooms, self._generate([prompts[at] for at in batch], max(rooms)), strict=True
            ):
                found[at] = self._completion(tokens[:most])
        return [found[at] for at in range(len(requests))]

    def _prompt(self, messages: Sequence[Message]) -> list[int]:
        def ids(text: str) -> list[int]:
            return list(
                self._loaded.tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)
            )

        turns = [
            token
            for message in messages
            for token in (self._start, *ids(f"{message.role}\n{message.content}"), self._end, *ids("\n"))
        ]
        return [*turns, self._start, *ids("assistant\n")]

    def _generate(self, prompts: Sequence[list[int]], most: int) -> list[list[int]]:
        width = max(map(len, prompts))
        rows = [[self._end] * (width - len(prompt)) + prompt for prompt in prompts]
        mask = [[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts]
        model: Any = self._loaded.model
        with torch.inference_mode():
            written = model.generate(
                torch.tensor(rows),
                attention_mask=torch.tensor(mask),
                max_new_tokens=most,
                do_sample=False,
                eos_token_id=sorted(self._ends),
                pad_token_id=self._end,
            )
        return [row[width:] for row in written.tolist()]

    def _completion(self, tokens: Sequence[int]) -> Completion:
        end = next((at for at, token in enumerate(tokens) if token in self._ends), None)
        text = self._loaded.tokenizer.decode(tokens[:end])
        return Completion(text, "length" if end is None else "stop")


def with_lora(loaded: Pretrained, lora: Lora) -> Pretrained:
    """The model with the adapter added to its weights."""
    for (layer, projection), (a, b) in lora.pairs.items():
        block = loaded.model.model.layers[layer]
        part = block.mlp if hasattr(block.mlp, projection) else block.self_attn
        weight = getattr(part, projection).weight
        weight.data += lora.scale * torch.from_numpy(b) @ torch.from_numpy(a)
    return loaded


def mean_sari(items: Sequence[Item], answers: Sequence[Completion]) -> float:
    """SARI of each data set as EditEval computes it, averaged."""
    values = []
    for name in dict.fromkeys(item.sample.dataset for item in items):
        pairs = [(i.sample, a) for i, a in zip(items, answers, strict=True) if i.sample.dataset == name]
        found = score(
            "sari",
            [sample.input for sample, _ in pairs],
            [usable(answer, sample.input) or sample.input for sample, answer in pairs],
            [sample.references for sample, _ in pairs],
            normalisation="editeval",
            resamples=0,
        )
        values.append(found["sari"].value)
    return statistics.mean(values)


if __name__ == "__main__":
    main()
