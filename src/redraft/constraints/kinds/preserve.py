"""Things that the original has and the revision must still have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.constraints.base import Constraint, Finding
from redraft.constraints.counting import Reading
from redraft.errors import CallError

What = Literal["numbers", "quotations", "entities", "citations", "links"]


def _find(what: str, text: str) -> list[str]:
    import redraft.text as t  # noqa: PLC0415

    return [str(getattr(x, "text", x)) for x in getattr(t, what)(text)]


_NAMES = {"entities": "named entities"}


@dataclass(frozen=True)
class Preserve(Constraint):
    """Every number, quotation, named entity, citation or link of the original is still there."""

    what: What

    name = "preserve_check"

    @property
    def needs_original(self) -> bool:
        """What must stay is what the original has."""
        return True

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for each in the revision, as often as in the original (names: at least once)."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        name = _NAMES.get(self.what, self.what)
        before = Counter(_find(self.what, original.text))
        if self.what == "entities":
            lost = [item for item in before if not revised.occurrences(item)]
        else:
            lost = list((before - Counter(_find(self.what, revised.text))).elements())
        if not lost:
            return Finding(self, True, 0, f"all {name} kept", f"all {before.total()} {name} kept")
        listed = ", ".join(f"“{item}”" for item in lost[:5]) + (
            f" and {len(lost) - 5} more" * (len(lost) > 5)
        )
        return Finding(self, False, len(lost), f"all {name} kept", f"lost {listed}", float(len(lost)))

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        name = _NAMES.get(self.what, self.what)
        return [f"Keep all {name}.", f"Preserve every {_SINGULAR[self.what]}.", f"Do not change any {name}."]


_SINGULAR = {
    "numbers": "number",
    "quotations": "quotation",
    "entities": "named entity",
    "citations": "citation",
    "links": "link",
}
