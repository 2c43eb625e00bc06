"""What the reader of instructions learns from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from redraft.cli.app import app
from redraft.constraints import is_borne_out, read_call, read_reading
from redraft.errors import InputError
from redraft.train import Asked, read_asked, reader_rows

ROWS = [
    Asked(
        "Cut it to 120 words, my editor chops the rest, and be warm",
        ('word_count_check(120, "at most")',),
        "be warm",
    ),
    Asked("the third and fourth sentence as one", ('sentence_edit_check("combine", [3, 4])',)),
    Asked("Never say 'synergy' again", ('keyword_keep_removal_check("synergy", "remove")',)),
    Asked("warmer please", (), "warmer"),
]


def test_each_row_is_borne_out_however_it_is_varied() -> None:
    rows = reader_rows(ROWS, seed=3)
    assert rows == reader_rows(ROWS, seed=3)
    questions = [row["messages"][0]["content"].partition("\n")[2] for row in rows]
    answers = [row["messages"][1]["content"] for row in rows]
    for question, answer in zip(questions, answers, strict=True):
        found = read_reading(answer, [1.0] * len(answer.splitlines()), question)
        assert all(call is not None for call, _ in found.calls), (question, answer)
        assert found.rest is not None
    assert len({question for question in questions if "my editor chops" in question}) > 1
    assert any("sentence_edit_check" in answer and "[3, 4]" not in answer for answer in answers)


def test_a_row_whose_call_is_not_in_its_instruction_teaches_nothing() -> None:
    wrong = Asked("shorter, by all means", ('word_count_check(120, "at most")',))
    assert not wrong.is_sound
    assert not any("by all means" in str(row) for row in reader_rows([*ROWS, wrong], seed=0))
    with pytest.raises(InputError, match="bear out"):
        reader_rows([wrong], seed=0)


def test_bounds_are_learnt_as_they_are_worded_and_parts_kept_aside_are_not(tmp_path: Path) -> None:
    file = tmp_path / "asked.jsonl"
    rows = [
        {"instruction": "no more than 90 words", "calls": ['word_count_check(91, "less than")']},
        {
            "instruction": "80 words at the least",
            "calls": ['word_count_check(79, "more than")'],
            "part": "dev",
        },
        {"instruction": "kept aside: 70 words", "calls": [], "part": "aside"},
        {"instruction": "chosen by: 60 words", "calls": [], "part": "choice"},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = list(read_asked(file))
    assert [one.calls for one in found] == [
        ('word_count_check(90, "at most")',),
        ('word_count_check(80, "at least")',),
    ]
    assert all(is_borne_out(read_call(call), one.instruction) for one in found for call in one.calls)


def test_the_command_says_what_it_needs(tmp_path: Path) -> None:
    file, out = tmp_path / "asked.jsonl", tmp_path / "reader.jsonl"
    file.write_text('{"instruction": "90 words"}\n', encoding="utf-8")
    failed = CliRunner().invoke(app, ["train", "reader-data", str(file), "--out", str(out)])
    assert failed.exit_code != 0
    assert not out.exists()
    file.write_text(
        json.dumps({"instruction": "90 words", "calls": ['word_count_check(90, "at most")']}), "utf-8"
    )
    done = CliRunner().invoke(app, ["train", "reader-data", str(file), "--out", str(out)])
    assert done.exit_code == 0, done.output
    first = json.loads(out.read_text("utf-8").splitlines()[0])
    assert [message["role"] for message in first["messages"]] == ["user", "assistant"]
    again = CliRunner().invoke(app, ["train", "reader-data", str(file), "--out", str(file)])
    assert again.exit_code != 0
    assert file.read_text("utf-8").startswith('{"instruction"')
