"""Two texts side by side, passage by passage.

The passages, joined, are the whole texts with all that stands between the sentences, so that any choice of
one side or the other, passage by passage, is a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from redraft.text import Document, Format, Sentence, align, diff_words, guess_format


@dataclass(slots=True)
class Passage:
    """A stretch of the text before, and what stands there after; each with the numbers of its sentences."""

    before: str = ""
    after: str = ""
    number_before: list[int] = field(default_factory=list)
    number_after: list[int] = field(default_factory=list)

    @property
    def same(self) -> bool:
        """Whether nothing changed."""
        return self.before == self.after

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, with the words that were cut and those that are new."""
        return {
            "before": self.before,
            "after": self.after,
            "same": self.same,
            "number_before": self.number_before,
            "number_after": self.number_after,
            "words": list(_words(self)),
        }


def compare(before: str, after: str, format: Format | None = None) -> list[Passage]:
    """The passages of two texts, in order."""
    marked = format or guess_format(before)
    return _joined(Document(before, marked), Document(after, marked))


def _joined(before: Document, after: Document) -> list[Passage]:
    """Each passage with the gap before it; what differs of the gap alone goes to the passage before."""
    passages: list[Passage] = []
    i = j = 0  # sentences that are done with
    left = right = 0  # characters that are
    for k, m in _steps(before, after):
        passage, start, first = Passage(), left, right
        if k > i:
            left = before.sentences[k - 1].end
            passage.number_before = _numbers(before.sentences[i:k])
        if m > j:
            right = after.sentences[m - 1].end
            passage.number_after = _numbers(after.sentences[j:m])
        passage.before, passage.after = before.text[start:left], after.text[first:right]
        if k > i and m > j:
            lead, lead_after = before.sentences[i].start - start, after.sentences[j].start - first
            _part_gaps(passages, passage, lead, lead_after)
        passages.append(passage)
        i, j = k, m
    _close(passages, before.text[left:], after.text[right:])
    return passages


def _part_gaps(passages: list[Passage], passage: Passage, lead: int, lead_after: int) -> None:
    """Take what differs of the gaps before a passage off it."""
    gap, gap_after = passage.before[:lead], passage.after[:lead_after]
    if gap == gap_after:
        return
    same = 0
    while same < min(lead, lead_after) and gap[-1 - same] == gap_after[-1 - same]:
        same += 1
    cut, cut_after = lead - same, lead_after - same
    _close(passages, gap[:cut], gap_after[:cut_after])
    passage.before, passage.after = passage.before[cut:], passage.after[cut_after:]


def _close(passages: list[Passage], gap: str, gap_after: str) -> None:
    """Add a gap to the last passage where that changed too, or stays what it is; else as one of its own."""
    if not gap and not gap_after:
        return
    if passages and (gap == gap_after or not passages[-1].same):
        passages[-1].before += gap
        passages[-1].after += gap_after
    else:
        passages.append(Passage(gap, gap_after))


def _steps(before: Document, after: Document) -> Iterator[tuple[int, int]]:
    """How many sentences are done with on each side after each passage.

    A sentence that moved is cut in one place and new in another: the passages keep the order of both texts.
    """
    i = j = 0
    for link in align(before, after):
        if link.kind in ("inserted", "deleted", "moved"):
            continue
        start, end = min(link.original) - 1, max(link.original)
        first, last = min(link.revised) - 1, max(link.revised)
        if start < i or first < j:
            continue
        if start > i or first > j:
            yield start, first
        yield end, last
        i, j = end, last
    if (i, j) != (len(before.sentences), len(after.sentences)):
        yield len(before.sentences), len(after.sentences)


def _numbers(sentences: Sequence[Sentence]) -> list[int]:
    return [sentence.counted for sentence in sentences]


def _words(passage: Passage) -> Iterator[dict[str, str]]:
    if passage.same:
        yield {"op": "same", "text": passage.before}
        return
    for edit in diff_words(passage.before, passage.after):
        if edit.op == "equal":
            yield {"op": "same", "text": edit.before}
            continue
        if edit.before:
            yield {"op": "cut", "text": edit.before}
        if edit.after:
            yield {"op": "new", "text": edit.after}
