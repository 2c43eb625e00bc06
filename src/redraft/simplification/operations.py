"""Which edit operations a simplification made use of, as far as its words tell."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Final

from redraft.text import Document, diff_words, spellings, zipf

_COMMON: Final = 5.5


def operations_used(source: str, simplified: str) -> dict[str, str]:
    """The operations between two texts, each with what shows it: words deleted, added, replaced or moved."""
    found: dict[str, str] = {}
    before, after = (len(Document(text).sentences) for text in (source, simplified))
    if after > before:
        found["split"] = f"{before} became {after}"
    if moved := _moved(spellings(source.lower()), spellings(simplified.lower())):
        found["reorder"] = moved
    for edit in diff_words(source.lower(), simplified.lower()):
        was, now = (" ".join(spellings(text)) for text in (edit.before, edit.after))
        if edit.op != "equal" and (was or now):
            operation, shows = (
                ("replace", f"{was} → {now}") if was and now else ("delete", was) if was else ("add", now)
            )
            found.setdefault(operation, shows)
    return found


def _moved(before: list[str], after: list[str]) -> str:
    """The first word that both texts have once and that now stands behind one that it stood before.

    The commonest words are left aside: that "that" stands elsewhere says nothing.
    """
    times = Counter(before)
    once = {word for word in after if times[word] == 1 == after.count(word) and zipf(word) < _COMMON}
    places = {word: place for place, word in enumerate(before)}
    kept = [word for word in after if word in once]
    return next((two for one, two in pairwise(kept) if places[two] < places[one]), "")
