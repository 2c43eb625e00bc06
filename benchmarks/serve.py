"""Load on `redraft serve`: how fast checks are, beside Harper, and whether memory stays flat.

    python benchmarks/serve.py [--model SPEC] [--words 1000] [--checks 500] [--revisions 8] [--seconds 60]

Starts a server and one worker on loopback with a folder of its own, and prints:
- the time of /v1/check on a text of so many words, one after another, and Harper's for the same text
- 50 checks at once until `--checks` are done, with 8 revisions under way: errors, p95, requests a second
- the memory of the server and the worker before, and after `--seconds` of the same load

Without `--model`, a stand-in for a model answers at once with the text it was given.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2

from redraft.quality import grammar_findings

SENTENCES = (
    "The ferry, which was built in 1962, is popular with tourists who come from many countries.",
    "It crosses the bay six times a day, and in winter there are fewer crossings than in summer.",
    "Tickets are sold at the pier, and they can be bought online by everybody who wants one.",
    "Nobody could have known that the colour of the new funnel would be discussed for so long.",
)
CHECK = {
    "instruction": "At most 1,200 words. Every sentence under 30 words. Never say 'synergy'."
    " American spelling. No contractions. Use the word 'ferry' at least three times.",
}
REVISION = {"instruction": "American spelling. At most 60 words.", "effort": "low"}
AT_ONCE = 50


class Echo(BaseHTTPRequestHandler):
    """A model that gives back what it was asked last."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = {"role": "assistant", "content": asked["messages"][-1]["content"][-400:]}
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        choices = [{"index": 0, "finish_reason": "stop", "message": said}]
        whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "echo"}
        body = json.dumps({**whole, "choices": choices, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@contextlib.contextmanager
def stand_in() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1#echo"
    server.shutdown()


@contextlib.contextmanager
def serving(model: str, folder: Path) -> Iterator[tuple[str, int]]:
    """A server in a process of its own: its address and its process."""
    words = ["serve", "--port", "0", "--no-open", "--data", str(folder), "--model", model]
    process = subprocess.Popen(
        [sys.executable, "-m", "redraft", *words],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "REDRAFT_CACHE": "false"},
    )
    assert process.stderr is not None
    while not (found := re.search(r"http://[\d.:]+", process.stderr.readline())):
        assert process.poll() is None, "the server has ended"
    threading.Thread(target=process.stderr.read, daemon=True).start()
    with httpx2.Client(base_url=found[0], timeout=5) as client:
        while True:
            with contextlib.suppress(httpx2.HTTPError):
                if client.get("/readyz").is_success:
                    break
            time.sleep(0.2)
    try:
        yield found[0], process.pid
    finally:
        process.terminate()
        process.wait()


def text_of(words: int) -> str:
    sentences, count = [], 0
    while count < words:
        sentences.append(SENTENCES[len(sentences) % len(SENTENCES)])
        count += len(sentences[-1].split())
    return " ".join(sentences)


def resident(pid: int) -> dict[str, float]:
    """MB of a process and of its children."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            facts = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            own, parent = int(status.parent.name), int(facts["PPid"])
            if pid in (own, parent) and "VmRSS" in facts:
                found["server" if own == pid else f"child {own}"] = int(facts["VmRSS"].split()[0]) / 1024
    return found


def p95(seconds: list[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.95)] if seconds else float("nan")


def one_after_another(url: str, body: dict[str, object], times: int = 40) -> list[float]:
    found = []
    with httpx2.Client(base_url=url, timeout=60) as client:
        for _ in range(times):
            started = time.perf_counter()
            assert client.post("/v1/check", json=body).is_success
            found.append(time.perf_counter() - started)
    return found[times // 4 :]


def load(url: str, body: dict[str, object], checks: int, revisions: int) -> tuple[Counter[str], list[float]]:
    """Checks at once, with revisions under way: how each ended, and how long the checks took."""
    ended: Counter[str] = Counter()
    took: list[float] = []
    client = httpx2.Client(
        base_url=url, timeout=600, limits=httpx2.Limits(max_connections=AT_ONCE + revisions)
    )

    def check(_: int) -> None:
        started = time.perf_counter()
        ended[f"check {client.post('/v1/check', json=body).status_code}"] += 1
        took.append(time.perf_counter() - started)

    def revise(number: int) -> None:
        asked = {**REVISION, "text": f"{SENTENCES[number % 4]} {text_of(70)}"}
        ended[f"revise {client.post('/v1/revise', json=asked).status_code}"] += 1

    with ThreadPoolExecutor(AT_ONCE) as pool, ThreadPoolExecutor(max(revisions, 1)) as others, client:
        working = [others.submit(revise, number) for number in range(revisions)]
        list(pool.map(check, range(checks)))
        for one in working:
            one.result()
    return ended, took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model")
    parser.add_argument("--words", type=int, default=1000)
    parser.add_argument("--checks", type=int, default=500)
    parser.add_argument("--revisions", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()

    text = text_of(options.words)
    body: dict[str, object] = {"text": text, **CHECK}
    with contextlib.ExitStack() as stack:
        model = options.model or stack.enter_context(stand_in())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "data"
        url, pid = stack.enter_context(serving(model, folder))
        alone = one_after_another(url, body)
        print(f"/v1/check, {options.words} words: {_ms(alone)}")
        print(f"Harper, the same text: {_ms(list(_harper(text)))}")
        before = resident(pid)
        started = time.perf_counter()
        ended, took = load(url, body, options.checks, options.revisions)
        rate = options.checks / (time.perf_counter() - started)
        print(f"{AT_ONCE} checks at once: {_ms(took)}; {rate:.0f} a second; {dict(ended)}")
        print(f"MB after the first load: {_mb(before)} to {_mb(resident(pid))}")
        until, rounds = time.monotonic() + options.seconds, 0
        while time.monotonic() < until:
            more, _ = load(url, body, AT_ONCE, options.revisions)
            ended += more
            rounds += 1
        print(f"MB after {options.seconds:g} s and {rounds} rounds more: {_mb(resident(pid))}; {dict(ended)}")
    wrong = {name for name in ended if not name.endswith(("200", "429"))}
    return 1 if wrong else 0


def _harper(text: str) -> Iterator[float]:
    grammar_findings("It is ready.")
    for number in range(10):
        started = time.perf_counter()
        grammar_findings(f"{text} {number}.")
        yield time.perf_counter() - started


def _ms(seconds: list[float]) -> str:
    return f"median {statistics.median(seconds) * 1000:.0f} ms, p95 {p95(seconds) * 1000:.0f} ms"


def _mb(found: dict[str, float]) -> str:
    return ", ".join(f"{name} {size:.0f}" for name, size in sorted(found.items(), reverse=True))


if __name__ == "__main__":
    sys.exit(main())
