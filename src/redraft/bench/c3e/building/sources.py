"""Texts to build from: where they are read, which are of no use, and what must not be published."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from redraft.bench.c3e.building.asking import Unusable, ask_until_valid, in_language
from redraft.bench.c3e.overlap import SUFFIXES, runs, tokens
from redraft.bench.c3e.reading import Language
from redraft.errors import InputError
from redraft.judge import wrap_in_tags
from redraft.models import Models
from redraft.runs import Record
from redraft.text import count_words, parse_json_lines, read_text

_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONES: Final = (
    re.compile(r"(?<![\w.])\+\d{1,3}[\s.-]?\(?\d{1,4}\)?(?:[\s.-]?\d{2,4}){2,4}(?!\w)"),
    re.compile(r"(?<![\w.-])(?:\(\d{2,4}\)\s?|\d{3,4}[.-])\d{3,4}[.-]\d{4}(?![\w-])"),
    re.compile(r"(?<!\d)1[3-9]\d{9}(?!\d)"),
    re.compile(r"(?i)(?:\btel|\bphone|\bmobile|电话|手机)[^\d\n]{0,8}\+?\d(?:[ ().-]{0,2}\d){6,}"),
)
_SOCIAL: Final = re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
_CHINESE: Final = re.compile(r"(?<!\d)\d{17}[\dXx](?![\dXx])")
_CARD: Final = re.compile(r"(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])")
_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def personal(text: str) -> str | None:
    """What personal data a text holds, by the rules for addresses and numbers; None where they see none."""
    if _EMAIL.search(text):
        return "e-mail address"
    if _SOCIAL.search(text) or any(_is_identity(number) for number in _CHINESE.findall(text)):
        return "identity number"
    if any(_is_card(match[0]) for match in _CARD.finditer(text)):
        return "card number"
    if any(phone.search(text) for phone in _PHONES):
        return "phone number"
    return None


def _is_identity(number: str) -> bool:
    """Whether the last digit of a Chinese identity number is the one that the others call for."""
    total = sum(int(digit) * weight for digit, weight in zip(number, _WEIGHTS, strict=False))
    return "10X98765432"[total % 11] == number[-1].upper()


def _is_card(number: str) -> bool:
    """Whether the digits are those of a payment card (Luhn)."""
    digits = [int(digit) for digit in number if digit.isdigit()][::-1]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return len(set(digits)) > 1 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


class _Verdict(BaseModel):
    reason: str
    personal_data: bool
    harmful: bool


@dataclass(frozen=True, slots=True)
class CheckSafety:
    """Whether a record may be published."""

    text: str
    lang: Language

    async def do(self, models: Models) -> Record:
        """Look by rule, then ask; Unusable says what is there."""
        if found := personal(self.text):
            raise Unusable(f"personal data: {found}")
        answer = await ask_until_valid(
            models.for_role("model"),
            "safety",
            self.lang,
            wrap_in_tags("text", self.text),
            _Verdict,
            lambda _: None,
        )
        if answer.personal_data or answer.harmful:
            kind = "personal data" if answer.personal_data else "harmful"
            raise Unusable(f"{kind}: {answer.reason}")
        return {"safe": True}


LEAST: Final = 60
MOST: Final = 6000
"""Words (Chinese: characters): shorter ones leave nothing to build, longer ones are no single piece."""
_RUN: Final = 5
_ALIKE: Final = 0.5
"""A text was seen before where half of the runs of five words of the shorter of the two are in both."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text to build from; its number is its place among all that were read."""

    number: int
    name: str
    """The file's own name (in a folder, from there), with the line where it has several texts."""
    text: str


@dataclass(frozen=True)
class Dropped:
    """A text, or a record of it, that was left out: where, and why."""

    source: str
    step: str
    reason: str


@dataclass(frozen=True)
class Sources:
    """The texts of use, and the others."""

    usable: tuple[Source, ...]
    dropped: tuple[Dropped, ...]

    @property
    def fingerprint(self) -> str:
        """The same for the same texts."""
        digest = hashlib.sha256()
        for source in self.usable:
            digest.update(f"{source.number}\0{source.text}\0".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:16]


def read_c3e_sources(paths: Sequence[Path], lang: Language) -> Sources:
    """The texts of .txt and .md files, of folders of them, and of JSONL files with "text"."""
    usable: list[Source] = []
    dropped: list[Dropped] = []
    names: Counter[str] = Counter()
    seen = _Seen()
    for number, (own, text) in enumerate(pair for path in paths for pair in _read(path, path.parent)):
        names[own] += 1
        name = f"{own} ({names[own]})" if names[own] > 1 else own
        reason = _unusable(text, lang) or ("duplicate" if seen.before(text) else None)
        if reason is not None:
            dropped.append(Dropped(name, "sources", reason))
        else:
            usable.append(Source(number, name, text))
    if not usable:
        reasons = ", ".join(sorted({one.reason for one in dropped}))
        raise InputError(f"none of the sources is of use: {reasons or 'there are none'}")
    return Sources(tuple(usable), tuple(dropped))


def _unusable(text: str, lang: Language) -> str | None:
    count = count_words(text)
    if count < LEAST:
        return "too short"
    if count > MOST:
        return "too long"
    if not in_language(text, lang):
        return "wrong language"
    found = personal(text)
    return f"personal data: {found}" if found else None


class _Seen:
    """Texts that were seen before, by their runs of words."""

    def __init__(self) -> None:
        self._holder: dict[int, int] = {}
        self._sizes: list[int] = []

    def before(self, text: str) -> bool:
        """Whether the text, or most of it, was seen already; from now on it was."""
        own = set(runs(tokens(text), _RUN))
        hits = Counter(self._holder[run] for run in own if run in self._holder)
        for run in own:
            self._holder.setdefault(run, len(self._sizes))
        self._sizes.append(len(own))
        return any(count >= _ALIKE * min(len(own), self._sizes[place]) for place, count in hits.items())


def _read(path: Path, root: Path) -> Iterator[tuple[str, str]]:
    name = path.relative_to(root).as_posix()
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
        if not files:
            raise InputError(f"{path} holds no texts: {', '.join(SUFFIXES)} are read")
        for file in files:
            yield from _read(file, path)
    elif path.suffix.lower() == ".jsonl":
        for number, row in parse_json_lines(read_text(path), str(path)):
            text = row.get("text")
            if not isinstance(text, str):
                raise InputError(f'{path}, line {number}: a source needs "text", a string')
            yield f"{name}#{number}", text.strip()
    else:
        yield name, read_text(path).strip()
