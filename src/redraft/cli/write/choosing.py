"""`redraft revise --interactive`: the changes one by one on the terminal, as `git add -p` asks for them."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import typer
from rich.text import Text

from redraft.cli.console import console, note, problem, visible
from redraft.cli.editing import edit_file
from redraft.constraints import Findings, check
from redraft.errors import InputError
from redraft.revision import Revision
from redraft.text import Format, diff_terminal, diff_words, read_text, write_text
from redraft.workspace import Passage, compare

_KEYS: Final = {
    "y": "take this change",
    "n": "leave this passage as it was",
    "e": "edit the new passage, and take it so",
    "a": "take this change and all that follow",
    "d": "leave this passage and all that follow as they were",
    "q": "quit: nothing is written, no change is taken",
    "?": "show this help",
}
_SUFFIXES: Final[dict[Format, str]] = {"text": ".txt", "markdown": ".md", "latex": ".tex"}
_STOPPED: Final = 130


def choose_changes(found: Revision, original: str, format: Format) -> Revision:
    """The revision with those of its changes that a person takes; the findings are those of that text.

    Exits where the person quits, or where no answer comes any more: then nothing is to be written.
    """
    passages = compare(original, found.text, format)
    choice = _Choice(found, original, format, [passage.after for passage in passages])
    places = [place for place, passage in enumerate(passages) if not passage.same]
    for number, place in enumerate(places, 1):
        key = _answer(choice, passages[place], place, f"change {number} of {len(places)}")
        if key in "nd":
            choice.take(place, passages[place].before)
        if key == "d":
            for left in places[number:]:
                choice.take(left, passages[left].before)
        if key in "ad":
            break
    return choice.result()


def _answer(choice: _Choice, passage: Passage, place: int, title: str) -> str:
    """What is to become of a passage: y, n, a or d; one that is edited is taken."""
    _show(choice, passage, title)
    while True:
        console().print(Text(f"Take it [{','.join(_KEYS)}]? ", "bold"), end="")
        line = sys.stdin.readline()
        key = line.strip()[:1].lower()
        if not line or key == "q":
            note("nothing was written: the text stays as it was")
            raise typer.Exit(_STOPPED)
        if key == "e":
            try:
                choice.take(place, _edited(passage.after, choice.format))
            except InputError as error:
                problem(str(error))
                continue
            return "y"
        if key and key in "ynad":
            return key
        for name, meaning in _KEYS.items():
            console().print(Text(f"{name}  {meaning}"))


def _show(choice: _Choice, passage: Passage, title: str) -> None:
    numbers = ", ".join(map(str, filter(None, passage.number_before)))
    where = f"sentence{'s' * (len(passage.number_before) > 1)} {numbers}" if numbers else ""
    console().print(Text(f"\n{title}  {where}".rstrip(), "bold"))
    before, after = (visible(text.strip(), lines=True) for text in (passage.before, passage.after))
    console().print(diff_terminal(diff_words(before, after)))
    for line in choice.told(passage):
        console().print(Text(visible(line), "dim"))


class _Choice:
    """The text as it is chosen so far; where nothing is chosen yet, as it is proposed."""

    def __init__(self, found: Revision, original: str, format: Format, passages: list[str]) -> None:
        self.format = format
        self._found = found
        self._original = original
        self._passages = passages
        self._findings = found.findings

    def take(self, place: int, text: str) -> None:
        """Choose a text for a passage, and name the constraints that it breaks or meets again."""
        self._passages[place] = text
        before, self._findings = self._findings, self._check()
        for old, new in zip(before, self._findings, strict=True):
            if old.met and not new.met:
                note(f"now not met: {new.constraint.call}  {new.message}", "yellow")
            elif new.met and not old.met:
                note(f"now met: {new.constraint.call}", "green")

    def told(self, passage: Passage) -> Iterator[str]:
        """By what a passage was changed and why, and what a reader should know of it."""
        for change in self._found.changes:
            if _is_in(change.after, passage.after) and _is_in(change.before, passage.before):
                yield f"by {change.by}" + (f": {change.why}" if change.why else "")
        for concern in self._found.concerns:
            gone = concern.kind == "left out"
            if concern.text and _is_in(concern.text, passage.before if gone else passage.after):
                yield str(concern)

    def result(self) -> Revision:
        """The revision with the text that was chosen."""
        text = "".join(self._passages)
        if text == self._found.text:
            return self._found
        now = self._found.concerns
        return replace(
            self._found,
            text=text,
            findings=self._findings,
            after=None,
            changes=tuple(one for one in self._found.changes if _is_in(one.after, text)),
            concerns=tuple(one for one in now if _is_in(one.text, text) is (one.kind != "left out")),
        )

    def _check(self) -> Findings:
        return check(
            "".join(self._passages),
            [finding.constraint for finding in self._found.findings],
            original=self._original,
            counting=self._findings.counting,
            format=self.format,
        )


def _is_in(part: str, whole: str) -> bool:
    return " ".join(part.split()) in " ".join(whole.split())


def _edited(text: str, format: Format) -> str:
    """A passage as a person's editor leaves it, with the white space that was around it."""
    inner = text.strip()
    start = text.index(inner)
    with tempfile.TemporaryDirectory(prefix="redraft-") as folder:
        file = Path(folder, f"passage{_SUFFIXES[format]}")
        write_text(file, f"{inner}\n", private=True)
        edit_file(file)
        return text[:start] + read_text(file).strip() + text[start + len(inner) :]
