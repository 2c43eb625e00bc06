"""Constraints whose every offence has one right form, such as a spelling: what offends is simply replaced."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple

from redraft.constraints.base import Changes, Demand, Finding, Phrased
from redraft.constraints.bounds import plural
from redraft.constraints.counting import Reading
from redraft.text import Document, Format, Sentence, Span, is_english, quoted_sentences

_SHOWN = 3


class RightForm(NamedTuple):
    """A stretch that offends, and what stands there when it does not."""

    span: Span
    text: str


class Exact(Phrased):
    """A constraint that asks for one of two ways to write the same.

    Names, quotations, links and code are nobody's to change, and never offend; nor does a text that is not
    English.
    """

    in_place: ClassVar[bool] = False
    """Whether it takes the whole text to tell what offends, and no sentence tells by itself."""

    @abstractmethod
    def replacements(self, sentence: str) -> Sequence[RightForm]:
        """What offends in a sentence, and how it is right."""

    @property
    @abstractmethod
    def wanted(self) -> str:
        """What is asked for, in a word or two."""

    @property
    def english_only(self) -> bool:
        """The words and rules are English."""
        return True

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for offences."""
        quoted = quoted_sentences((original or revised).document)
        found = list(self._found(revised, quoted))
        text = revised.text
        shown = [f"“{text[one.span.start : one.span.end]}” should be “{one.text}”" for one in found[:_SHOWN]]
        message = "; ".join(shown) or f"{self.wanted} throughout"
        if not is_english(text):
            message = "not looked at, since the text is not English"
        message += f"; and {plural(len(found) - _SHOWN, 'more place')}" * (len(found) > _SHOWN)
        spared = (
            len(list(self.offences(revised.document, quoted))) - len(found) if revised.spared_spans() else 0
        )
        message += f" ({spared} in what stays as it is)" * (spared > 0 and is_english(text))
        spans = tuple(one.span for one in found)
        return Finding(self, not found, len(found), self.wanted, message, float(len(found)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The sentences of the original with an offence cannot stand."""
        if original is None or original.counting != "default":
            return
        found = list(self._found(original, quoted_sentences(original.document)))
        sentences = [
            sentence
            for sentence in original.sentences
            if any(sentence.start <= one.span.start < sentence.end for one in found)
        ]
        if sentences:
            yield Changes(tuple(sentences))

    def _found(self, reading: Reading, quoted: frozenset[str]) -> Iterator[RightForm]:
        if not is_english(reading.text):
            return
        found = list(self.offences(reading.document, quoted))
        free = reading.without_spared([one.span for one in found])
        yield from (one for one in found if one.span in free)

    def offences(self, document: Document, quoted: frozenset[str]) -> Iterator[RightForm]:
        """What offends in the sentences that are not `quoted`, where it stands in the text."""
        for sentence in document.sentences:
            if sentence.text not in quoted:
                yield from self._offences(document, sentence)

    def _offences(self, document: Document, sentence: Sentence) -> Iterator[RightForm]:
        """Those of one sentence; mark-up is not looked at."""
        start, end = sentence.start, sentence.end
        view = document.view[start:end]
        for found in self.replacements(view):
            if view[found.span.start : found.span.end] == sentence.text[found.span.start : found.span.end]:
                yield RightForm(Span(start + found.span.start, start + found.span.end), found.text)


def conform(
    text: str, constraints: Iterable[Exact], format: Format, quoted: frozenset[str]
) -> tuple[str, list[tuple[str, str]]]:
    """The text with all that offends replaced, and what was replaced by what.

    The sentences that are `quoted` stay as they are.
    """
    done: list[tuple[str, str]] = []
    for constraint in constraints:
        found = list(constraint.offences(Document(text, format), quoted))
        done += [(text[one.span.start : one.span.end], one.text) for one in found]
        for one in reversed(found):
            text = text[: one.span.start] + one.text + text[one.span.end :]
    return text, done
