"""Things that the original has and the revision must still have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Constraint, Finding
from redraft.constraints.counting import Reading
from redraft.errors import CallError
from redraft.text import Extract, RuleFinder, citations, links, numbers, quotations

What = Literal["numbers", "quotations", "entities", "citations", "links"]

FINDERS: Final[Mapping[str, Callable[[str], list[Extract]]]] = {
    "numbers": numbers,
    "quotations": quotations,
    "citations": citations,
    "links": links,
}
"""What finds each in a text; names are looked for one by one."""
# How each is called: one of them, and all of them.
_NAMES = {
    "numbers": ("number", "numbers"),
    "quotations": ("quotation", "quotations"),
    "entities": ("named entity", "named entities"),
    "citations": ("citation", "citations"),
    "links": ("link", "links"),
}


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
        one, name = _NAMES[self.what]
        if self.what == "entities":
            before = Counter({entity.text: 1 for entity in RuleFinder().find(original.text)})
            lost = [item for item in before if not revised.occurrences(item)]
        else:
            finder = FINDERS[self.what]
            before = Counter(found.value for found in finder(original.text))
            lost = list((before - Counter(found.value for found in finder(revised.text))).elements())
        wanted = f"all {name} kept"
        if not lost:
            kept = f"1 {one} kept" if before.total() == 1 else f"all {before.total()} {name} kept"
            return Finding(self, True, 0, wanted, kept)
        listed = ", ".join(f"“{item}”" for item in lost[:5])
        more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
        return Finding(self, False, len(lost), wanted, f"lost {listed}{more}", float(len(lost)))

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        one, all_of_them = _NAMES[self.what]
        return [
            f"Keep all {all_of_them}.",
            f"Preserve every {one}.",
            f"Do not change any {all_of_them}.",
            f"All {all_of_them} must stay as they are.",
            f"Leave all {all_of_them} intact.",
        ]
