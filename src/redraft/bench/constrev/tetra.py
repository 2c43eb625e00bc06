"""TETRA: papers as experts revised them, edit by edit, with their reasons (Mita et al., 2022).

An XML file is a paper and an editor. Its abstract and introduction make a text to improve, and the reasons of
the edits make a person's plan for it; what the editor made of it is the output `person`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from redraft.bench.benchmark import Sample
from redraft.bench.tables import Column, Table
from redraft.errors import InputError
from redraft.text import Document, read_text

LICENCE: Final = "CC BY 4.0"
PERSON: Final = "person"
ASPECTS: Final = {
    "grammaticality": (
        "grammar",
        "spelling",
        "capitalization",
        "hyphenation",
        "accuracy",
        "agreement",
        "tense",
    ),
    "fluency": ("word choice", "word order", "natrural english", "usage", "word usage"),
    "clarity": ("clarity",),
    "style": ("tone", "style"),
    "readability": ("readability", "parallelism", "punctuation"),
    "redundancy": ("repetitiveness", "redundancy", "redundant", "conciseness"),
    "consistency": ("consistency", "flow"),
}
"""The aspects of the corpus, by the types of edits as they are spelt there."""
_PARTS: Final = ("abstract", "introduction")
_PARAGRAPH: Final = re.compile(r"\s*\\\\\s*")
_LOOSE: Final = re.compile(r"\s+(?=[,;:.!?](?:\s|$))")
_CLOSING: Final = re.compile(r"[,.;:!?)\]’”%]")
_VALUELESS: Final = re.compile(r"(\w+)=\s+(?=\w+=)")
_LONGEST_PASSAGE: Final = 60


@dataclass(frozen=True, slots=True)
class TetraEdit:
    """One edit: where it stands in the original, of what types it is, and what the editor said of it."""

    start: int
    before: str
    after: str
    types: tuple[str, ...]
    comment: str

    @property
    def advice(self) -> str:
        """What a plan says of it: the reason, and the passage that it is about; not what to put there."""
        reason = self.comment or ", ".join(self.types) or "improve it"
        passage = self.before
        if len(passage) > _LONGEST_PASSAGE:
            passage = f"{passage[:_LONGEST_PASSAGE]}…"
        return f"“{passage}”: {reason}" if passage else reason


@dataclass(frozen=True, slots=True)
class TetraPaper:
    """A paper and what one editor made of it."""

    id: str
    editor: str
    original: str
    revised: str
    edits: tuple[TetraEdit, ...]

    @property
    def name(self) -> str:
        """The paper and its editor, as in `P06-1005-A`."""
        return f"{self.id}-{self.editor}"

    @property
    def plan(self) -> str:
        """The editor's reasons, a line a sentence, as `redraft revise --plan` reads them."""
        advice: dict[int, list[str]] = {}
        sentences = Document(self.original).sentences
        for edit in self.edits:
            number = next((one.number for one in sentences if edit.start < one.end), len(sentences))
            advice.setdefault(number, []).append(edit.advice)
        return "\n".join(f"{number}: {'; '.join(parts)}" for number, parts in sorted(advice.items()))


def tetra_files(path: Path) -> list[Path]:
    """The files of the corpus, where a path is its folder, the one within, or one of them."""
    if path.suffix == ".xml":
        return [path]
    return sorted(path.glob("*.xml")) or sorted(path.glob("original/*.xml"))


def read_tetra(path: Path) -> Iterator[TetraPaper]:
    """The papers at a path, one for each editor."""
    for file in tetra_files(path):
        text = read_text(file)
        if "<!" in text:
            raise InputError(f"{file} is no file of TETRA: it declares more than those do")
        try:
            yield _paper(file.stem, ElementTree.fromstring(_VALUELESS.sub(r'\1="" ', text)))
        except (ElementTree.ParseError, KeyError, AttributeError) as error:
            raise InputError(f"{file} is no file of TETRA: {error}") from None


def _paper(file: str, root: ElementTree.Element) -> TetraPaper:
    name, _, editor = file.rpartition("-")  # the id that stands within is wrong in places
    original = revised = ""
    edits: list[TetraEdit] = []
    for part in _PARTS:
        element = root.find(part)
        if element is None:
            raise KeyError(f"it has no {part}")
        original, revised = f"{original}\n\n".lstrip(), f"{revised}\n\n".lstrip()
        for piece in element:
            before = _tidy(piece.text or "")
            after = _tidy(piece.attrib["crr"]) if piece.tag == "edit" else before
            if piece.tag == "edit":
                types = tuple(filter(None, (one.strip().lower() for one in piece.attrib["type"].split(";"))))
                comment = " ".join(piece.attrib["comments"].split())
                edits.append(TetraEdit(len(original), before.strip(), after.strip(), types, comment))
            original, revised = _joined(original, before), _joined(revised, after)
    return TetraPaper(name, editor, original.strip(), revised.strip(), tuple(edits))


def _tidy(text: str) -> str:
    """A piece with its paragraphs as such and without loose ends."""
    return _LOOSE.sub("", _PARAGRAPH.sub("\n\n", " ".join(text.split())))


def _joined(text: str, piece: str) -> str:
    apart = text and piece and not text[-1].isspace() and not piece[0].isspace()
    if apart and not _CLOSING.match(piece) and not text.endswith(("(", "[", "“", "‘")):
        return f"{text} {piece}"
    return text + (piece.lstrip() if text.endswith("\n\n") else piece)


def tetra_samples(path: Path, task: str, instruction: str) -> Iterator[Sample]:
    """Each paper as a text to improve, with a person's plan; those that were left as they are have none."""
    for paper in read_tetra(path):
        yield Sample(
            paper.name,
            "L0",
            task,
            paper.original,
            (),
            instruction=instruction,
            plan=paper.plan,
            others={PERSON: paper.revised},
        )


def tetra_table(papers: Sequence[TetraPaper]) -> Table:
    """What the corpus holds: papers, texts, and edits by aspect, with how many say why."""
    edits = [edit for paper in papers for edit in paper.edits]
    rows: list[tuple[str, int]] = [
        ("papers", len({paper.id for paper in papers})),
        ("texts, one for each editor", len(papers)),
        ("sentences of the papers", _sentences(papers)),
        ("edits", len(edits)),
        ("edits with a reason in words", sum(bool(edit.comment) for edit in edits)),
        ("sentences that a plan speaks of", sum(len(paper.plan.splitlines()) for paper in papers)),
    ]
    types = Counter(kind for edit in edits for kind in edit.types)
    rows += [(f"edits for {aspect}", sum(types[kind] for kind in kinds)) for aspect, kinds in ASPECTS.items()]
    note = "An edit of several types counts for each. A paper is its abstract and its introduction."
    return Table("tetra", "TETRA", note, (Column("What"), Column("Count")), tuple(rows))


def _sentences(papers: Sequence[TetraPaper]) -> int:
    texts = {paper.id: paper.original for paper in papers}
    return sum(len(Document(text).sentences) for text in texts.values())
