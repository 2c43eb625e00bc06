"""Words that may not be used, in the cells of tables: no sentence has them, so no other rule reaches them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from redraft.revision.draft import Draft
from redraft.revision.rewriting.edits import WORDS
from redraft.revision.task import Task

_ROW: Final = re.compile(r"(?m)^[ \t]*\|.*\|[ \t]*$")


def without_in_tables(task: Task, draft: Draft) -> Draft:
    """The draft with no forbidden intensifier in its tables: "very fast" is "fast" in a cell as elsewhere.

    For any other word a cell has no rule: what stands there stays, and the finding says so.
    """
    words = [word for word in task.banned if word.lower() in WORDS.intensifiers]
    if task.format != "markdown" or not words:
        return draft
    found = re.compile(rf"(?i)(?<![\w-])(?P<word>{'|'.join(map(re.escape, words))}) (?P<next>\w)")
    units = tuple(replace(unit, gap=_cleared(unit.gap, found)) for unit in draft.units)
    return replace(draft, units=units, tail=_cleared(draft.tail, found))


def _cleared(text: str, found: re.Pattern[str]) -> str:
    """The text with the words gone from its rows; a cell that began with a capital still does."""

    def said(match: re.Match[str]) -> str:
        return match["next"].upper() if match["word"][0].isupper() else match["next"]

    return _ROW.sub(lambda row: found.sub(said, row[0]), text)
