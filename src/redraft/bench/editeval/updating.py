"""The updating task: FRUIT and WAFER-INSERT as their authors distribute them, and how material is cited.

FRUIT has articles before and after an update, with evidence from other articles: the processed examples of
its gold test set, as EdiT5 takes them:

    inputs   [0] First sentence. [1] Second one. [CONTEXT] (0) Some_Title Section Evidence. (1) …
    targets  [0] (1) A new sentence that rests on evidence 1. [1]

WAFER-INSERT has Wikipedia passages from which a cited claim is taken out, to be put back from its sources. A
record has the passage as `Title [SEP] Section::::Part.:Subpart [SEP] text [CIT]`, the claim as the last of
`meta.sentences`, and the pages it cites under `output[].provenance[]`.
"""

from __future__ import annotations

import re
import string
import struct
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from redraft.bench.benchmark import Sample
from redraft.bench.editeval import rows
from redraft.bench.editeval.facts import DOCUMENTS, Pair, Source, samples
from redraft.errors import InputError
from redraft.text import Document

_LABELLED_LINK = re.compile(r"\[\[[^|\]]+\|([^\]]+)\]\]")
_DROPPED_LINK = re.compile(r"\[\[Category[^\]]+\]\]|\[\[\[REF[^\]]+\]\]\]")
_BRACKETS_AND_QUOTES = re.compile(r"\[\[|\]\]|'''|''")
_HEADING = re.compile(r"^\s*==.*$\n?", re.MULTILINE)
_LOOSE = re.compile(r" (?=[.,?!]|n't|'(?:[ms]|ve|re| ))|(?<= ') ")


def without_citations(text: str, documents: int) -> str:
    """The text without the marks that point at its documents: [0] or (0), [1] or (1), and so on."""
    if not documents:
        return text
    number = "|".join(map(str, range(documents)))
    return re.sub(rf"\s*(?:\[(?:{number})\]|\((?:{number})\))", "", text)


def without_wikitext(text: str) -> str:
    """The text of a Wikipedia article without its markup: links, emphasis, categories, headings."""
    text = _DROPPED_LINK.sub("", text)
    text = _LABELLED_LINK.sub(r"\1", text)
    return _HEADING.sub("", _BRACKETS_AND_QUOTES.sub("", text))


def normalise_spaces(text: str) -> str:
    """One form for what looks alike: NFKC, single spaces, none before punctuation.

    EditEval sends the texts of its updating task through T5's tokenizer and back, which does this and loses
    the characters that T5 has no piece for; those are kept here.
    """
    return _LOOSE.sub("", " ".join(unicodedata.normalize("NFKC", text).split()))


_MARK = re.compile(r"\s*\((\d+)\)")


def document(title: str | None, text: str) -> str:
    """A document as Figure 2 shows it: `Barack Obama | Barack Hussein Obama II is …`."""
    return f"{title.replace('_', ' ')} | {text.strip()}" if title else text.strip()


def kept(numbers: Iterable[int]) -> dict[int, int]:
    """The new numbers of the documents that are cited, three at most, in their old order."""
    first = list(dict.fromkeys(numbers))[:DOCUMENTS]
    return {old: new for new, old in enumerate(sorted(first))}


