"""Judges held against people: what is taken away from a rubric, and how often a judge is found to be right."""

from __future__ import annotations

import asyncio
import difflib
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from redraft.errors import InputError
from redraft.judge import Context, Item, PointwiseJudge, judge_all, load_rubric
from redraft.judge.judges import score_question
from redraft.judge.ratings import People, Preference, draw_preferences, read_people
from redraft.judge.reliability import PARTS, Consistency, Part, ablated, consistencies, settings_of, texts_of
from redraft.judge.rubric import read_rubric
from redraft.metrics import cluster_interval, mean_interval
from tests.judge.scripted import Rule, RuleJudge, marks

TASKS = ("cloze", "expand", "edit", "end2end")
ITEM = Item("1", "the text", Context("the draft", "the task", ("the model answer",), ("rhymes",)))


def asked(part: Part | None, task: str) -> list[str]:
    rubric = load_rubric(task)
    question = score_question(ablated(rubric, part) if part else rubric, ITEM)
    return [*question.system.splitlines(), *question.user.splitlines(), question.schema]


def row(name: str, group: str, human: float | str, text: str, **more: Any) -> dict[str, Any]:
    context = {"instruction": f"Write about {group}.", "reference": f"All about {group}."}
    return {"id": name, "task": "end2end", "group": group, "human": human, "output": text, **context, **more}


def people(tmp_path: Path, *rows: dict[str, Any], columns: Sequence[str] = ()) -> People:
    file = tmp_path / "people.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return read_people(str(file), columns)


def four_pairs(tmp_path: Path) -> People:
    """Four instructions, each with a text that people like and one that they do not."""
    return people(
        tmp_path,
        *(row(f"{group}+", group, 5, f"good {group}") for group in "abcd"),
        *(row(f"{group}-", group, 2, f"poor {group}") for group in "abcd"),
    )


Mark = Callable[[str], int]


def measured(
    found: Sequence[Preference], *judges: Mark, parts: Sequence[Part] = ()
) -> tuple[Consistency, ...]:
    """What comes of judges that mark by a rule."""
    settings = settings_of([load_rubric("end2end")], parts)
    models = [RuleJudge(by(mark), f"judge {number}") for number, mark in enumerate(judges, 1)]
    inquiries = [
        PointwiseJudge(model, setting.rubric).inquiry(each.item)
        for model in models
        for setting in settings
        for each in texts_of(found, setting.task)
    ]
    judgements = asyncio.run(judge_all(inquiries))
    return consistencies(found, settings, [model.spec for model in models], judgements)


def by(mark: Mark) -> Rule:
    return lambda seen: marks(reason="so", score=mark(seen["text"]))


def fair(text: str) -> int:
    return 8 if "good" in text else 3


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("part", PARTS)
def test_what_is_taken_away_is_gone_and_nothing_else(task: str, part: Part) -> None:
    changed = difflib.ndiff(asked(None, task), asked(part, task))
    gone = [line[2:] for line in changed if line[0] in "-+" and line[2:]]
    rubric = load_rubric(task)
    scale = rubric.aspect("score").scale
    assert scale is not None
    match part:
        case "rubric":
            assert gone == [f"- {step}: {told}" for step, told in scale.steps]
        case "traits":
            assert gone == ["Weigh in particular:", *(f"- {trait}" for trait in rubric.traits)]
        case "reference":
            assert gone[1:] == ["<reference>", "the model answer", "</reference>"]
            assert "its mark is 6" in gone[0]
            assert "reference" not in "\n".join(asked(part, task)).lower(), "nothing else speaks of it"


def test_an_ablated_rubric_is_known_by_another_name_and_only_parts_that_are_there_go() -> None:
    assert ablated(load_rubric("cloze"), "traits").name == "cloze without traits"
    with pytest.raises(InputError, match="the rubric revision has no traits to take away"):
        ablated(load_rubric("revision"), "traits")
    assert ablated(load_rubric("edit"), "reference").needs == ("source",)


