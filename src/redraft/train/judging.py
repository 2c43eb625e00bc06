"""What the trained judge learns from: good sentences and bad, revisions that say the same and others.

Each set has a reader here; the folder has one sub-folder a set, as gzipped JSONL. What is held out, to
measure the judge on, is decided by the text alone, so that no training ever sees it.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, get_args

from redraft.errors import InputError
from redraft.quality import JudgeTask, compare_meaning, question
from redraft.train.breaking import breakages
from redraft.train.damage.profile import Profile, damage, load_profile
from redraft.train.misstating import misstatements
from redraft.train.restating import restatements
from redraft.train.rows import read_objects
from redraft.train.synthesise import is_clean_target, text_spans
from redraft.train.wordings import with_wrong_wordings, wordings

_HELD_OUT: Final = 20
"""One text in so many is kept to measure the judge on."""
_NEAR: Final = 0.85
"""Revisions that keep so much of the wording are taken to say the same."""
_PROFILES: Final = ("learner", "web")
_FEW_WORDS: Final = 40
_SHARE: Final = 0.3
"""Of the scientific sentences, and of the damaged ones as saying the same: there are enough of them."""
_REPEATED: Final = {"paws_wiki": 3, "gec_eracond": 2, "ged_realec": 2, "summedits": 2, "nli": 2}
_PROSE: Final = 30_000
"""Sentences of prose that are damaged, broken, and changed in what they say."""
_MOVED: Final = 100_000
"""Sentences of prose of which parts are moved; of one in ten a rule makes something."""
_FAITHFUL: Final = frozenset(
    {"active", "clarity", "concise", "fluency", "formal", "friendly", "merge", "plain", "polite", "split"}
    | {"with_word", "without_word"}
)
"""Tasks of rewrites that say what their source says."""
_READS_WELL: Final = frozenset({"another_join", "clause_to_the_front", "reason_apart", "report_to_the_front"})
"""Rules after which a sentence is good English too."""
_SENTENCE_END: Final = re.compile(r"(?<=[.!?]) ")
_EITHER_WAY: Final = frozenset({"active", "concise", "merge", "split", "with_word", "without_word"})


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """A question to the judge, and the answer: yes (1) or no (0)."""

    task: JudgeTask
    text: str
    label: int
    set: str
    source: str = ""


def is_held_out(key: str, one_in: int = _HELD_OUT) -> bool:
    """Whether what has this key is kept to measure on."""
    return int(hashlib.md5(key.encode(), usedforsecurity=False).hexdigest(), 16) % one_in == 0


def judge_rows(folder: Path, seed: int = 0) -> Iterator[JudgeRow]:
    """The rows of every set that the folder has, without what is held out."""
    for name, read in _SETS.items():
        if (folder / name).is_dir():
            yield from read(folder / name, random.Random(f"{seed} {name}"))


def without(rows: Iterable[JudgeRow], kept: frozenset[str]) -> Iterator[JudgeRow]:
    """The rows that have none of these sentences, which are kept to measure on."""
    for row in rows:
        texts = (row.text, row.source)
        if kept.isdisjoint(texts) and kept.isdisjoint(
            piece for text in texts for piece in _SENTENCE_END.split(text)
        ):
            yield row


def read_kept(path: Path) -> frozenset[str]:
    """The sources of rows that are kept to measure on."""
    return frozenset(str(row.get("source") or row.get("text")) for row in _objects(path))


def read_judge_rows(path: Path) -> Iterator[JudgeRow]:
    """Rows that were made elsewhere, as JSONL: task, text, label, set, and the source of a revision."""
    needs = "task (sound, same, better), text, source and label (0 or 1)"
    for where, row in read_objects(path, needs):
        try:
            task, label = row["task"], row["label"]
            made = JudgeRow(task, row["text"], int(label), row.get("set", path.stem), row.get("source") or "")
        except (KeyError, TypeError, ValueError):
            raise InputError(f"{where}: needs {needs}") from None
        if task not in get_args(JudgeTask) or label not in (0, 1):
            raise InputError(f"{where}: needs {needs}")
        yield made


def judge_conversations(rows: Iterable[JudgeRow], seed: int = 0) -> list[dict[str, Any]]:
    """The rows as conversations for `redraft train chat`, shuffled; small sets come more than once."""
    found = [
        {
            "messages": [
                {"role": "user", "content": question(row.task, row.text, row.source)},
                {"role": "assistant", "content": "yes" if row.label else "no"},
            ],
            "set": row.set,
        }
        for row in rows
        for _ in range(_REPEATED.get(row.set, 1))
    ]
    random.Random(seed).shuffle(found)
    return found


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    return (row for _, row in read_objects(path, "an object"))


def _correction(source: str, target: str, name: str, *, is_same: bool = True) -> Iterator[JudgeRow]:
    """A text with errors and its correction."""
    if source.split() == target.split() or not source.strip() or not target.strip():
        return
    yield JudgeRow("sound", source, 0, name)
    yield JudgeRow("sound", target, 1, name)
    yield JudgeRow("better", target, 1, name, source)
    yield JudgeRow("better", source, 0, name, target)
    if is_same:
        yield JudgeRow("same", target, 1, name, source)


def _chat_corrections(folder: Path, _: random.Random) -> Iterator[JudgeRow]:
    for row in _objects(folder / "eracond.jsonl.gz"):
        if not is_held_out(row["source"]):
            for target in row["targets"]:
                yield from _correction(row["source"], target, folder.name)


def _rule_corrections(folder: Path, rng: random.Random) -> Iterator[JudgeRow]:
    """Small corrections, now and then in capitals, and each made again in prose that has its wording."""
    pairs = [(row["source"], row["target"]) for row in _objects(folder / "pairs.jsonl.gz")]
    pairs = [pair for pair in pairs if not is_held_out(pair[0])]
    for source, target in pairs:
        yield from _correction(source, target, folder.name)
        written = rng.choice((str.upper, str.title, None, None, None, None, None, None))
        if written and source.lower() != target.lower():
            yield JudgeRow("better", written(target), 1, folder.name, written(source))
            yield JudgeRow("better", written(source), 0, folder.name, written(target))
    if (prose := folder.parent / "prose").is_dir():
        for wrong, sentence in with_wrong_wordings(_sentences(prose), wordings(pairs), rng):
            yield from _correction(wrong, sentence, f"{folder.name}:prose", is_same=False)
    for row in _objects(folder / "clean.jsonl.gz"):
        if not is_held_out(row["text"]):
            yield JudgeRow("sound", row["text"], 1, folder.name)


def _marked_errors(folder: Path, _: random.Random) -> Iterator[JudgeRow]:
    for row in _objects(folder / "dev.jsonl.gz"):
        yield JudgeRow("sound", row["text"], int("i" not in row["labels"]), folder.name)


def _word_pairs(folder: Path, rng: random.Random) -> Iterator[JudgeRow]:
    """Minimal pairs in a child's words, as sentences are written."""
    for row in _objects(folder / "zorro.jsonl.gz"):
        if rng.random() < 0.15:
            for key, label in (("good", 1), ("bad", 0)):
                text = re.sub(r" ([.?!,'])", r"\1", row[key])
                yield JudgeRow("sound", text[:1].upper() + text[1:], label, folder.name)


