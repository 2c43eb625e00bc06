"""The edit tagger, taught on a GPU: pairs into rows of words and tags, and rows into what ships.

    python benchmarks/tagger.py rows written.jsonl taught_errors.jsonl --clean prose.jsonl --out rows.jsonl.gz
    python benchmarks/tagger.py train rows.jsonl.gz --minutes 7.5 --out tagger.safetensors
    python benchmarks/tagger.py score tagger.safetensors dev.jsonl

Pairs have `input` and `target`, and where they have a `task` it is `fluency`; clean texts have `text`. Each
time that a pair comes up, some of its errors are mended beforehand, so that it teaches something new.
`score` counts right and wrong tags on pairs that nobody trained on, on the processor of any machine.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import math
import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from redraft.editor import KEEP, OTHER, tags_of, words_in
from redraft.models import TAGGER, EmbeddedTagger, ensure
from redraft.models.onnx_file import block_names, dense_tensors
from redraft.models.tokenization import WordPiece
from redraft.settings import load_settings
from redraft.train.rows import read_objects

LONGEST_TEXT, LONGEST, BATCH = 220, 192, 24_576
"""Words of a text, pieces of a row, and pieces of a batch, at the most."""
RANK, RATE, LEAST = 64, 8e-4, 8
"""Of the adapter, of learning, and how often a tag occurs that is taught."""
ALL_WRONG, ALL_RIGHT = 0.4, 0.05
"""How often a pair comes with all of its errors, and with none."""
WORKERS = 5

Row = dict[str, Any]


def as_row(given: tuple[str, str, float]) -> Row | None:
    """A pair as words, tags, what stands for each word, and which edit it belongs to."""
    before, after, weight = given
    source, target = words_in(before), words_in(after)
    if not source or not target or max(len(source), len(target)) > LONGEST_TEXT:
        return None
    found = tags_of(source, target)
    edits: list[int] = []
    last = 0
    for place, one in enumerate(found):
        changes = one.tag != KEEP or not one.becomes
        last += changes and not (place and edits[-1])
        edits.append(last if changes else 0)
    return {
        "words": [one.word for one in found],
        "tags": [one.tag for one in found],
        "becomes": [one.becomes for one in found],
        "edits": edits,
        "weight": weight,
    }


def make_rows(given: argparse.Namespace) -> None:
    """Rows of all pairs, and of clean texts, which have no errors."""
    pairs = [
        (row["input"], row["target"], given.weight)
        for path in given.files
        for _, row in read_objects(path, "an object")
        if row.get("task", "fluency") == "fluency"
    ]
    pairs += [
        (row["text"], row["text"], 0.7) for path in given.clean for _, row in read_objects(path, "an object")
    ]
    with multiprocessing.Pool() as pool, gzip.open(given.out, "at" if given.more else "wt") as file:
        rows = [row for row in pool.imap(as_row, pairs, 200) if row]
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    print(f"{len(rows):,} rows in {given.out}")


class Batches:
    """Batches of token numbers and tags, made anew for each epoch by several processes."""

    def __init__(self, rows: Sequence[Row], tags: Sequence[str], tokenizer: WordPiece) -> None:
        self._rows = rows
        self._numbers = {tag: number for number, tag in enumerate(tags)}
        words = {word for row in rows for becomes in row["becomes"] for word in becomes}
        words |= {word for row in rows for word in row["words"]}
        unknown = [tokenizer.id_of("[UNK]")]
        self._pieces = {word: tokenizer.encode(word).ids or unknown for word in words}
        self._ends = tokenizer.id_of("[CLS]"), tokenizer.id_of("[SEP]")

    def start(self, seed: int) -> Any:
        """A queue of epochs."""
        context = multiprocessing.get_context("fork")
        queue = context.Queue(4)
        for worker in range(WORKERS):
            context.Process(target=self._fill, args=(queue, seed * 100 + worker), daemon=True).start()
        return queue

    def _fill(self, queue: Any, seed: int) -> None:
        random.seed(seed)
        while True:
            queue.put(self._epoch())

    def _epoch(self) -> list[list[tuple[Any, Any]]]:
        made = []
        for row in self._rows:
            whole, part = divmod(row["weight"], 1)
            made += [self._encoded(row) for _ in range(int(whole) + (random.random() < part))]
        made.sort(key=lambda pair: len(pair[0]) + 4 * random.random())
        batches: list[list[tuple[Any, Any]]] = [[]]
        for pair in made:
            if batches[-1] and (len(batches[-1]) + 1) * len(pair[0]) > BATCH:
                batches.append([])
            batches[-1].append(pair)
        random.shuffle(batches)
        return batches

    def _encoded(self, row: Row) -> tuple[Any, Any]:
        first, last = self._ends
        numbers, labels = [first], []
        for place, (word, tag) in enumerate(self._variant(row)):
            if not place:
                labels.append(tag)
                continue
            pieces = self._pieces[word]
            if len(numbers) + len(pieces) > LONGEST - 1:
                break
            numbers += pieces
            labels += [tag, *[-100] * (len(pieces) - 1)]
        return np.array([*numbers, last], np.int32), np.array([*labels, -100], np.int32)

    def _variant(self, row: Row) -> Iterator[tuple[str, int]]:
        """The words of a row, some of whose errors are mended, and their tags."""
        drawn = random.random()
        share = 1.0 if drawn < ALL_WRONG else 0.0 if drawn > 1 - ALL_RIGHT else random.random()
        wrong = [True, *(random.random() < share for _ in range(max(row["edits"])))]
        other = self._numbers[OTHER]
        for word, tag, becomes, edit in zip(
            row["words"], row["tags"], row["becomes"], row["edits"], strict=True
        ):
            if wrong[edit]:
                yield word, self._numbers.get(tag, other)
            else:
                yield from ((one, 0) for one in becomes)


def train(given: argparse.Namespace) -> None:
    """Teach the tagger, and write what it learnt."""
    torch: Any = import_module("torch")  # the other commands do without
    transformers: Any = import_module("transformers")
    folder = ensure(TAGGER, load_settings().weights())
    with gzip.open(given.rows, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    counts = Counter(tag for row in rows for tag in row["tags"])
    tags = [KEEP, OTHER, *(tag for tag, count in counts.most_common() if count >= LEAST and tag != KEEP)]
    queue = Batches(rows, tags, WordPiece.from_file(folder / "tokenizer.json")).start(given.seed)
    torch.manual_seed(given.seed)
    tensors = dense_tensors(folder / "tagger.onnx")
    model = transformers.DistilBertModel(transformers.DistilBertConfig(vocab_size=28_996))
    names = block_names(6)
    numbered = sorted(
        (one for one in tensors if one.startswith("onnx::MatMul_")), key=lambda one: int(one[13:])
    )
    state = {
        name.removeprefix("distilbert."): torch.tensor(one)
        for name, one in tensors.items()
        if "::" not in name
    }
    state |= {
        f"{name}.weight": torch.tensor(tensors[one].T) for name, one in zip(names, numbered, strict=False)
    }
    print(
        model.load_state_dict({name: one for name, one in state.items() if not name.startswith("classifier")})
    )
    for parameter in model.parameters():
        parameter.requires_grad = parameter.ndim == 1  # norms and biases are small
    changes = {name: _adapt(model, name, torch) for name in names}
    head = torch.nn.Linear(768, len(tags))
    model, head = model.cuda(), head.cuda()
    learnt = [one for one in (*model.parameters(), *head.parameters()) if one.requires_grad]
    optimizer = torch.optim.AdamW(learnt, lr=RATE, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    start, step, seconds = time.time(), 0, given.minutes * 60
    while (done := (time.time() - start) / seconds) < 1:
        for batch in queue.get():
            done = (time.time() - start) / seconds
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1, (step + 1) / 150) * max(0.02, 1 - done)
            numbers, labels, mask = (torch.from_numpy(one).cuda() for one in _padded(batch))
            with torch.autocast("cuda", torch.bfloat16):
                hidden = model(numbers, attention_mask=mask).last_hidden_state
                told = labels != -100
                loss = torch.nn.functional.cross_entropy(head(hidden[told]).float(), labels[told])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learnt, 1.0)
            optimizer.step()
            step += 1
            if step % 200 == 0:
                print(f"{time.time() - start:.0f} s, step {step}, loss {loss.item():.4f}", flush=True)
            if done >= 1:
                break
    found = {name: one for name, one in model.state_dict().items() if one.ndim == 1}
    found = {name.replace(".line.", "."): one for name, one in found.items()}
    for name, change in changes.items():
        found |= {f"{name}.a": change.a, f"{name}.b": 2 * change.b}
    arrays = {name: one.detach().half().cpu().numpy() for name, one in found.items()}
    arrays |= {"head.weight": head.weight.detach().half().cpu().numpy()}
    arrays |= {"head.bias": head.bias.detach().float().cpu().numpy()}
    save_file(arrays, given.out, metadata={"tags": json.dumps(tags, ensure_ascii=False)})


def _adapt(model: Any, name: str, torch: Any) -> Any:
    """Put a LoRA in the place of a matrix of the model."""

    class Adapted(torch.nn.Module):  # type: ignore[misc]
        def __init__(self, line: Any) -> None:
            super().__init__()
            self.line = line
            size = line.in_features
            self.a = torch.nn.Parameter(torch.randn(RANK, size) / math.sqrt(size))
            self.b = torch.nn.Parameter(torch.zeros(line.out_features, RANK))

        def forward(self, given: Any) -> Any:
            return self.line(given) + 2 * ((given @ self.a.T) @ self.b.T)

    *path, last = name.split(".")
    owner = model.get_submodule(".".join(path))
    setattr(owner, last, Adapted(getattr(owner, last)))
    return getattr(owner, last)


def _padded(batch: Sequence[tuple[Any, Any]]) -> tuple[Any, Any, Any]:
    longest = max(len(numbers) for numbers, _ in batch)
    numbers, mask = np.zeros((2, len(batch), longest), np.int64)
    labels = np.full((len(batch), longest), -100, np.int64)
    for place, (own, told) in enumerate(batch):
        numbers[place, : len(own)], labels[place, : len(told)], mask[place, : len(own)] = own, told, 1
    return numbers, labels, mask


def score(given: argparse.Namespace) -> None:
    """Right, wrong and missed tags on pairs, at several bars."""
    tagger = EmbeddedTagger(load_settings(), given.tagger)
    counts = {bar: Counter[str]() for bar in (0.3, 0.5, 0.7)}
    for _, row in read_objects(given.pairs, "an object"):
        wanted = tags_of(words_in(row["input"]), words_in(row["target"]))
        (odds,) = asyncio.run(tagger.tagged([[one.word for one in wanted[1:]]]))
        likely = np.exp(odds.log_probs)
        likely[:, odds.tags.index(OTHER)] = 0.0
        for one, row_of in zip(wanted, likely, strict=False):
            best = int(row_of.argmax())
            for bar, count in counts.items():
                tag = odds.tags[best] if row_of[best] > bar else KEEP
                count["right"] += tag == one.tag != KEEP
                count["wrong"] += tag not in (one.tag, KEEP)
                count["missed"] += tag != one.tag != KEEP
    for bar, count in counts.items():
        right, wrong, missed = count["right"], count["wrong"], count["missed"]
        print(f"{bar}: P {right / max(right + wrong, 1):.2f}  R {right / max(right + missed, 1):.2f}")


def main() -> None:
    """Read the arguments, and do one of the three."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    rows = commands.add_parser("rows")
    rows.add_argument("files", type=Path, nargs="*")
    rows.add_argument("--clean", type=Path, nargs="*", default=())
    rows.add_argument("--weight", type=float, default=1.0, help="how often an epoch takes each pair")
    rows.add_argument("--more", action="store_true", help="go on with the file that is there")
    rows.add_argument("--out", type=Path, required=True)
    rows.set_defaults(do=make_rows)
    learn = commands.add_parser("train")
    learn.add_argument("rows", type=Path)
    learn.add_argument("--minutes", type=float, default=7.5)
    learn.add_argument("--seed", type=int, default=0)
    learn.add_argument("--out", type=Path, required=True)
    learn.set_defaults(do=train)
    count = commands.add_parser("score")
    count.add_argument("tagger", type=Path)
    count.add_argument("pairs", type=Path)
    count.set_defaults(do=score)
    given = parser.parse_args()
    given.do(given)


if __name__ == "__main__":
    main()
