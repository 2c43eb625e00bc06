"""Grammar and spelling by Harper, less its false alarms, and weighted by how surely a finding is an error."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from redraft.text import Document, Format, guess_format, is_english, word_sets

if TYPE_CHECKING:
    from harper import Linter


@dataclass(frozen=True, slots=True)
class GrammarFinding:
    """A likely error at `text[start:end]`, and texts that may stand in its place."""

    start: int
    end: int
    kind: str
    message: str
    suggestions: tuple[str, ...]


# Chosen by `benchmarks/quality.py`; other kinds (style, formatting, …) are shown and not counted.
WEIGHTS: Final[Mapping[str, float]] = {
    "Agreement": 1.0,
    "BoundaryError": 1.0,
    "Grammar": 1.0,
    "Miscellaneous": 1.0,
    "Repetition": 1.0,
    "Spelling": 1.0,
    "Typo": 1.0,
    "Usage": 1.0,
    "Capitalization": 0.5,
    "Punctuation": 0.5,
    "WordChoice": 0.5,
}

# LookingForwardTo prints to standard output. SentenceCapitalization is done here, and UnclosedQuotes needs
# more than one sentence. The others are matters of taste or typography, or take names for errors.
_OFF: Final = word_sets("redraft.quality")["grammar.off"]
_PLAIN_WORD: Final = re.compile(r"[A-Za-z][a-z]+(?:['’][a-z]+)?|[A-Z]{2,}")
_LETTER: Final = re.compile(r"[^\W\d_]")
_UNBROKEN: Final = re.compile(r"\S{200}")
"""Data, and no prose; Harper would look for words like it for many seconds."""
_NEAR: Final = 0.8
_NAME: Final = re.compile(r"(?<![\w'’])[A-Z]\w*(?:['’]\w+)*")
_SPELLING: Final = "SpellCheck"
_LOWER_WORD: Final = re.compile(r"[a-z]+(?=[ ,])")
_ENDED: Final = re.compile(r"[.!?…][\"'”’)\]]*\Z")

# A linter is not safe to share between threads, and takes most of a second to make.
_lock = threading.Lock()


def grammar_findings(text: str, format: Format | None = None) -> tuple[GrammarFinding, ...]:
    """The likely errors of an English text, in order; none in another language.

    The format is guessed where it is not given; what is mark-up is not looked at.
    """
    return _findings(text, format if format is not None else guess_format(text))


def grammar_score(text: str, format: Format | None = None) -> float:
    """The weight of the findings per 100 words: 0 is clean."""
    format = format if format is not None else guess_format(text)
    return weighted(_findings(text, format), Document(text, format).words)


def weighted(findings: tuple[GrammarFinding, ...], words: int) -> float:
    """The weight of findings per 100 words of the text that they were found in."""
    return 100 * weight(findings) / max(words, 1)


def weight(findings: tuple[GrammarFinding, ...]) -> float:
    """What findings weigh together: how many errors they surely are."""
    return sum(WEIGHTS.get(found.kind, 0.0) for found in findings)


@functools.lru_cache(maxsize=4096)
def _findings(text: str, format: Format) -> tuple[GrammarFinding, ...]:
    if not text.strip() or not is_english(text):
        return ()
    document = Document(text, format)
    view = document.view
    whole = _Text.of(view)
    found = []
    for sentence in document.sentences:
        for finding in _in_sentence(view[sentence.start : sentence.end]):
            start, end = sentence.start + finding.start, sentence.start + finding.end
            if view[start:end] == text[start:end] and (kind := whole.kind_of(finding, view[start:end])):
                found.append(replace(finding, start=start, end=end, kind=kind))
    return tuple(sorted(found, key=lambda finding: (finding.start, finding.end)))


@dataclass(frozen=True, slots=True)
class _Text:
    """What the text as a whole says of its letters: some findings are right only in their place."""

    lower: bool
    upper: bool
    names: frozenset[str]

    @classmethod
    def of(cls, text: str) -> _Text:
        names = re.findall(r"(?<=[a-z,;] )[A-Z][\w’'-]*", text)
        return cls(text.islower(), text.isupper(), frozenset(names))

    def kind_of(self, finding: GrammarFinding, found: str) -> str | None:
        """The finding's kind, or None for a false alarm."""
        if finding.kind == "Spelling":
            if any(other.lower() == found.lower() for other in finding.suggestions):
                return None if self.lower else "Capitalization"
            named = found in self.names or (found[:1].isupper() and found.isupper())
            return None if named and not self.upper else "Spelling"
        return None if finding.kind == "Capitalization" and self.lower else finding.kind


