"""How runs grow: what workers add, what the driver can take, what a document costs.

    python benchmarks/scaling.py throughput   1, 2 and 4 workers on a service that takes 0.5 s an answer
    python benchmarks/scaling.py memory       the driver's memory over 20,000 short samples, here and on Ray
    python benchmarks/scaling.py records      records a second that the driver can write
    python benchmarks/scaling.py tokens TEXT  what a text takes with a service that answers at once

The service is a process of its own on loopback, and no model: it answers with as much text as a model would.
Each measurement is made in a fresh process. Ray is started on this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from redraft.bench import Item, Plan, Sample, editing_jobs, open_editing, read_system
from redraft.models import Models
from redraft.revision import EFFORTS, ReviseOptions, arevise
from redraft.runs import Engine, LocalEngine, Progress, RayEngine, Results, execute
from redraft.settings import Settings, load_settings

WAIT = 0.5
ITEMS = 60
SAMPLES = 20_000
MARKS = (5_000, 10_000, 20_000)
SENTENCE = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)


class Service(BaseHTTPRequestHandler):
    """Answers like a model that takes its time: with a plan, with sentences, or with the text itself."""

    wait = 0.0
    text = ""
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a chat completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(self.wait)
        rules, asked = body["messages"][0]["content"], body["messages"][-1]["content"]
        text, count = answer(rules, asked, self.text), body.get("n") or 1
        read = sum(len(message["content"]) for message in body["messages"]) // 4
        choices = [
            {"index": i, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            for i in range(count)
        ]
        usage = {"prompt_tokens": read, "completion_tokens": count * len(text) // 4, "total_tokens": 0}
        head = {"id": "x", "object": "chat.completion", "created": 0, "model": "tiny"}
        data = json.dumps({**head, "choices": choices, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def answer(rules: str, asked: str, text: str) -> str:
    """As much as a model would write: half of the sentences planned and revised, or the whole text."""
    sentences = SENTENCE.findall(asked)
    if "You plan the revision" in rules:
        advice = "Say it in fewer words, and put the subject and its verb beside each other."
        plan = "\n".join(f"{number}: {advice}" for number, _ in sentences[::2])
        return f'THOUGHT: It should be shorter.\nCALLS:\nword_count_check(450, "less than")\nPLAN:\n{plan}'
    if "You revise single sentences" in rules:
        return "\n".join(f"[{number}] {old.replace(' very ', ' ')}" for number, old in sentences[::2])
    if "You read a text as a careful editor" in rules:
        return "\n".join(f"[{number}] wordy -> say it in fewer words" for number, _ in sentences[::5])
    return text


def serve(wait: float, text: str, port: Any) -> None:
    """Serve until the process is ended."""
    Service.wait, Service.text = wait, text
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    port.put(server.server_address[1])
    server.serve_forever()


@contextmanager
def service(wait: float, text: str) -> Iterator[str]:
    """The address of a service in a process of its own."""
    context = multiprocessing.get_context("spawn")
    port = context.Queue()
    process = context.Process(target=serve, args=(wait, text, port), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{port.get()}/v1#tiny"
    finally:
        process.terminate()
        process.join()


def short_samples(count: int) -> Plan:
    """Items of a sentence each."""
    samples = (
        Sample(f"s{number}", "short", "fluency", f"She go to school number {number}.", ())
        for number in range(count)
    )
    return Plan(tuple(Item(sample, 1, "Fix the grammar.") for sample in samples), ())


def resident() -> float:
    """The memory of this process, in MB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def engine_of(name: str, workers: int) -> Engine:
    """The engine of a name."""
    return RayEngine(workers=workers) if name == "ray" else LocalEngine()


async def one(options: argparse.Namespace) -> dict[str, Any]:
    """One run: seconds, the rate once all were at work, memory at the marks."""
    plan, system = short_samples(options.items), read_system(options.system)
    settings = Settings(model=options.model, concurrency=options.concurrency, cache=False, api_key=None)
    times: list[float] = []
    memory: dict[int, float] = {}
    started = time.perf_counter()

    def note(state: Progress) -> None:
        times.append(time.perf_counter() - started)
        if state.done in MARKS:
            memory[state.done] = round(resident(), 1)

    with tempfile.TemporaryDirectory() as folder:
        await execute(
            editing_jobs(plan),
            partial(open_editing, system.name, system.options, 0),
            settings,
            Results(Path(folder) / "out.jsonl"),
            engine_of(options.engine, options.workers),
            planned=options.items,
            progress=note,
        )
    middle = len(times) // 3
    return {
        "seconds": round(times[-1], 2),
        "rate": round((len(times) - 1 - middle) / (times[-1] - times[middle]), 2),
        "memory": memory,
    }


