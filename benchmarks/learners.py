"""Errors as learners make them, put into clean text by a model that learnt from theirs.

    python benchmarks/learners.py sentences PROSE... --tests DATA --out clean.jsonl
    python benchmarks/learners.py corrected REALEC.jsonl.gz --out pairs.jsonl
    python benchmarks/learners.py turned PAIRS.jsonl... --out chat.jsonl
    redraft train chat --data chat.jsonl --start editor --rank 32 --epochs 3 --out damager
    python benchmarks/learners.py damaged clean.jsonl --adapter damager/adapter --out fluency_learnt.jsonl
    python benchmarks/learners.py answered sources.txt --adapter ADAPTER --out answers.jsonl

`corrected` asks the editor several times about learners' sentences whose wrong words are marked, and keeps
the answer that changes just these. `turned` makes conversations out of pairs, from right to wrong, that name
how many errors are wanted. `damaged` draws wrong sentences for clean ones; those that the plain model finds
no less likely are no errors, and are left out. `answered` is the greedy answer of an editor to each line, and
with `--draws N` so many more. All but `sentences` and `turned` want a GPU.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from redraft.editor import TEMPERATURE, editor_messages, room, usable
from redraft.models import Completion, Message, find_adapter
from redraft.settings import load_settings
from redraft.text import write_text
from redraft.train.guard import Guard
from redraft.train.judging import is_held_out
from redraft.train.pairs.material import passages, read_records
from redraft.train.rows import read_objects

ASKED = "Correct the spelling, grammar and punctuation"
DAMAGED = "Write this as a learner of English might, with {n} mistakes: {text}"
MOST = 14
"""Errors in one passage."""
LENGTHS = (1, 1, 2, 1, 3, 1, 1, 2)
DRAWS = 8
COUNTS = (0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6)
"""Errors that are asked for, by turns at random."""
WORDS = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
NUMBERS = re.compile(r"\d[\d.,]*")
LESS_LIKELY = 1.5
"""Nats by which a passage with errors must be less likely than the clean one."""


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, gzipped or not."""
    return (row for _, row in read_objects(path, "an object"))


