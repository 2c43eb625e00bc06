"""The same answer twice: every text revised and simplified again and again, each time in a new process.

    python benchmarks/sameness.py TEXT … [--runs 5] [--threads 1 2 4] [--at-once 4] [--effort low]

Runs with each number of threads, another hash seed each time, nothing cached, several processes at once (more
than there are cores keep the machine busy). Prints how many different answers each text got; it should be 1.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

INSTRUCTION = "Fix the grammar and make it clearer. Every sentence under 20 words. Cut it by some words."
JOBS = {
    "revise": ["revise", "-i", INSTRUCTION, "--best-effort"],
    "simplify": ["simplify", "--policy", "rewrite"],
}


def answer(job: str, path: Path, threads: int, run: int, effort: str) -> str:
    """What one process prints, with its exit status."""
    command = [sys.executable, "-m", "redraft", *JOBS[job], str(path), "--effort", effort, "--no-cache", "-q"]
    environment = {**os.environ, "REDRAFT_THREADS": str(threads), "PYTHONHASHSEED": str(run * 7 + threads)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return f"{done.stdout}\n[status {done.returncode}] {done.stderr if done.returncode > 1 else ''}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--effort", default="low")
    options = parser.parse_args()

    found: dict[tuple[str, Path], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    work = list(itertools.product(range(options.runs), options.threads, JOBS, options.texts))
    with ThreadPoolExecutor(options.at_once) as pool:
        runs = [
            pool.submit(answer, job, path, threads, run, options.effort) for run, threads, job, path in work
        ]
        for (_, _, job, path), done in zip(work, runs, strict=True):
            found[job, path][done.result()] += 1
    for (job, path), answers in found.items():
        print(f"{job:8}  {path.name:24}  {len(answers)} different in {sum(answers.values())}")
        for text, count in answers.items():
            if len(answers) > 1 or ("[status 0]" not in text and "[status 1]" not in text):
                print(f"--- {count} times\n{text}")
    different = sum(len(answers) > 1 for answers in found.values())
    print(f"{len(found) - different} of {len(found)} always the same, over {len(work)} runs")
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main())