@pytest.mark.parametrize(
    ("mark", "value", "strict", "ties", "interval"),
    [
        (fair, 1.0, 1.0, 0, (1.0, 1.0)),
        (lambda text: 11 - fair(text), 0.0, 0.0, 0, (0.0, 0.0)),
        (lambda text: 6, 0.5, 0.0, 4, (0.5, 0.5)),
        (lambda text: 11 - fair(text) if text.endswith("d") else fair(text), 0.75, 0.75, 0, (0.25, 1.0)),
        (lambda text: 6 if text.endswith("d") else fair(text), 0.875, 0.75, 1, (0.625, 1.0)),
    ],
    ids=["always", "reversed", "constant", "three of four", "a tie"],
)
def test_a_judge_is_as_consistent_as_it_was_made(
    tmp_path: Path, mark: Mark, value: float, strict: float, ties: int, interval: tuple[float, float]
) -> None:
    found, undecided = four_pairs(tmp_path).preferences()
    (one,) = measured(found, mark)
    assert (one.judge, one.task, one.without) == ("judge 1", "end2end", None)
    assert (one.value, one.strict, one.ties) == (value, strict, ties)
    assert (one.pairs, one.groups, one.unanswered, undecided) == (4, 4, 0, 0)
    # Of four instructions with one miss, a resample has three misses or more with chance 0.05, all with 0.004.
    assert one.interval == pytest.approx(interval)


def test_correlations_are_of_the_texts_and_none_where_marks_are_all_the_same(tmp_path: Path) -> None:
    found, _ = four_pairs(tmp_path).preferences()
    steady, reverse = (measured(found, mark)[0] for mark in (lambda text: 6, lambda text: 11 - fair(text)))
    assert (steady.pearson, steady.spearman) == (None, None)
    assert (reverse.pearson, reverse.spearman) == pytest.approx((-1, -1))


def test_every_setting_and_the_jury_have_a_figure_of_their_own(tmp_path: Path) -> None:
    found, _ = four_pairs(tmp_path).preferences()
    doubtful: Mark = lambda text: 7 if "good" in text else 6  # noqa: E731
    shares = {
        (each.without, each.judge): each.value
        for each in measured(found, fair, lambda text: 11 - fair(text), doubtful, parts=PARTS)
    }
    assert shares == {
        (part, judge): value
        for part in (None, *PARTS)
        for judge, value in {"judge 1": 1, "judge 2": 0, "judge 3": 1, "jury": 1}.items()
    }


def test_texts_without_a_valid_mark_take_their_pairs_with_them(tmp_path: Path) -> None:
    found, _ = four_pairs(tmp_path).preferences()
    one, other, jury = measured(found, fair, lambda text: 99 if text == "good a" else fair(text))
    assert (one.pairs, one.unanswered) == (4, 0)
    assert (other.pairs, other.groups, other.unanswered, other.value) == (3, 3, 1, 1)
    assert (jury.pairs, jury.unanswered) == (3, 1), "the jury speaks where all its members do"
    (none,) = measured(found, lambda text: 99)
    assert (none.value, none.interval, none.strict, none.pearson) == (None, None, None, None)


def test_pairs_are_of_one_instruction_and_people_must_differ(tmp_path: Path) -> None:
    found = people(
        tmp_path,
        row("1", "a", 5, "w"), row("2", "a", 3, "x"), row("3", "a", 3, "y"), row("4", "a", 1, "w"),
        row("5", "b", 4, "z"), row("6", "b", "", "v"),
    )  # fmt: skip
    pairs, undecided = found.preferences()
    names = {(each.better.item.id, each.worse.item.id) for each in pairs}
    assert names == {("1", "2"), ("1", "3"), ("2", "4"), ("3", "4")}, "not 1 and 4, which are one text"
    assert (undecided, found.unrated) == (2, 1)


def test_several_raters_count_as_their_mean(tmp_path: Path) -> None:
    rows = [
        row("1", "a", 0, "x", human_1=4, human_2=2, mood=1),
        row("2", "a", 0, "y", human_1=3, human_2=None, mood=2),
        row("3", "a", 0, "z", human_1=1, human_2=2, mood=1),
    ]
    found = people(tmp_path, *rows, columns=["human_1", "human_2"])
    assert [each.score for each in found.rated] == [3, 3, 1.5]
    assert found.raters.both("human_1", "human_2") == ([4, 1], [2, 2])
    named = people(tmp_path, *rows, columns=["mood"])
    assert [each.score for each in named.rated] == [1, 2, 1]
    assert set(people(tmp_path, *rows).raters.ratings) == {"human", "human_1", "human_2"}


