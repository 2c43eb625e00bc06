"""The command line: a file or a folder a job, no logic of its own."""

from __future__ import annotations

import sys

from redraft.cli.app import app

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; the console script `redraft` and `python -m redraft` come here."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
