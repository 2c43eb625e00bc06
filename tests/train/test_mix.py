"""A mixture takes what the weights say, anew each epoch, and the same whenever it is asked again."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from redraft.errors import InputError
from redraft.train.editor import DrawCount, Mixture, editing_conversation, file_weights, parse_mix
from redraft.train.rows import TrainingRow

ASK = {"fluency": ["Correct it", "Fix it", "Mend it"], "clarity": ["Clear it up"]}


def rows(count: int, targets: int = 1, task: str = "fluency", name: str = "a") -> list[TrainingRow]:
    return [TrainingRow(task, f"{name} {n}", f"{name} {n} {k}") for n in range(count) for k in range(targets)]


def test_parse_a_mix() -> None:
    assert parse_mix("fluency_iterater=4, clarity_smith = 0.2,*=1,") == {
        "fluency_iterater": 4.0,
        "clarity_smith": 0.2,
        "*": 1.0,
    }


def test_parse_a_file_or_a_recipe(tmp_path: Path) -> None:
    (tmp_path / "mix.toml").write_text('[weights]\na = 2\n"b_*" = 0.5', encoding="utf-8")
    assert parse_mix(str(tmp_path / "mix.toml")) == {"a": 2.0, "b_*": 0.5}
    assert parse_mix("editor")["clarity_iterater"] == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a=1,b", "'b', where name=weight is needed"),
        ("a=1,a=2", "names a twice"),
        ("a=much", "the weight 'much', which is no number"),
        ("a=-1", "the weight -1.0, where a number from 0 up"),
        ("a=nan", "where a number from 0 up"),
        ("nowhere.toml", "no such file"),
    ],
)
def test_a_mix_that_is_none(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_mix(text)


def test_a_name_comes_before_a_pattern_and_the_rest_last() -> None:
    names = ("fluency_a", "fluency_b", "clarity_a", "other")
    weights = {"*": 0.5, "fluency_*": 2, "*_a": 3, "fluency_b": 4}
    assert file_weights(weights, names) == {"fluency_a": 2, "fluency_b": 4, "clarity_a": 3, "other": 0.5}
    assert file_weights({}, names) == dict.fromkeys(names, 1.0)


def test_an_unknown_name_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(InputError, match=r"names fluency_iterator, .* did you mean fluency_iterater\?"):
        file_weights({"fluency_iterator": 2}, ["fluency_iterater", "clarity"])
    with pytest.raises(InputError, match=r"names zzz\*, which fits no training file; there are fluency"):
        file_weights({"zzz*": 2}, ["fluency"])


def test_whole_copies_and_a_sample_of_the_rest() -> None:
    files = {"twice": rows(10), "half": rows(10, name="b"), "never": rows(5, name="c")}
    mixture = Mixture(files, {"twice": 2.3, "half": 0.5, "never": 0}, ASK, 0)
    drawn = Counter(row.input for row, _ in mixture.epoch(0))
    assert sorted(drawn[f"a {n}"] for n in range(10)) == [2] * 7 + [3] * 3
    assert sorted(drawn[f"b {n}"] for n in range(10)) == [0] * 5 + [1] * 5
    assert not any(name.startswith("c") for name in drawn)


def test_epochs_differ_and_come_again() -> None:
    mixture = Mixture({"a": rows(30)}, {"a": 0.5}, ASK, 0)
    first, second = mixture.epoch(0), mixture.epoch(1)
    assert {row.input for row, _ in first} != {row.input for row, _ in second}
    assert Mixture({"a": rows(30)}, {"a": 0.5}, ASK, 0).epoch(1) == second
    assert Mixture({"a": rows(30)}, {"a": 0.5}, ASK, 1).epoch(0) != first
    assert {ask for _, ask in first} == set(ASK["fluency"])


def test_an_instruction_is_drawn_for_each_epoch() -> None:
    mixture = Mixture({"a": rows(1)}, {}, ASK, 0)
    assert {mixture.epoch(number)[0][1] for number in range(20)} == set(ASK["fluency"])


def test_another_file_changes_no_draw() -> None:
    alone = Mixture({"a": rows(30)}, {"a": 0.5}, ASK, 0).epoch(2)
    beside = Mixture({"b": rows(9, name="b"), "a": rows(30)}, {"a": 0.5}, ASK, 0).epoch(2)
    assert sorted(alone, key=repr) == sorted((pair for pair in beside if pair[0].input[0] == "a"), key=repr)


def test_counts_for_the_log() -> None:
    files = {"a": rows(10, targets=2), "b": [*rows(4, name="b"), *rows(6, task="clarity", name="b")]}
    assert Mixture(files, {"a": 1.5, "b": 0.5}, ASK, 0).counts() == [
        DrawCount("a", "fluency", 1.5, 20, 30),
        DrawCount("b", "fluency", 0.5, 4, 2),
        DrawCount("b", "clarity", 0.5, 6, 3),
    ]


def test_a_task_without_instructions() -> None:
    with pytest.raises(
        InputError, match="a has rows of the task 'updating', for which there is no instruction"
    ):
        Mixture({"a": rows(1, task="updating")}, {}, ASK, 0)


def test_an_instruction_names_the_values_of_its_row() -> None:
    row = TrainingRow("shorten", "A long text.", "A text.", values=(("n", 2),))
    ask = {"shorten": ["Use {n} words"]}
    ((found, said),) = Mixture({"a": [row]}, {}, ask, 0).epoch(0)
    assert editing_conversation(found, said).messages[0].content == "Use 2 words:\nA long text."
    with pytest.raises(InputError, match="a: a row of the task 'shorten' needs values for n"):
        Mixture({"a": [replace(row, values=())]}, {}, ask, 0)


@given(st.integers(0, 20), st.floats(0, 4), st.integers(0, 5))
def test_an_epoch_takes_its_share(count: int, weight: float, number: int) -> None:
    mixture = Mixture({"a": rows(count)}, {"a": weight}, ASK, 7)
    drawn = Counter(row for row, _ in mixture.epoch(number))
    assert drawn.total() == sum(found.draws for found in mixture.counts()) == round(weight * count)
    assert max(drawn.values(), default=0) - min((drawn[row] for row in rows(count)), default=0) <= 1


def test_another_process_draws_the_same() -> None:
    code = (
        "from redraft.train.editor import Mixture\nfrom redraft.train.rows import TrainingRow\n"
        "rows = [TrainingRow('fluency', f'a {n}', f'b {n} {k}') for n in range(9) for k in range(3)]\n"
        "ask = {'fluency': ['Correct it', 'Fix it', 'Mend it']}\n"
        "print(Mixture({'a': rows}, {'a': 1.5}, ask, 5).epoch(3))"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