def save(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows as JSON lines, and say how many."""
    texts = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    write_text(path, "".join(texts))
    print(f"{len(texts):,} rows in {path}", flush=True)


def sentences(given: argparse.Namespace) -> None:
    """Clean passages of one to three sentences, and none that is like a test set's text."""
    guard = Guard.from_files([given.tests]) if given.tests else None
    found = []
    for path in given.files:
        records = (one for one in read_records([path]) if not is_held_out(one.text))
        of = {str(one): one.source for one in passages(records, LENGTHS)}
        kept = [(text, source) for text, source in of.items() if len(text) < 420]
        random.Random(given.seed).shuffle(kept)
        found += kept[: given.most]
        print(path.name, len(kept), flush=True)
    random.Random(given.seed).shuffle(found)
    save(
        given.out,
        ({"text": text, "source": source} for text, source in found if not guard or not guard.knows(text)),
    )


def changed_words(before: Sequence[str], after: Sequence[str]) -> set[int]:
    """The places of words that are no longer there; where something came in, the word behind it."""
    places: set[int] = set()
    for kind, start, end, _, _ in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            places |= set(range(start, end)) or {start}
    return places


def edits(before: Sequence[str], after: Sequence[str]) -> int:
    """How many words or runs of words differ."""
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return sum(kind != "equal" for kind, *_ in codes)


def corrected(given: argparse.Namespace) -> None:
    """Corrections of sentences whose wrong words are marked."""
    from batched import Writer, base_file  # noqa: PLC0415 - torch

    rows = list(lines(given.files[0]))[: given.most]
    writer = Writer(base_file(), rows=given.rows, slots=256)
    weights = load_settings().weights()
    writer.use(find_adapter("editor", weights))
    heats = [0.0] + [0.8] * (DRAWS - 1)
    wrong = [row for row in rows if "i" in row["labels"]]
    asked = [editor_messages(ASKED, row["text"]) for row in wrong for _ in heats]
    rooms = [room(row["text"]) for row in wrong for _ in heats]
    answers = iter(writer.write(asked, rooms, [heat for _ in wrong for heat in heats], given.seed))
    found: list[tuple[float, dict[str, Any], str]] = []
    for row in wrong:
        texts = dict.fromkeys(
            usable(Completion(text, "stop" if ended else "length"), row["text"])
            for text, ended in [next(answers) for _ in heats]
        )
        tokens = WORDS.findall(row["text"])
        marked = set()
        at = 0
        for token, label in zip(row["tokens"], row["labels"], strict=True):
            size = len(WORDS.findall(token))
            marked |= set(range(at, at + size)) if label == "i" else set()
            at += size
        for text in texts:
            if text and text != row["text"]:
                places = changed_words(tokens, WORDS.findall(text))
                hits = len(places & marked)
                score = 2 * hits / (len(places) + len(marked))
                found.append((score, row, text))
    best: dict[str, tuple[float, str]] = {}
    for score, row, text in found:
        if score > best.get(row["text"], (0.49, ""))[0]:
            best[row["text"]] = (score, text)
    clean = [row["text"] for row in rows if "i" not in row["labels"]]
    save(
        given.out,
        [
            {"source": source, "target": text, "score": round(score, 2)}
            for source, (score, text) in best.items()
        ]
        + [{"source": text, "target": text, "score": 1.0} for text in clean],
    )


def turned(given: argparse.Namespace) -> None:
    """Conversations from right to wrong."""

    def made() -> Iterator[dict[str, Any]]:
        for path in given.files:
            for row in lines(path):
                wrong, right = row.get("input", row.get("source")), row.get("target")
                count = edits(WORDS.findall(right), WORDS.findall(wrong))
                if count <= MOST:
                    asked = DAMAGED.format(n=count, text=right)
                    yield {
                        "messages": [
                            {"role": "user", "content": asked},
                            {"role": "assistant", "content": wrong},
                        ]
                    }

    save(given.out, made())


def damaged(given: argparse.Namespace) -> None:
    """Pairs for correcting, with errors that were drawn."""
    import batched  # noqa: PLC0415 - torch

    batched.LIKELY = 5.0
    rng = random.Random(given.seed)
    texts = [(row["text"], row["source"]) for row in lines(given.files[0])][
        given.first : given.first + given.most
    ]
    writer = batched.Writer(batched.base_file(), rows=given.rows, slots=384)
    writer.use(given.adapter)
    wanted = [rng.choice(COUNTS) + (len(text) > 160) for text, _ in texts]
    asked = [
        (Message("user", DAMAGED.format(n=n, text=text)),) for n, (text, _) in zip(wanted, texts, strict=True)
    ]
    answers = writer.write(asked, [room(text) for text, _ in texts], [1.0] * len(texts), given.seed)
    pairs = []
    for (text, source), (answer, ended) in zip(texts, answers, strict=True):
        wrong = answer.strip()
        if not ended or not wrong or "\n" in wrong or NUMBERS.findall(wrong) != NUMBERS.findall(text):
            continue
        if SequenceMatcher(None, WORDS.findall(text), WORDS.findall(wrong), autojunk=False).ratio() < 0.6:
            continue
        pairs.append((wrong, text, source))
    print(f"{len(pairs):,} of {len(texts):,} can be used", flush=True)
    likely = likelihoods([one for wrong, text, _ in pairs for one in (wrong, text)])
    kept = []
    same = 0
    for at, (wrong, text, source) in enumerate(pairs):
        less = likely[2 * at + 1] - likely[2 * at]
        same += wrong == text
        if (wrong == text and same % 2) or less > LESS_LIKELY:
            kept.append({"task": "fluency", "input": wrong, "target": text, "source": f"{source}:learnt"})
    save(given.out, kept)


def likelihoods(texts: Sequence[str]) -> list[float]:
    """The log-likelihood of each text by the plain model."""
    import torch  # noqa: PLC0415

    from batched import base_file  # noqa: PLC0415
    from redraft.models import load_gguf, load_tokenizer  # noqa: PLC0415

    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = load_gguf(base_file()).model.to(device, torch.bfloat16 if device == "cuda" else torch.float32)
    tokenizer = load_tokenizer(base_file())
    ids = [[2, *one.ids] for one in tokenizer.encode_batch(list(texts), add_special_tokens=False)]
    order = sorted(range(len(ids)), key=lambda one: len(ids[one]))
    found = [0.0] * len(ids)
    with torch.inference_mode():
        while order:
            width = max(1, 32_768 // len(ids[order[min(len(order), 512) - 1]]))
            numbers, order = order[:width], order[width:]
            longest = max(len(ids[one]) for one in numbers)
            batch = torch.tensor(
                [ids[one] + [-100] * (longest - len(ids[one])) for one in numbers], device=device
            )
            logits = model(input_ids=batch.clamp(min=0)).logits[:, :-1].float()
            losses = torch.nn.functional.cross_entropy(
                logits.flatten(0, 1), batch[:, 1:].flatten(), reduction="none", ignore_index=-100
            )
            for number, value in zip(numbers, losses.view(len(numbers), -1).sum(1).tolist(), strict=True):
                found[number] = -value
    return found


def answered(given: argparse.Namespace) -> None:
    """Answers of an editor."""
    from batched import Writer, base_file  # noqa: PLC0415 - torch

    rows = list(lines(given.files[0]))
    writer = Writer(base_file(), rows=given.rows, slots=384)
    adapter = given.adapter
    writer.use(find_adapter("editor", load_settings().weights()) if adapter is None else adapter)
    heats = [0.0] + [TEMPERATURE] * given.draws
    every = [row for row in rows for _ in heats]
    asked = [editor_messages(row.get("asked", ASKED), row["text"]) for row in every]
    drawn = writer.write(asked, [room(row["text"]) for row in every], heats * len(rows), given.seed)
    texts = [
        usable(Completion(text, "stop" if ended else "length"), row["text"]) or row["text"]
        for row, (text, ended) in zip(every, drawn, strict=True)
    ]
    answers = [texts[at : at + len(heats)] for at in range(0, len(texts), len(heats))]
    more = [{"drawn": found[1:]} if given.draws else {} for found in answers]
    save(
        given.out,
        ({**row, "answer": found[0], **one} for row, found, one in zip(rows, answers, more, strict=True)),
    )


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("do", choices=[one.__name__ for one in STEPS])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--tests", type=Path)
    parser.add_argument("--adapter", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=1_000_000, help="of a file")
    parser.add_argument("--rows", type=int, default=512, help="answers that are written at once")
    parser.add_argument("--draws", type=int, default=0, help="of `answered`: answers beside the greedy one")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    {one.__name__: one for one in STEPS}[given.do](given)


STEPS = (sentences, corrected, turned, damaged, answered)

if __name__ == "__main__":
    main()