def _paraphrases(folder: Path, _: random.Random) -> Iterator[JudgeRow]:
    for row in _objects(folder / "dev.jsonl.gz"):
        if is_held_out(row["a"], 4):
            continue
        for source, text in ((row["a"], row["b"]), (row["b"], row["a"])):
            yield JudgeRow("same", text, row["label"], folder.name, source)


def _negations(folder: Path, rng: random.Random) -> Iterator[JudgeRow]:
    for row in _objects(folder / "cannot.jsonl.gz"):
        if is_held_out(row["a"]) or row["a"] == row["b"]:
            continue
        # Nine in ten are negated: half of these are enough.
        if not row["negated"] or rng.random() < 0.5:
            yield JudgeRow("same", row["b"], 1 - row["negated"], folder.name, row["a"])


def _entailments(folder: Path, _: random.Random) -> Iterator[JudgeRow]:
    for row in _objects(folder / "cad_snli.jsonl.gz"):
        if not is_held_out(row["premise"]):
            label = int(row["label"] == "entailment")
            yield JudgeRow("same", row["hypothesis"], label, folder.name, row["premise"])


def _edited_summaries(folder: Path, _: random.Random) -> Iterator[JudgeRow]:
    for row in _objects(folder / "summedits.jsonl.gz"):
        if not is_held_out(str(row["doc_id"])) and row["summary"] != row["original_summary"]:
            yield JudgeRow("same", row["summary"], row["consistent"], folder.name, row["original_summary"])


def _copy_edits(folder: Path, rng: random.Random) -> Iterator[JudgeRow]:
    """Revisions of scientific prose; those that keep numbers, names and most of the wording say the same."""
    profiles = [load_profile(name) for name in _PROFILES]
    for name in ("abstract_sentences", "preprint_sentences"):
        for row in _objects(folder / f"{name}.jsonl.gz"):
            source, target = row["source"], row["target"]
            if is_held_out(str(row["id"])) or max(len(source), len(target)) > 500 or row["sim"] < 0.6:
                continue
            if rng.random() < _SHARE:
                yield from _damaged(target, profiles, rng, folder.name)
            if row["sim"] >= _NEAR and not compare_meaning(source, target):
                yield JudgeRow("same", target, 1, folder.name, source)
            if name == "abstract_sentences":
                yield JudgeRow("better", target, 1, folder.name, source)
                yield JudgeRow("better", source, 0, folder.name, target)
            yield from _changed_facts(target, rng, folder.name)