def cited(target: str, documents: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The target with its marks (4) renumbered as [0], and only the documents it cites, three at most.

    A number in brackets that is no document's, a year say, is left alone.
    """
    numbers = (int(match[1]) for match in _MARK.finditer(target))
    new = kept(number for number in numbers if number < len(documents))

    def renumbered(match: re.Match[str]) -> str:
        number = int(match[1])
        if number >= len(documents):
            return match[0]
        return f" [{new[number]}]" if number in new else ""

    return _MARK.sub(renumbered, target).strip(), tuple(documents[number] for number in new)


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


FRUIT_FILES = (
    "gold_test/article_pairs.update.diff.all.text.reference.tfrecords",
    "*_inputlabels.jsonl (columns inputs and targets)",
)
"""The file names that are looked for, for a message."""

_RECORDS = re.compile(r"article_pairs\.update\.diff\.all\.text\.reference\.tfrecords(-\d+-of-\d+)?")
_CONTEXT = "[CONTEXT]"
_SENTENCE_MARK = re.compile(r"\[(\d+)\]")
_EVIDENCE_MARK = re.compile(r"\((\d+)\)(?=\s*[^\s;!?\[\]\"<>|~`@#$%^&*+{}=]+(?:\s|$))")
_TARGET_MARK = re.compile(r"\[(?P<copy>\d+)\]|\((?P<evidence>\d+)\)")


def recognise_fruit(path: Path) -> Source | None:
    """The gold test set; the other folders of the distribution hold no test that people have checked."""
    if not _RECORDS.fullmatch(path.name) or path.parent.name in {"train", "test", "dev", "train_old"}:
        return None
    return Source("fruit", "the original files", path, lambda: _records(path))


def recognise_fruit_rows(path: Path, columns: frozenset[str]) -> Source | None:
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


WAFER_FILES = ("wafer-test*.jsonl (columns id, input, output and meta)",)
"""The file names that are looked for, for a message."""

_SECTION = "Section::::"
_BULLET = re.compile(r"^\s*BULLET::::\s*-?")
_CITATION = re.compile(r"\[CIT\]\.?")


@dataclass(frozen=True)
class _Passage:
    """A paragraph, bullet or heading; the claim stands between the texts before and after it."""

    before: str
    claim: str = ""
    after: str = ""
    heading: bool = False
    bullet: bool = False


def recognise_wafer(path: Path, columns: frozenset[str]) -> Source | None:
    """A file of WAFER's records; those whose citations failed verification are no test of updating."""
    if not {"id", "input", "output", "meta"} <= columns or "fail" in path.stem:
        return None
    return Source("wafer_insert", "the original files", path, lambda: _read(path))


def _read(path: Path) -> Iterator[Sample]:
    found: list[Pair] = []
    lost = bare = 0
    for row in rows.rows(path):
        pair = _pair(row)
        if pair is None:
            lost += 1
            continue
        bare += not pair.documents
        found.append(pair)
    if lost:
        warnings.warn(f"{path}: {lost} passages are left out, from which no claim could be cut", stacklevel=2)
    if bare:
        warnings.warn(
            f"{path}: {bare} samples have no text of the pages they cite; WAFER's script adds it",
            stacklevel=2,
        )
    return samples("wafer_insert", found)


def _pair(row: rows.Row) -> Pair | None:
    meta = row.fields["meta"]
    sentences = meta.get("sentences") if isinstance(meta, dict) else None
    if not isinstance(sentences, list) or not all(isinstance(text, str) for text in sentences):
        raise InputError(f'{row.where}: "meta" should have "sentences", a list of strings')
    # In a few records the last sentence is a stray letter behind the claim.
    claims = [text for text in sentences if text not in {"B", "C"}]
    parts = row.text("input").split("[SEP]")
    if not claims or len(parts) != 3:
        return None
    claim = claims[-1].strip()
    passages = _passages(parts[1], parts[2], claim)
    if passages is None and "\n" in claim:
        flat = claim.replace("\n", " ")
        passages = _passages(parts[1], parts[2].replace(claim, flat), flat)
    if passages is None:
        return None
    source, target = _text(passages, with_claim=False), _text(passages, with_claim=True)
    if not source.strip() or source == target:
        return None
    return Pair(str(row.fields["id"]), source, (target,), tuple(_documents(row)))


def _passages(section: str, text: str, claim: str) -> list[_Passage] | None:
    found = [_heading(section)]
    for line in _CITATION.sub("", text.strip()).split("\n"):
        if not line.strip():
            continue
        if line.lstrip().startswith(_SECTION):
            found.append(_heading(line))
            continue
        bullet = bool(_BULLET.match(line))
        before, cut, after = _BULLET.sub("", line).partition(claim)
        found.append(_Passage(before.strip(), cut, after.strip(), bullet=bullet))
    if not any(passage.claim for passage in found):
        return None
    found = [passage for passage in found if passage != _heading("Abstract")]
    if found[0] in found[1:]:
        found = found[1:]
    found[0] = replace(found[0], before=_whole_start(found[0]))
    found[-1] = _whole_end(found[-1])
    return found


def _heading(text: str) -> _Passage:
    """A heading of each level, as in wikitext."""
    titles = [title.strip().strip(".") for title in text.strip().removeprefix(_SECTION).split(".:")]
    lines = (f"{'=' * level} {title} {'=' * level}" for level, title in enumerate(titles, 2))
    return _Passage("\n".join(lines), heading=True)


def _whole_start(passage: _Passage) -> str:
    """The text before the claim, without a first sentence that begins in its middle."""
    text = passage.before
    if passage.heading or not text[:1].islower():
        return text
    return _joined(text, slice(1, None))


def _whole_end(passage: _Passage) -> _Passage:
    """The passage without a last sentence that breaks off."""
    text = passage.after if passage.claim else passage.before
    if passage.heading or not text or text[-1] in string.punctuation:
        return passage
    text = _joined(text, slice(None, -1))
    return replace(passage, after=text) if passage.claim else replace(passage, before=text)


def _joined(text: str, which: slice) -> str:
    return " ".join(sentence.text for sentence in Document(text).sentences[which])


def _text(passages: list[_Passage], *, with_claim: bool) -> str:
    lines = []
    for passage in passages:
        parts = (passage.before, passage.claim if with_claim else "", passage.after)
        if line := " ".join(filter(None, parts)):
            lines.append(f"* {line}" if passage.bullet else line)
    return "\n".join(lines)


def _documents(row: rows.Row) -> Iterator[str]:
    """The chunks of the cited pages, the best first where they are scored."""
    outputs: Any = row.fields["output"]
    found = [
        chunk
        for output in (outputs if isinstance(outputs, list) else [])
        for chunk in (output.get("provenance") or [] if isinstance(output, dict) else [])
        if isinstance(chunk, dict) and isinstance(chunk.get("text"), str) and chunk["text"].strip()
    ]
    found.sort(key=lambda chunk: -float(chunk.get("score") or 0))
    return (document(chunk.get("title"), chunk["text"]) for chunk in found)
