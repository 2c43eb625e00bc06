"""Files in and out: what a file holds, and a document as text, .docx, difference or certificate."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, Literal

from redraft.errors import InputError, NotFound
from redraft.settings import Settings
from redraft.text import decode_text, guess_format, is_docx, read_docx, write_docx
from redraft.workspace.certificate import POLICY, certificate, difference, nothing_checked
from redraft.workspace.checking import check_text, wanted_of
from redraft.workspace.documents import Kept, add_file, get_file
from redraft.workspace.jobs import get_job
from redraft.workspace.requests import Check
from redraft.workspace.store import Store

As = Literal["text", "diff", "docx", "certificate"]
_ENDINGS: Final = {"text": ".txt", "markdown": ".md", "latex": ".tex"}
_DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_LONGEST_NAME: Final = 60
_ASKED: Final = ("instruction", "calls", "counting")


@dataclass(frozen=True, slots=True)
class Exported:
    """A file to be taken away."""

    name: str
    media_type: str
    content: bytes
    policy: str | None = None
    """What it may do where it is shown as a page; None where it is not."""


def open_file(store: Store, name: str, data: bytes) -> dict[str, Any]:
    """What a file holds: its title, its format and its text; a .docx is kept, for its formatting."""
    title = PurePath(name.replace("\\", "/")).stem[:500]
    if is_docx(data, name):
        found = read_docx(data)
        kept = add_file(store, name[:500], data)
        return {"title": title, "format": found.format, "text": found.text, "file": kept}
    text = decode_text(data, name or "the file").removeprefix("\ufeff").replace("\r\n", "\n")
    return {"title": title, "format": guess_format(text, name), "text": text}


def export(store: Store, kept: Kept, wanted: As, settings: Settings) -> Exported:
    """A document as a file."""
    content, name = kept.content, _name(kept.content.title)
    if wanted == "text":
        ending = _ENDINGS[content.format]
        return Exported(name + ending, "text/plain; charset=utf-8", content.text.encode())
    if wanted == "docx":
        if content.file is None:
            raise InputError("only a document that was opened from a .docx is exported as one")
        original = get_file(store, content.file)[1]
        return Exported(f"{name}.docx", _DOCX, write_docx(original, content.text))
    if wanted == "diff":
        page = difference(content.title, content.original, content.text, content.format)
        return Exported(f"{name}.changes.html", "text/html; charset=utf-8", page.encode())
    page = _certificate(store, kept, settings)
    return Exported(f"{name}.certificate.html", "text/html; charset=utf-8", page.encode(), POLICY)


def _certificate(store: Store, kept: Kept, settings: Settings) -> str:
    """What was asked for last is what is checked: a person may have corrected what an instruction says."""
    content = kept.content
    asked: dict[str, Any] = {"instruction": content.instruction, "calls": content.calls}
    if kept.job is not None:
        with contextlib.suppress(NotFound):
            job = get_job(store, kept.job)
            if job.kind == "revise":
                asked = {name: job.request[name] for name in _ASKED if name in job.request}
    check = Check(
        text=content.text, original=content.original, format=content.format, house=True, **asked
    )  # fmt: skip
    wanted = wanted_of(check.instruction, check.calls, settings, house=True)
    report = check_text(check, settings) if wanted.constraints else nothing_checked(wanted)
    return certificate(content.title, content.original, content.text, report, content.format)


def _name(title: str) -> str:
    """A title as the name of a file."""
    plain = re.sub(r"[^\w-]+", "-", title).strip("-")
    return plain[:_LONGEST_NAME].strip("-") or "text"
