"""One page that shows a search: its tree, and for each node all that is known of it; it opens offline.

Every text on it is escaped and stands in the page itself; the script only moves what is there. The page's
content policy allows that script and that style sheet, by their hashes, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from redraft import __version__
from redraft.revision.page.panels import node_list, outcome
from redraft.revision.page.pieces import shown
from redraft.revision.page.tree import draw

if TYPE_CHECKING:
    from redraft.revision.trajectory import Trajectory

__all__ = ["search_page"]


def search_page(trajectory: Trajectory) -> str:
    """The page as HTML."""
    script, style = _asset("page.js"), _asset("page.css")
    return Template(_asset("page.html")).substitute(
        title=shown(_title(trajectory)),
        policy=f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'",
        style=style,
        outcome=outcome(trajectory),
        tree=draw(trajectory),
        nodes=node_list(trajectory),
        version=shown(__version__),
        script=script,
    )


def _title(trajectory: Trajectory) -> str:
    asked = " ".join(trajectory.task.instruction.split()) or "Improve the text"
    return asked if len(asked) <= 90 else asked[:89].rstrip() + "…"


def _hash(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
