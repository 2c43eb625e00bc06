"""What the writer of `redraft compose` learns from: paragraphs, each after a request in compose's words.

A paragraph is one of a sectioned document, or one that a teacher wrote on a point. What compose would not let
stand (figures and names that nobody gave, quotations, talk of the text, errors) is not learnt either.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Final

from redraft.composition import (
    ANGLES,
    Brief,
    Genre,
    Memory,
    SentenceChecker,
    paragraph_prompt,
    sentences_of,
)
from redraft.text import tagged
from redraft.train.judging import is_held_out
from redraft.train.rows import read_objects

_LEAST, _MOST = 30, 120
"""Words of a paragraph."""
_FEWEST: Final = 2
"""Sentences of one."""
_CITED: Final = re.compile(r"\s*[(\[][^()\[\]]*(?:\d{4}|et al|Figure|Fig\.|Table|Box)[^()\[\]]*[)\]]")
_HANGING: Final = re.compile(
    r"(?:Their|His|Her|Its|He|She|First|Second|Third|Finally|Specifically|Instead|For example|For instance)\b"
)
"""How a sentence begins that leans on one before it."""
_CLAUSE: Final = re.compile(r",|;|:| – | — | - |\s(?:because|which|although|while|whereas|so that)\s")
_POINT_WORDS: Final = 14
_KEY_PHRASES: Final = 3
_WITHOUT: Final = frozenset({"many", "other", "such", "several", "same", "new", "more", "most", "own"})
_CUES: Final = (
    ("for example|for instance|such as|imagine|consider", "Give an everyday example."),
    ("difficult|challeng|problem|barrier|struggl|limit", "Speak of what makes it difficult."),
    ("important|crucial|essential|vital|matters", "Say why it matters, and to whom."),
    ("as a result|therefore|leads to|means that|consequence", "Speak of what follows from it."),
    ("unlike|compared|similar|whereas|in contrast", "Compare it with something else."),
    ("years ago|history|originally|used to|began|since then", "Say how it came to be so."),
    ("debate|disagree|controvers|argue|critics|some people", "Say what people disagree about."),
    ("should|could be|improve|better|need to", "Speak of what could be done better."),
    ("in practice|can help|allows|use|makes it", "Say what it means in practice."),
)
"""Words in a paragraph that say what it turns to."""
_EXPOSITORY: Final[tuple[Genre, ...]] = ("essay", "academic", "article", "report")


@dataclass(frozen=True, slots=True)
class Passage:
    """The paragraphs of a section; `points` and `angles` say what each was to be, where that is known."""

    genre: Genre
    subject: str
    section: str
    paragraphs: Sequence[str]
    points: Sequence[str] = ()
    angles: Sequence[str] = ()


def writer_rows(passages: Iterable[Passage], seed: int = 0) -> Iterator[dict[str, Any]]:
    """The conversations that the writer learns from."""
    for passage in passages:
        drawn = random.Random(f"{seed} {passage.subject} {passage.section}")
        standard = SentenceChecker(Brief(passage.subject, passage.section, genre=passage.genre))
        memory, before = Memory(), ""
        for number, paragraph in enumerate(passage.paragraphs):
            sentences = clean_run(paragraph, standard, memory)
            if sentences:
                text = " ".join(sentences)
                points, angles = (known[number : number + 1] for known in (passage.points, passage.angles))
                asked = paragraph_prompt(
                    passage.genre,
                    passage.subject,
                    passage.section or headline(text),
                    points[0] if points else _point(sentences, drawn),
                    words=len(text.split()),
                    angle=angles[0] if angles else _angle(text, drawn),
                    ending=before,
                )
                yield {
                    "messages": [
                        {"role": "user", "content": asked},
                        {"role": "assistant", "content": text},
                    ]
                }
            before = sentences[-1] if sentences else ""


def clean_run(paragraph: str, standard: SentenceChecker, memory: Memory) -> list[str]:
    """The longest run of sentences that compose would let stand; none where it is no paragraph."""
    sentences = sentences_of(_CITED.sub("", paragraph))
    if sum(len(sentence.split()) for sentence in sentences) < _LEAST:
        return []

    def stands(sentence: str) -> bool:
        return (
            len(sentence.split()) > 4
            and standard.has_room_for(standard.unknown_names(sentence, memory), memory)
            and not memory.repeats(sentence)
            and not standard.flaw(sentence)
        )

    runs = [list(run) for fine, run in groupby(sentences, stands) if fine]
    best = max(runs, key=len, default=[])
    while best and (memory.repeats(best[0], opens=True) or _HANGING.match(best[0])):
        del best[0]
    while best and sum(len(sentence.split()) for sentence in best) > _MOST:
        best.pop()
    if len(best) < _FEWEST or sum(len(sentence.split()) for sentence in best) < _LEAST:
        return []
    for place, sentence in enumerate(best):
        memory.add(sentence, opens=place == 0)
    return best


def key_phrases(text: str, most: int = _KEY_PHRASES) -> list[str]:
    """The noun phrases that a text speaks of most, the longer ones first among those that come as often."""
    found: Counter[str] = Counter()
    for sentence in sentences_of(text):
        run: list[str] = []
        for word, tag in [*((word.text, word.tag) for word in tagged(sentence)), ("", "")]:
            if tag in ("NN", "NNS") or (tag == "JJ" and word.lower() not in _WITHOUT):
                run.append(word.lower())
                last = tag
            else:
                if 0 < len(run) <= 4 and last != "JJ":
                    found[" ".join(run)] += 1
                run = []
    ranked = sorted(found, key=lambda phrase: (-found[phrase], -phrase.count(" ")))
    return ranked[:most]


def headline(text: str) -> str:
    """A heading for a paragraph that stands under none."""
    return next(iter(key_phrases(text, 1)), "Overview").title()


def _point(sentences: Sequence[str], drawn: random.Random) -> str:
    """What a paragraph says, in a few words: the head of its first sentence, or what it speaks of most."""
    first = sentences[0].rstrip(".!?")
    head = _CLAUSE.split(first, maxsplit=1)[0]
    words = (head if len(head.split()) > 4 else first).split()[:_POINT_WORDS]
    phrases = key_phrases(" ".join(sentences))
    if phrases and drawn.random() < 0.5:
        return " and ".join(filter(None, (", ".join(phrases[:-1]), phrases[-1])))
    return " ".join([words[0].lower() if words[0] != "I" else "I", *words[1:]])


def _angle(text: str, drawn: random.Random) -> str:
    found = [angle for cues, angle in _CUES if re.search(rf"\b(?:{cues})", text, re.IGNORECASE)]
    return drawn.choice(found) if found and drawn.random() < 0.6 else ANGLES[0]


Reader = Callable[[Mapping[str, Any], random.Random], Iterable[Passage]]


def _commentary(row: Mapping[str, Any], drawn: random.Random) -> Iterator[Passage]:
    genre = drawn.choice(_EXPOSITORY)
    for section in row["sections"]:
        yield Passage(genre, row["title"], section["heading"] or "", section["paragraphs"])


def _post(row: Mapping[str, Any], drawn: random.Random) -> Iterator[Passage]:
    guides = re.match(r"how to|\d+ (?:tips|ways|steps)", row["title"], re.IGNORECASE)
    genre: Genre = "guide" if guides else drawn.choice(("article", "article", "report", "guide"))
    for section in row["sections"]:
        paragraphs = [block["p"] for block in section["blocks"] if "p" in block]
        yield Passage(genre, row["title"], section["heading"] or "", paragraphs)


def _digest(row: Mapping[str, Any], drawn: random.Random) -> Iterator[Passage]:
    about = ", ".join(key_phrases(" ".join(row["digest"]), 2)) if drawn.random() < 0.5 else row["title"]
    yield Passage(drawn.choice(_EXPOSITORY), about or row["title"], "", row["digest"])


_REGISTERS: Final[dict[str, Genre]] = {
    "speeches": "speech",
    "standard_ebooks": "story",
    "us_government": "guide",
    "manuals": "guide",
}


def _prose(genre: Genre, row: Mapping[str, Any]) -> Iterator[Passage]:
    if not str(row["licence"]).startswith("CC BY-SA"):
        paragraphs = row["text"].split("\n\n")
        yield Passage(genre, ", ".join(key_phrases(row["text"], 2)) or "life", "", paragraphs)


def _taught(row: Mapping[str, Any], _: random.Random) -> Iterator[Passage]:
    yield Passage(
        row["genre"],
        row["subject"],
        row["section"],
        [part.strip() for part in row["text"].split("\n\n")],
        row.get("points", ()),
        row.get("angles", ()),
    )


def read_passages(folder: Path, most: int | None = None, seed: int = 0) -> Iterator[Passage]:
    """The passages of the sets that a folder has: of each set the first so many."""
    readers: dict[str, Reader] = {
        "longform/elife_commentary": _commentary,
        "longform/gov_posts": _post,
        "elife_plain/digests": _digest,
    }
    for name, genre in _REGISTERS.items():
        readers[f"prose/{name}"] = lambda row, _, genre=genre: _prose(genre, row)  # type: ignore[misc]
    for name, reader in readers.items():
        path = folder / f"{name}.jsonl.gz"
        if path.is_file():
            yield from islice(_passages(path, reader, f"{seed} {name}"), most)


def read_taught(path: Path) -> Iterator[Passage]:
    """What a teacher wrote: `genre`, `subject`, `section`, `points`, `angles`, `text`."""
    return _passages(path, _taught, "")


def _passages(path: Path, reader: Reader, seed: str) -> Iterator[Passage]:
    """The passages of a file; what is drawn for a document is its own, whatever stands before it."""
    for _, row in read_objects(path, "a document"):
        yield from reader(row, random.Random(f"{seed} {row.get('title') or row['text'][:80]}"))


def is_kept_aside(passage: Passage) -> bool:
    """Whether a passage is kept to measure the writer on: by its subject, so that a document is whole."""
    return is_held_out(passage.subject, 50)