def measured(**options: Any) -> dict[str, Any]:
    """One run in a fresh process."""
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    done = subprocess.run(
        [sys.executable, __file__, "one", *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def throughput() -> None:
    """What more workers add where the model is what is waited for; each has one call at a time."""
    print(f"{ITEMS} items, {WAIT} s an answer, one call at a time a worker")
    print("| engine | at once | items/s, all at work | against 1 | seconds, start included |")
    print("|---|---|---|---|---|")
    with service(WAIT, "She goes to school.") as model:
        for engine in ("local", "ray"):
            first = 0.0
            for workers in (1, 2, 4):
                found = measured(
                    engine=engine,
                    workers=workers,
                    concurrency=workers,
                    system="model",
                    model=model,
                    items=ITEMS,
                )
                first = first or found["rate"]
                times = f"{found['rate']:.2f} | {found['rate'] / first:.2f} × | {found['seconds']:.1f}"
                print(f"| {engine} | {workers} | {times} |", flush=True)


def memory() -> None:
    """Whether the driver's memory stays flat."""
    print(f"{SAMPLES:,} samples, system copy, 8 at once; the driver's memory in MB")
    print("| engine | " + " | ".join(f"at {mark:,}" for mark in MARKS) + " | records/s |")
    print("|---|" + "---|" * (len(MARKS) + 1))
    for engine in ("local", "ray"):
        found = measured(
            engine=engine, workers=2, concurrency=8, system="copy", model="embedded", items=SAMPLES
        )
        cells = " | ".join(f"{found['memory'][str(mark)]:.1f}" for mark in MARKS)
        print(f"| {engine} | {cells} | {found['rate']:.0f} |", flush=True)


def records() -> None:
    """How many records a second reach the disk, by how many share a sync."""
    print("system copy, each record on disk before it is announced")
    print("| engine | at once | records/s |")
    print("|---|---|---|")
    for engine in ("local", "ray"):
        for at_once in (1, 8, 64):
            items = 300 * at_once if at_once < 64 else 8000
            found = measured(
                engine=engine, workers=min(2, at_once), concurrency=at_once, system="copy", model="embedded",
                items=items,
            )  # fmt: skip
            print(f"| {engine} | {at_once} | {found['rate']:.0f} |", flush=True)


async def tokens(path: Path) -> None:
    """What a text takes with a model behind a service, and of this machine: checks, repairs and scores."""
    text = path.read_text(encoding="utf-8")
    words = len(text.split())
    asked = f"Improve this text. Use fewer than {words * 9 // 10} words, and fewer than 30 in every sentence."
    print(f"{words} words; {asked}")
    print("| how | calls | prompt tokens | completion tokens | processor seconds of ours |")
    print("|---|---|---|---|---|")
    ways: list[tuple[str, ReviseOptions]] = [
        ("direct", ReviseOptions("direct")),
        ("plan", ReviseOptions("plan")),
        ("iter", ReviseOptions("iter")),
        *((f"search, {effort}", ReviseOptions("search", effort)) for effort in EFFORTS),
    ]
    with service(0.0, text) as model:
        for name, how in ways:
            async with Models(load_settings({"model": model, "cache": False})) as models:
                await arevise(
                    "A first text, so that all is loaded.", models=models, options=ReviseOptions("direct")
                )
                before = time.process_time()
                usage = (await arevise(text, asked, models=models, options=how)).usage
                own = time.process_time() - before
            sums = f"{usage.prompt_tokens} | {usage.completion_tokens} | {own:.1f}"
            print(f"| {name} | {usage.calls} | {sums} |", flush=True)


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("throughput", "memory", "records"):
        commands.add_parser(name)
    commands.add_parser("tokens").add_argument("text", type=Path)
    single = commands.add_parser("one")
    for name in ("engine", "system", "model"):
        single.add_argument(f"--{name}")
    for name in ("workers", "concurrency", "items"):
        single.add_argument(f"--{name}", type=int)
    options = parser.parse_args()
    if options.command == "one":
        print(json.dumps(asyncio.run(one(options))))
    elif options.command == "tokens":
        asyncio.run(tokens(options.text))
    else:
        {"throughput": throughput, "memory": memory, "records": records}[options.command]()


if __name__ == "__main__":
    main()
