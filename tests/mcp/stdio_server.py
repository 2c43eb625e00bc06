"""`redraft mcp` for the test of its process: scores are by rule, and one text is revised until it is stopped."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from redraft.cli import main
from redraft.mcp import tools
from redraft.revision import Revision, arevise
from tests.by_rule import score_by_rule

ENDLESS = "This text takes for ever."


async def revise(text: str, *rest: Any, stop: asyncio.Event, **options: Any) -> Revision:
    """As ever, but for the text that takes for ever: a file tells that it was stopped."""
    print("this goes nowhere near the protocol")
    if text == ENDLESS:
        await stop.wait()
        Path("stopped").touch()
    return await arevise(text, *rest, stop=stop, **options)


if __name__ == "__main__":
    score_by_rule()
    tools.arevise = revise  # type: ignore[assignment]
    sys.argv = ["redraft", "mcp"]
    main()
