"""A larger embedded model on a GPU, read once: its editor's candidates, and simplifiers that start from it.

    python benchmarks/larger.py GGUF --editor ADAPTER.gguf --out DIR --work DIR
        --candidates dev=DEV_DIR test=DATA_DIR           # folders shaped like EditEval's data
        --sentences sentences.txt --dev rewrite=asset.jsonl lexical=turk.jsonl
        --tests rewrite=asset.jsonl lexical=turk.jsonl --until EPOCH_SECONDS

DIR gets, as soon as it is there: NAME.jsonl of each folder, for `benchmarks/editor.py tune` and `choose`; for
each policy `simplify-POLICY.gguf` of the best arm on the development sentences, its pairs and its training's
record, what it wrote, and its scores. Nothing is scored on a test set here. --work holds the trainings.

The pool that a simplifier first learns from is chosen on development sentences too: the editor in its own
words, the editor told the policy, the plain model told it, and any of these together; the one whose answers,
chosen by agreement, have the best SARI. Then two arms by SimPO, a round on the better one's own answers, and
an arm that starts from the plain model; as far as the time goes, the most important first.
"""

from __future__ import annotations

import argparse
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch

from editor import line, written
from larger_model import Larger, say
from larger_simplifiers import Course
from redraft.bench import open_benchmark, plan
from redraft.editor import TEMPERATURE, editor_messages, gathered
from redraft.models import Base, read_lora, reduce_rank, write_lora

SAMPLES = 7
"""Beside the greedy answer, as `editor:8` draws them."""
RATES = (2e-4, 1e-4)
PLAIN_RATE = 4e-4
"""Of an adapter that starts from nothing."""


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("base", type=Path)
    parser.add_argument("--editor", type=Path, required=True)
    for name in ("--candidates", "--dev", "--tests"):
        parser.add_argument(name, nargs="+", type=named, default=[], metavar="NAME=PATH")
    parser.add_argument("--sentences", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--until", type=float, default=time.time() + 1e6)
    parser.add_argument("--count", type=int, default=2400, help="sentences of a first round, at most")
    parser.add_argument("--seconds", type=float, default=150, help="to draw their candidates in, at most")
    parser.add_argument("--rank", type=int, default=6)
    parser.add_argument("--tokens", type=int, default=4096, help="of a batch")
    parser.add_argument("--pairs", type=int, default=14, help="of a batch")
    parser.add_argument("--tried", type=int, default=120, help="development sentences to choose a pool on")
    parser.add_argument("--limit", type=int, help="of each set, the first so many")
    given = parser.parse_args()
    for folder in (given.out, given.work):
        folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        follow(given, pool)


def named(entry: str) -> tuple[str, Path]:
    """NAME=PATH."""
    name, _, path = entry.partition("=")
    return name, Path(path)


def follow(given: argparse.Namespace, pool: Executor) -> None:
    """All stages, in the order of their importance."""
    say("reading", given.base)
    larger = Larger(given.base, given.until)
    say("ready")
    stage = partial(run_stage, larger)
    for name, data in given.candidates:
        stage(name, 30, partial(editor_candidates, larger, given, data, given.out / f"{name}.jsonl"))
    start_file(given)
    courses = [Course.of(name, larger, given, pool) for name, _ in given.dev]
    for course in courses:
        stage(f"{course.name} pool", 120, partial(course.choose_pool, given.tried))
        stage(f"{course.name} pairs", 90, partial(course.first_pairs, given.count, given.seconds))
        stage(f"{course.name} first", 60, partial(course.first, RATES[0]))
        stage(f"{course.name} test", 10, course.write_test)
    for course in courses:
        stage(f"{course.name} other rate", 60, partial(course.first, RATES[1]))
        stage(f"{course.name} baselines", 60, course.baselines)
    for course in courses:
        stage(f"{course.name} own pairs", 100, partial(course.own_pairs, given.count * 2 // 3, given.seconds))
        stage(f"{course.name} second", 50, course.second)
        stage(f"{course.name} test", 10, course.write_test)
    for course in courses:
        stage(f"{course.name} plain", 60, partial(course.first, PLAIN_RATE, from_plain=True))
        stage(f"{course.name} test", 10, course.write_test)
    say("done")


def run_stage(larger: Larger, name: str, least: float, do: Callable[[], Any]) -> None:
    """Do it if there are so many seconds left; what fails stops nothing else."""
    if larger.left() < least:
        say(f"{name}: no time")
        return
    began = time.time()
    try:
        do()
    except Exception:  # the next stage may do better
        traceback.print_exc()
    memory = torch.cuda.max_memory_reserved() / 1e9 if torch.cuda.is_available() else 0
    say(f"{name}: {time.time() - began:.1f} s, {larger.left():.0f} left, {memory:.1f} GB")


def editor_candidates(larger: Larger, given: argparse.Namespace, data: Path, out: Path) -> None:
    """Draw the greedy answer and seven others for every item of a folder, as `editor:8` does."""
    items = plan(open_benchmark("editeval").load(data), "1", given.limit).items
    asked = [
        (one.sample.input, editor_messages(one.instruction, one.sample.input, one.sample.documents))
        for one in items
    ]
    greedy = larger.draw(asked, given.editor, 1, 0.0, 0, larger.left())
    sampled = larger.draw(asked, given.editor, SAMPLES, TEMPERATURE, 0, larger.left())
    with out.open("w", encoding="utf-8") as file:
        for item, first, others in zip(items, greedy, sampled, strict=False):
            row = line(item, gathered(first[0][0] if first else None, (text for text, _ in others)))
            likely = {text: round(likelihood, 4) for text, likelihood in (*others, *first)}
            file.write(written({**row, "likelihoods": likely}))
    say(f"{out.name}: {len(sampled)} of {len(items)} items")


def start_file(given: argparse.Namespace) -> None:
    """The editor at the rank of the simplifiers, for them to start from."""
    frame = Base.of(given.base)
    start, lost = reduce_rank(read_lora(given.editor, frame.heads), given.rank)
    write_lora(given.work / "editor.gguf", start, frame.heads, "editor", precise=True)
    say(f"the editor at rank {given.rank} lacks {lost:.2f} of it")


if __name__ == "__main__":
    main()
