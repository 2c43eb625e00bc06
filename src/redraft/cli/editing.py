"""A person's own editor, for a file that a command wants a say on."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

from redraft.errors import InputError


def edit_file(file: Path) -> None:
    """Have a file edited, by $VISUAL or $EDITOR; InputError where that fails."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        status = subprocess.call([*shlex.split(editor), str(file)])
    except (OSError, ValueError) as error:
        raise InputError(f"the editor {editor!r} cannot be started: {error}; set EDITOR") from None
    if status:
        raise InputError(f"the editor {editor!r} ended with {status}; what it edited is as it was")
