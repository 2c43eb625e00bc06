"""A larger editor as a teacher: errors put into clean passages, and passages edited by wish.

    python benchmarks/taught.py requests CLEAN.jsonl... --wishes WISHED.jsonl... --out requests.jsonl
    python benchmarks/taught.py requests --simpler WISHED.jsonl... --out requests.jsonl
    python benchmarks/taught.py answers requests.jsonl --base GGUF --damager ADAPTER --out DIR
    python benchmarks/taught.py answers requests.jsonl --base GGUF --editor ADAPTER --out DIR
    python benchmarks/taught.py rows DIR --out taught

A row of CLEAN or WISHED has a `text`, or is a pair whose `target` is one. `requests` asks for errors in
each clean passage, and for the edits that each wished one is fit for, those that were asked for least.
With `--simpler`, simpler versions are asked for as the policy `rewrite` does, for the adapter of that.
`answers` wants a GPU: errors are drawn, edits are greedy; what is finished when the time is over stays. A
request says in `asked` or `messages` how it is put, or as the control has it. `rows` keeps what obeys and has
the same figures, names and denials, as `taught_errors.jsonl` and `taught_edits.jsonl`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from learners import DAMAGED, NUMBERS, WORDS, lines, save
from redraft.editor import control_instruction, editor_messages, room, usable
from redraft.models import Completion, Message, Request
from redraft.quality import compare_meaning
from redraft.simplification import load_policy, messages
from redraft.text import Document

ERRORS = (0.0, 0.03, 0.05, 0.08, 0.1, 0.12, 0.15)
"""Errors that are asked for, as shares of the words."""
MOST = 12
SPARED = 0.08
"""Of the passages, so many get no errors."""
LEAST_WORDS = {"shorten": 18, "concise": 20, "split": 20}
TONES = ("formal", "friendly", "polite")
FIRST = re.compile(r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur|[Uu]s|me|mine|ours|myself|ourselves)\b")
PASSIVE = re.compile(
    r"(?i)\b(?:is|are|was|were|been|being|be)\s+(?:\w+ly\s+)?(?:\w+ed|\w+en|made|held|sent|told|put|set|done|found|kept|paid)\b"
)
SHORT_FORM = re.compile(r"(?i)\w(?:n['’]t|['’](?:re|ve|ll|d|m))\b|\b(?:it|that|there|he|she|what)['’]s\b")
DENIAL = re.compile(r"(?i)\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b")
LENGTHS = {
    "shorten": (0.2, 0.95),
    "concise": (0.4, 0.95),
    "split": (0.85, 1.35),
    "plain": (0.5, 1.25),
    "active": (0.7, 1.2),
    "impersonal": (0.65, 1.3),
    "formal": (0.7, 1.6),
    "friendly": (0.7, 1.6),
    "polite": (0.7, 1.9),
    "simplification": (0.45, 1.5),
}
"""The words of an edit, as a share of the passage's."""
SOUND = -0.45
"""The mean log-probability of a token of an edit, at the least."""
HEAT = 0.95
"""The temperature at which errors are drawn."""
AT_ONCE = 8192


def words(text: str) -> int:
    """How many words a text has."""
    return len(text.split())


def longest(text: str) -> int:
    """Words of the longest sentence."""
    return max(words(sentence.text) for sentence in Document(text).sentences)


def fit(text: str, rng: random.Random) -> Iterator[tuple[str, dict[str, int]]]:
    """The edits that a passage is fit for, with their values."""
    count = words(text)
    if count >= LEAST_WORDS["shorten"]:
        yield "shorten", {"n": round(count * rng.uniform(0.4, 0.85))}
    if count >= LEAST_WORDS["concise"]:
        yield "concise", {}
        yield "plain", {}
    if longest(text) >= LEAST_WORDS["split"]:
        yield "split", {"n": round(longest(text) * rng.uniform(0.4, 0.75))}
    if PASSIVE.search(text):
        yield "active", {}
    if FIRST.search(text):
        yield "impersonal", {}
    for tone in TONES:
        yield tone, {}