@lru_cache(maxsize=1)
def _sentences(folder: Path) -> tuple[str, ...]:
    """The clean sentences of prose, one or a few that belong together."""
    return tuple(
        stretch
        for path in sorted(folder.glob("*.jsonl.gz"))
        for row in _objects(path)
        for stretch in text_spans(row["text"])
        if not is_held_out(stretch) and is_clean_target(stretch) and len(stretch.split()) <= _FEW_WORDS
    )


def _prose(folder: Path, rng: random.Random) -> Iterator[JudgeRow]:
    """Clean sentences, and the same damaged once and twice: of two, the one with fewer errors is better."""
    sentences = _sentences(folder)
    profiles = [load_profile(name) for name in _PROFILES]
    for sentence in rng.sample(sentences, min(_PROSE, len(sentences))):
        yield from _damaged(sentence, profiles, rng, folder.name)
        yield from _changed_facts(sentence, rng, folder.name)
        yield from _broken(sentence, rng, folder.name)
    for sentence in rng.sample(sentences, min(_MOVED, len(sentences))):
        yield from _restated(sentence, rng, folder.name)


def _damaged(sentence: str, profiles: Sequence[Profile], rng: random.Random, name: str) -> Iterator[JudgeRow]:
    yield JudgeRow("sound", sentence, 1, name)
    once = damage(sentence, rng.choice(profiles), rng).text
    if once == sentence:
        return
    yield from _correction(once, sentence, name, is_same=rng.random() < _SHARE)
    twice = damage(once, rng.choice(profiles), rng).text
    if twice not in (once, sentence):
        yield JudgeRow("better", once, 1, name, twice)
        yield JudgeRow("better", twice, 0, name, once)


def _changed_facts(sentence: str, rng: random.Random, name: str) -> Iterator[JudgeRow]:
    """The sentence with one thing said otherwise."""
    for rule, changed in misstatements(sentence, rng, 1):
        yield JudgeRow("same", changed, 0, f"{name}:facts:{rule}", sentence)
        yield JudgeRow("better", changed, 0, f"{name}:facts:{rule}", sentence)


def _restated(sentence: str, rng: random.Random, name: str) -> Iterator[JudgeRow]:
    """What says the same as the sentence in another order, either way, and each with one thing changed.

    The changed ones have moved as much as those that say the same: order alone tells nothing.
    """
    for rule, text in restatements(sentence, rng):
        yield JudgeRow("same", text, 1, f"{name}:restated:{rule}", sentence)
        yield JudgeRow("same", sentence, 1, f"{name}:restated:{rule}", text)
        if rule in _READS_WELL:
            yield JudgeRow("sound", text, 1, f"{name}:restated:{rule}")
        for changing, changed in misstatements(text, rng):
            yield JudgeRow("same", changed, 0, f"{name}:restated:{changing}", sentence)


def _broken(sentence: str, rng: random.Random, name: str) -> Iterator[JudgeRow]:
    """The sentence as a careless split or cut breaks it."""
    for rule, broken in breakages(sentence, rng, 1):
        yield JudgeRow("sound", broken, 0, f"{name}:broken:{rule}")
        yield JudgeRow("better", broken, 0, f"{name}:broken:{rule}", sentence)
        yield JudgeRow("better", sentence, 1, f"{name}:broken:{rule}", broken)


def rewrite_rows(path: Path, seed: int = 0) -> Iterator[JudgeRow]:
    """Rows of rewrites (`task`, `input`, `target`) that say the same, and of each with one thing changed."""
    rng = random.Random(f"{seed} {path.name}")
    needs = "task, input and target"
    for where, row in read_objects(path, needs):
        try:
            task, source, target = str(row["task"]), str(row["input"]), str(row["target"])
        except KeyError:
            raise InputError(f"{where}: needs {needs}") from None
        if task not in _FAITHFUL or source.split() == target.split() or max(len(source), len(target)) > 600:
            continue
        name = f"rewrites:{task}"
        yield JudgeRow("same", target, 1, name, source)
        if task in _EITHER_WAY:
            yield JudgeRow("same", source, 1, name, target)
        for rule, changed in misstatements(target, rng, 1):
            yield JudgeRow("same", changed, 0, f"{name}:{rule}", source)


_SETS: Final[dict[str, Callable[[Path, random.Random], Iterator[JudgeRow]]]] = {
    "gec_eracond": _chat_corrections,
    "gec_harper": _rule_corrections,
    "ged_realec": _marked_errors,
    "zorro": _word_pairs,
    "paws_wiki": _paraphrases,
    "cannot_negation": _negations,
    "nli": _entailments,
    "summedits": _edited_summaries,
    "elife_revisions": _copy_edits,
    "prose": _prose,
}
