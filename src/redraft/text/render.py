"""A diff and an alignment, shown: as plain data for a page, and as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TypedDict

from redraft.text.align import Kind, Link
from redraft.text.diff import Edit, Op, diff_words
from redraft.text.document import Document

if TYPE_CHECKING:
    from rich.text import Text


class EditData(TypedDict):
    """An edit as JSON."""

    op: Op
    before: str
    after: str
    original: list[int]
    revised: list[int]


class LinkData(TypedDict):
    """A link as JSON, with its sentences and the edits between them."""

    kind: Kind
    original: list[int]
    revised: list[int]
    before: str
    after: str
    edits: list[EditData]


_MARKS: Final[dict[Kind, tuple[str, str]]] = {
    "kept": (" ", "dim"),
    "changed": ("~", "yellow"),
    "split": ("<", "yellow"),
    "merged": (">", "yellow"),
    "inserted": ("+", "green"),
    "deleted": ("-", "red"),
    "moved": ("↕", "cyan"),
}


def diff_data(edits: Iterable[Edit]) -> list[EditData]:
    """Edits as JSON."""
    return [
        {
            "op": edit.op,
            "before": edit.before,
            "after": edit.after,
            "original": [edit.original.start, edit.original.end],
            "revised": [edit.revised.start, edit.revised.end],
        }
        for edit in edits
    ]


def diff_terminal(edits: Iterable[Edit]) -> Text:
    """Edits for a terminal, red and green, and marked as `wdiff` does: they read without colours too."""
    from rich.text import Text  # noqa: PLC0415  a page needs no terminal library

    shown = Text()
    for edit in edits:
        if edit.op == "equal":
            shown.append(edit.before)
            continue
        if edit.before:
            shown.append(f"[-{edit.before}-]", style="red")
        if edit.after:
            shown.append(f"{{+{edit.after}+}}", style="green")
    return shown


def alignment_data(links: Iterable[Link], original: Document, revised: Document) -> list[LinkData]:
    """Links as JSON."""
    return [
        {
            "kind": link.kind,
            "original": list(link.original),
            "revised": list(link.revised),
            "before": _covered(original, link.original),
            "after": _covered(revised, link.revised),
            "edits": diff_data(
                diff_words(_covered(original, link.original), _covered(revised, link.revised))
            ),
        }
        for link in links
    ]


def alignment_terminal(links: Iterable[Link], original: Document, revised: Document) -> Text:
    """Links for a terminal: a line for each, with both sentence numbers, a mark, and what changed."""
    from rich.text import Text  # noqa: PLC0415  a page needs no terminal library

    shown = Text()
    for link in links:
        mark, style = _MARKS[link.kind]
        numbers = f"{_joined(link.original):>7} {mark} {_joined(link.revised):<7} "
        shown.append(numbers, style=style)
        edits = diff_words(_covered(original, link.original), _covered(revised, link.revised))
        line = diff_terminal(edits)
        if link.kind == "kept":
            line.stylize("dim")
        shown.append_text(line)
        shown.append("\n")
    return shown


def _covered(document: Document, numbers: tuple[int, ...]) -> str:
    """The text of some sentences, on one line."""
    return " ".join(" ".join(document.sentence(number).text.split()) for number in numbers)


def _joined(numbers: tuple[int, ...]) -> str:
    return "+".join(map(str, numbers)) or "·"
