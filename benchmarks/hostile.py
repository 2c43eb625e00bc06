"""Generated inputs through everything that reads what others wrote: which errors are not ours, what is slow.

    python benchmarks/hostile.py [--count 100000] [--seed 1]

Instructions, texts, calls, policies and records are drawn from real ones and damaged: cut, doubled, spliced
with one another and with odd characters, nested, given other types. Prints what raised anything but a
RedraftError, and the slowest input of each reader by its size. Exits with 1 if there was any such error.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import redraft
from redraft.bench import read_entries, read_samples, rows
from redraft.constraints import parse_call
from redraft.errors import RedraftError
from redraft.judge import read_columns
from redraft.runs import Batch
from redraft.simplification import policy_text, read_policy
from redraft.text import Document, parse_json_lines

HERE = Path(__file__).parent
ODD = (
    *"=<>~_*`#|[]{}()\"'$%&@^-+./\\:;,!?0 \t\n\r\x00\x1b\x7f\u200b\u202e\ud800é漢🙂“”—…",
    *(
        "\\a{",
        "\\begin{x}",
        "](",
        "<!--",
        "$$",
        "[[",
        "{{",
        "NaN",
        "1e999",
        "-1",
        "9" * 30,
        "null",
        "true",
        "- ",
        "!!python/",
    ),
)
CALLS = (
    'word_count_check(300, "less than")',
    'sentence_modification_check([3, 4], "unchange")',
    'keyword_keep_removal_check("synergy", "remove")',
    'keyword_frequency_check("a", 2, "at most")',
    'pattern_check("[a-z]{2}", "forbid")',
    'starts_with_check("Dear")',
)
RECORDS = (
    {"id": "1", "level": 2, "instruction": "Under 9 words.", "text": "A b. C d.", "calls": [CALLS[0]]},
    {
        "infer_id": 1,
        "task_type": "cloze",
        "sub_task": "x",
        "instruction": "i",
        "input": "{}",
        "reference": "r",
    },
    {
        "id": "a",
        "text": "One. Two.",
        "instruction": "Keep sentence 1.",
        "calls": [CALLS[2]],
        "format": "text",
    },
    {"id": "a", "input": "x", "references": ["y"], "task": "gec", "documents": []},
    {"item": "1", "anna": 3, "ben": 4},
)


def damaged(text: str, others: list[str], draw: random.Random) -> str:
    """The text after a few accidents."""
    for _ in range(draw.randint(0, 4)):
        start, end = sorted(draw.randint(0, len(text)) for _ in range(2))
        other = draw.choice(others)
        piece = draw.choice(
            [
                "",
                draw.choice(ODD) * draw.choice([1, 2, 40]),
                text[start:end] * 2,
                other[draw.randint(0, len(other)) :][:60],
                chr(draw.choice([draw.randint(0, 0x2FF), draw.randint(0, 0x10FFFF)])),
                draw.choice("[{(") * draw.choice([3, 200]),
            ]
        )
        end = min(end, start + draw.choice([0, 3, 30]))
        text = text[:start] + piece + text[end:]
    return text[:4000]


def of_a_file(read: Callable[[Path], object], name: str) -> Callable[[str], object]:
    """A reader of files as one of texts."""
    path = Path(tempfile.mkdtemp()) / name

    def run(text: str) -> object:
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return read(path)

    return run


def readers() -> dict[str, tuple[Callable[[str], object], list[str]]]:
    """Everything that reads, each with what it reads on a good day."""
    instructions = [
        json.loads(line)["instruction"]
        for line in (HERE / "phrasings.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    memo = (HERE.parent / "examples" / "memo.txt").read_text(encoding="utf-8")
    latex = r"\section{A} We show \cite{b} that $x<y$. \begin{equation}1\end{equation} It \emph{holds}."
    texts = [memo, "# Head\n\n* one\n* [two](http://x.org)\n\n| a | b |\n|---|---|\n| 1 | `2` |\n", latex]
    lines = [json.dumps(record) for record in RECORDS]
    return {
        "parse": (redraft.parse, instructions),
        "check": (
            lambda text: redraft.check(text[:800], text[-200:], original=text[:500]),
            [*texts, *instructions],
        ),
        "sentences, text": (lambda text: Document(text).sentences, texts),
        "sentences, markdown": (lambda text: Document(text, "markdown").sentences, texts),
        "sentences, latex": (lambda text: Document(text, "latex").sentences, texts),
        "call": (parse_call, list(CALLS)),
        "policy": (read_policy, [policy_text("lexical"), policy_text("rewrite")]),
        "lines of JSON": (lambda text: list(parse_json_lines(text, "x")), lines),
        "constrev": (of_a_file(lambda path: list(read_samples(path)), "x.jsonl"), lines),
        "c3e": (of_a_file(lambda path: list(read_entries(path)), "x.jsonl"), lines),
        "editeval": (of_a_file(lambda path: list(rows(path)), "x.jsonl"), lines),
        "table": (of_a_file(lambda path: list(rows(path)), "x.csv"), ["a,b\n1,2\n", 'a\tb\n"1\t2\n']),
        "batch": (of_a_file(lambda path: Batch(path).survey(), "x.jsonl"), lines),
        "ratings": (
            of_a_file(lambda path: read_columns(str(path)), "x.csv"),
            ["item,anna,ben\n1,3,4\n2,2,5\n"],
        ),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    known = readers()
    others = [text for _, good in known.values() for text in good]
    foreign: Counter[str] = Counter()
    example: dict[str, str] = {}
    refused: Counter[str] = Counter()
    slowest = dict.fromkeys(known, (0.0, ""))
    for number in range(options.count):
        name = list(known)[number % len(known)]
        read, good = known[name]
        text = damaged(draw.choice(good), others, draw)
        started = time.process_time()
        try:
            read(text)
        except RedraftError:
            refused[name] += 1
        except Exception as error:
            key = f"{name}: {type(error).__name__}: {str(error)[:80]}"
            foreign[key] += 1
            example.setdefault(key, text)
        spent = time.process_time() - started
        slowest[name] = max(slowest[name], (spent * 100_000 / max(len(text), 1_000), text[:60]))
    print(f"{options.count} inputs, {sum(refused.values())} refused with an error of ours: {dict(refused)}")
    for name, (seconds, text) in slowest.items():
        print(f"  {name:20} at most {seconds:.2f} s of processor time per 100 kB  {text!r}")
    print(f"{sum(foreign.values())} errors that are not ours")
    for key, count in foreign.most_common():
        print(f"  {count} × {key}\n    {example[key][:300]!r}")
    return 1 if foreign else 0


if __name__ == "__main__":
    raise SystemExit(main())
