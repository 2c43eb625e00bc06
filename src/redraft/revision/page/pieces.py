"""Small pieces of HTML: text made safe, a word diff, a number, a table of scores, a list of findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from redraft.text import diff_words

if TYPE_CHECKING:
    from redraft.revision.trajectory import TracedFinding, TracedQuality

_ILLEGAL = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_SCORES = (
    ("perplexity", 1, "lower is more fluent"),
    ("grammar", 1, "errors per 100 words"),
    ("some", 2, "SOME's judgement; 1 is best"),
    ("likelihood", 2, "per token, given the original"),
    ("meaning", 2, "likeness to the original"),
    ("entities", 2, "share of the original's names, dates and numbers"),
)


def shown(text: str) -> str:
    """Text that a page can hold: escaped, and without the characters that it may not have."""
    return escape(_ILLEGAL.sub("\ufffd", text))


def number(value: float | None, digits: int = 2) -> str:
    """A number, or a dash where there is none."""
    return "–" if value is None else f"{value:,.{digits}f}"


def word_diff(before: str, after: str) -> str:
    """What changed, word by word; line by line where there are as many, which is faster."""
    pairs = [(before, after)]
    if before.count("\n") == after.count("\n"):
        pairs = list(zip(before.split("\n"), after.split("\n"), strict=True))
    lines = (shown(old) if old == new else _marked(old, new) for old, new in pairs)
    whole = "\n".join(lines)
    return f'<div class="text">{whole}</div>'


def _marked(before: str, after: str) -> str:
    parts: list[str] = []
    for edit in diff_words(before, after):
        if edit.op == "equal":
            parts.append(shown(edit.before))
            continue
        if edit.before:
            parts.append(f"<del>{shown(edit.before)}</del>")
        if edit.after:
            parts.append(f"<ins>{shown(edit.after)}</ins>")
    return "".join(parts)


def bullets(items: Iterable[str]) -> str:
    """A list of pieces that are HTML already; nothing where there are none."""
    lines = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul>{lines}</ul>" if lines else ""


def titled(title: str, content: str) -> str:
    """A piece under a small heading; nothing where it is empty."""
    return f"<h4>{shown(title)}</h4>{content}" if content else ""


def findings_list(findings: Sequence[TracedFinding]) -> str:
    """Each constraint, and whether it is met."""
    return bullets(
        f'<span class="{"met" if one.met else "unmet"}">{"met" if one.met else "not met"}</span> '
        f"<code>{shown(one.call)}</code> {shown(one.message)}"
        for one in findings
    )


def scores_table(before: TracedQuality | None, after: TracedQuality | None, names: tuple[str, str]) -> str:
    """The scores of two texts, side by side."""
    rows = "".join(
        f"<tr><th>{name}</th><td>{number(_score(before, name), digits)}</td>"
        f"<td>{number(_score(after, name), digits)}</td><td>{meaning}</td></tr>"
        for name, digits, meaning in _SCORES
        if _score(before, name) is not None or _score(after, name) is not None
    )
    heads = "".join(f"<th>{shown(name)}</th>" for name in names)
    return f"<table><thead><tr><th></th>{heads}<th></th></tr></thead>{rows}</table>" if rows else ""


def _score(quality: TracedQuality | None, name: str) -> float | None:
    if quality is None:
        return None
    if name == "meaning":
        return None if quality.meaning is None else quality.meaning.similarity
    value: float | None = getattr(quality, name)
    return value
