"""Ratings in files."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

import pytest

from redraft.errors import InputError
from redraft.judge import Judgement, PairwiseJudge, PointwiseJudge, judge_all, load_rubric
from redraft.judge.ratings import compare_raters, pair_with_judges, read_columns
from tests.judge.scripted import RuleJudge, item, marks, pair, revision


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.csv", "\ufeffid,ann,ben\nx,1,2\ny,3,\nz, 5 ,4.5\n"),
        ("r.tsv", "id\tann\tben\nx\t1\t2\ny\t3\t\nz\t5\t4.5\n"),
        (
            "r.jsonl",
            '{"id": "x", "ann": 1, "ben": 2}\n{"id": "y", "ann": 3, "ben": null}\n{"id": "z", "ann": 5, "ben": 4.5}\n',
        ),
    ],
)
def test_columns_are_raters_in_any_format(tmp_path: Path, name: str, text: str) -> None:
    found = read_columns(write(tmp_path / name, text))
    assert found.ratings == {"ann": {"x": 1, "y": 3, "z": 5}, "ben": {"x": 2, "z": 4.5}}
    assert found.both("ann", "ben") == ([1, 5], [2, 4.5])
    (((one, other), agreed),) = compare_raters(found).pairs
    assert (one, other, agreed.items) == ("ann", "ben", 2)


def test_names_that_look_like_numbers_stay_names_beside_others(tmp_path: Path) -> None:
    file = write(tmp_path / "r.csv", "ann,ben\n0,0\n1,2 or more\n2 or more,2 or more\n0,1\n")
    found = read_columns(file)
    assert found.ratings["ann"] == {"1": "0", "2": "1", "3": "2 or more", "4": "0"}
    agreed = compare_raters(found, ["0", "1", "2 or more"])
    assert "kendall" in agreed.pairs[0][1].statistics
    assert set(compare_raters(found).pairs[0][1].statistics) == {"exact", "kappa"}


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("id,ann\n1,2\n1,3\n", [], "row 2: the id '1' is there twice"),
        ("id,ann,ben\n1,2,\n", [], "no ratings in the column 'ben'"),
        ("id,ann\n1,2\n", ["bea"], "no ratings in the column 'bea'"),
        ("id,ann\n1,2,3\n", [], "more cells than its first line has names"),
        ("", [], "r.csv is empty"),
        ("id,ann,ben\n", [], "r.csv is empty: it has no rows with ratings"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(
    tmp_path: Path, text: str, columns: list[str], message: str
) -> None:
    with pytest.raises(InputError) as error:
        read_columns(write(tmp_path / "r.csv", text), columns)
    assert message in str(error.value)


def test_agreement_takes_two(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two raters, and there is one column"):
        compare_raters(read_columns(write(tmp_path / "r.csv", "id,ann\n1,2\n")))
    with pytest.raises(InputError, match="two raters, and there is no column"):
        compare_raters(read_columns(write(tmp_path / "n.csv", "id\n1\n")))
    with pytest.raises(InputError, match="ann and ben have rated no item in common"):
        compare_raters(read_columns(write(tmp_path / "s.csv", "id,ann,ben\n1,2,\n2,,3\n")))


def test_people_are_held_against_a_judge_by_aspect(tmp_path: Path) -> None:
    file = write(tmp_path / "people.csv", "id,meaning,errors\n1,5,0\n2,4.5,1\n3,2,2 or more\n4,1,0\n")
    people = read_columns(file, named=True)
    rubric = load_rubric("grammar")

    def rule(texts: dict[str, str]) -> str:
        wrong = {"good": "0", "fair": "1", "poor": "2 or more"}[texts["text"]]
        return marks(
            reason="", meaning=5 - 2 * list("012").index(wrong[0]), errors=wrong, over_correction="none"
        )

    texts = {"1": "good", "2": "fair", "3": "poor", "4": "good"}
    judge = PointwiseJudge(RuleJudge(rule, "judge"), rubric)
    found = asyncio.run(judge_all(judge.inquiry(item(name, text)) for name, text in texts.items()))
    meaning, errors = pair_with_judges(people, found, rubric)
    assert (meaning.aspect, errors.aspect) == ("meaning", "errors")
    assert meaning.ratings == {
        "people": {"1": 5, "2": 4.5, "3": 2, "4": 1},
        "judge": {"1": 5, "2": 3, "3": 1, "4": 5},
    }
    assert compare_raters(errors).pairs[0][1].statistics["exact"].value == 1
    assert not math.isnan(compare_raters(meaning).alpha)
    with pytest.raises(InputError, match="no scores by the rubric revision"):
        pair_with_judges(people, found, load_rubric("revision"))
    wrong = read_columns(write(tmp_path / "w.csv", "id,errors\n1,many\n"), named=True)
    with pytest.raises(InputError, match="errors of 1 is not on the scale: 'many'"):
        pair_with_judges(wrong, found, rubric)
    other = read_columns(write(tmp_path / "o.csv", "id,beauty\n1,5\n"), named=True)
    with pytest.raises(InputError, match="named like an aspect of grammar: meaning, errors, over_correction"):
        pair_with_judges(other, found, rubric)


def test_a_question_may_be_answered_twice_but_not_two_questions_about_one_text(tmp_path: Path) -> None:
    people = read_columns(write(tmp_path / "people.csv", "id,fluency\n1,5\n2,3\n"), named=True)
    rubric = load_rubric("revision")

    def judged(text: str, fluency: int) -> tuple[Judgement, ...]:
        judge = PointwiseJudge(RuleJudge(lambda texts: revision(fluency=fluency), "judge"), rubric)
        return asyncio.run(judge_all(judge.inquiry(item(name, text)) for name in "12"))

    (fluency,) = pair_with_judges(people, [*judged("A text.", 1), *judged("A text.", 5)], rubric)
    assert fluency.ratings["judge"] == {"1": 5, "2": 5}, "the later answer"
    with pytest.raises(InputError, match="judge was asked about fluency of '1' in more than one way"):
        pair_with_judges(people, [*judged("A text.", 1), *judged("That of another system.", 5)], rubric)


def test_aspects_may_be_asked_about_apart_and_comparisons_stand_beside(tmp_path: Path) -> None:
    people = read_columns(write(tmp_path / "people.csv", "id,fluency,coherence\n1,5,4\n2,3,3\n"), named=True)
    rubric = load_rubric("revision")
    model = RuleJudge(lambda texts: marks(reason="", **dict.fromkeys(asked, 4)), "judge")
    found: list[Judgement] = []
    for part in rubric.split():
        asked = [aspect.name for aspect in part.aspects]
        found += asyncio.run(judge_all(PointwiseJudge(model, part).inquiry(item(name)) for name in "12"))
    comparing = PairwiseJudge(
        RuleJudge(lambda texts: marks(reason="", fluency="A", coherence="A", consistency="A"), "judge"),
        rubric,
    )
    compared = asyncio.run(judge_all(comparing.inquiries(pair("1", "one", "other"))))
    assert all(each.error is None and each.rubric == rubric.name for each in compared)
    fluency, coherence = pair_with_judges(people, [*found, *compared], rubric)
    assert fluency.ratings["judge"] == coherence.ratings["judge"] == {"1": 4, "2": 4}
    with pytest.raises(InputError, match="no scores by the rubric"):
        pair_with_judges(people, compared, rubric)
