"""The sheet as one page that opens offline: a text at a time, scored by keys, kept by the browser.

Every text on it is escaped and stands in the page itself; its content policy allows the page's own script and
style sheet, by their hashes, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template
from typing import Final

MEANINGS: Final = {
    1: "not at all: meaning lost, or no simpler",
    2: "little",
    3: "partly",
    4: "mostly",
    5: "fully: simpler, fluent, meaning kept",
}
"""What the scores say of how far a text follows the guidelines."""
_UNSEEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True)
class Guidelines:
    """What people are to go by: a title, what the texts are for, and what counts for and against one."""

    title: str
    text: str
    rewards: tuple[str, ...] = ()
    penalties: tuple[str, ...] = ()


def sheet_page(name: str, rows: Sequence[tuple[str, str, str]], guidelines: Guidelines) -> str:
    """The page for rows of id, source and text."""
    script, style = _asset("page.js"), _asset("page.css")
    return Template(_asset("page.html")).substitute(
        title=_shown(guidelines.title),
        policy=f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'",
        style=style,
        guidelines="".join(_guidelines(guidelines)),
        sheet=_shown(name),
        count=len(rows),
        rows="".join(_row(number, len(rows), *row) for number, row in enumerate(rows, 1)),
        script=script,
    )


def _guidelines(guidelines: Guidelines) -> Iterator[str]:
    yield f"<p>{_shown(guidelines.text)}</p>\n"
    for head, lines in (("For a text", guidelines.rewards), ("Against it", guidelines.penalties)):
        if lines:
            yield f"<h3>{head}</h3><ul>{''.join(f'<li>{_shown(line)}</li>' for line in lines)}</ul>\n"


def _row(number: int, count: int, name: str, source: str, text: str) -> str:
    marks = "".join(
        f'<label><input type="radio" name="score-{number}" value="{mark}"> <b>{mark}</b> '
        f"<span>{_shown(meaning)}</span></label>"
        for mark, meaning in MEANINGS.items()
    )
    return (
        f'<article data-id="{_shown(name)}" aria-labelledby="head-{number}">'
        f'<h2 id="head-{number}" tabindex="-1">Text {number} of {count}</h2>\n'
        f'<h3>Source</h3><blockquote class="text source">{_shown(source)}</blockquote>\n'
        f'<h3>Simplification</h3><blockquote class="text simplification">{_shown(text)}</blockquote>\n'
        f"<fieldset><legend>How far does it follow the guidelines?</legend>{marks}</fieldset>\n"
        f'<label class="comment">Comment <textarea rows="2"></textarea></label></article>\n'
    )


def _shown(text: str) -> str:
    return escape(_UNSEEN.sub("\ufffd", text))


def _hash(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
