"""What the editor is trained on: which rows, in which words, and what is written down of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from redraft.bench.editeval.facts import prompts
from redraft.editor import Value, fill_phrasing, read_phrasings
from redraft.errors import InputError
from redraft.train.editor import merge_instructions, read_editor_data
from redraft.train.guard import Guard

LEAK = "The committee met on Tuesday to discuss the new budget for schools."
Written = tuple[str, str, str]


def write_rows(path: Path, rows: Sequence[Written], values: Mapping[str, Value] | None = None) -> Path:
    lines = [
        json.dumps({"task": task, "input": before, "target": after, "values": values})
        for task, before, after in rows
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_a_copy_is_learnt_only_where_nothing_may_be_wrong(tmp_path: Path) -> None:
    rows = [
        ("fluency", "It is right.", "It is right."),
        ("fluency", "He go.", "He goes."),
        ("simplification", "It is right.", "It is right."),
        ("simplification", "It is erroneous.", "It is wrong."),
    ]
    data = read_editor_data([write_rows(tmp_path / "mixed.jsonl", rows)], {}, merge_instructions())
    targets = sorted(turns.messages[-1].content for turns in data.epoch(0))
    assert targets == ["He goes.", "It is right.", "It is wrong."]
    assert data.copies == {"mixed": 1}
    assert data.refused == {"mixed": 0}


def test_the_record_says_what_there_was(tmp_path: Path) -> None:
    rows = [("fluency", "He go.", "He goes."), ("fluency", LEAK, LEAK.upper())]
    file = write_rows(tmp_path / "fixes.jsonl", rows)
    dev = write_rows(tmp_path / "dev.jsonl", [("fluency", "I goes.", "I go.")])
    data = read_editor_data(
        [file], {"fix*": 2.0}, merge_instructions(), guard=Guard([LEAK]), emphasis=2.5, dev=[dev]
    )
    record = data.record
    assert (record["emphasis"], record["guarded"], record["refused"]) == (2.5, True, {"fixes": 1})
    assert [(entry["file"], entry["weight"]) for entry in record["data"]] == [("fixes.jsonl", 2.0)]
    assert [entry["file"] for entry in record["dev"]] == ["dev.jsonl"]
    assert record["in_dev"] == {"fixes": 0}
    assert record["counts"] == [
        {"file": "fixes", "task": "fluency", "weight": 2.0, "rows": 1, "draws": 2}
    ]  # fmt: skip
    assert {turns.emphasis for turns in data.epoch(0)} == {2.5}
    # The dev loss is that of every token alike, so that it compares between emphases.
    assert {turns.emphasis for turns in data.dev} == {1.0}
    assert json.loads(json.dumps(record)) == record


def test_wordings_that_are_held_out_are_never_trained_on(tmp_path: Path) -> None:
    instructions = merge_instructions(prompts())
    values = {"n": 9, "word": "this"}
    rows = [(task, "one thing", "another") for task in instructions for _ in range(40)]
    file = write_rows(tmp_path / "all.jsonl", rows, values=values)
    dev = write_rows(
        tmp_path / "dev.jsonl",
        [(task, f"{before} more", after) for task, before, after in rows],
        values=values,
    )
    data = read_editor_data([file], {}, instructions, dev=[dev])
    asked = {
        turns.messages[0].content.partition(":\n")[0]
        for epoch in range(3)
        for turns in (*data.epoch(epoch), *data.dev)
    }
    held_out = (line for parts in read_phrasings().values() for line in parts["held_out"])
    kept = {fill_phrasing(line, values).strip().rstrip(".:") for line in held_out}
    assert len(asked) > 100
    assert kept
    assert not asked & kept


def test_an_epoch_is_the_same_again_and_another_is_asked_for_in_other_words(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "a.jsonl", [("fluency", f"He go {n}.", f"He goes {n}.") for n in range(9)])
    data = read_editor_data([file], {}, merge_instructions())
    assert list(data.epoch(1)) == list(data.epoch(1))
    assert list(data.epoch(1)) != list(data.epoch(2))


@pytest.mark.parametrize("emphasis", [0.0, -1.0, float("inf"), float("nan")])
def test_an_emphasis_is_above_zero(tmp_path: Path, emphasis: float) -> None:
    file = write_rows(tmp_path / "a.jsonl", [("fluency", "He go.", "He goes.")])
    with pytest.raises(InputError, match="emphasis must be above zero"):
        read_editor_data([file], {}, merge_instructions(), emphasis=emphasis)


def test_a_dev_file_of_an_unknown_task_is_named(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "a.jsonl", [("fluency", "He go.", "He goes.")])
    dev = write_rows(tmp_path / "dev.jsonl", [("poetry", "a", "b")])
    with pytest.raises(InputError, match=r"dev\.jsonl has rows of the task 'poetry', but the tasks are flu"):
        read_editor_data([file], {}, merge_instructions(), dev=[dev])


def test_rows_of_the_dev_set_are_kept_out(tmp_path: Path) -> None:
    rows = [
        ("fluency", "He go.", "He goes."),
        ("fluency", "He go.", "He went."),
        ("fluency", "He goed.", "He goes."),
    ]
    file = write_rows(tmp_path / "a.jsonl", rows)
    dev = write_rows(
        tmp_path / "dev.jsonl", [("fluency", "he  go", "He goes!"), ("fluency", "I is.", "I am.")]
    )
    data = read_editor_data([file], {}, merge_instructions(), dev=[dev])
    assert sorted(turns.messages[-1].content for turns in data.epoch(0)) == ["He goes.", "He went."]
    assert data.in_dev == data.record["in_dev"] == {"a": 1}
    assert len(data.dev) == 2
    with pytest.raises(InputError, match=r"nothing to train on: .* the dev set's"):
        read_editor_data([file], {}, merge_instructions(), dev=[file])


def test_nothing_left_is_an_error_before_any_training(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "a.jsonl", [("fluency", LEAK, LEAK.upper())])
    for weights, guard in (({}, Guard([LEAK])), ({"*": 0.0}, None)):
        with pytest.raises(InputError, match="nothing to train on"):
            read_editor_data([file], weights, merge_instructions(), guard=guard)
