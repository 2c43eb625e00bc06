"""Training speed on one GPU: our loop beside a plain transformers loop, on the same examples in the same run.

    python benchmarks/training.py MODEL.gguf FILES.jsonl ... [--rank 16] [--lengths 128 512] [--alone]

Rows: the real lengths of the files, and examples of 64 to 2,048 tokens, or of the `--lengths` that are named.
`--alone` leaves the plain loop out. Tokens are those of examples; padding
does not count. The share of peak is 6 (for an adapter 4) floating-point operations a weight and token, over a
bfloat16 matrix product measured first.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import random
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from redraft.models import load_gguf
from redraft.train import (
    Config,
    CrossEntropy,
    Example,
    Lora,
    Trainer,
    chat_format,
    editing_conversation,
    pad_batch,
    read_rows,
    trainable,
)

ROW_TOKENS = 65_536
"""Tokens of a batch for both loops, or as near as whole rows come."""


LENGTHS = (64, 256, 1024, 2048)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--rank", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--tokens", type=int, default=ROW_TOKENS)
    parser.add_argument("--lengths", type=int, nargs="*", default=LENGTHS)
    parser.add_argument("--alone", action="store_true")
    options = parser.parse_args()
    peak = matrix_rate()
    weights = sum(weight.numel() for weight in load_gguf(options.model).model.parameters())
    each = (4 if options.rank else 6) * weights
    print(f"matrix product {peak / 1e12:.0f} TFLOP/s; {weights / 1e6:.0f} M weights, rank {options.rank}")
    print(
        "| examples | plain tokens/s | our tokens/s | times | plain share | our share | plain GiB | our GiB |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name, examples in cases(options.model, options.files, options.lengths):
        plain = (math.nan, 0) if options.alone else plain_loop(options.model, examples, options)
        ours = our_loop(options.model, examples, options)
        shares = [f"{rate * each / peak:.1%}" for rate, _ in (plain, ours)]
        sizes = [f"{memory / 2**30:.1f}" for _, memory in (plain, ours)]
        ratio = f"{ours[0] / plain[0]:.2f}"
        print(
            f"| {name} | {plain[0]:,.0f} | {ours[0]:,.0f} | {ratio} | {' | '.join(shares + sizes)} |",
            flush=True,
        )


def cases(model: Path, files: Sequence[Path], of_lengths: Sequence[int]) -> list[tuple[str, list[Example]]]:
    """Random tokens at fixed lengths, half of them learnt; and the files' own examples."""
    chat = chat_format(model)
    rows = [row for file in files for row in read_rows(file)]
    random.Random(0).shuffle(rows)
    real = list(
        chat.examples(editing_conversation(row, "Fix the grammar of this text") for row in rows[:60_000])
    )
    real = [example for example in real if len(example) <= 512]
    lengths = np.array([len(example) for example in real])
    found = [(f"real, {np.median(lengths):.0f} tokens (median), at most {lengths.max()}", real)]
    generator = np.random.default_rng(0)
    for length in of_lengths:
        weights = (np.arange(length) >= length // 2).astype(np.float32)
        count = 12_000_000 // length
        found.append(
            (
                f"{length} tokens",
                [Example(generator.integers(3, 49_000, length), weights) for _ in range(count)],
            )
        )
    return found


def our_loop(model: Path, examples: list[Example], options: Any) -> tuple[float, int]:
    """Tokens a second after the first steps, and the peak of memory."""
    torch._dynamo.reset()
    lora = Lora(options.rank) if options.rank else None
    trained = trainable(model, lora, 0)
    longest = max(map(len, examples))
    config = Config(
        epochs=1000, max_steps=100_000, tokens=options.tokens, longest=longest, rate=1e-5, check_every=10**9
    )
    seen: list[tuple[float, int]] = []

    class Enough(Exception):
        pass

    def listener(values: dict[str, Any]) -> None:
        if values["step"] >= 20:
            torch.cuda.synchronize()
            seen.append((time.monotonic(), values["tokens"]))
        if seen and seen[-1][0] - seen[0][0] > options.seconds:
            raise Enough

    out = Path(tempfile.mkdtemp())
    torch.cuda.reset_peak_memory_stats()
    with contextlib.suppress(Enough):
        Trainer(CrossEntropy(trained), lambda _: examples, config, out, listener=listener).run()
    memory = torch.cuda.max_memory_allocated()
    shutil.rmtree(out)
    del trained
    torch.cuda.empty_cache()
    return (seen[-1][1] - seen[0][1]) / (seen[-1][0] - seen[0][0]), memory


def plain_loop(model: Path, examples: list[Example], options: Any) -> tuple[float, int]:
    """What most people write: rows in random order padded to the longest, all logits, eager, bfloat16."""
    trained: Any
    if options.rank:
        trained = trainable(model, Lora(options.rank), 0)
    else:
        trained = load_gguf(model).model.to(torch.bfloat16)
        trained.requires_grad_(True)
    trained = trained.cuda().train()
    optimiser = torch.optim.AdamW([w for w in trained.parameters() if w.requires_grad], lr=1e-5, fused=True)
    rows = max(1, options.tokens // int(np.percentile([len(example) for example in examples], 99)))
    torch.cuda.reset_peak_memory_stats()
    began, tokens, step = 0.0, 0, 0
    while True:
        for start in range(0, len(examples) - rows, rows):
            batch = pad_batch(examples[start : start + rows])
            labels = torch.full_like(batch.tokens, -100).flatten()
            labels[batch.index + 1] = batch.labels
            mask = torch.tensor(
                [[1] * len(e) + [0] * (batch.longest - len(e)) for e in examples[start : start + rows]]
            )
            with torch.autocast("cuda", torch.bfloat16):
                loss = trained(
                    input_ids=batch.tokens.cuda(),
                    attention_mask=mask.cuda(),
                    labels=labels.view_as(batch.tokens).cuda(),
                ).loss
            loss.backward()
            optimiser.step()
            optimiser.zero_grad()
            step += 1
            if step == 5:
                torch.cuda.synchronize()
                began, tokens = time.monotonic(), 0
            tokens += batch.used if step > 5 else 0
            if step > 5 and step % 5 == 0:
                torch.cuda.synchronize()
                if time.monotonic() - began > options.seconds:
                    rate = tokens / (time.monotonic() - began)
                    memory = torch.cuda.max_memory_allocated()
                    del trained, optimiser, loss
                    torch.cuda.empty_cache()
                    return rate, memory


def matrix_rate() -> float:
    """Floating-point operations a second of a large bfloat16 product."""
    a, b = (torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    for _ in range(3):
        a @ b
    torch.cuda.synchronize()
    began = time.monotonic()
    for _ in range(20):
        a @ b
    torch.cuda.synchronize()
    return 20 * 2 * 8192**3 / (time.monotonic() - began)


if __name__ == "__main__":
    main()
