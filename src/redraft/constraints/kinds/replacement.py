"""Words that stand in the place of others: "replace 'the Licensor' with 'Brightwater Ltd' throughout"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

from redraft.constraints.base import Demand, Finding, Impossible, Matches, Phrased
from redraft.constraints.bounds import plural as counted
from redraft.constraints.counting import Reading, plain, straight
from redraft.constraints.kinds.arrangement import ALIKE, matched
from redraft.constraints.kinds.keywords import quote
from redraft.constraints.kinds.parts import is_place, named_part, part_spans
from redraft.errors import CallError
from redraft.text import (
    BY_FORM,
    VERBS,
    Document,
    Forms,
    Sentence,
    Span,
    opens_with_vowel,
    plural,
    similarity,
    verb_forms,
)

_ARTICLES: Final = frozenset(["a", "an", "the"])
_WORD_BEHIND: Final = re.compile(
    r"(\s+(?:(?:also|always|never|often|still|only|usually|then|already) )?)([a-z]+)\b"
)
_OF_MANY: Final = {"is": "are", "was": "were", "has": "have", "does": "do"}
_BEFORE_PARTICIPLE: Final = re.compile(
    r"(?i)(?:\b(?:has|have|had|having|is|are|was|were|be|been|being|get|gets|got)|n['’]t|['’](?:s|ve|re|d|m))"
    r"(?: \w+(?:ly)?)?\s\Z"
)
_NEAR: Final = 24
"""Characters before a verb that tell in which form it stands."""
_ARTICLE_AHEAD: Final = re.compile(r"(?<![\w'])(a|an|the)\s+\Z", re.IGNORECASE)
_OTHER_DETERMINER_AHEAD: Final = re.compile(
    r"(?<![\w'])(?:each|every|this|that|these|those|any|no|some|my|your|our|his|her|its|their|another)\s+\Z",
    re.IGNORECASE,
)
_SHORT: Final = 3
"""A word of no more letters in capitals is mostly an abbreviation: "us" is not "US"."""


@dataclass(frozen=True)
class Replacement(Phrased):
    """Some words give way to others wherever they stand; with "kept", nothing else changes.

    Both lists are as long as each other: the first of `old` gives way to the first of `new`. Where it is to
    be so in some parts alone, `within` names them: "sentence 2", "last sentence", "paragraph 1", "title" …
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    rest: Literal["free", "kept"] = "free"
    within: tuple[str, ...] = ()

    name = "replacement_check"

    def __post_init__(self) -> None:
        if not self.old or len(self.old) != len(self.new):
            raise CallError(f"{self.name}: name as many words to put as words to replace")
        if not all(text.strip() for text in (*self.old, *self.new)):
            raise CallError(f"{self.name}: the words are empty; to leave words out, ban them")
        if len(set(self.old)) < len(self.old):
            raise CallError(f"{self.name}: the same words are replaced twice")
        if unknown := [part for part in self.within if not is_place(part)]:
            raise CallError(
                f'{self.name}: no part "{unknown[0]}"; known are "sentence 2", "last sentence",'
                ' "paragraph 2", "last paragraph", "section Methods" and "title"'
            )

    @property
    def needs_original(self) -> bool:
        """That nothing else has changed is seen beside the original, and so is what was in a part."""
        return self.rest == "kept" or bool(self.within)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Any of the old words, the longest first."""
        ways = [f"(?P<p{place}>{_worded(old, new)})" for place, (old, new) in enumerate(self._pairs)]
        order = sorted(range(len(ways)), key=lambda place: -len(self.old[place]))
        return re.compile("|".join(ways[place] for place in order))

    @property
    def _pairs(self) -> list[tuple[str, str]]:
        return list(zip(self.old, self.new, strict=True))

    def edits(self, document: Document) -> list[tuple[Span, str]]:
        """Where the old words stand, and what to put there, with capitals, plurals and articles mended."""
        view = straight(document.words_view)
        starts = {_first_letter(view, sentence.start) for sentence in document.sentences}
        found: list[tuple[Span, str]] = []
        for match in self._pattern.finditer(view):
            old, new = self._pairs[int(str(match.lastgroup)[1:])]
            said = match.group()
            if verbs := _as_verbs(old, new):
                said_of = _in_form(said.lower(), *verbs, view[max(0, match.start() - _NEAR) : match.start()])
                start, put = match.start(), _like(said, said.lower(), said_of)
            else:
                start, put = match.start(), _like(said, old, new)
            if start in starts:
                put = _capital(put)
            has_article = match.group().split()[0].lower() in _ARTICLES  # "shows that the Licensee"
            ahead = _ARTICLE_AHEAD.search(view, max(0, start - 8), start)
            if ahead and not has_article:
                article, first = ahead[1], new.split()[0].lower()
                if first in _ARTICLES:  # "the Licensee", where 'Licensee' gives way to 'the School'
                    start, put = ahead.start(), _capital(put) if article[0].isupper() else put
                elif article.lower() != "the":
                    mended = "an" if opens_with_vowel(first) else "a"
                    start, put = ahead.start(), f"{_as_in(article, mended)} {put}"
            elif not has_article and _OTHER_DETERMINER_AHEAD.search(view, max(0, start - 12), start):
                put = re.sub(r"\A(?:a|an|the)\s+(?=\S)", "", put, flags=re.IGNORECASE)
            end = match.end()
            if new.lower() == "they" and (verb := _third_person(view, end)):
                put, end = f"{put}{verb[1]}", verb[0]
            found.append((Span(start, end), put))
        places = self.places(document)
        return [one for one in found if any(place.start <= one[0].start < place.end for place in places)]

    def places(self, document: Document) -> Sequence[Span]:
        """Where words are replaced: in the named parts, or in the whole text."""
        if not self.within:
            return [Span(0, len(document.text))]
        return [span for part in self.within for span in part_spans(part, document)]

    def missing(self, original: Reading) -> str | None:
        """Why nothing can be replaced in a part of this original, if nothing can."""
        document = original.document
        for part in self.within:
            if not part_spans(part, document):
                return f"{part} is named, but the text has no such part"
        if self.within and not self.edits(document):
            return f"{_joined([f'“{one}”' for one in self.old])} is not in {self._where}"
        return None

    @property
    def _where(self) -> str:
        return _joined([named_part(part) for part in self.within])

    def applied(self, document: Document) -> str:
        """The text with the new words in the place of the old."""
        text = document.text
        for span, put in reversed(self.edits(document)):
            text = text[: span.start] + put + text[span.end :]
        return text

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for the old words outside the new; beside the original, also for the new."""
        if self.within:
            return self._check_within(original, revised)
        view = straight(revised.document.words_view)
        new = [match.span() for text in self.new for match in _found(text, view)]
        left = tuple(
            Span(*match.span())
            for match in self._pattern.finditer(view)
            if not any(start <= match.start() and match.end() <= end for start, end in new)
        )
        wanted = self._wanted()
        if left:
            said = ", ".join(dict.fromkeys(f"“{view[span.start : span.end]}”" for span in left))
            message = f"{said} still in {counted(len(left), 'place')}"
            return Finding(self, False, len(left), wanted, message, float(len(left)), left)
        if original is None:
            return Finding(self, True, 0, wanted, "none of the old words is left")
        before = straight(original.document.words_view)
        absent = [
            put
            for old, put in self._pairs
            if re.search(_worded(old, put), before) and not any(True for _ in _found(put, view))
        ]
        if absent:
            message = f"“{absent[0]}” is nowhere"
            return Finding(self, False, len(absent), wanted, message, float(len(absent)))
        return (
            self._compared(original, revised)
            if self.rest == "kept"
            else Finding(self, True, 0, wanted, wanted)
        )

    def _check_within(self, original: Reading | None, revised: Reading) -> Finding:
        """Look at what has become of each sentence with the old words: those of the parts, and the others."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        wanted = self._wanted()
        if reason := self.missing(original):
            return Finding(self, False, 0, wanted, reason, 1.0)
        if self.rest == "kept":
            return self._compared(original, revised)
        document = original.document
        places = self.places(document)
        left: list[Span] = []
        for place, now in sorted(self._become(document, revised.document).items()):
            sentence = document.sentences[place]
            if not self._stands_in(sentence.text):
                continue
            inside = any(place.start <= sentence.start < place.end for place in places)
            if inside == self._stands_in(now.text):
                left.append(Span(now.start, now.end))
        message = f"{counted(len(left), 'sentence')} otherwise" if left else wanted
        return Finding(self, not left, len(left), wanted, message, float(len(left)), tuple(left))

    def _become(self, original: Document, revised: Document) -> dict[int, Sentence]:
        """What each sentence has become: the one in its place if all are alike, else the one most like it."""
        pairs = list(zip(original.sentences, revised.sentences, strict=False))
        is_as_long = len(original.sentences) == len(revised.sentences)
        if is_as_long and all(similarity(one.text, other.text) >= ALIKE for one, other in pairs):
            return dict(enumerate(revised.sentences))
        expected = Document(self.applied(original), original.format)
        is_alike = len(expected.sentences) == len(original.sentences)
        return matched(expected if is_alike else original, revised)

    def _stands_in(self, text: str) -> bool:
        """Whether an old word stands in a text outside the new."""
        view = straight(text)
        new = [match.span() for put in self.new for match in _found(put, view)]
        return any(
            not any(start <= match.start() and match.end() <= end for start, end in new)
            for match in self._pattern.finditer(view)
        )

    def _compared(self, original: Reading, revised: Reading) -> Finding:
        """Whether nothing else has changed."""
        expected = Document(self.applied(original.document), original.document.format)
        wanted = self._wanted()
        if plain(expected.text) == plain(revised.text):
            return Finding(self, True, 0, wanted, wanted)
        known = {plain(sentence.text) for sentence in expected.sentences}
        other = [sentence for sentence in revised.sentences if plain(sentence.text) not in known]
        said = f"{counted(len(other), 'sentence')} changed otherwise" if other else "something else changed"
        spans = tuple(Span(sentence.start, sentence.end) for sentence in other)
        return Finding(self, False, len(other), wanted, said, float(max(len(other), 1)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The old words match nowhere, where they are no part of the new; a part has to have them."""
        if self.within:
            reason = self.missing(original) if original is not None else None
            yield from [Impossible(reason)] if reason else []
            return
        for old, new in self._pairs:
            pattern = _worded(old, new)
            if not any(re.search(pattern, straight(text)) for text in self.new):
                yield Matches(pattern, somewhere=False)

    @property
    def phrased_as(self) -> str:
        """With the rest kept, that is said too."""
        return f"replacement {'within ' * bool(self.within)}{self.rest}"

    def parts(self) -> dict[str, str]:
        """The pairs."""
        pairs = {
            way: _joined([f"{quote(old)} {joint} {quote(new)}" for old, new in self._pairs])
            for way, joint in (("with_", "with"), ("to", "to"))
        }
        return {**pairs, "where": self._where if self.within else ""}

    def _wanted(self) -> str:
        said = _joined([f"“{new}” for “{old}”" for old, new in self._pairs])
        said += f" in {self._where}" if self.within else ""
        return f"{said}, and nothing else" if self.rest == "kept" else said


