"""Sentences to simplify, and pairs: of the candidates for one, what a judge preferred and what it did not."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from redraft.errors import InputError
from redraft.judge import short_hash
from redraft.runs import Record
from redraft.simplification import Candidate, Judged, Policy, Verdict, messages, plain
from redraft.text import (
    LEVELS,
    Level,
    count_words,
    is_english,
    level,
    parse_json_lines,
    read_text,
    tagged,
    zipf,
)

FIELDS: Final = ("input", "text", "source")
"""Where the sentence of a record is: beside an input, what is called its source may be its origin."""
_MARKUP: Final = re.compile(
    r"</?[a-z][^>]*>|\[\[|\]\]|\{\{|\}\}|\{\||\|\}|&(?:amp|lt|gt|quot|nbsp|[mn]dash|#\d+);|https?://|www\.|\\[a-z]+\{|"
    r"^\s*(?:#{1,6}|[*•=|])\s|={2,}|'''|```|\]\(|\|.*\|",
    re.I,
)
_WORD: Final = re.compile(r"\w+")
_COMMON: Final = 3.5
_ENOUGH: Final = 0.6
"""Where so many of its words are so common (Zipf) in English, a sentence is."""
_VERBS: Final = ("VB", "VBD", "VBP", "VBZ", "MD")
"""Tags of verbs that can be those of a sentence; a participle alone cannot."""


@dataclass(frozen=True)
class Filters:
    """What a sentence must be to be worth simplifying."""

    least: int = 8
    """Words: fewer leave little room for edits."""
    most: int = 80

    def reason(self, sentence: str) -> str | None:
        """Why a sentence is of no use; None where it is."""
        count = count_words(sentence)
        if count < self.least:
            return "too short"
        if count > self.most:
            return "too long"
        if _MARKUP.search(sentence):
            return "markup"
        if not _is_english(sentence):
            return "not English"
        if not any(token.tag in _VERBS for token in tagged(sentence)):
            return "no verb"
        return None


@dataclass(frozen=True, slots=True)
class Source:
    """A sentence to simplify; its id is its own, wherever it was read."""

    id: str
    text: str


@dataclass(frozen=True)
class Sources:
    """The sentences of a file that are of use, and how many are not, by the reason."""

    name: str
    """The file's own name, without its folders."""
    digest: str
    read: int
    usable: tuple[Source, ...]
    left_out: dict[str, int] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """For the card."""
        return {
            "file": self.name,
            "sha256": self.digest,
            "read": self.read,
            "left_out": self.left_out,
            "usable": len(self.usable),
        }

    def drawn(self, seed: int, limit: int | None) -> tuple[Source, ...]:
        """As many as wanted, in an order of the seed's; a larger limit only adds to a smaller one's."""
        order = sorted(self.usable, key=lambda source: (_hash(f"{seed}\0{source.id}"), source.id))
        return tuple(order[:limit])


def read_preference_sources(path: Path, filters: Filters) -> Sources:
    """Read a file with a sentence a line, or JSONL with "input", "text" or "source"."""
    text = read_text(path)
    left_out: Counter[str] = Counter()
    found: dict[str, Source] = {}
    count = 0
    for sentence in _rows(text, path) if path.suffix in (".jsonl", ".ndjson") else _lines(text):
        count += 1
        source = Source(source_id(sentence), sentence)
        reason = "duplicate" if source.id in found else filters.reason(sentence)
        if reason is None:
            found[source.id] = source
        else:
            left_out[reason] += 1
    if not found:
        raise InputError(f"{path} has no sentence of use: {_told(left_out) or 'it is empty'}")
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Sources(path.name, digest, count, tuple(found.values()), dict(sorted(left_out.items())))


def source_id(sentence: str) -> str:
    """The same for sentences that differ in case, spaces and marks alone."""
    return _hash(" ".join(_WORD.findall(sentence.lower())))[:16]


def is_dev(id: str, share: float) -> bool:
    """Whether a source belongs to the development set; that depends on nothing but the source."""
    return int(_hash(f"dev\0{id}")[:12], 16) < share * 16**12


def _is_english(sentence: str) -> bool:
    """By its words of grammar; where those are few and of any language, by how many others are known."""
    if is_english(sentence):
        return True
    words = _WORD.findall(sentence)
    return sum(zipf(word) >= _COMMON for word in words) >= _ENOUGH * len(words)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _lines(text: str) -> Iterator[str]:
    for line in text.removeprefix("\ufeff").split("\n"):
        if sentence := " ".join(line.split()):
            yield sentence


def _rows(text: str, path: Path) -> Iterator[str]:
    for number, row in parse_json_lines(text, str(path)):
        value = next((row[name] for name in FIELDS if name in row), None)
        if not isinstance(value, str) or not value.strip():
            raise InputError(
                f'{path}, line {number}: a source needs "input", "text" or "source", a string with words'
            )
        yield " ".join(value.split())


def _told(left_out: Counter[str]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in left_out.most_common())