def requests(given: argparse.Namespace) -> None:
    """Ask for errors in clean passages, and for edits of others."""
    rng = random.Random(given.seed)

    def read(paths: Iterable[Path]) -> list[str]:
        found = (str(row.get("text", row.get("target"))) for path in paths for row in lines(path))
        return list(dict.fromkeys(text for text in found if "\n" not in text and 4 <= words(text) <= 130))

    def made() -> Iterator[dict[str, Any]]:
        for text in read(given.files):
            for _ in range(given.draws):
                share = rng.choice(ERRORS[1:])
                n = 0 if rng.random() < SPARED else min(MOST, max(1, round(share * words(text))))
                yield {"task": "errors", "text": text, "values": {"n": n}}
        asked: Counter[str] = Counter()
        for text in read(given.wishes):
            by_need = sorted(fit(text, rng), key=lambda one: asked[one[0]] + rng.random())
            for task, values in by_need[: given.each]:
                asked[task] += 1
                yield {"task": task, "text": text, "values": values}
        policy = load_policy("rewrite") if given.simpler else None
        for text in read(given.simpler) if policy else ():
            put = [(one.role, one.content) for one in messages(policy, text)]
            yield {"task": "simplification", "text": text, "values": {}, "messages": put}

    rows = list(made())
    rng.shuffle(rows)
    print(Counter(row["task"] for row in rows))
    save(given.out, rows)


def answers(given: argparse.Namespace) -> None:
    """Let the teacher answer, as long as there is time."""
    from redraft.train.planning import batch_decoder  # noqa: PLC0415 - torch
    from redraft.train.planning.batch_writer import BatchWriter  # noqa: PLC0415

    vars(batch_decoder)["_PROMPT"] = 128
    rows = [row for row in lines(given.files[0]) if (row["task"] == "errors") == bool(given.damager)]
    writer = BatchWriter(given.base, rows=given.rows, room=(given.rows * 256, given.rows * 256))
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / ("errors.jsonl" if given.damager else "edits.jsonl")
    started, done = time.time(), 0
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, len(rows), AT_ONCE):
            if time.time() > given.until:
                break
            part = rows[start : start + AT_ONCE]
            asked = [request(row, str(given.damager or given.editor), start, given.heat) for row in part]
            found = asyncio.run(writer.complete_all(asked))
            for row, own, likely in zip(part, found, writer.likelihoods, strict=True):
                done += sum(one.usage.completion_tokens for one in own)
                if own and own[0].finish == "stop":
                    answered = {**row, "answer": own[0].text, "likely": round(likely[0], 3)}
                    file.write(json.dumps(answered, ensure_ascii=False) + "\n")
            file.flush()
            speed = done / (time.time() - started)
            print(f"{start + len(part):,} of {len(rows):,}, {speed:,.0f} tokens/s", flush=True)


def request(row: dict[str, Any], adapter: str, seed: int, heat: float = 0.0) -> Request:
    """How the teacher is asked."""
    text, task = row["text"], row["task"]
    drawn = task == "errors"
    if drawn:
        said: tuple[Message, ...] = (Message("user", DAMAGED.format(text=text, **row["values"])),)
    elif "asked" in row:
        said = tuple(editor_messages(row["asked"], text))
    elif "messages" in row:
        said = tuple(Message(role, content) for role, content in row["messages"])
    else:
        said = tuple(editor_messages(control_instruction(task, **row["values"]), text))
    return Request(
        said, max_tokens=room(text), temperature=HEAT if drawn else heat, n=1, seed=seed, adapter=adapter
    )


