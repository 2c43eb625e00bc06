"""How `redraft compose` shows a piece while it is written, and how a person edits its outline."""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import typer
from rich.console import Console
from rich.status import Status
from rich.table import Table
from rich.text import Text

from redraft.cli.console import Output, console, note, problem, visible
from redraft.cli.editing import edit_file
from redraft.cli.runs import describe_usage
from redraft.cli.write.revision_view import show_findings
from redraft.composition import (
    Approve,
    Average,
    Composition,
    Outline,
    Review,
    SectionText,
    State,
    Step,
    count_words,
    outline_text,
    read_outline,
)
from redraft.errors import InputError
from redraft.text import is_private, read_text, replace_surrogates, write_text

_SECONDS = 30
"""Where there is no terminal, so long passes between two lines."""


class View(ExitStack):
    """Tells each step on a terminal, and elsewhere one now and then; nothing with --quiet."""

    def __init__(self, most: int, language: str) -> None:
        super().__init__()
        self._most = most
        self._language = language
        self._screen: Console = console()
        self._status: Status | None = None
        self._last = time.monotonic()

    def __enter__(self) -> Self:
        if self._screen.is_terminal and not Output.quiet:
            self._status = self.enter_context(self._screen.status("planning the piece"))
        return self

    def paused(self) -> None:
        """Leave the terminal to somebody else."""
        if self._status is not None:
            self._status.stop()

    def resumed(self) -> None:
        """Go on after a pause."""
        if self._status is not None:
            self._status.start()

    def on_step(self, step: Step, state: State) -> None:
        """Hear of a step that was done."""
        if Output.quiet:
            return
        if self._status is None and time.monotonic() - self._last < _SECONDS:
            return
        self._last = time.monotonic()
        style = "yellow" if step.error else "dim"
        self._screen.print(Text(f"{step.number}/{self._most} {self._describe(step, state)}", style=style))
        if self._status is not None:
            left = len(state.with_status("pending"))
            self._status.update(
                f"{left} section{'s' * (left != 1)} to draft" if left else "going over the text"
            )

    def _describe(self, step: Step, state: State) -> str:
        if step.action is None:
            return f"no action: {visible(step.error)}"
        parts = [str(step.action)]
        number = step.action.section or 0
        if 1 <= number <= len(state.sections):
            parts.append(f"‘{visible(state.section(number).title)}’")
        if step.error:
            parts.append(f"failed: {visible(step.error)}")
        elif isinstance(step.effect, Outline):
            parts.append(f"‘{visible(step.effect.title)}’, {len(step.effect.sections)} sections")
        elif isinstance(step.effect, Review):
            parts.append(f"{step.effect.score:g} of 10")
        elif isinstance(step.effect, SectionText):
            parts.append(_length(count_words(step.effect.content), self._language))
        return " ".join(parts) + (f" ({visible(step.note)})" if step.note else "")


def show(found: Composition) -> None:
    """What came of it."""
    if found.state.manuscript:
        _show_sections(found)
    for remark in found.notes:
        note(visible(remark))
    show_findings(found.findings)
    if found.steps:
        note(_dynamics(found))
    note(f"{visible(found.stopped)}; {describe_usage(found.usage)}")


def _show_sections(found: Composition) -> None:
    state, language = found.state, found.brief.language
    table = Table("", "section", box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("characters" if language == "zh" else "words", "asked", "score", "revisions"):
        table.add_column(column, justify="right", no_wrap=True)
    total = 0
    for section in state.sections:
        passage = state.manuscript.get(section.id)
        words = 0 if passage is None else count_words(passage.final)
        best = None if passage is None or passage.best is None else passage.best[1]
        total += words
        table.add_row(
            str(section.id),
            Text(visible(section.title)),
            str(words) if passage is not None else "–",
            _shown(section.words),
            "–" if best is None else f"{best:g}",
            "–" if passage is None else str(passage.revisions),
        )
    asked = None if found.brief.length is None else found.brief.length.target
    table.add_row("", Text("together", "dim"), str(total), _shown(asked), "", "")
    console().print(table)


def _dynamics(found: Composition) -> str:
    measures = found.dynamics
    named: tuple[tuple[str, Average | None, str], ...] = (
        ("steps per section", measures.efficiency, ".2f"),
        ("reviews per section %", measures.reviews_per_section, ".0f"),
        ("refinements per section %", measures.refinements_per_section, ".0f"),
        ("gain", measures.gain, "+.2f"),
        ("failed %", measures.failures, ".1f"),
    )
    parts = [f"{name} {average.mean:{form}}" for name, average, form in named if average is not None]
    return "; ".join([f"{len(found.steps)} steps, {len(found.state.sections)} sections", *parts])


def _shown(number: int | None) -> str:
    return "–" if number is None else str(number)


def _length(count: int, language: str) -> str:
    unit = "character" if language == "zh" else "word"
    return f"{count} {unit}{'s' * (count != 1)}"


OUTLINE = "outline.md"


def approval(file: Path, view: View, asked: bool, is_resumed: bool) -> Approve | None:
    """A person's say: in an editor on a terminal, else in a file that is read when the piece is resumed."""
    if not asked and not (is_resumed and file.exists()):
        return None

    async def approve(outline: Outline) -> Outline | None:
        is_there = file.exists()
        if not is_there:
            write_text(file, replace_surrogates(outline_text(outline)), private=is_private(file.parent))
        if asked and sys.stdin.isatty() and sys.stderr.isatty():
            view.paused()
            try:
                return await asyncio.to_thread(_edited, file)
            finally:
                view.resumed()
        return read_outline(read_text(file)) if is_resumed and is_there else None

    return approve


def _edited(file: Path) -> Outline | None:
    """The outline after an editor was closed; None where the person gives up."""
    while True:
        edit_file(file)
        try:
            return read_outline(read_text(file))
        except InputError as error:
            problem(str(error))
            if not typer.confirm("Edit it again?", default=True, err=True):
                return None
