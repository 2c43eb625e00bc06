"""Parts of the text that stay, or alone change: the last sentence, a paragraph, the dialogue."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Constraint, Demand, Finding, Impossible, Keeps
from redraft.constraints.bounds import plural
from redraft.constraints.counting import Reading
from redraft.errors import CallError
from redraft.text import CARDINALS, ORDINALS, Sentence, Span

_PART: Final = re.compile(
    r"last sentence|last (\d{1,4}) sentences|last paragraph|paragraph (\d{1,4})|dialogue"
)
_NTH: Final = rf"(?:{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th)|last|final|closing|opening)"
_OF: Final = r"(?:the|my|our|your)\ (?:very\ )?"
_NAMED: Final = (
    rf"(?:{_OF}(?:last|final|closing)(?:\ (?:\d{{1,2}}|{'|'.join(CARDINALS)}))?\ sentences?"
    r"|paragraphs?\ \d{1,3}(?:(?:,\ |,?\ and\ )\d{1,3})*"
    rf"|{_OF}{_NTH}(?:(?:,\ |,?\ and\ )(?:the\ )?{_NTH})*\ paragraphs?"
    rf"|(?:any\ of\ |all\ )?(?:{_OF})?(?:dialogues?|direct\ speech))"
)
_LIST: Final = rf"{_NAMED}(?:(?:,|,?\ and)\ {_NAMED})*"
_STILL: Final = (
    r"(?:\ (?:exactly\ |just\ )?(?:alone|unchanged|untouched|intact|verbatim|word\ for\ word|as\ is"
    r"|(?:the\ way|as)\ (?:it|they)\ (?:is|are|stands?)))"
)
# Not "the last sentence but one", nor "… and the heading", which no part says
_END: Final = (
    r"(?=\s*(?:[.;:!?)]|\Z|(?:,\s*)?\b(?:and|but)\ (?!(?:the|my|our|its|all|any|one|two)\b)|,\ (?!the|my)))"
)
_TOUCH: Final = "touch|change|edit|alter|modify|rewrite|revise"
_KEPT: Final = re.compile(
    rf"""
    (?:
        (?:do\ not|don['’]t|never)\ (?:{_TOUCH})\ (?P<a>{_LIST}){_STILL}?
      | (?:keep|preserve)\ (?P<b>{_LIST}){_STILL}?
      | leave\ (?P<c>{_LIST}){_STILL}
    ){_END}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    rf"(?:only\ (?:{_TOUCH})|(?:{_TOUCH})\ (?:only|nothing\ but))\ (?P<a>{_LIST}){_END}",
    re.VERBOSE | re.IGNORECASE,
)
_AHEAD: Final = re.compile(
    r"(?:\A|[.;:!?,\n(-])\s*\Z|\b(?:and|but|then|also|please|just)\s+\Z", re.IGNORECASE
)
"""What stands before a demand: not "you don't have to keep …"."""
_NEAR: Final = 40
"""Characters before a demand that bear on it."""
_TIE: Final = re.compile(r"(?:,?\s*\b(?:and|but|then|also|please)\s+|,\s*)+\Z", re.IGNORECASE)
_ONE: Final = re.compile(_NAMED, re.VERBOSE | re.IGNORECASE)
_RELATIONS: Final[tuple[tuple[Literal["change", "unchange"], re.Pattern[str]], ...]] = (
    ("unchange", _KEPT),
    ("change", _CHANGED),
)
_SPOKEN: Final = re.compile(r"[“”\"„«»]|(?<!\w)[‘']\w.*[’'](?!\w)")


@dataclass(frozen=True)
class Parts(Constraint):
    """Parts of the original stay word for word ("unchange"), or nothing but them changes ("change").

    A part is "last sentence", "last 2 sentences", "paragraph 2", "last paragraph" or "dialogue".
    """

    parts: tuple[str, ...]
    relation: Literal["change", "unchange"]

    name = "parts_check"

    def __post_init__(self) -> None:
        for part in self.parts:
            if not _PART.fullmatch(part):
                raise CallError(
                    f'{self.name}: no part "{part}"; known are "last sentence", "last 2 sentences",'
                    ' "paragraph 2", "last paragraph" and "dialogue"'
                )
        if not self.parts:
            raise CallError(f"{self.name}: name at least one part")

    @property
    def needs_original(self) -> bool:
        """The parts are the original's."""
        return True

    def sentences(self, original: Reading) -> tuple[Sentence, ...]:
        """The sentences of the parts."""
        found = {one.number: one for part in self.parts for one in _sentences(part, original)}
        return tuple(found[number] for number in sorted(found))

    def missing(self, original: Reading) -> str | None:
        """Why a part cannot be checked, if it is not there."""
        absent = [part for part in self.parts if not _sentences(part, original)]
        count = plural(len(original.document.paragraphs), "paragraph")
        return f"{absent[0]} is named, but the text has {count} and no such part" if absent else None

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for the sentences that stay; the distance is how many are gone."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        listed = ", ".join(self.parts)
        wanted = f"{listed} {'unchanged' if self.relation == 'unchange' else 'alone changed'}"
        if reason := self.missing(original):
            return Finding(self, False, [], wanted, reason, float(len(self.parts)))
        wrong = [sentence.number for sentence in revised.changed(self._kept(original))]
        message = f"changed: sentence {', '.join(map(str, wrong))}" if wrong else wanted
        return Finding(self, not wrong, wrong, wanted, message, float(len(wrong)))

    def _kept(self, original: Reading) -> tuple[Sentence, ...]:
        named = self.sentences(original)
        if self.relation == "unchange":
            return named
        return tuple(sentence for sentence in original.sentences if sentence not in named)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The sentences that stand."""
        if original is None:
            return
        reason = self.missing(original)
        yield Impossible(reason) if reason else Keeps(self._kept(original))

    def phrasings(self) -> list[str]:
        """English imperatives."""
        said = [part if part.startswith("paragraph") else f"the {part}" for part in self.parts]
        listed = f"{', '.join(said[:-1])} and {said[-1]}" if len(said) > 1 else said[0]
        if self.relation == "change":
            return [f"Only change {listed}."]
        return [f"Do not change {listed}.", f"Keep {listed} unchanged."]

    @classmethod
    def read(cls, instruction: str) -> Iterable[tuple[Span, Constraint]]:
        """Parts that stay, or alone change."""
        for relation, wordings in _RELATIONS:
            for match in wordings.finditer(instruction):
                near = max(0, match.start() - _NEAR), match.start()
                if not _AHEAD.search(instruction, *near):
                    continue
                tie = _TIE.search(instruction, *near)
                said = next(filter(None, match.groupdict().values()))
                parts = (part for one in _ONE.finditer(said) for part in _named(one.group()))
                span = Span(tie.start() if tie else match.start(), match.end())
                yield span, cls(tuple(dict.fromkeys(parts)), relation)


def _sentences(part: str, original: Reading) -> list[Sentence]:
    every = list(original.sentences)
    match = _PART.fullmatch(part)
    assert match is not None
    if part == "dialogue":
        return [sentence for sentence in every if _SPOKEN.search(sentence.text)]
    if part.endswith(("sentence", "sentences")):
        return every[-int(match[1] or 1) :]
    spans = original.document.paragraphs
    number = int(match[2]) if match[2] else len(spans)
    if not 1 <= number <= len(spans):
        return []
    span = spans[number - 1]
    return [sentence for sentence in every if span.start <= sentence.start < span.end]


def _named(said: str) -> Iterable[str]:
    low = said.lower()
    if "sentence" in low:
        counted = next((word for word in low.split() if word.isdigit() or word in CARDINALS), "1")
        count = int(counted) if counted.isdigit() else CARDINALS[counted]
        yield "last sentence" if count == 1 else f"last {count} sentences"
    elif "paragraph" not in low:
        yield "dialogue"
    else:
        yield from (f"paragraph {number}" for number in re.findall(r"\b\d+\b", low))
        for word in re.findall(rf"\b{_NTH}\b", low):
            if word in ("last", "final", "closing"):
                yield "last paragraph"
            else:
                yield f"paragraph {_number(word)}"


def _number(word: str) -> int:
    return 1 if word == "opening" else ORDINALS.get(word) or int(word[:-2])
