"""How a revision shows what it does: a line on a terminal while it runs, and afterwards what came of it.

All of it goes to standard error, and reads without colours too.
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Container, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Self

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from redraft.cli.console import Output, console, note, visible
from redraft.cli.options import finding_line, finding_message
from redraft.constraints import Constraint, Findings
from redraft.models import Ledger
from redraft.quality import Quality
from redraft.revision import Concern, Node, Revision, Settled
from redraft.text import Edit, diff_terminal, diff_words, is_english

_CONCERNS = ("kept", "reads badly", "changed meaning", "points back", "new", "left out")
"""The worst first."""
_MOST_CONCERNS = 6
_LONGEST_QUOTED = 160
_LATEST = 3
"""Changed sentences that are shown while it works."""
_AROUND = 40
"""Letters of unchanged text that are shown on each side of a change."""


class View(ExitStack):
    """A line that tells how the search goes, with the sentences that changed last; nothing where there is no
    terminal, or with --quiet. `sentences` is how many the text has."""

    def __init__(self, ledger: Ledger, sentences: int = 0) -> None:
        super().__init__()
        self._sentences = sentences
        self._told: dict[tuple[int, str], Settled] = {}
        self._ledger = ledger
        self._spent = ledger.total
        self._best: Node | None = None
        self._last: Node | None = None
        self._texts = 0
        self._started = time.monotonic()
        self.is_shown = console().is_terminal and not Output.quiet
        """Whether there is anybody to see it."""

    def __enter__(self) -> Self:
        shown = console()
        self._started = time.monotonic()
        if self.is_shown:
            live = Live(
                console=shown,
                get_renderable=self.lines,
                transient=True,
                refresh_per_second=4,
                redirect_stdout=False,
            )
            self.enter_context(live)
        return self

    def reached(self, node: Node) -> None:
        """Hear of a text that is finished."""
        self._texts += 1
        self._last = node
        if self._best is None or node.reward.total > self._best.reward.total:
            self._best = node

    def settled(self, one: Settled) -> None:
        """Hear what became of a sentence, so far or for good."""
        self._told.pop((one.number, one.before), None)  # the latest come last
        self._told[one.number, one.before] = one

    def lines(self) -> Group:
        """How it stands, and the latest changes."""
        changed = [one for one in self._told.values() if one.after != one.before][-_LATEST:]
        return Group(self.line(), *map(_change, changed))

    def line(self) -> Text:
        """How it stands."""
        spent = self._ledger.total
        seconds = time.monotonic() - self._started
        if self._best is None or self._last is None:
            parts = ["reading the text"]
        else:
            findings = self._best.findings
            met = sum(finding.met for finding in findings)
            parts = [f"best {self._best.reward.total:.3f}"]
            parts += [f"constraints {met}/{len(findings)}"] if len(findings) else []
            parts += [f"texts {self._texts}", f"depth {self._last.depth}"]
        parts += [f"sentences {len(self._told)}/{self._sentences}"] if self._told else []
        calls = spent.calls - self._spent.calls
        parts += [f"calls {calls}", f"tokens {spent.tokens - self._spent.tokens:,}"] if calls else []
        return Text("  ".join([*parts, f"{seconds:.0f} s"]), no_wrap=True, overflow="ellipsis", style="dim")


def _change(one: Settled) -> Text:
    edits = diff_words(visible(one.before), visible(one.after))
    line = Text(f"{one.number or '':>4}  ", style="dim", no_wrap=True, overflow="ellipsis")
    return line.append_text(diff_terminal(_shortened(edits)))


def show_asked(constraints: Sequence[Constraint]) -> None:
    """What is to be met, as it was understood: on a terminal it is read before the text is there."""
    if console().is_terminal:
        for constraint in constraints:
            note(f"asked for: {constraint}  {constraint.call}")


def show_changes(original: str, revised: str) -> None:
    """What changed, word by word, with a little of what stands around it."""
    edits = diff_words(visible(original, lines=True), visible(revised, lines=True))
    if all(edit.op == "equal" for edit in edits):
        _say(Text("nothing was changed", style="dim"))
    else:
        _say(diff_terminal(_shortened(edits)))


def show_findings(findings: Findings, house: Container[Constraint] = ()) -> None:
    """Each constraint, and whether it is met, those of the house style marked."""
    if console().is_terminal:
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        table.add_column(overflow="fold")
        for finding in findings:
            mark = Text("met", "green") if finding.met else Text("NOT met", "bold red")
            message = Text(finding_message(finding, house), "dim")
            table.add_row(mark, Text(visible(finding.constraint.call)), message)
        _say(table)
        return
    for finding in findings:
        _say(finding_line(finding, house))


def show_concerns(found: Revision) -> None:
    """What a reader should know of the result, the worst first; at most a handful."""
    obeys = "obeys, but " if found.findings.met and len(found.findings) else ""
    concerns = sorted(found.concerns, key=lambda one: _CONCERNS.index(one.kind))
    for one in concerns[:_MOST_CONCERNS]:
        shown = replace(one, text=textwrap.shorten(one.text, _LONGEST_QUOTED, placeholder=" …"))
        note(f"{obeys if one.kind == 'reads badly' else ''}{shown}", "yellow")
    if len(concerns) > _MOST_CONCERNS:
        note(f"and {len(concerns) - _MOST_CONCERNS} more; --json has them all", "yellow")


def show_scores(
    text: str, before: Quality | None, after: Quality | None, concerns: Sequence[Concern] = ()
) -> None:
    """The scores of both texts, where they were measured; better ones in green.

    No number stands for the meaning of a text that leaves something out, or says something else, nor for the
    grammar of one that is not in English.
    """
    if before is None or after is None:
        return
    meaning = None if after.meaning is None else after.meaning.similarity
    errors = "errors per 100 words that Harper finds" if after.grammar else "Harper finds no errors"
    rows = (
        ("perplexity", before.perplexity, after.perplexity, 1, False, "lower is more fluent"),
        ("grammar", before.grammar, after.grammar, 1, False, f"{errors}; it misses many"),
        ("SOME", before.some, after.some, 2, True, "1 is best"),
        ("meaning", None, meaning, 2, True, "likeness to the original"),
        ("entities", None, after.entities, 2, True, "share of names, dates and numbers kept"),
    )
    for name, old, new, digits, is_rising, explained in rows:
        if new is None or (name == "grammar" and not is_english(text)):
            continue
        if name == "meaning" and (lost := _lost(concerns)):
            _say(Text.assemble(f"{name:11}{'':>8}   {lost}", ("  named above", "dim")))
            continue
        style = ""
        if old is not None and round(old, digits) != round(new, digits):
            style = "green" if (new > old) is is_rising else "red"
        shown = "" if old is None else f"{old:.{digits}f}"
        arrow = "  " if old is None else "→ "
        _say(
            Text.assemble(
                f"{name:11}{shown:>8} {arrow}", (f"{new:>8.{digits}f}", style), (f"  {explained}", "dim")
            )
        )


def _lost(concerns: Sequence[Concern]) -> str:
    """What became of the meaning, in words."""
    gone = sum(one.kind == "left out" for one in concerns)
    changed = sum(one.kind == "changed meaning" for one in concerns)
    named = ((gone, "left out"), (changed, "perhaps changed"))
    return ", ".join(f"{count} {said}" for count, said in named if count)


def _shortened(edits: tuple[Edit, ...]) -> Iterator[Edit]:
    """The edits, with long unchanged stretches cut down to what stands beside a change."""
    for place, edit in enumerate(edits):
        if edit.op != "equal":
            yield edit
            continue
        text = edit.before
        head = text[:_AROUND].rpartition(" ")[0] if place else ""
        tail = text[-_AROUND:].partition(" ")[2] if place < len(edits) - 1 else ""
        if len(text) > len(head) + len(tail) + _AROUND:
            cut = " …\n… " if "\n" in text[len(head) : len(text) - len(tail)].strip() else " … "
            text = f"{head}{cut}{tail}" if head and tail else f"… {tail}" if tail else f"{head} …"
            yield replace(edit, before=text, after=text)
        else:
            yield edit


def _say(shown: Text | Table) -> None:
    if not Output.quiet:
        # A console that wraps by itself cannot lay out a table.
        console().print(shown, soft_wrap=isinstance(shown, Text))
