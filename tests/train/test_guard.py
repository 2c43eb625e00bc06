"""The guard refuses what equals or nearly equals a test text, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from redraft.errors import InputError
from redraft.train.guard import Guard, grams, normalised_words
from redraft.train.rows import TrainingRow

TEST = "one two three four five six seven eight nine ten eleven twelve"


def row(text: str, target: str = "nothing like it") -> TrainingRow:
    return TrainingRow("fluency", text, target)


def test_equal_but_for_case_marks_and_spaces() -> None:
    guard = Guard(["The cat's  mat, at last!"])
    assert guard.refuses(row("the cat’s mat at LAST")) == "its input equals “The cat's mat, at last!”"
    assert guard.refuses(row("a", "The cat's\nmat at last.")) == "its target equals “The cat's mat, at last!”"
    assert guard.refuses(row("The dog's mat, at last!")) is None


def test_near_is_the_share_of_three_grams() -> None:
    guard = Guard([TEST])
    # Ten 3-grams; without the last word nine of ten, without the last three seven of ten, then six.
    assert guard.refuses(row(TEST.rsplit(" ", 1)[0])) == (
        "its input is 0.90 like “one two three four five six seven eight nine ten eleven twe…”"
    )
    assert "0.70 like" in str(guard.refuses(row(TEST.rsplit(" ", 3)[0])))
    assert guard.refuses(row(TEST.rsplit(" ", 4)[0])) is None
    # A word in the middle is in three of them: seven of thirteen are shared.
    assert guard.refuses(row(TEST.replace("six", "6"))) is None
    assert "0.54 like" in str(Guard([TEST], near=0.5).refuses(row(TEST.replace("six", "6"))))


def test_the_nearest_text_is_named() -> None:
    guard = Guard([TEST, f"{TEST} thirteen fourteen"])
    assert "0.92 like" in str(guard.refuses(row(f"{TEST} thirteen")))


def test_short_texts_are_compared_by_words() -> None:
    guard = Guard(["Good morning", "Yes"])
    assert "1.00 like" in str(guard.refuses(row("morning, good")))
    assert "equals" in str(guard.refuses(row("yes!")))
    assert guard.refuses(row("good evening")) is None
    assert guard.refuses(row("good morning everyone")) is None


def test_texts_without_words_refuse_nothing() -> None:
    guard = Guard(["", "…", "?!"])
    assert len(guard) == 0
    assert guard.refuses(TrainingRow("fluency", "", "…")) is None


def test_scripts_without_spaces_are_compared_by_characters() -> None:
    assert "0.80 like" in str(Guard(["我們今天去學校"]).refuses(row("我們今天去學")))


def test_filter_counts_and_keeps_examples() -> None:
    guard = Guard([TEST])
    rows = [row(TEST), row("quite another text"), row(f"{TEST} thirteen"), row("a", TEST.upper())]
    assert list(guard.filter(rows)) == [rows[1]]
    assert guard.refused == {"equal": 2, "near": 1}
    assert [found for found, _ in guard.examples] == [rows[0], rows[2], rows[3]]


def test_files_in_any_form(tmp_path: Path) -> None:
    records = [
        {
            "id": "a label 1",
            "input": "an input of it",
            "references": ["first reference text", "second one too"],
        },
        {
            "text": "a constrained text",
            "published": {"system": "what it gave back"},
            "level": 0,
            "calls": ["f(1)"],
        },
        {"input": {"prefix": "text before it", "suffix": "text behind it"}, "original": "the original text"},
    ]
    (tmp_path / "deep").mkdir()
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    (tmp_path / "deep" / "a.jsonl").write_text(lines + "\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("a line of text\n\nanother line of it\n", encoding="utf-8")
    (tmp_path / "c.json").write_text(json.dumps([{"target": "a list of records"}]), encoding="utf-8")
    (tmp_path / "README.md").write_text("this is no test", encoding="utf-8")
    guard = Guard.from_files([tmp_path])
    for text in (
        "an input of it",
        "second one too",
        "what it gave back",
        "text behind it",
        "the original text",
    ):
        assert guard.refuses(row(text)) is not None, text
    for text in ("a line of text", "another line of it", "a list of records"):
        assert guard.refuses(row(text)) is not None, text
    for text in ("a label 1", "this is no test", "f(1)"):
        assert guard.refuses(row(text)) is None, text


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", '{"input": "x"}\n{', "a.jsonl, line 2: not JSON"),
        ("a.md", "text", "a test set is a folder, or a file that ends in .jsonl"),
        ("folder", None, "holds no test set"),
        ("gone.txt", None, "no such file"),
    ],
)
def test_files_that_are_no_test_set(tmp_path: Path, name: str, content: str | None, message: str) -> None:
    if name == "folder":
        (tmp_path / name).mkdir()
    elif content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        Guard.from_files([tmp_path / name])


def test_near_is_a_share() -> None:
    with pytest.raises(InputError, match="above 0"):
        Guard([], near=0)


# Few words, so that texts are alike; repeated words, so that a text has fewer distinct grams than places.
TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "A,", "é"]), max_size=14).map(" ".join)


@settings(max_examples=400)
@given(st.lists(TEXTS, max_size=12), TEXTS, TEXTS, st.sampled_from([0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]))
def test_it_refuses_exactly_what_comparing_all_pairs_does(
    tests: list[str], text: str, target: str, near: float
) -> None:
    def alike(one: str, other: str) -> bool:
        first, second = normalised_words(one), normalised_words(other)
        if not first or not second:
            return False
        mine, theirs = grams(first), grams(second)
        return first == second or len(mine & theirs) / len(mine | theirs) >= near

    expected = any(alike(test, mine) for test in tests for mine in (text, target))
    assert (Guard(tests, near=near).refuses(row(text, target)) is not None) == expected
