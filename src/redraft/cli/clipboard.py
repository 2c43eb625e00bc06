"""The clipboard, by the programs that a system has for it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from typing import Final

from redraft.errors import FileError, InputError

_SECONDS: Final = 20
"""A program that has not answered by then waits for somebody."""
_POWERSHELL: Final = ("powershell.exe", "-NoProfile", "-NonInteractive", "-Command")
_IN_UTF8: Final = "[Console]::InputEncoding = [Console]::OutputEncoding = [Text.Encoding]::UTF8; "
_PROGRAMS: Final = (
    # the setting without which a program has no clipboard to reach, then how it reads, and how it writes
    ("WAYLAND_DISPLAY", ("wl-paste", "--no-newline"), ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-out"), ("xclip", "-selection", "clipboard", "-in")),
    ("DISPLAY", ("xsel", "--clipboard", "--output"), ("xsel", "--clipboard", "--input")),
    ("", ("pbpaste",), ("pbcopy",)),
    (
        "",
        (*_POWERSHELL, f"{_IN_UTF8}Get-Clipboard -Raw"),
        (*_POWERSHELL, f"{_IN_UTF8}Set-Clipboard -Value ([Console]::In.ReadToEnd())"),
    ),
)


def read_clipboard() -> str:
    """The text on the clipboard; InputError where there is none, or no program that reads it."""
    paste, _ = _programs()
    try:
        found = subprocess.run(paste, capture_output=True, check=False, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FileError(f"the clipboard cannot be read: {error}") from None
    if found.returncode:
        said = found.stderr.decode(errors="replace").strip() or f"{paste[0]} ended with {found.returncode}"
        raise FileError(f"the clipboard cannot be read: {said}")
    try:
        text = found.stdout.decode()
    except UnicodeDecodeError:
        raise FileError("there is no text on the clipboard, but something else") from None
    if not text.strip():
        raise InputError("there is no text on the clipboard: copy some first")
    return text


def write_clipboard(text: str) -> None:
    """Put a text on the clipboard."""
    _, copy = _programs()
    try:
        # Some go on in the background to hand the text out, and would keep a pipe of ours open.
        found = subprocess.run(
            copy,
            input=text.encode(errors="replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FileError(f"the clipboard cannot be written: {error}") from None
    if found.returncode:
        raise FileError(f"the clipboard cannot be written: {copy[0]} ended with {found.returncode}")


def _programs() -> tuple[Sequence[str], Sequence[str]]:
    """The programs that read and write it, the first that are installed and may work."""
    for setting, paste, copy in _PROGRAMS:
        is_there = not setting or os.environ.get(setting)
        if is_there and shutil.which(paste[0]) and shutil.which(copy[0]):
            return paste, copy
    raise InputError(
        "no program reaches the clipboard: install wl-clipboard (Wayland), or xclip or xsel (X11);"
        " over ssh there is none, so name a FILE"
    )