@functools.lru_cache(maxsize=16384)
def _in_sentence(sentence: str) -> tuple[GrammarFinding, ...]:
    """The findings of one sentence, less those that are wrong in any text."""
    if _UNBROKEN.search(sentence):
        return ()
    first = match.start() if (match := _LETTER.search(sentence)) else 0
    spelt = _without_names(sentence, first)
    if spelt == sentence:
        found = list(_linted(_american(), sentence))
    else:
        found = _apart([*_linted(_american(spelling=False), sentence), *_linted(_speller(), spelt)])
    findings = [one for one in found if _plausible(sentence, first, one)]
    word = _LOWER_WORD.match(sentence, first)
    # Harper does not look at a sentence without any capital, and takes the word after "Inc." for a first one.
    if word and _ENDED.search(sentence):
        message = "This sentence does not start with a capital letter."
        findings.append(GrammarFinding(*word.span(), "Capitalization", message, (word[0].capitalize(),)))
    return tuple(findings)


def _plausible(sentence: str, first: int, finding: GrammarFinding) -> bool:
    found = sentence[finding.start : finding.end]
    if finding.kind == "Spelling":
        # A name that Harper does not know, a word of another language or of code, a British word.
        named = (
            found[:1].isupper()
            and not sentence.isupper()
            and (finding.start > first or not _near(found, finding.suggestions))
        )
        return not named and bool(_PLAIN_WORD.fullmatch(found)) and not _is_british(found)
    return True


def _near(word: str, others: tuple[str, ...]) -> bool:
    """Whether one of the others differs by a letter or two: the first word of a sentence may be a name."""
    return any(SequenceMatcher(None, word.lower(), other.lower()).ratio() >= _NEAR for other in others)


def _without_names(sentence: str, first: int) -> str:
    """A sentence with spaces for words that Harper does not know and that are taken for names.

    It would look for words that are like them, to no end, and needs seconds before it can do that.
    """
    if sentence.isupper():
        return sentence

    def hidden(found: re.Match[str]) -> str:
        return found[0] if found.start() <= first or _is_word(found[0]) else " " * len(found[0])

    return _NAME.sub(hidden, sentence)


@functools.lru_cache(maxsize=16384)
def _is_word(word: str) -> bool:
    """Whether Harper knows a word, however it is written."""
    with _lock:
        return _american().is_likely_english(word)


def _apart(findings: Iterable[GrammarFinding]) -> list[GrammarFinding]:
    """The findings in order, without those that begin within another."""
    found: list[GrammarFinding] = []
    for one in sorted(findings, key=lambda each: (each.start, -each.end)):
        if not found or one.start >= found[-1].end:
            found.append(one)
    return found


def _linted(linter: Linter, sentence: str) -> Iterator[GrammarFinding]:
    from harper import SuggestionKind  # noqa: PLC0415 - slow to import, and most commands do without

    with _lock:
        lints = linter.lint(sentence, language="plaintext")
    for lint in lints:
        suggestions = []
        for suggestion in lint.suggestions:
            kept = lint.problem_text if suggestion.kind == SuggestionKind.INSERT_AFTER else ""
            suggestions.append(kept + suggestion.replacement_text)
        yield GrammarFinding(
            lint.span.start, lint.span.end, lint.lint_kind, lint.message, tuple(dict.fromkeys(suggestions))
        )


@functools.lru_cache(maxsize=16384)
def _is_british(word: str) -> bool:
    with _lock:
        return not _british().lint(word, language="plaintext")


@functools.cache
def _american(*, spelling: bool = True) -> Linter:
    from harper import Linter  # noqa: PLC0415

    linter = Linter()
    off = _OFF if spelling else {*_OFF, _SPELLING}
    linter.set_lint_config(
        {rule: on and rule not in off for rule, on in linter.get_default_lint_config().items()}
    )
    return linter


@functools.cache
def _speller() -> Linter:
    from harper import Linter  # noqa: PLC0415

    return _spelling_alone(Linter())


@functools.cache
def _british() -> Linter:
    from harper import Dialect, Linter  # noqa: PLC0415

    return _spelling_alone(Linter(Dialect.BRITISH))


def _spelling_alone(linter: Linter) -> Linter:
    linter.set_lint_config({rule: rule == _SPELLING for rule in linter.get_default_lint_config()})
    return linter
