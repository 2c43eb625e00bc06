"""FRUIT: articles before and after an update, with evidence from other articles.

The processed examples of its gold test set, as EdiT5 takes them:
    inputs   [0] First sentence. [1] Second one. [CONTEXT] (0) Some_Title Section Evidence. (1) …
    targets  [0] (1) A new sentence that rests on evidence 1. [1]
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from redraft.bench.benchmark import Sample
from redraft.bench.editeval import rows
from redraft.bench.editeval.facts import Pair, Source, samples
from redraft.bench.editeval.updating import document, kept
from redraft.errors import InputError

_LENGTH_AND_CHECKSUM = 12
_CHECKSUM = 4

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5

Example = dict[str, list[bytes] | list[int]]


def examples(path: Path) -> Iterator[Example]:
    """The features of each example by name; features of floats are left out."""
    with path.open("rb") as file:
        number = 0
        while head := file.read(_LENGTH_AND_CHECKSUM):
            number += 1
            (length,) = struct.unpack_from("<Q", head.ljust(_LENGTH_AND_CHECKSUM, b"\xff"))
            rest = path.stat().st_size - file.tell()
            if length + _CHECKSUM > rest:
                raise InputError(f"{path}, record {number}: the file ends inside it; download it again")
            data = file.read(length)
            file.read(_CHECKSUM)
            try:
                yield _example(data)
            except (IndexError, ValueError):
                raise InputError(f"{path}, record {number}: not a tf.train.Example") from None


def _example(data: bytes) -> Example:
    found: Example = {}
    for features in _of(1, data):
        for entry in _of(1, features):
            (name,) = _of(1, entry)
            for feature in _of(2, entry):
                for values in _of(1, feature):
                    found[name.decode()] = list(_of(1, values))
                for values in _of(3, feature):
                    found[name.decode()] = list(_integers(values))
    return found


def _of(wanted: int, data: bytes) -> Iterator[bytes]:
    """The values of one field that are bytes."""
    for number, value in _fields(data):
        if number == wanted and isinstance(value, bytes):
            yield value


def _integers(data: bytes) -> Iterator[int]:
    for number, value in _fields(data):
        if number == 1 and isinstance(value, int):
            yield value
        elif number == 1 and isinstance(value, bytes):
            at = 0
            while at < len(value):
                integer, at = _varint(value, at)
                yield integer


def _fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield number, value
            continue
        if kind == _BYTES:
            length, at = _varint(data, at)
        elif kind in {_FIXED64, _FIXED32}:
            length = 8 if kind == _FIXED64 else 4
        else:
            raise ValueError(f"wire type {kind}")
        if at + length > len(data):
            raise ValueError("cut off")
        yield number, data[at : at + length]
        at += length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        shift += 7
        at += 1
        if byte < 0x80:
            return value, at


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
