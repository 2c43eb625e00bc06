"""Small sets of words that the rules ask for."""

from __future__ import annotations

from typing import Final

from redraft.text import word_sets

SETS: Final = word_sets(__package__)
"""Sets of words by their names in data/sets.txt."""
