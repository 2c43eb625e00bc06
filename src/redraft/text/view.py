"""What a reader sees of a marked-up text, offset for offset."""

from __future__ import annotations

from redraft.text.spans import Format


def reader_view(text: str, format: Format) -> str:
    """The text as it is segmented and counted: of the same length, with its mark-up blanked."""
    return text