def as_pair(row: dict[str, Any]) -> dict[str, Any] | None:
    """The row that an answer makes, or None."""
    source, task, answer = row["text"], row["task"], row["answer"].strip()
    if not answer or "\n" in answer:
        return None
    if task == "errors":
        alike = SequenceMatcher(None, WORDS.findall(source), WORDS.findall(answer), autojunk=False).ratio()
        kept = NUMBERS.findall(source) == NUMBERS.findall(answer) and alike >= 0.55
        meant = (answer == source) == (row["values"]["n"] == 0)
        return (
            {"task": "fluency", "input": answer, "target": source, "source": "taught"}
            if kept and meant
            else None
        )
    text = usable(Completion(answer, "stop"), source)
    if text is None or text == source or row["likely"] < SOUND or not obeys(task, source, text):
        return None
    if not is_faithful(task, source, text):
        return None
    values = {"shorten": {"n": words(text)}, "split": {"n": longest(text)}}.get(task)
    pair: dict[str, Any] = {"task": task, "input": source, "target": text, "source": "taught"}
    return {**pair, "values": values} if values else pair


def obeys(task: str, source: str, text: str) -> bool:
    """Whether an edit does what was asked."""
    least, most = LENGTHS[task]
    if not least * words(source) <= words(text) <= most * words(source):
        return False
    if source.rstrip("\"'”’)")[-1:] in ".!?" and text.rstrip("\"'”’)")[-1:] not in ".!?":
        return False
    if task == "split":
        return longest(text) < 0.85 * longest(source)
    if task == "active":
        return len(PASSIVE.findall(text)) < len(PASSIVE.findall(source))
    if task == "impersonal":
        return not FIRST.search(text)
    if task == "formal":
        return not SHORT_FORM.search(text)
    return True


def names(text: str) -> set[str]:
    """Words with a capital that begin no sentence."""
    return set(re.findall(r"(?<![.!?:]\s)(?<!\A)(?<=\s)[A-Z]\w+", text))


def is_faithful(task: str, source: str, text: str) -> bool:
    """Whether figures, names and denials are the same, and what else is compared; a cut may lose some."""
    cut = task in ("shorten", "concise")
    old, new = Counter(NUMBERS.findall(source)), Counter(NUMBERS.findall(text))
    if new - old or (old - new and task != "shorten"):
        return False
    low = source.lower()
    if any(name.lower() not in low for name in names(text)):
        return False
    if not cut and any(name.lower() not in text.lower() for name in names(source)):
        return False
    denied = len(DENIAL.findall(source)), len(DENIAL.findall(text))
    if denied[1] > denied[0] or (denied[0] != denied[1] and task != "shorten"):
        return False
    if task in TONES or task == "shorten":
        return True
    return all(change.kind in ("modal", "person") for change in compare_meaning(source, text))


def rows(given: argparse.Namespace) -> None:
    """Keep the answers that teach."""
    for name in ("errors", "edits"):
        path = given.files[0] / f"{name}.jsonl"
        if path.exists():
            answered = list(lines(path))
            with ProcessPoolExecutor(given.workers) as pool:
                found = list(pool.map(as_pair, answered, chunksize=256))
            kept = [row for row in found if row]
            every = Counter(row["task"] for row in answered)
            print(
                {
                    task: f"{n} of {every.get(task, every['errors'])}"
                    for task, n in Counter(row["task"] for row in kept).items()
                }
            )
            save(Path(f"{given.out}_{name}.jsonl"), kept)


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("do", choices=[one.__name__ for one in STEPS])
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--simpler", type=Path, nargs="*", default=[])
    parser.add_argument("--wishes", type=Path, nargs="*", default=[])
    parser.add_argument("--draws", type=int, default=1, help="of `requests`: errors of a clean passage")
    parser.add_argument("--each", type=int, default=3, help="of `requests`: edits of a passage")
    parser.add_argument("--base", type=Path)
    parser.add_argument("--damager", type=Path)
    parser.add_argument("--editor", type=Path)
    parser.add_argument("--heat", type=float, default=0.0, help="of `answers`: edits are drawn, not greedy")
    parser.add_argument("--rows", type=int, default=1024, help="answers that are written at once")
    parser.add_argument("--until", type=float, default=time.time() + 1e6, help="epoch seconds")
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    {one.__name__: one for one in STEPS}[given.do](given)


STEPS = (requests, answers, rows)

if __name__ == "__main__":
    main()