def test_a_table_holds_the_same_as_lines_and_groups_need_no_name(tmp_path: Path) -> None:
    lines = people(tmp_path, row("1", "a", 5, "x"), row("2", "a", 3, ""), row("3", "b", 3, "z"))
    table = tmp_path / "people.csv"
    table.write_text(
        "id,task,instruction,input,reference,output,human\n"
        '1,end2end,Write about a.,,All about a.,x,5\n2,end2end,Write about a.,,All about a.,"",3\n'
        "3,end2end,Write about b.,,All about b.,z,3\n",
        encoding="utf-8",
    )
    found = read_people(str(table))
    assert [each.item for each in found.rated] == [each.item for each in lines.rated]
    (one,) = found.preferences()[0]
    assert (one.better.item.text, one.worse.item.text) == ("x", "")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": "1", "output": "x", "task": "end2end"}], "has no scores by people: call their column human"),
        ([row("1", "a", 5, "x", task="poem")], "row 1: the task 'poem' is none of cloze, "),
        ([row("1", "a", 5, "x", task=None)], "row 1: there is no task"),
        ([row("0", "a", 4, "w"), row("1", "a", "fine", "x")], "people's score of 1 is no number: 'fine'"),
        ([row("1", "a", 5, "x"), row("1", "a", 4, "y")], "the id '1' is there twice"),
        (
            [row("1", "a", 5, "x"), row("2", "a", 4, "y", reference="Another.")],
            "row 2: the group 'a' has another instruction, source or reference",
        ),
        ([{"task": "end2end", "human": 3}], "none of the keys output, text"),
    ],
)
def test_what_is_wrong_with_a_file_of_people_is_named(
    tmp_path: Path, rows: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        people(tmp_path, *rows)


def test_pairs_are_drawn_from_as_many_instructions_as_there_are(tmp_path: Path) -> None:
    rows = [row(f"{g}{n}", g, n, f"{g} {n}") for g in "abcde" for n in range(1, 4)]
    rows += [row(f"z{n}", "z", n, f"z {n}", task="cloze", source="_") for n in range(1, 4)]
    found, _ = people(tmp_path, *rows).preferences()
    drawn = draw_preferences(found, 5, 0)
    assert len(drawn) == 5 + 3
    assert {each.better.group for each in drawn if each.better.task == "end2end"} == set("abcde")
    assert drawn == draw_preferences(found, 5, 0)
    assert drawn != draw_preferences(found, 5, 1)
    assert draw_preferences(found, None, 0) == found
    assert set(draw_preferences(found, 99, 0)) == set(found)


def test_pairs_of_one_instruction_are_resampled_together() -> None:
    assert cluster_interval([[1.0, 1.0, 1.0], [0.0]]) == (0, 1), "0, 3/4 or 1, with chances 1/4, 1/2, 1/4"
    assert cluster_interval([[1.0, 0.0]]) is None
    values = [float(group % 2) for group in range(10)]
    apart = mean_interval([value for value in values for _ in range(10)])
    whole = cluster_interval([[value] * 10 for value in values])
    assert apart is not None
    assert whole is not None
    assert whole[1] - whole[0] > 2 * (apart[1] - apart[0]), "repeats of one thing are no new evidence"


def test_low_marks_may_be_the_good_ones_and_aspects_weigh_alike(tmp_path: Path) -> None:
    found, _ = four_pairs(tmp_path).preferences()
    rubric = read_rubric(
        'name = "end2end"\ninstructions = "Mark it."\n'
        '[[aspects]]\nname = "errors"\nquestion = "How many?"\nlabels = ["none", "some"]\nbest = "low"\n'
        '[[aspects]]\nname = "ease"\nquestion = "How easy?"\nrange = [1, 10]\n',
        "test",
    )
    judge = RuleJudge(lambda seen: marks(errors="none" if "good" in seen["text"] else "some", ease=5))
    inquiries = [PointwiseJudge(judge, rubric).inquiry(each.item) for each in texts_of(found, rubric.name)]
    (one,) = consistencies(found, settings_of([rubric]), [judge.spec], asyncio.run(judge_all(inquiries)))
    assert one.value == 1
