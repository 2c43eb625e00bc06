"""Contractions in full, and full forms contracted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.edits import cased_like
from redraft.text import BY_FORM, Span, Syntax, analyse_syntax

_ENDINGS: Final = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
_NOT: Final = {"can't": "cannot", "won't": "will not", "shan't": "shall not"}
_CONTRACTED_NOT: Final = {"will": "won't", "can": "can't", "cannot": "can't"}
_CONTRACTED: Final = {
    "am": "'m", "are": "'re", "is": "'s", "has": "'s", "have": "'ve",
    "will": "'ll", "would": "'d",
}  # fmt: skip
_SUBJECT: Final = re.compile(r"(?i)\s+(i|you|he|she|it|we|they|there)\b")
_ASKED: Final = re.compile(r"[^.!?]*\?")
_OPENS: Final = re.compile(r"(?i)(?:^|[,;:–—]|\b(?:why|when|how|where|and|but|so))\s*\Z")
_PERFECT: Final = frozenset(["been", "got", "had", "become", "gotten"])
_TIMES: Final = frozenset({"time", "day", "week", "month", "year", "morning", "evening", "night", "term"})
_HAPPENED: Final = frozenset({"happened", "gone", "become", "occurred", "come", "changed"})
_ASKING: Final = frozenset({"what'd", "how'd", "where'd", "why'd", "when'd"})
_OBJECTS: Final = frozenset({"DT", "PRP$", "PRP", "CD"})
_CALLED: Final = frozenset({"called", "named"})
"""Before what it is called, and not before whom: "it's called the Nook", "he's named it"."""

Edit = tuple[int, int, str]


def expanded(sentence: str, span: Span) -> Iterator[Edit]:
    """A contraction in full, the likelier reading first; nothing where nobody could say what it is."""
    said = sentence[span.start : span.end]
    low = said.lower().replace("’", "'")
    if low.endswith("n't"):
        yield from _negated(sentence, span, said, low)
    elif low == "let's":
        yield span.start, span.end, cased_like(said, "let us")
    elif low.endswith(("'s", "'d")):
        for verb in _readings(analyse_syntax(sentence), span, low):
            yield span.start, span.end, f"{said[:-2]} {verb}"
    else:
        stem = low[low.index("'") :]
        yield span.start, span.end, f"{said[: -len(stem)]} {_ENDINGS[stem]}"


def _negated(sentence: str, span: Span, said: str, low: str) -> Iterator[Edit]:
    if low == "ain't":
        return
    full = cased_like(said, _NOT.get(low, f"{low[:-3]} not"))
    verb = full.removesuffix("not").strip()
    end = _subject_end(sentence, span)
    if end:  # "isn't it" is "is it not"
        yield span.start, end, f"{verb}{sentence[span.end : end]} not"
    else:
        yield span.start, span.end, full


def _subject_end(sentence: str, span: Span) -> int:
    """Where the subject behind the verb of a question ends; 0 where the subject stands before it."""
    if not _ASKED.match(sentence, span.end):
        return 0
    if subject := _SUBJECT.match(sentence, span.end):
        return subject.end()
    if not _OPENS.search(sentence, 0, span.start):
        return 0
    parts = analyse_syntax(sentence)
    index = next((n for n, word in enumerate(parts.words) if word.start >= span.end), len(parts.words))
    stop = parts.noun_phrase(index)
    if parts.tag(stop) == "." and stop > index + 2:  # "isn't the cable loose": what is asked stays behind
        stop -= 1
    return parts.words[stop - 1].end if stop > index and parts.tag(index) in ("DT", "PRP$", "NNP") else 0


def _readings(parts: Syntax, span: Span, low: str) -> Iterator[str]:
    """What 's or 'd stands for, by the word that follows."""
    index = next((n for n, word in enumerate(parts.words) if word.start >= span.end), len(parts.words))
    while (parts.tag(index) == "RB" and parts.word(index) not in ("better", "no")) or (
        parts.word(index) == "since" and parts.tag(index + 1) in ("VBN", "VBD")  # "who's since been told"
    ):
        index += 1
    follows = parts.tag(index)
    if low.endswith("'d"):
        if low in _ASKING and parts.tag(index) in ("PRP", "DT", "NNP"):
            yield "did"
        if follows == "VBN" or parts.word(index) == "better":
            yield "had"
        elif follows == "VBD":  # "he'd put it away"
            yield from ("had", "would")
        elif follows in ("DT", "PRP$", "CD") or parts.word(index) == "no":  # "he'd no phone number"
            yield "had"
        else:
            yield "would"
        return
    timed = parts.word(index + 2) in _TIMES  # "what's covered each week"
    forms = BY_FORM.get(parts.word(index))
    done = follows in ("VBN", "VBD") or (forms is not None and parts.word(index) == forms.participle)
    since = parts.word(index - 1) == "since" and done
    objects = {"PRP"} if parts.word(index) in _CALLED else _OBJECTS
    takes_object = done and parts.tag(index + 1) in objects and not timed
    if parts.word(index) in _PERFECT or takes_object or since:
        yield "has"
    else:
        yield "is"
        if follows == "VBN" and (low != "what's" or parts.word(index) in _HAPPENED):
            yield "has"


def contracted(sentence: str, span: Span) -> Iterator[Edit]:
    """A full form as a contraction, with the apostrophe of the sentence."""
    said = sentence[span.start : span.end]
    apostrophe = "’" if "’" in sentence else "'"
    first, _, last = said.rpartition(" ")
    opening, _, stem = (first or last).lower().rpartition(" ")
    if last.lower() in ("not", "cannot") and stem == "shall":
        new = f"{first.split()[0]} shan't"
    elif last.lower() in ("not", "cannot") and opening:  # "do you not" is "don't you"
        new = f"{cased_like(said, _negative(opening))} {first.split()[1]}"
    elif last.lower() in ("not", "cannot"):
        new = cased_like(said, _negative(stem))
    else:
        new = first + _CONTRACTED[last.lower()]
    yield span.start, span.end, new.replace("'", apostrophe)


def _negative(verb: str) -> str:
    return _CONTRACTED_NOT.get(verb, f"{verb}n't")
