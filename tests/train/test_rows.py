"""Rows in files: what is read, and what is said of a line that is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redraft.errors import FileError, InputError
from redraft.train.rows import TrainingRow, read_rows

GOOD: dict[str, Any] = {"task": "fluency", "input": "a bad one", "target": "A good one."}


def read(path: Path, *lines: Any, encoding: str = "utf-8") -> list[TrainingRow]:
    file = path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding=encoding)
    return list(read_rows(file))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    rows = [
        TrainingRow("fluency", "a b", "A b."),
        TrainingRow("updating", "c", "d\n\u2028e", "mine", ("one", "two")),
    ]
    assert read(tmp_path, *(row.as_dict() for row in rows)) == rows


def test_null_is_absent(tmp_path: Path) -> None:
    assert read(tmp_path, {**GOOD, "source": None, "documents": None}) == [TrainingRow(**GOOD)]


def test_values_come_back(tmp_path: Path) -> None:
    (row,) = read(tmp_path, {**GOOD, "values": {"n": 14, "word": "and"}})
    assert row.values == (("n", 14), ("word", "and"))
    assert row.as_dict()["values"] == {"n": 14, "word": "and"}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark(tmp_path: Path, encoding: str) -> None:
    assert read(tmp_path, GOOD, GOOD, encoding=encoding) == [TrainingRow(**GOOD)] * 2


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"documents": "abc"}, "documents must be a list of strings"),
        ({"documents": ["a", 1]}, "documents must be a list of strings"),
        ({"documents": {"a": "b"}}, "documents must be a list of strings"),
        ({"values": ["n"]}, "values must be an object of whole numbers and strings"),
        ({"values": {"n": 1.5}}, "values must be an object of whole numbers and strings"),
        ({"source": 1}, "source must be a string"),
        ({"input": None}, "input must be a string"),
        ({"target": ["x"]}, "target must be a string"),
        ({"task": 3}, "task must be a string"),
        ({"input": ""}, "input has no words"),
        ({"target": " …!"}, "target has no words"),
    ],
)
def test_a_bad_field_is_named(tmp_path: Path, bad: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=rf"rows\.jsonl, line 2: {message}"):
        read(tmp_path, GOOD, {**GOOD, **bad})


@pytest.mark.parametrize("name", GOOD)
def test_a_missing_field_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"line 2: needs task, input and target, but {name} is missing"):
        read(tmp_path, GOOD, {key: value for key, value in GOOD.items() if key != name})


def test_words_of_any_script_are_words(tmp_path: Path) -> None:
    assert read(tmp_path, {**GOOD, "input": "天气很好。", "target": "12"})[0].target == "12"


def test_lines_that_are_no_rows(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: needs task, input and target in a JSON object"):
        read(tmp_path, ["task"])
    for line in ('{"task": ', "[" * 100_000):
        (tmp_path / "rows.jsonl").write_text(f"\n{line}\n", encoding="utf-8")
        with pytest.raises(InputError, match=r"line 2: needs .* but is not JSON"):
            list(read_rows(tmp_path / "rows.jsonl"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        list(read_rows(tmp_path / "none.jsonl"))
    with pytest.raises(FileError, match="is a folder"):
        list(read_rows(tmp_path))
    (tmp_path / "a.jsonl").write_bytes(json.dumps(GOOD).encode() + b"\n\xff")
    with pytest.raises(FileError, match="is not in UTF-8"):
        list(read_rows(tmp_path / "a.jsonl"))
