"""What a text says that has errors in it: what it says without those that are sure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from redraft.revision.corrections.steps import ANY
from redraft.revision.corrections.told_in_past import is_told_in_past, mended_by_rules
from redraft.revision.draft import Draft
from redraft.revision.task import Task

_DOUBLED: Final = re.compile(
    r"(?P<first>\b(?:not|never|hardly|cannot)|n['’]t)(?P<between>(?: [\w'’]+){1,3} )"
    r"(?P<second>nobody|no one|nothing|nowhere|none)\b",
    re.IGNORECASE,
)
_ANY: Final = {**ANY, "no one": "anyone", "nowhere": "anywhere"}


def meant_in(task: Task, draft: Draft) -> Callable[[str], str] | None:
    """What makes of a passage of a draft what was meant by it; None where no errors are to be corrected.

    "Nobody does this no more" is no denial of a denial: a correction is held against what was meant.
    """
    if task.kind != "correct":
        return None
    original = "".join(unit.gap + unit.source for unit in draft.units)
    told_in_past = is_told_in_past(original)
    return lambda passage: undoubled(mended_by_rules(passage, told_in_past=told_in_past))


def undoubled(text: str) -> str:
    """A text with one denial where a writer has put two.

    >>> undoubled("He didn't tell nobody, and nobody came.")
    "He didn't tell anybody, and nobody came."
    """
    return _DOUBLED.sub(lambda found: found["first"] + found["between"] + _ANY[found["second"].lower()], text)