@dataclass(frozen=True, slots=True)
class Choice:
    """A source, and what the pool made of it."""

    source: Source
    candidates: tuple[Candidate, ...]

    @classmethod
    def of(cls, record: Record) -> Choice:
        """From a record of candidates; there are none where the pool is to be asked again."""
        given = [] if record["error"] else record["candidates"]
        return cls(Source(record["key"], record["source"]), tuple(Candidate(**one) for one in given))

    @property
    def texts(self) -> tuple[str, ...]:
        """What there is to choose from, repeats included."""
        return tuple(candidate.text for candidate in self.candidates)

    @property
    def is_real(self) -> bool:
        """Whether two of them differ in more than case and spaces."""
        return len(set(map(plain, self.texts))) > 1

    @property
    def key(self) -> str:
        """The source and what was made of it: for other candidates, another verdict is due."""
        return f"{self.source.id}/{short_hash(*self.texts)[:12]}"


def read_judged(record: Record) -> Judged:
    """What a judge said, from its record."""
    return Judged(
        record.get("judge", ""),
        _verdicts(record["verdicts"]),
        record.get("agreement", {}),
        tuple(_verdicts(one) for one in record.get("rounds", ())),
        error=record["error"],
        thought=record.get("thought"),
    )


def _verdicts(verdicts: Mapping[str, Any]) -> dict[Any, Verdict]:
    return {
        aspect: Verdict(**{**one, "analysis": tuple(one["analysis"]), "points": tuple(one["points"])})
        for aspect, one in verdicts.items()
    }


@dataclass(frozen=True)
class Pairs:
    """The pairs that came of all verdicts, and how many sources gave none, by the reason."""

    pairs: tuple[Record, ...]
    left_out: dict[str, int]


def build_pairs(
    choices: Sequence[Choice],
    verdicts: Mapping[str, Record],
    policy: Policy,
    *,
    copies: bool = False,
    apart: float = 0.0,
) -> Pairs:
    """A pair for each source whose verdict makes one; with `copies`, also where the source is preferred.

    Best and worst are at least so many points `apart`, where the judge gives points.
    """
    left_out: Counter[str] = Counter()
    pairs: list[Record] = []
    for choice in choices:
        record = verdicts.get(choice.key)
        reason = _reason(choice, record, policy, copies, apart)
        if reason is not None or record is None:
            left_out[reason or "the judge failed"] += 1
        else:
            pairs.append(_pair(choice, record, policy))
    return Pairs(tuple(pairs), dict(sorted(left_out.items())))


def _reason(choice: Choice, record: Record | None, policy: Policy, copies: bool, apart: float) -> str | None:
    """Why there is no pair."""
    if not choice.candidates:
        return "no candidates"
    if not choice.is_real:
        return "the candidates are all alike"
    if record is None or record["error"]:
        return "the judge failed"
    verdict = read_judged(record).verdicts.get(policy.decides)
    if verdict is None:
        return "no verdict on what decides"
    best, worst = plain(choice.texts[verdict.best]), plain(choice.texts[verdict.worst])
    if best == worst:
        return "none is better than another"
    if verdict.points and verdict.points[verdict.best] - verdict.points[verdict.worst] < apart:
        return "best and worst are too near each other"
    # Whoever learns to write what is preferred would learn to leave a sentence as it is.
    return "the source itself is preferred" if best == plain(choice.source.text) and not copies else None


def _pair(choice: Choice, record: Record, policy: Policy) -> Record:
    judged = read_judged(record)
    verdict, words = judged.verdicts[policy.decides], record["words"]
    source = choice.source.text
    preferred, dispreferred = choice.texts[verdict.best], choice.texts[verdict.worst]
    return {
        "id": choice.source.id,
        "source": source,
        "preferred": preferred,
        "dispreferred": dispreferred,
        "policy": policy.name,
        "aspect": policy.decides,
        "evidence": {
            "difficult": _difficult(source, policy),
            "preferred": _evidence(choice, preferred, words["best"], policy),
            "dispreferred": _evidence(choice, dispreferred, words["worst"], policy),
        },
        "verdict": {
            "preferred": _said(verdict, verdict.best),
            "dispreferred": _said(verdict, verdict.worst),
            "agreement": judged.agreement.get(policy.decides),
        },
        "judge": judged.judge,
        "prompt": [asdict(message) for message in messages(policy, source)],
        "chosen": [{"role": "assistant", "content": preferred}],
        "rejected": [{"role": "assistant", "content": dispreferred}],
    }


def _evidence(choice: Choice, text: str, words: Record, policy: Policy) -> Record:
    """Who wrote a candidate, what became of the source's words in it, and the difficult words that it has."""
    systems = [one.by for one in choice.candidates if plain(one.text) == plain(text)]
    return {"systems": systems, **words, "difficult": _difficult(text, policy)}


def _difficult(text: str, policy: Policy) -> dict[str, Level]:
    """The words above the level that the policy has for a limit, with their levels."""
    levels = ((token.text, level(token.text, token.tag)) for token in tagged(text))
    most = LEVELS.index(policy.limits.word_level)
    return {word: found for word, found in levels if found is not None and LEVELS.index(found) > most}


def _said(verdict: Verdict, place: int) -> Record:
    """What the judge said of one candidate, and gave it, as far as it did."""
    return {
        "analysis": verdict.analysis[place] if verdict.analysis else None,
        "points": verdict.points[place] if verdict.points else None,
    }
