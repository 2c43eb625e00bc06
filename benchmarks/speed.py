"""How long a revision takes, by length and effort, idle and beside a busy loop on every core.

    python benchmarks/speed.py PROSE.txt [--words 100 500 5000] [--efforts low medium] [--busy] [--heard]

PROSE.txt is any English text, long enough. The bound is one that a third of its sentences break. Each case
has a process of its own, with the models loaded and no answer cached. With --heard somebody listens, as on a
terminal: it is told when the first sentence was settled, and when the first one was that changed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from redraft import Models, load_settings
from redraft.revision import ReviseOptions, Settled, arevise
from redraft.text import Document


def cut(text: str, words: int) -> str:
    """The paragraphs of a text up to so many words, the last one cut at a sentence."""
    found: list[str] = []
    count = 0
    for paragraph in text.split("\n\n"):
        kept: list[str] = []
        for sentence in Document(paragraph).sentences:
            size = len(sentence.text.split())
            if count + size > words and count:
                return "\n\n".join([*found, " ".join(kept)]).strip()
            kept.append(sentence.text)
            count += size
        found.append(" ".join(kept))
    return "\n\n".join(found)


def bound_for(text: str) -> int:
    """The words that two thirds of the sentences have at the most."""
    sizes = sorted(Document(text).word_counts)
    return max(sizes[2 * len(sizes) // 3], 8)


WARMING = (
    "The report that the board had asked for was sent on Monday, and the members read it before they met. "
    "Nobody who had been there in the spring, when it was first spoken of, could say what had become of it."
)
"""What is revised first, so that all that the text will need is loaded, and nothing else."""


async def one(text: str, effort: Any, heard: bool) -> dict[str, float]:
    """The figures of one revision, in this process."""
    asked = f"No sentence over {bound_for(text)} words."
    told: dict[bool, float] = {}
    async with Models(load_settings({"cache": False})) as models:
        options = ReviseOptions("search", effort)
        await arevise(WARMING, "No sentence over 12 words.", models=models, options=options)
        before, started, used = models.ledger.total, time.monotonic(), time.process_time()

        def hear(settled: Settled) -> None:
            told.setdefault(settled.after != settled.before, time.monotonic() - started)

        found = await arevise(text, asked, models=models, options=options, settled=hear if heard else None)
        seconds, processor = time.monotonic() - started, time.process_time() - used
        spent = models.ledger.total
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    return {
        "words": len(text.split()),
        "seconds": seconds,
        "processor": processor,
        "tokens": spent.tokens - before.tokens,
        "MB": peak,
        "met": found.findings.met,
        "told": told.get(False, 0.0),
        "changed": told.get(True, 0.0),
    }


def _spin() -> None:
    while True:
        pass


@contextmanager
def busy(wanted: bool) -> Iterator[None]:
    """A loop on every core, where wanted."""
    count = len(os.sched_getaffinity(0)) if wanted else 0
    loops = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(count)]
    for loop in loops:
        loop.start()
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("prose", type=Path)
    parser.add_argument("--words", type=int, nargs="+", default=[100, 500, 5000])
    parser.add_argument("--efforts", nargs="+", default=["low", "medium"])
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--heard", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    text = cut(options.prose.read_text(encoding="utf-8"), options.words[0])
    if options.one:
        print(json.dumps(asyncio.run(one(text, options.one, options.heard))))
        return
    heads = ["words", "effort", "seconds", "processor", "tokens", "MB", "met"]
    heads += ["first told", "first changed"] if options.heard else []
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    with busy(options.busy):
        for words in options.words:
            for effort in options.efforts:
                command = [
                    sys.executable,
                    __file__,
                    str(options.prose),
                    "--words",
                    str(words),
                    "--one",
                    effort,
                    *(["--heard"] if options.heard else []),
                ]
                row = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
                figures = f"{row['seconds']:.1f} | {row['processor']:.1f} | {row['tokens']} | {row['MB']:.0f}"
                told = f" {row['told']:.1f} | {row['changed']:.1f} |" if options.heard else ""
                print(f"| {row['words']} | {effort} | {figures} | {row['met']} |{told}", flush=True)


if __name__ == "__main__":
    main()
