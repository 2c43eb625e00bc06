"""FRUIT: articles before and after an update, with evidence from other articles.

The processed examples of its gold test set, as EdiT5 takes them:
    inputs   [0] First sentence. [1] Second one. [CONTEXT] (0) Some_Title Section Evidence. (1) …
    targets  [0] (1) A new sentence that rests on evidence 1. [1]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from redraft.bench.editeval import rows
from redraft.bench.editeval.citations import document, kept
from redraft.bench.editeval.source import Pair, Source, samples
from redraft.bench.editeval.tfrecord import Example, examples
from redraft.bench.sample import Sample
from redraft.errors import InputError

NAMES = (
    "gold_test/article_pairs.update.diff.all.text.reference.tfrecords",
    "*_inputlabels.jsonl (columns inputs and targets)",
)
"""The file names that are looked for, for a message."""

_RECORDS = re.compile(r"article_pairs\.update\.diff\.all\.text\.reference\.tfrecords(-\d+-of-\d+)?")
_CONTEXT = "[CONTEXT]"
_SENTENCE_MARK = re.compile(r"\[(\d+)\]")
_EVIDENCE_MARK = re.compile(r"\((\d+)\)(?=\s*[^\s;!?\[\]\"<>|~`@#$%^&*+{}=]+(?:\s|$))")
_TARGET_MARK = re.compile(r"\[(?P<copy>\d+)\]|\((?P<evidence>\d+)\)")


def recognise(path: Path) -> Source | None:
    """The gold test set; the other folders of the distribution hold no test that people have checked."""
    if not _RECORDS.fullmatch(path.name) or path.parent.name in {"train", "test", "dev", "train_old"}:
        return None
    return Source("fruit", "the original files", path, lambda: _records(path))


def recognise_rows(path: Path, columns: frozenset[str]) -> Source | None:
    """What FRUIT's own script writes of a task: JSON lines with inputs and targets."""
    if not {"inputs", "targets"} <= columns:
        return None
    return Source("fruit", "the original files", path, lambda: _json_lines(path))


def _records(path: Path) -> Iterator[Sample]:
    def pairs() -> Iterator[Pair]:
        for number, example in enumerate(examples(path)):
            where = f"{path}, record {number + 1}"
            yield pair(number, _string(example, "inputs", where), _string(example, "targets", where), where)

    return samples("fruit", pairs())


def _string(example: Example, name: str, where: str) -> str:
    match example.get(name):
        case [bytes(value), *_]:
            return value.decode()
    raise InputError(f'{where}: there is no "{name}"')


def _json_lines(path: Path) -> Iterator[Sample]:
    found = enumerate(rows.rows(path))
    pairs = (pair(number, row.text("inputs"), row.text("targets"), row.where) for number, row in found)
    return samples("fruit", pairs)


def pair(number: int, inputs: str, targets: str, where: str) -> Pair:
    """The article, the updated article with its citations behind their sentences, and the cited evidence."""
    article, mark, context = inputs.partition(_CONTEXT)
    if not mark:
        raise InputError(f"{where}: there is no {_CONTEXT} in the inputs")
    sentences = _numbered(article, _SENTENCE_MARK)
    evidence = [_evidence(text) for text in _numbered(context, _EVIDENCE_MARK)]
    marks = [mark for mark in map(_mark, _TARGET_MARK.finditer(targets)) if mark.names(sentences, evidence)]
    new = kept(mark.number for mark in marks if not mark.copies)
    documents = tuple(evidence[number] for number in new)
    return Pair(
        f"fruit-test-{number}", " ".join(sentences), (_updated(targets, marks, sentences, new),), documents
    )


@dataclass(frozen=True)
class _Mark:
    """A mark in a target: a sentence that is copied, or evidence for the text behind the mark."""

    number: int
    copies: bool
    start: int
    end: int

    def names(self, sentences: list[str], evidence: list[str]) -> bool:
        return self.number < len(sentences if self.copies else evidence)


def _mark(match: re.Match[str]) -> _Mark:
    copies = match["copy"] is not None
    return _Mark(int(match["copy"] if copies else match["evidence"]), copies, match.start(), match.end())


def _numbered(text: str, pattern: re.Pattern[str]) -> list[str]:
    """The pieces behind the marks 0, 1, 2, …; a mark out of turn is part of the text."""
    starts: list[tuple[int, int]] = []
    for match in pattern.finditer(text):
        if int(match[1]) == len(starts):
            starts.append((match.start(), match.end()))
    ends = [start for start, _ in starts[1:]] + [len(text)]
    return [text[start:end].strip() for (_, start), end in zip(starts, ends, strict=True)]


def _evidence(text: str) -> str:
    title, _, rest = text.partition(" ")
    return document(title, rest) if rest.strip() else text


def _updated(targets: str, marks: list[_Mark], sentences: list[str], new: dict[int, int]) -> str:
    """The target spelled out: copied sentences in full, citations behind the text that they stand before."""
    parts: list[str] = []
    waiting: list[str] = []
    ends = [mark.start for mark in marks] + [len(targets)]
    starts = [0] + [mark.end for mark in marks]
    for mark, start, end in zip([None, *marks], starts, ends, strict=True):
        if mark and mark.copies:
            parts.append(sentences[mark.number])
        elif mark and mark.number in new:
            waiting.append(f"[{new[mark.number]}]")
        if text := targets[start:end].strip():
            parts += [text, *waiting]
            waiting = []
    return " ".join(parts)
