"""What preference data hold and how they were made: the counts of Table 3 of the paper, and more."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from redraft.bench.preferences.pairs import Choice, Pairs, read_judged
from redraft.errors import InputError, ModelError
from redraft.runs import Record, Results, in_words, markdown_table
from redraft.simplification import (
    ASPECTS,
    Aspect,
    Judged,
    compare_judges,
    compare_rounds,
    distribution,
    diversity,
)
from redraft.text import markdown_text

Data = dict[str, Any]

LIMITS: Final = (
    "The preferences are a judge's, and carry its errors; nobody read them all. A pair says which of two "
    "candidates follows the policy better, not that either is good: both come from the same few systems. "
    "Sources are single sentences in English, taken out of their texts."
)


def pool_facts(pooled: Sequence[Record]) -> Data:
    """What failed, and how much the candidates differ."""
    choices = [Choice.of(record) for record in pooled]
    failed = Counter(spec for record in pooled for spec in record.get("failed", ()))
    return {
        "failed": dict(sorted(failed.items())),
        "to_try_again": sum(record["error"] is not None for record in pooled),
        "diversity": asdict(diversity((choice.source.text, choice.candidates) for choice in choices)),
    }


def judge_facts(choices: Sequence[Choice], said: Mapping[str, Judged]) -> Data:
    """What became of what the judge was asked, and how far its rounds agree."""
    judged = [said[choice.key] for choice in choices if choice.key in said]
    thought = [one.thought for one in judged if one.thought is not None]
    agreement: defaultdict[str, list[float]] = defaultdict(list)
    for one in judged:
        for aspect, share in one.agreement.items():
            agreement[aspect].append(share)
    return {
        "judged": len(judged),
        "failed": sum(one.error is not None for one in judged),
        "agreement": {aspect: round(fmean(shares), 4) for aspect, shares in sorted(agreement.items())},
        "thought": round(fmean(thought), 4) if thought else None,
    }


def check_thinking(spec: str, said: Iterable[Judged]) -> None:
    """ModelError where a judge was to think first, and never did: its verdicts are not what was asked for."""
    thought = [one.thought for one in said if one.thought is not None]
    if thought and not any(thought):
        raise ModelError(
            f"{spec} was to think first, and none of {len(thought)} answers came with any thoughts",
            provider=spec,
            hint="it cannot, or its service keeps them to itself: leave out --think",
        )


def use(choices: Sequence[Choice], said: Mapping[str, Judged], pairs: Pairs, aspect: Aspect) -> Data:
    """How often each system is preferred and dispreferred in the pairs, and how evenly."""
    ids = {pair["id"] for pair in pairs.pairs}
    used = [choice for choice in choices if choice.source.id in ids]
    return distribution([said[one.key] for one in used], [one.candidates for one in used], aspect).to_dict()


def page(data: Data) -> str:
    """The card as Markdown."""
    recipe, sources, pool, judge = data["recipe"], data["sources"], data["pool"], data["judge"]
    pairs, used, spread = data["pairs"], data["use"], data["pool"]["diversity"]
    parts = [
        f"# Preferences for the policy {markdown_text(recipe['policy'])}: {pairs['all']:,} pairs",
        f"{pairs['train']:,} to train on in `train.jsonl`, {pairs['dev']:,} to develop with in `dev.jsonl`; "
        "a source is on the same side in every build. Each line has `prompt`, `chosen` and `rejected` as "
        "conversations, the form that the preference trainers of TRL read; the prompt is the policy's "
        "instruction alone."
        + (f" Nested subsets: {in_words(pairs['sizes'])} pairs." if pairs["sizes"] else ""),
        f"Licence: {markdown_text(recipe['licence'])}",
        markdown_table(["setting", "value"], [[name, in_words(value)] for name, value in recipe.items()]),
        "## Sources",
        f"{markdown_text(sources['file'])} (SHA-256 {sources['sha256']}): {sources['read']:,} sentences, of "
        f"which {sources['usable']:,} are of use and {sources['drawn']:,} were drawn. Left out: "
        f"{in_words(sources['left_out']) or 'none'}.",
        "## Pool",
        "How often a system's candidate is the preferred one and the dispreferred one, in per cent of the "
        "pairs (systems that gave the same text share it), and what the system does to a source: the share "
        "of copies, words and characters over the source's, Levenshtein similarity.",
        _systems_table(used, spread),
        f"Evenness (1 where every system is chosen as often): {used['preferred_evenness']:.2f} preferred, "
        f"{used['dispreferred_evenness']:.2f} dispreferred. Candidates that failed: "
        f"{markdown_text(in_words(pool['failed'])) or 'none'}; sources to try again: "
        f"{pool['to_try_again']:,}.",
        f"Of a source's candidates {spread['distinct']:.0%} are different texts; for {spread['alike']:.0%} "
        f"of the sources all are one text. {spread['copies']:.0%} of the candidates are the source itself. "
        f"Two candidates of a source differ by {spread['dissimilarity']:.0%} (1 less the overlap of words, "
        "pairs of words and runs of four characters).",
        "## Judge",
        f"{markdown_text(judge['name'])}: {judge['judged']:,} sources judged, {judge['failed']:,} without "
        f"success; the {recipe['aspect']} aspect decides. Mean agreement of the rounds "
        f"({judge['rounds']}): {in_words(judge['agreement']) or 'none'}."
        + (f" Thought about first: {judge['thought']:.0%}." if judge["thought"] is not None else ""),
        "Sources without a pair: " + (in_words(pairs["left_out"]) or "none") + ".",
        "## Limits",
        data["limits"],
        "Made with " + in_words(data["versions"]) + ".",
    ]
    return "\n\n".join(parts) + "\n"


def _systems_table(used: Data, spread: Data) -> str:
    shares = {one["by"]: one for one in used["systems"]}
    rows = []
    for spec, habits in spread["systems"].items():
        share = shares.get(spec, {"preferred": 0.0, "dispreferred": 0.0})
        rows.append(
            [
                spec,
                f"{100 * share['preferred']:.1f}",
                f"{100 * share['dispreferred']:.1f}",
                habits["candidates"],
                f"{habits['copies']:.0%}",
                *(f"{habits[name]:.2f}" for name in ("words", "compression", "levenshtein")),
            ]
        )
    head = ["system", "preferred", "dispreferred", "candidates", "copies"]
    return markdown_table([*head, "words", "characters", "similarity"], rows)


def compare_verdicts(folder: Path) -> dict[str, Any]:
    """All judges of a folder: whom each prefers, how its rounds agree, and every two against each other."""
    choices = {
        choice.key: choice
        for record in Results(folder / "candidates.jsonl").latest().values()
        if (choice := Choice.of(record)).is_real
    }
    files = sorted(folder.glob("verdicts-*.jsonl"))
    if not choices or not files:
        raise InputError(f"{folder} has no verdicts: make some with redraft simplify build-preferences")
    judges = {}
    for file in files:
        said = _read(file, choices)
        judges[next((one.judge for one in said.values()), file.stem)] = said
    return {
        "judges": {name: _one(said, choices) for name, said in judges.items()},
        "pairs": [_two(*pair) for pair in combinations(judges.items(), 2)],
    }


def _read(file: Path, choices: dict[str, Choice]) -> dict[str, Judged]:
    """What was said of candidates that still are the ones of their source."""
    latest = Results(file).latest().items()
    return {key: read_judged(record) for key, record in latest if key in choices and not record["error"]}


def _one(said: dict[str, Judged], choices: dict[str, Choice]) -> dict[str, Any]:
    judged = list(said.values())
    candidates = [choices[key].candidates for key in said]
    return {
        "judged": len(judged),
        "preferences": {aspect: distribution(judged, candidates, aspect).to_dict() for aspect in ASPECTS},
        "rounds": [one.to_dict() for one in compare_rounds(judged)] if any(x.rounds for x in judged) else [],
    }


def _two(first: tuple[str, dict[str, Judged]], second: tuple[str, dict[str, Judged]]) -> dict[str, Any]:
    (one, said), (other, answered) = first, second
    both = [key for key in said if key in answered]
    compared = compare_judges([said[key] for key in both], [answered[key] for key in both])
    return {
        "judges": [one, other],
        "both": len(both),
        "aspects": [difference.to_dict() for difference in compared],
    }
