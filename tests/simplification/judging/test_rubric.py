"""The judge that counts: against the authors' own verdicts, and against texts that were damaged on purpose."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from redraft.errors import InputError
from redraft.models import Models
from redraft.settings import load_settings
from redraft.simplification.judging.opening import open_judge
from redraft.simplification.policy import ASPECTS, Aspect
from redraft.simplification.verdicts import Judged
from tests.simplification.judging.judges import REWRITE

EXAMPLES = json.loads(Path(__file__).with_name("worked_examples.json").read_text(encoding="utf-8"))[
    "examples"
]

SOURCE = (
    "Professor Ilse Brandt, who had resided in Norway since 1974, relinquished her post because the faculty"
    " refused to abandon its plan to demolish the observatory."
)
GOOD = (
    "Professor Ilse Brandt had lived in Norway since 1974. She left her job because the faculty would not give"
    " up its plan to pull down the observatory."
)
WORSE = {
    "a salad": "her in post the Norway left plan since pull had Professor give faculty down 1974 Ilse she to"
    " Brandt would job not lived because observatory up its",
    "a copy": SOURCE,
    "a half": "Professor Ilse Brandt had lived in Norway since 1974.",
    "a wrong name": GOOD.replace("Norway", "Portugal"),
    "a wrong number": GOOD.replace("1974", "1994"),
    "a harder word": GOOD.replace("left her job", "vacated her professorship"),
    "another word": GOOD.replace("observatory", "banana"),
    "another verb": GOOD.replace("lived", "rained"),
    "nothing": "",
}


def judged(items: Sequence[tuple[str, list[str]]], spec: str = "rubric") -> list[Judged]:
    async def run() -> list[Judged]:
        async with Models(load_settings({"cache": False})) as models:
            judge = open_judge(spec, models)
            return [await judge.judge(source, candidates, REWRITE) for source, candidates in items]

    return asyncio.run(run())


@pytest.fixture(scope="module")
def worked() -> list[Judged]:
    return judged([(example["source"], example["candidates"]) for example in EXAMPLES])


@pytest.fixture(scope="module")
def damaged() -> Judged:
    (found,) = judged([(SOURCE, [GOOD, *WORSE.values()])])
    return found


def points(found: Judged, aspect: Aspect) -> dict[str, float]:
    return dict(zip(["good", *WORSE], found.verdicts[aspect].points, strict=True))


def test_it_agrees_with_the_authors_more_often_than_not(worked: list[Judged]) -> None:
    right = sum(
        (verdict.best == example[aspect][0]) + (verdict.worst == example[aspect][1])
        for example, found in zip(EXAMPLES, worked, strict=True)
        for aspect, verdict in found.verdicts.items()
    )
    assert right > sum(len(found.verdicts) for found in worked)  # of twice as many


@pytest.mark.parametrize("damage", WORSE)
def test_what_was_damaged_is_worse(damaged: Judged, damage: str) -> None:
    found = points(damaged, "overall")
    assert found["good"] > found[damage]


def test_a_copy_is_better_than_what_is_false() -> None:
    source = "The ferry does not sail to Bergen in winter owing to perilous ice."
    false = ["The ferry sails to Bergen in winter owing to perilous ice.", source.replace("Bergen", "Lagos")]
    (found,) = judged([(source, [source, *false, source.replace("ferry", "spoon")])])
    assert found.verdicts["overall"].best == 0
    assert "negation" in found.verdicts["lexical"].analysis[1]
    assert "'spoon' does not follow from the source" in found.verdicts["lexical"].analysis[3]


def test_a_salad_is_badly_built_and_half_a_sentence_is_not(damaged: Judged) -> None:
    found = points(damaged, "structural")
    assert found["a salad"] < found["a copy"] < found["good"]
    assert found["a half"] > found["a copy"]


def test_every_point_is_explained(damaged: Judged) -> None:
    words = damaged.verdicts["lexical"].analysis
    assert "'resided' → 'lived': easier" in words[0]
    assert "Norway" in words[1 + list(WORSE).index("a wrong name")]
    assert "1994" in words[1 + list(WORSE).index("a wrong number")]
    assert "1 → 2 sentences" in damaged.verdicts["structural"].analysis[0]
    for aspect in ("lexical", "structural"):
        verdict = damaged.verdicts[aspect]
        for total, told in zip(verdict.points, verdict.analysis, strict=True):
            parts = [float(part) for part in re.findall(r", ([+-]\d+\.\d)(?:;|$)", told)]
            assert sum(parts) == pytest.approx(total, abs=0.06 * max(len(parts), 1))


def test_verdicts_are_plain_data(damaged: Judged) -> None:
    assert "Infinity" not in json.dumps(damaged.to_dict())


def test_neither_another_time_nor_another_order_changes_anything(worked: list[Judged]) -> None:
    example: dict[str, Any] = EXAMPLES[0]
    again, turned = judged([(example["source"], example["candidates"][::step]) for step in (1, -1)])
    assert again == worked[0]
    for aspect in ASPECTS:
        last = len(example["candidates"]) - 1
        assert turned.verdicts[aspect].best == last - again.verdicts[aspect].best
        assert turned.verdicts[aspect].worst == last - again.verdicts[aspect].worst
        assert turned.verdicts[aspect].points == again.verdicts[aspect].points[::-1]


def test_no_source_is_bad_input() -> None:
    with pytest.raises(InputError, match="the source has no words"):
        judged([(" ", ["a", "b"])])


def test_a_metric_judges_by_its_score_alone() -> None:
    source = "The physician endeavoured to ascertain the cause of the malady."
    candidates = [source, "The doctor tried to find the cause.", ""]
    (grade,) = judged([(source, candidates)], "metric:reading_grade")
    assert all(verdict.best != 0 for verdict in grade.verdicts.values())
    (fluent,) = judged([(source, candidates)], "metric:perplexity")
    assert fluent.verdicts["overall"].worst == 2
    assert "Infinity" not in json.dumps(fluent.to_dict())
    (near,) = judged([(source, candidates)], "metric:meaning")
    assert (near.verdicts["overall"].best, near.verdicts["overall"].worst) == (0, 2)
