"""Rubrics: ours, and what is refused in others'."""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.errors import FileError, InputError
from redraft.judge import (
    Context,
    Item,
    PointwiseJudge,
    Scale,
    ablate_rubric,
    load_rubric,
    read_rubric,
    rubric_names,
    word_rubrics,
)
from redraft.judge.judges import score_question
from redraft.judge.questions import describe_rubric
from tests.judge.scripted import RuleJudge, always_a

GOOD = """
name = "letters"
instructions = "Mark the letter."
[[aspects]]
name = "warmth"
question = "How warm is it?"
range = [1, 10]
[aspects.steps]
"8-10" = "as from a friend"
6 = "like the reference"
"1-3" = "cold"
"""


def test_ours_have_the_aspects_and_scales_of_the_paper() -> None:
    ours = ("cloze", "edit", "end2end", "expand", "grammar", "pairwise", "revision")
    assert set(ours) <= set(rubric_names())
    found = {
        name: {aspect.name: aspect.scale and aspect.scale.labels for aspect in load_rubric(name).aspects}
        for name in ours
    }
    five, ten = (1, 2, 3, 4, 5), tuple(range(1, 11))
    assert found == {
        "revision": {"fluency": five, "coherence": five, "consistency": five},
        "grammar": {
            "meaning": five,
            "errors": ("0", "1", "2 or more"),
            "over_correction": ("none", "minor", "moderate", "substantial"),
        },
        "pairwise": {"fluency": None, "grammaticality": None, "coherence": None},
        **{task: {"score": ten} for task in ("cloze", "edit", "end2end", "expand")},
    }
    grammar = load_rubric("grammar")
    assert [aspect.scale.best for aspect in grammar.aspects if aspect.scale] == ["high", "low", "low"]


@pytest.mark.parametrize("name", ["cloze", "expand", "edit", "end2end"])
def test_the_tasks_of_writing_are_marked_against_a_reference_worth_six(name: str) -> None:
    rubric = load_rubric(name)
    assert (rubric.baseline, len(rubric.traits)) == (6, 4)
    assert "reference" in rubric.needs
    scale = rubric.aspect("score").scale
    assert scale is not None
    spans = [[int(end) for end in step.split("-")] for step, _ in scale.steps]
    described_marks = [mark for span in spans for mark in range(span[0], span[-1] + 1)]
    assert sorted(described_marks) == list(scale.labels), "each mark is described once"
    told = describe_rubric(rubric, scales=True)
    assert all(f"- {trait}" in told for trait in rubric.traits)
    assert "its mark is 6" in told
    assert "its mark is 6" not in describe_rubric(rubric, scales=False)


def test_marks_are_numbers_by_value_or_by_place() -> None:
    assert Scale((1, 2, 3)).value(3) == 3
    assert [Scale(("0", "1", "2 or more")).value(label) for label in ("0", "2 or more")] == [0, 2]


