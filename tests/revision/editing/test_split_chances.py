"""How likely a split is to be a good one."""

from __future__ import annotations

import asyncio

from redraft.revision.editing.split_chances import split_chances
from redraft.revision.judging.verdicts import Verdicts
from tests.revision.fakes import ScriptedJudge

SOURCE = (
    "The old ferry, which was built in 1962, crosses the lake every morning, and it takes pupils to school."
)
GOOD = "The old ferry was built in 1962. It crosses the lake every morning. It takes pupils to school."
SHORT = "The old ferry was built in 1962. It crosses the lake."
INVENTED = (
    "The old ferry was built in 1962 by farmers. It carries soldiers with apples and horses over the lake."
)


def chances(*splits: str, judge: ScriptedJudge | None = None) -> list[float]:
    return asyncio.run(split_chances(Verdicts(judge or ScriptedJudge(), SOURCE), SOURCE, splits))


def test_what_is_lost_and_what_is_new_make_a_split_less_likely() -> None:
    good, short, invented = chances(GOOD, SHORT, INVENTED)
    assert 1 > good > short > 0
    assert invented == 0


def test_the_judge_is_asked_both_ways() -> None:
    (sure,) = chances(GOOD)
    (adds,) = chances(GOOD, judge=ScriptedJudge(says_otherwise=lambda source, text: source == SOURCE))
    (lacks,) = chances(GOOD, judge=ScriptedJudge(says_otherwise=lambda source, text: text == SOURCE))
    (neither,) = chances(GOOD, judge=ScriptedJudge(says_otherwise=lambda source, text: True))
    assert sure > max(adds, lacks)
    assert min(adds, lacks) > neither


def test_bad_english_makes_it_less_likely() -> None:
    (broken,) = chances(GOOD, judge=ScriptedJudge(is_broken=lambda sentence: sentence.startswith("It ")))
    assert broken < chances(GOOD)[0]


def test_nothing_is_asked_of_no_splits() -> None:
    assert chances() == []
