"""A revision of a .docx's text, written back: what changed becomes tracked changes, all else stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count, pairwise
from typing import Final

from redraft.text.align import align_passages
from redraft.text.diff import diff_words
from redraft.text.docx.blocks import Block, read_blocks
from redraft.text.docx.changes import Changes, Step
from redraft.text.docx.items import read_row
from redraft.text.docx.package import Element, W, open_package
from redraft.text.docx.reading import Paragraph, read_document
from redraft.text.words import Span

_END: Final = "\u2029"
"""The end of a paragraph among words; no paragraph that is read has it in its text."""


def write_docx(
    original: bytes,
    after: str,
    *,
    tracked: bool = True,
    author: str = "redraft",
    date: datetime | None = None,
) -> bytes:
    """The .docx with another text, which is Markdown as `read_docx` gives it.

    Each run of words keeps its formatting; new words take that of the words whose place they take, new
    paragraphs that of a paragraph of their kind. Tables stay as they are, whatever the text says. Unless
    `tracked`, the changes are made at once. Changes of others that are tracked already stay tracked.
    """
    package = open_package(original)
    root = package.document
    before = read_document(package, root)
    if before.text.rstrip() == after.rstrip():
        return original
    changes = Changes(root, author, date or datetime.now(UTC))
    groups = _grouped(before.paragraphs, read_blocks(after))
    _insert(groups, before.paragraphs, changes, root)
    for group in groups:
        if group.paragraphs and group.paragraphs[0].kind.name != "table":
            if group.blocks:
                _change(group, changes)
            else:
                for element in group.paragraphs[0].elements:
                    changes.delete(element)
    if not tracked:
        changes.accept()
    return package.with_document(root)


@dataclass(frozen=True, slots=True)
class _Group:
    """Paragraphs of the original, and the blocks that they have become; either may be none."""

    paragraphs: tuple[Paragraph, ...] = ()
    blocks: tuple[Block, ...] = ()


def _grouped(paragraphs: Sequence[Paragraph], blocks: Sequence[Block]) -> list[_Group]:
    """What became of each paragraph, in the order of the text; what was moved is deleted and inserted."""
    olds = [(one.kind.name, one.plain) for one in paragraphs]
    news = [(one.kind, one.plain) for one in blocks]
    groups: list[_Group] = []
    done = reached = 0
    for link in sorted(align_passages(*_passages(olds, news)), key=lambda link: link.original):
        if link.kind in ("moved", "inserted", "deleted"):
            continue
        group = _Group(
            tuple(paragraphs[number - 1] for number in link.original),
            tuple(blocks[number - 1] for number in link.revised),
        )
        if not _can_pair(group):
            continue
        first, second = link.original[0] - 1, link.revised[0] - 1
        groups += (_Group((one,)) for one in paragraphs[done:first])
        groups += (_Group((), (one,)) for one in blocks[reached:second])
        groups.append(group)
        done, reached = link.original[-1], link.revised[-1]
    groups += (_Group((one,)) for one in paragraphs[done:])
    groups += (_Group((), (one,)) for one in blocks[reached:])
    return groups


def _passages(
    olds: Sequence[tuple[str, str]], news: Sequence[tuple[str, str]]
) -> tuple[list[str], list[str]]:
    """What is compared: the words of paragraphs; tables, which stay as they are, by their order."""
    by_order = sum(kind == "table" for kind, _ in olds) == sum(kind == "table" for kind, _ in news)
    sides: list[list[str]] = []
    for side in (olds, news):
        tables = count(1)
        sides.append(
            [f"\0table {next(tables)}" if by_order and kind == "table" else plain for kind, plain in side]
        )
    return sides[0], sides[1]


def _can_pair(group: _Group) -> bool:
    """Whether paragraphs stand together and are of the kind of what they have become."""
    kinds = {one.kind.name for one in group.paragraphs} | {one.kind for one in group.blocks}
    together = (one.elements[-1].getnext() is other.elements[0] for one, other in pairwise(group.paragraphs))
    return len(kinds) == 1 and all(together)


def _insert(
    groups: Sequence[_Group], paragraphs: Sequence[Paragraph], changes: Changes, root: Element
) -> None:
    """Put new paragraphs after what stands before them, in the formatting of the nearest of their kind."""
    last: Element | None = None
    place = 0
    for group in groups:
        if group.paragraphs:
            place += len(group.paragraphs)
            last = group.paragraphs[-1].elements[-1]
            continue
        for block in group.blocks:
            new = changes.new_paragraph(block.plain, _like(block.kind, paragraphs, place))
            if last is not None:
                last.addnext(new)
            elif paragraphs:
                paragraphs[0].elements[0].addprevious(new)
            else:
                next(root.iterchildren(f"{W}body")).insert(0, new)
            last = new


def _like(kind: str, paragraphs: Sequence[Paragraph], place: int) -> Element | None:
    """The nearest paragraph of a kind, else of the body, before those that come after."""
    near = sorted(range(len(paragraphs)), key=lambda index: abs(index + 0.6 - place))
    for wanted in (kind, "body"):
        for index in near:
            if paragraphs[index].kind.name == wanted:
                return paragraphs[index].elements[-1]
    return None


@dataclass(frozen=True, slots=True)
class _Edit:
    """A stretch of the words of a group, and what it becomes."""

    start: int
    end: int
    after: str
    stays: bool


def _change(group: _Group, changes: Changes) -> None:
    """Change paragraphs word by word; they may have been joined to one, or one parted in several."""
    before = _END.join(one.plain for one in group.paragraphs)
    after = _END.join(one.plain for one in group.blocks)
    if before == after:
        return
    parts = list(_parts(group.paragraphs))
    edits = [
        _Edit(edit.original.start, edit.original.end, edit.after, edit.op == "equal")
        for edit in diff_words(before, after)
    ]
    edits = _with_whole(_from_stop_to_stop(edits, before), list(_whole(parts)))
    is_joined = False
    for part in parts:
        steps = [Step("delete", 0, part.lead)] if is_joined and part.lead else []
        for edit in edits:
            steps += _steps(edit, part)
        is_joined = part.is_last and any(
            not edit.stays and edit.start <= part.end < edit.end for edit in edits
        )
        if is_joined and part.tail:
            steps.append(Step("delete", part.length - part.tail, part.length))
        if steps or is_joined:
            changes.change(part.element, steps, joined=is_joined)


@dataclass(frozen=True, slots=True)
class _Part:
    """An element of a group, and the stretch of the joined words that is in it."""

    element: Element
    start: int
    end: int
    lead: int
    """White space before them, which is not among them."""
    tail: int
    is_last: bool
    """Whether its paragraph ends with it: otherwise its own end is deleted already."""

    @property
    def length(self) -> int:
        """The length of its text."""
        return self.lead + self.end - self.start + self.tail


def _parts(paragraphs: Sequence[Paragraph]) -> Iterator[_Part]:
    start = 0
    for paragraph in paragraphs:
        end = start + len(paragraph.plain)
        place = start - paragraph.lead
        for element in paragraph.elements:
            after = place + len(read_row(element).text)
            first, last = min(max(start, place), end), max(min(end, after), start)
            is_last = element is paragraph.elements[-1]
            yield _Part(element, first, last, first - place, after - last, is_last)
            place = after
        start = end + 1


def _steps(edit: _Edit, part: _Part) -> Iterator[Step]:
    """What of an edit is made in a part: new words go where the old ones end."""
    shift = part.lead - part.start
    first, last = max(edit.start, part.start), min(edit.end, part.end)
    if edit.stays or first > last:
        return
    if first < last:
        yield Step("delete", first + shift, last + shift, edit.after)
    if not (edit.end < part.end or (edit.end == part.end and part.is_last)):
        return
    for number, words in enumerate(edit.after.split(_END) if edit.after else []):
        if number:
            yield Step("break", last + shift, last + shift)
        if words:
            yield Step("insert", (last if number else first) + shift, last + shift, words)


def _from_stop_to_stop(edits: Sequence[_Edit], before: str) -> list[_Edit]:
    """The same edits, but a sentence that is new or gone has its own stop, and not that of its neighbour."""
    found = list(edits)
    for place in range(1, len(found) - 1):
        last, edit, following = found[place - 1 : place + 2]
        text = edit.after or before[edit.start : edit.end]
        if edit.stays or (edit.after and edit.end > edit.start) or text[0] not in ".!?":
            continue
        if last.stays and following.after.startswith(text[0]):
            after = edit.after and edit.after[1:] + text[0]
            found[place - 1] = replace(last, end=last.end + 1, after=last.after + text[0])
            found[place] = replace(edit, start=edit.start + 1, end=edit.end + 1, after=after)
            found[place + 1] = replace(following, start=following.start + 1, after=following.after[1:])
    return found


def _whole(parts: Sequence[_Part]) -> Iterator[Span]:
    """Where fields, equations and content controls stand in the joined words."""
    for part in parts:
        shift = part.start - part.lead
        for item in read_row(part.element).items:
            if item.role == "whole" and item.text:
                yield Span(max(part.start, item.start + shift), min(part.end, item.end + shift))


def _with_whole(edits: list[_Edit], whole: Sequence[Span]) -> list[_Edit]:
    """The edits, such that what is whole stays or goes as one."""
    for span in whole:
        if not any(edit.stays and edit.start <= span.start and span.end <= edit.end for edit in edits):
            edits = _joined([part for edit in edits for part in _parted(edit, span)])
    return edits


def _parted(edit: _Edit, span: Span) -> Iterator[_Edit]:
    """What stays, parted by a span that does not."""
    if not edit.stays:
        yield edit
        return
    inside = {place for place in (span.start, span.end) if edit.start < place < edit.end}
    places = sorted({edit.start, edit.end} | inside)
    for start, end in pairwise(places):
        stays = not (span.start <= start and end <= span.end)
        yield _Edit(start, end, edit.after[start - edit.start : end - edit.start], stays)


def _joined(edits: Sequence[_Edit]) -> list[_Edit]:
    """Changes that stand side by side as one."""
    found: list[_Edit] = []
    for edit in edits:
        if found and not edit.stays and not found[-1].stays:
            last = found.pop()
            found.append(_Edit(last.start, edit.end, last.after + edit.after, stays=False))
        else:
            found.append(edit)
    return found
