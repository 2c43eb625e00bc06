"""WAFER-INSERT: Wikipedia passages from which a cited claim is taken out, to be put back from its sources.

A record of WAFER has the passage as `Title [SEP] Section::::Part.:Subpart [SEP] text [CIT]`, the claim as the
last of `meta.sentences`, and the pages it cites under `output[].provenance[]`.
"""

from __future__ import annotations

import re
import string
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from redraft.bench.benchmark import Sample
from redraft.bench.editeval import rows
from redraft.bench.editeval.facts import Pair, Source, samples
from redraft.bench.editeval.updating import document
from redraft.errors import InputError
from redraft.text import Document

NAMES = ("wafer-test*.jsonl (columns id, input, output and meta)",)
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


def recognise_rows(path: Path, columns: frozenset[str]) -> Source | None:
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
