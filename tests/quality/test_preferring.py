"""What people would rather have, put together from a judge and a language model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import astuple

from redraft.models import LogProbs
from redraft.quality import PreferringJudge, Signs, preference

SOURCE = "He go home."
GOOD = "He goes home."
BAD = "Him going homes."


class Likelihood:
    """Finds each word as likely as it is short."""

    async def log_probs(self, texts: Sequence[str]) -> list[LogProbs]:
        return [
            LogProbs(tuple(text.split()), tuple(-float(len(word)) for word in text.split())) for text in texts
        ]


class Scripted:
    """Is for one text."""

    async def soundness(self, sentences: Sequence[str]) -> tuple[float, ...]:
        return tuple(0.9 if sentence == GOOD else 0.2 for sentence in sentences)

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return tuple(0.9 if text == GOOD else 0.1 for _, text in pairs)

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return tuple(0.9 if text == GOOD else 0.1 for _, text in pairs)


def judge() -> PreferringJudge:
    return PreferringJudge(Scripted(), Likelihood())  # type: ignore[arg-type]


def test_the_better_revision_comes_first_and_the_source_stands_between() -> None:
    good, bad, same = asyncio.run(judge().improvement([(SOURCE, GOOD), (SOURCE, BAD), (SOURCE, SOURCE)]))
    assert bad < same == 0.5 < good


def test_what_stays_as_it_is_has_no_signs() -> None:
    (signs,) = asyncio.run(judge().signs([(SOURCE, " ".join(SOURCE.split()))]))
    assert not any(astuple(signs))
    assert asyncio.run(judge().signs([])) == []


def test_signs_stand_beside_the_source() -> None:
    (signs,) = asyncio.run(judge().signs([(SOURCE, GOOD)]))
    assert signs.nats == -2
    assert signs.sound > 0
    assert signs.better > 0
    assert signs.same < 0


def test_a_preference_is_the_sum_of_weighted_signs() -> None:
    signs = Signs(1, 2, 3, 4, 5)
    assert preference(signs, Signs(0, 1, 0, 0, -1)) == -3


def test_the_rest_is_left_to_the_judge() -> None:
    made = judge()
    assert asyncio.run(made.soundness([GOOD])) == (0.9,)
    assert asyncio.run(made.sameness([(SOURCE, BAD)])) == (0.1,)