def test_a_rubric_of_ones_own_may_describe_runs_of_marks(tmp_path: Path) -> None:
    file = tmp_path / "letters.toml"
    file.write_text(GOOD, encoding="utf-8")
    rubric = load_rubric(str(file))
    assert rubric.aspect("warmth").scale == Scale(
        tuple(range(1, 11)),
        "high",
        (("8-10", "as from a friend"), ("6", "like the reference"), ("1-3", "cold")),
    )
    assert "- 8-10: as from a friend" in describe_rubric(rubric, scales=True)
    assert "as from a friend" not in describe_rubric(rubric, scales=False)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "letters"', "", "name is missing"),
        ('instructions = "Mark the letter."', "instructions = 3", "instructions is missing"),
        ('question = "How warm is it?"', "", "question is missing"),
        ("range = [1, 10]", "range = [5, 1]", "range is two integers"),
        ("range = [1, 10]", "range = [1, 5]", "steps describes '8-10', which is not on the scale"),
        ("range = [1, 10]", 'labels = ["a", "a"]', "two or more different"),
        ("range = [1, 10]", 'range = [1, 5]\nlabels = ["a", "b"]', "not both"),
        ("range = [1, 10]", "", "steps is for a scale"),
        ("range = [1, 10]", 'range = [1, 10]\nbest = "left"', '"high" or "low"'),
        ('name = "warmth"', 'name = "Warmth!"', "may not be called 'Warmth!'"),
        ('name = "warmth"', 'name = "reason"', "may not be called 'reason'"),
        ("[[aspects]]", 'shows = ["diary"]\n[[aspects]]', "shows is a list of some of: source"),
        (
            "[[aspects]]",
            'needs = ["reference"]\n[[aspects]]',
            "needs names 'reference', which shows does not",
        ),
        ("[[aspects]]", "reason = 1\n[[aspects]]", "reason is true or false"),
        ("[[aspects]]", "traits = 'short'\n[[aspects]]", "traits is a list of texts"),
        ("[[aspects]]", "baseline = 11\n[[aspects]]", "baseline is a mark on the scale"),
        ("[[aspects]]", "baseline = true\n[[aspects]]", "baseline is a mark on the scale"),
        ("[[aspects]]", "baseline = 6\n[[aspects]]", "what the reference is worth, and needs does not"),
        ("[[aspects]]", "colour = 1\n[[aspects]]", "'colour' means nothing here"),
        ("[[aspects]]", "[[aspects]]\nname = 'warmth'\nquestion = 'Is it?'\n[[aspects]]", "there twice"),
        ("[[aspects]]", "[[", "not valid TOML"),
    ],
)
def test_what_is_wrong_with_a_rubric_is_named(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(InputError, match=r"mine\.toml") as error:
        read_rubric(GOOD.replace(old, new, 1), "mine.toml")
    assert message in str(error.value)


def test_an_unknown_rubric_is_told_with_those_there_are() -> None:
    with pytest.raises(InputError, match="there are cloze, edit, end2end, expand, grammar, pairwise, "):
        load_rubric("revisoin")
    with pytest.raises(InputError, match="there is no such file"):
        load_rubric("nowhere.toml")


def test_an_aspect_without_a_scale_cannot_be_scored() -> None:
    with pytest.raises(InputError, match="fluency of pairwise has no scale"):
        PointwiseJudge(RuleJudge(always_a), load_rubric("pairwise"))


def test_aspects_can_be_asked_about_apart() -> None:
    parts = load_rubric("revision").split()
    assert [[aspect.name for aspect in part.aspects] for part in parts] == [
        ["fluency"], ["coherence"], ["consistency"],
    ]  # fmt: skip


def test_a_users_own_words_are_told_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "cloze.md").write_text("Mark the {gap}.\n\nBe strict.\n", encoding="utf-8")
    (tmp_path / "revision.fluency.md").write_text("Is it fluent?", encoding="utf-8")
    cloze, edit = load_rubric("cloze"), load_rubric("edit")
    worded, same = word_rubrics([cloze, edit], tmp_path)
    assert same == edit
    item = Item("1", "A text.", Context("Before ____ after.", references=("It.",)))
    asked, ours = score_question(worded, item), score_question(cloze, item)
    assert asked.system == "Mark the {gap}.\n\nBe strict."
    assert (asked.user, asked.schema) == (ours.user, ours.schema)
    assert asked.prompt_hash != ours.prompt_hash
    assert worded.parts == (worded,)
    with pytest.raises(InputError, match=r"to ask about each by itself, give cloze\.score\.md"):
        worded.split()
    with pytest.raises(InputError, match="no traits can be taken out of it"):
        ablate_rubric(worded, "traits")
    with pytest.raises(InputError, match=r"revision\.coherence\.md is missing"):
        word_rubrics([load_rubric("revision")], tmp_path)


def test_aspects_with_words_of_their_own_are_asked_about_apart(tmp_path: Path) -> None:
    for name in ("fluency", "coherence", "consistency"):
        (tmp_path / f"revision.{name}.md").write_text(f"Mark {name}.", encoding="utf-8")
    (rubric,) = word_rubrics([load_rubric("revision")], tmp_path)
    assert [part.wording for part in rubric.parts] == [
        "Mark fluency.",
        "Mark coherence.",
        "Mark consistency.",
    ]
    (tmp_path / "revision.md").write_text("Mark all.", encoding="utf-8")
    (both,) = word_rubrics([load_rubric("revision")], tmp_path)
    assert [part.wording for part in both.parts] == ["Mark all."]
    assert [part.wording for part in both.split()] == [part.wording for part in rubric.parts]
    with pytest.raises(InputError, match="has no wording for edit or cloze"):
        word_rubrics([load_rubric("edit"), load_rubric("cloze")], tmp_path)
    (tmp_path / "edit.spelling.md").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match=r"edit\.spelling\.md is no wording of a rubric: call it"):
        word_rubrics([rubric], tmp_path)
    with pytest.raises(FileError, match="is no folder"):
        word_rubrics([rubric], tmp_path / "none")
