"""Judges of simplifications beside the authors of the policies' paper, in their three worked examples:

    python benchmarks/worked_examples.py [JUDGE ...]

The examples (Figures 8 to 10) have a best and a worst candidate in each of three aspects: 18 decisions. A
judge is one of `redraft simplify build-preferences --judge`, or `trained`: the trained judge of quality,
which knows no aspects and puts first what is sound, says the same and is better. Where none is named, the
rubric and the trained one are asked.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from redraft.models import Models
from redraft.quality import JUDGE, TrainedJudge
from redraft.settings import load_settings
from redraft.simplification import ASPECTS, load_policy, open_judge
from redraft.text import Document

EXAMPLES = Path(__file__).parent.parent / "tests/simplification/judging/worked_examples.json"
Decision = tuple[int, int]
"""The places of the best and the worst candidate."""


async def main(judges: Sequence[str]) -> None:
    """Print how many decisions each judge shares with the authors."""
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))["examples"]
    async with Models(load_settings({"cache": False})) as models:
        for name in judges:
            shared = dict.fromkeys(ASPECTS, 0)
            for one in examples:
                found = await decisions(name, models, one["source"], one["candidates"])
                for aspect in ASPECTS:
                    pairs = zip(found[aspect], one[aspect], strict=True)
                    shared[aspect] += sum(ours == theirs for ours, theirs in pairs)
            parts = ", ".join(f"{aspect} {count} of {2 * len(examples)}" for aspect, count in shared.items())
            print(f"{name}: {sum(shared.values())} of {6 * len(examples)} decisions ({parts})")


async def decisions(name: str, models: Models, source: str, candidates: list[str]) -> dict[str, Decision]:
    """What a judge decides in each aspect."""
    if name == "trained":
        points = await _points(TrainedJudge(models.yes_or_no(JUDGE)), source, candidates)
        ranked = sorted(range(len(points)), key=lambda place: points[place])
        return dict.fromkeys(ASPECTS, (ranked[-1], ranked[0]))
    judged = await open_judge(name, models).judge(source, candidates, load_policy("rewrite"))
    return {aspect: (verdict.best, verdict.worst) for aspect, verdict in judged.verdicts.items()}


async def _points(judge: TrainedJudge, source: str, candidates: Sequence[str]) -> list[float]:
    pairs = [(source, text) for text in candidates]
    sentences = [[one.text for one in Document(text, "text").sentences] for _, text in pairs]
    sound = [min(await judge.soundness(own)) for own in sentences]
    same, better = await judge.sameness(pairs), await judge.improvement(pairs)
    return [one * two * three for one, two, three in zip(sound, same, better, strict=True)]


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or ("rubric", "trained")))
