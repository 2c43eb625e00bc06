"""Edit a text sentence by sentence with the embedded editor: python examples/edit.py FILE INSTRUCTION"""

from __future__ import annotations

import asyncio
import sys

from redraft import Document, Models, load_settings
from redraft.editor import Editor
from redraft.text import diff_terminal, diff_words, read_text


async def main(path: str, instruction: str) -> None:
    """Print what changes, words taken out in [-…-] and put in in {+…+}."""
    document = Document(read_text(path))
    async with Models(load_settings()) as models:
        editor = Editor(models.for_role("model"))
        edits = await asyncio.gather(*(editor.edit(one.text, instruction) for one in document.sentences))
    revised = document.replace({number: edit.text for number, edit in enumerate(edits, 1)})
    print(diff_terminal(diff_words(document.text, revised.text)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
