"""Edit a text sentence by sentence, the best of four edits each: python examples/edit.py FILE INSTRUCTION"""

from __future__ import annotations

import asyncio
import sys

from rich.console import Console

from redraft import Document, Models, load_settings
from redraft.editor import Editor
from redraft.errors import RedraftError
from redraft.quality import EmbeddedQuality, meaning_changes
from redraft.text import diff_terminal, diff_words, read_text

FEWEST_WORDS = 5


async def main(path: str, instruction: str) -> None:
    """Print what changes, words taken out in [-…-] and put in in {+…+}."""
    document = Document(read_text(path))
    sentences = [one for one in document.sentences if len(one.text.split()) >= FEWEST_WORDS]
    async with Models(load_settings()) as models:
        quality = EmbeddedQuality(models.scorer(), models.embedder())
        editor = Editor(models.for_role("model"), quality, samples=4)
        edits = await asyncio.gather(*(editor.edit(one.text, instruction) for one in sentences))
    # The model is small: an edit that loses a number, a name or a negation is not taken.
    revised = document.replace(
        {
            one.number: edit.text
            for one, edit in zip(sentences, edits, strict=True)
            if not meaning_changes(one.text, edit.text)
        }
    )
    Console(soft_wrap=True, highlight=False).print(diff_terminal(diff_words(document.text, revised.text)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python examples/edit.py FILE INSTRUCTION")
    try:
        asyncio.run(main(*sys.argv[1:]))
    except RedraftError as error:
        sys.exit(f"error: {error}")