def _joined(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _found(text: str, view: str) -> Iterable[re.Match[str]]:
    return re.finditer(_worded(text, text), view)


def _worded(old: str, new: str) -> str:
    """A pattern for words as they stand, or with capitals where a sentence or a heading gives them some."""
    words = straight(old).split()
    forms = [_forms(word, first=not place) for place, word in enumerate(words)]
    if words[0].istitle() and len(words) == 1 and new.islower():
        # 'User' was named where a sentence begins.
        forms[0] = f"(?:{forms[0]}|{re.escape(words[0].lower())})"
    if verb := _as_verbs(old, new):
        forms[0] = f"(?:{'|'.join(_forms(form, first=True) for form in dict.fromkeys(verb[0]))})"
    elif _has_plural(words[-1]) and _has_plural(new.rsplit(maxsplit=1)[-1], of_a_name=_is_name(new)):
        forms[-1] = f"(?:{forms[-1]}|{_forms(plural(words[-1]), first=len(words) == 1)})"
    before = r"(?<![\w@/.])(?<!\w-)" if re.match(r"\w", words[0]) else ""
    after = r"(?![\w@]|-\w|\.\w)" if re.search(r"\w\Z", words[-1]) else ""
    return before + r"\s+".join(forms) + after


@lru_cache(maxsize=256)
def _as_verbs(old: str, new: str) -> tuple[Forms, Forms] | None:
    """The forms of both, where one verb gives way to another: "utilized" to "used"."""
    if not all(one in VERBS or re.sub(r"ise\Z", "ize", one) in VERBS for one in (old, new)):
        return None
    return verb_forms(old), verb_forms(new)


def _in_form(said: str, old: Forms, new: Forms, before: str) -> str:
    """A verb in the form that was said; what is alike is a participle behind "has" or "is"."""
    if said == old.participle and (said != old.past or _BEFORE_PARTICIPLE.search(before)):
        return new.participle
    return new[old.index(said)] if said in old else new.base


def _forms(word: str, *, first: bool) -> str:
    forms = [word]
    if first and word.lower() in _ARTICLES:
        forms += [word.lower(), word.capitalize()]
    elif word.islower():
        forms.append(word[0].upper() + word[1:])
    if len(word) > _SHORT or word.lower() in _ARTICLES:
        forms.append(word.upper())
    return "(?:" + "|".join(re.escape(form) for form in dict.fromkeys(forms)) + ")"


def _has_plural(word: str, *, of_a_name: bool = False) -> bool:
    return word.isalpha() and len(word) >= _SHORT and not word.lower().endswith("s") and not of_a_name


def _is_name(text: str) -> bool:
    """Whether words are a name without an article, which has no plural: "Brightwater Ltd"."""
    return text.rsplit(maxsplit=1)[-1][0].isupper() and text.split(maxsplit=1)[0].lower() not in _ARTICLES


def _third_person(view: str, start: int) -> tuple[int, str] | None:
    """Where a verb ends that says what one person does, and how it goes with several: "has" is "have"."""
    match = _WORD_BEHIND.match(view, start)
    if match is None:
        return None
    low = match[2]
    known = BY_FORM.get(low)
    form = _OF_MANY.get(low) or (known.base if known is not None and known.third == low else None)
    return (match.end(), match[1] + form) if form else None


def _like(said: str, old: str, new: str) -> str:
    """The new words with the number and the capitals of what they stand for."""
    *head, last = new.split(" ")
    ends = said.rsplit(maxsplit=1)[-1].lower(), old.rsplit(maxsplit=1)[-1].lower()
    if ends[0] != ends[1]:
        last = last[0] + plural(last.lower())[1:] if last[1:].islower() else plural(last)
        new = " ".join([*head, last])
    if said.isupper() and not old.isupper() and len(said) > 1:
        return new.upper()
    if said[0].isupper() and old[0].islower():
        return _capital(new)
    if said[0].islower() and old[0].isupper() and new.split()[0].lower() in _ARTICLES:
        return new[0].lower() + new[1:]
    return new


def _capital(text: str) -> str:
    """The text with a capital, unless its first word has one of its own inside: "iPhone"."""
    return text if any(map(str.isupper, text.split(maxsplit=1)[0])) else text[0].upper() + text[1:]


def _as_in(model: str, word: str) -> str:
    return word.capitalize() if model[0].isupper() else word


def _first_letter(text: str, start: int) -> int:
    """Where the first letter or digit from a place on stands."""
    return next((place for place in range(start, len(text)) if text[place].isalnum()), len(text))
