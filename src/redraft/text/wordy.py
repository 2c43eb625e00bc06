"""Plain words, and the wordy phrases that say no more than they do."""

from __future__ import annotations

from typing import Final

from redraft.text.word_lists import list_lines

WORDY: Final = {
    line.split("|")[0].strip(): tuple(one.strip() for one in line.split("|")[1].split(";"))
    for line in list_lines(__package__, "wordy.txt")
}
"""The wordy phrases for each plain word."""
