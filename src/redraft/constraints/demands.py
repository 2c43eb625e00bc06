"""What a constraint demands of any text, in the few terms that the feasibility proof understands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from redraft.constraints.bounds import Interval
from redraft.text import Sentence

Quantity = Literal["words", "sentences", "words in a sentence", "characters", "paragraphs", "grade"]


@dataclass(frozen=True)
class Bounds:
    """A quantity of the text lies in an interval ("words in a sentence": of every sentence)."""

    quantity: Quantity
    allowed: Interval


@dataclass(frozen=True)
class Occurs:
    """A keyword occurs this many times, as `Reading.occurrences` counts."""

    keyword: str
    allowed: Interval


@dataclass(frozen=True)
class Lacks:
    """A keyword is nowhere, as `Reading.uses` counts."""

    keyword: str


@dataclass(frozen=True)
class Keeps:
    """These sentences of the original stand unchanged."""

    sentences: tuple[Sentence, ...]


@dataclass(frozen=True)
class Changes:
    """These sentences of the original do not stand unchanged."""

    sentences: tuple[Sentence, ...]


@dataclass(frozen=True)
class Edge:
    """The text starts or ends with this, case, white space and closing punctuation folded away."""

    side: Literal["start", "end"]
    text: str


@dataclass(frozen=True)
class Matches:
    """A pattern matches somewhere, or nowhere."""

    pattern: str
    somewhere: bool


@dataclass(frozen=True)
class Impossible:
    """No text can satisfy the constraint, whatever the others say."""

    reason: str


Demand = Bounds | Occurs | Lacks | Keeps | Changes | Edge | Matches | Impossible
