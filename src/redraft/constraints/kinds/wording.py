"""Sorts of wording that may not be there: superlatives, clichés, slang. English only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Demand, Finding, Marks, Phrased
from redraft.constraints.bounds import Interval
from redraft.constraints.counting import Reading
from redraft.constraints.kinds.marks import beside_kept, counted, fixed_marks, shown_marks, unwanted_marks
from redraft.text import is_english

Sort = Literal["superlatives", "clichés", "slang"]
_MARKS: Final[dict[Sort, str]] = {
    "superlatives": "superlative",
    "clichés": "cliché",
    "slang": "slang word",
}


@dataclass(frozen=True)
class Wording(Phrased):
    """Nothing of a sort of wording is there, as far as our lists and rules know it.

    What is quoted does not count, nor a superlative that states a fact ("the largest of the three").
    """

    sort: Sort

    name = "wording_check"

    @property
    def english_only(self) -> bool:
        """English phrases are looked for."""
        return True

    @property
    def sought(self) -> str:
        """One phrase of the sort."""
        return _MARKS[self.sort]

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for the phrases."""
        wanted = f"no {self.sort}"
        if not is_english(revised.text):
            message = f"{self.name} reads English only, and this text is not in English"
            return Finding(self, False, 0, wanted, message, 1.0)
        spans = unwanted_marks(revised, self.sought)
        message = f"{wanted} that our lists know"
        if spans:
            held = fixed_marks(revised, self.sought, spans)
            message = (
                f"{counted(len(spans), self.sought)}: {shown_marks(revised, spans)}; wanted {wanted}{held}"
            )
        message += beside_kept(revised, self.sought, spans)
        return Finding(self, not spans, len(spans), wanted, message, float(len(spans)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """None of the phrases."""
        return (Marks(self.sought, Interval(high=0)),)

    def parts(self) -> dict[str, str]:
        """The sort."""
        return {"sort": self.sort}
