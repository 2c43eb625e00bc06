"""Pages to keep or print, whole in themselves: the certificate of a text, and its marked-up difference.

What a person or a model wrote is escaped. The style is the same for every page, so that its hash can stand
in the policy of a page, which lets nothing else in.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from html import escape
from typing import Any, Final

from redraft import __version__
from redraft.text import Document, Format
from redraft.workspace.checking import Wanted
from redraft.workspace.comparison import compare
from redraft.workspace.store import date, now

_STYLE: Final = """
body { font: 16px/1.5 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a;
       background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: start; vertical-align: top;
       border-top: 1px solid #bbb; padding: .35rem .6rem .35rem 0; }
code, small { font-size: .85em; color: #444; overflow-wrap: anywhere; }
.met { color: #14532d; } .unmet { color: #991b1b; font-weight: bold; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; border-top: 1px solid #bbb; padding-top: 1rem; }
del { color: #991b1b; background: #fdecec; } ins { color: #14532d; background: #e7f6ec; }
@media print { body { margin: 0; max-width: none; } tr { break-inside: avoid; } }
"""
_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY: Final = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"
"""What such a page may do: show itself."""


def certificate(title: str, original: str, text: str, report: dict[str, Any], format: Format) -> str:
    """The findings of a text, as `check_text` reports them, and the text that they are of."""
    met = sum(one["met"] for one in report["findings"])
    every = len(report["findings"])
    verdict = "Every constraint is met." if met == every else f"{met} of {every} constraints are met."
    parts = [
        f"<h1>{escape(title) or 'A text'}</h1>",
        f'<p class="{"met" if met == every else "unmet"}">{verdict}</p>' if every else "",
        _findings(report["findings"]),
        _listed("Taken as advice, and not checked", report["wishes"]),
        _listed(
            "Not understood, so that nothing acted on it", (one["words"] for one in report["not_understood"])
        ),
        _listed("No text can meet these together", (one["reason"] for one in report["infeasible"])),
        "<h2>What was checked</h2><table>",
        _row("Words", f"{Document(original, format).words} before, {Document(text, format).words} now"),
        _row("Counted by the convention", report["counting"]),
        _row("Checked", f"{date(now())}, by redraft {__version__}"),
        _row("SHA-256 of the text", hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()),
        f'</table><h2>The text</h2><div class="text" dir="auto">{escape(text)}</div>',
    ]
    return _page(f"Certificate: {title}", parts)


def difference(title: str, before: str, after: str, format: Format) -> str:
    """A text with what was cut and what is new marked."""
    shown = []
    for passage in compare(before, after, format):
        for word in passage.to_dict()["words"]:
            tag = {"cut": "del", "new": "ins"}.get(word["op"])
            said = escape(word["text"])
            shown.append(f"<{tag}>{said}</{tag}>" if tag else said)
    body = f'<div class="text" dir="auto">{"".join(shown)}</div>'
    return _page(f"Changes: {title}", [f"<h1>{escape(title) or 'A text'}</h1>", body])


def nothing_checked(wanted: Wanted) -> dict[str, Any]:
    """A report of a text of which nothing is asked that can be checked."""
    return {"counting": "default", "findings": [], "infeasible": [], **wanted.understood.to_dict()}


def _findings(findings: Iterable[dict[str, Any]]) -> str:
    rows = "".join(
        f'<tr><td class="{"met" if one["met"] else "unmet"}">{"met" if one["met"] else "NOT met"}'
        f"<td>{escape(one['says'])}<br><small>{escape(one['call'])}</small><td>{escape(one['message'])}"
        for one in findings
    )
    if not rows:
        return "<p>Nothing is asked of this text that can be checked.</p>"
    return f"<table><thead><tr><th>Met<th>Constraint<th>Found</thead><tbody>{rows}</tbody></table>"


def _listed(title: str, items: Iterable[str]) -> str:
    rows = "".join(f"<li>{escape(one)}" for one in items)
    return f"<h2>{title}</h2><ul>{rows}</ul>" if rows else ""


def _row(name: str, value: str) -> str:
    return f"<tr><th>{name}<td>{escape(value)}"


def _page(title: str, parts: Iterable[str]) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )
