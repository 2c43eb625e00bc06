"""Preference pairs: of the candidates for a source, the one that a judge preferred and the one it did not."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from redraft.bench.preferences.sources import Source
from redraft.runs import Record
from redraft.simplification import Candidate, Judged, Policy, Verdict, messages, plain
from redraft.text import LEVELS, Level, level, tagged


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
        said = "\0".join(self.texts).encode("utf-8", "surrogatepass")
        return f"{self.source.id}/{hashlib.sha256(said).hexdigest()[:12]}"


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


def _verdicts(said: Mapping[str, Any]) -> dict[Any, Verdict]:
    return {
        aspect: Verdict(**{**one, "analysis": tuple(one["analysis"]), "points": tuple(one["points"])})
        for aspect, one in said.items()
    }


@dataclass(frozen=True)
class Pairs:
    """The pairs that came of all verdicts, and how many sources gave none, by the reason."""

    pairs: tuple[Record, ...]
    left_out: dict[str, int]


def build_pairs(
    choices: Sequence[Choice], verdicts: Mapping[str, Record], policy: Policy, *, copies: bool = False
) -> Pairs:
    """A pair for each source whose verdict makes one; with `copies`, also where the source is preferred."""
    left_out: Counter[str] = Counter()
    pairs: list[Record] = []
    for choice in choices:
        record = verdicts.get(choice.key)
        reason = _reason(choice, record, policy, copies)
        if reason is not None or record is None:
            left_out[reason or "the judge failed"] += 1
        else:
            pairs.append(_pair(choice, record, policy))
    return Pairs(tuple(pairs), dict(sorted(left_out.items())))


def _reason(choice: Choice, record: Record | None, policy: Policy, copies: bool) -> str | None:
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
