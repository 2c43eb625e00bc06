"""The Hugging Face form and our own."""

import csv
import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from redraft.bench.benchmark import DataSet
from redraft.bench.editeval import EditEval
from redraft.errors import InputError, MissingExtra


def load(path: Path) -> dict[str, DataSet]:
    with pytest.warns(UserWarning, match="samples, the paper's has"):
        return {dataset.name: dataset for dataset in EditEval().load(path)}


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


ITERATER = [
    {"before_sent": "He go there .", "after_sent": "He goes there .", "labels": "fluency", "doc_id": "1"},
    {"before_sent": "It is big .", "after_sent": "It is large .", "labels": "clarity", "doc_id": "1"},
    {"before_sent": "It is so .", "after_sent": "Thus , it is .", "labels": "coherence", "doc_id": "1"},
    {"before_sent": "It is nice .", "after_sent": "It is lovely .", "labels": "style", "doc_id": "2"},
    {"before_sent": "It fell .", "after_sent": "It rose .", "labels": "meaning-changed", "doc_id": "2"},
    {"before_sent": "Gone .", "after_sent": ".", "labels": "fluency", "doc_id": "2"},
    {"before_sent": "They was .", "after_sent": "They were .", "labels": "fluency", "doc_id": "3"},
]


def test_iterater_gives_three_data_sets_and_drops_the_rest(tmp_path: Path) -> None:
    write_lines(tmp_path / "human_sent_level" / "test.json", ITERATER)
    write_lines(tmp_path / "human_sent_level" / "train.json", ITERATER * 2)
    with pytest.warns(UserWarning, match=r"ignored: .*train\.json"):
        found = load(tmp_path)
    assert list(found) == ["iterater_fluency", "iterater_clarity", "iterater_coherence"]
    assert [(s.id, s.input) for s in found["iterater_fluency"].samples] == [
        ("iterater-test-0", "He go there."),
        ("iterater-test-1", "They was."),
    ]
    assert found["iterater_coherence"].samples[0].references == ("Thus, it is.",)
    assert [len(found[name].prompts) for name in found] == [11, 9, 10]


def test_a_json_list_reads_as_json_lines_do(tmp_path: Path) -> None:
    write_lines(tmp_path / "lines.json", ITERATER)
    (tmp_path / "list.json").write_text(json.dumps(ITERATER, indent=1), encoding="utf-8")
    assert load(tmp_path / "lines.json") == load(tmp_path / "list.json")


def test_jfleg_from_the_hub_loses_its_empty_last_row(tmp_path: Path) -> None:
    rows = [
        {"sentence": "He go . ", "corrections": ["He goes . ", "He went . ", "He is going . ", "He goes . "]},
        {"sentence": "", "corrections": ["", "", "", ""]},
    ]
    write_lines(tmp_path / "test.jsonl", rows)
    (sample,) = load(tmp_path)["jfleg"].samples
    assert sample.references == ("He goes.", "He went.", "He is going.", "He goes.")


@pytest.mark.parametrize("printed", ["['He goes.', \"He's off.\"]", "['He goes.' \"He's off.\"]"])
def test_a_list_in_a_csv_file_is_read_with_commas_or_without(tmp_path: Path, printed: str) -> None:
    with (tmp_path / "test.csv").open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([["sentence", "corrections"], ["He go.", printed]])
    (sample,) = load(tmp_path)["jfleg"].samples
    assert sample.references == ("He goes.", "He's off.")


def test_sts_from_the_hub(tmp_path: Path) -> None:
    rows = [
        {"sentence1": "A man cuts.", "sentence2": "A man is cutting.", "similarity_score": 5.0},
        {"sentence1": "A man cuts.", "sentence2": "A man eats.", "similarity_score": 4.999},
    ]
    write_lines(tmp_path / "en" / "test.jsonl", rows)
    assert len(load(tmp_path)["stsb_multi_mt"].samples) == 1


@pytest.mark.parametrize(
    ("name", "simplifications", "expected"),
    [
        ("turk/test.jsonl", 2, "turk"),
        ("asset/simplification/test.jsonl", 2, "asset"),
        ("test.jsonl", 8, "turk"),
        ("test.jsonl", 10, "asset"),
        ("turk/asset.jsonl", 10, "asset"),
    ],
)
def test_turk_and_asset_are_told_apart(
    tmp_path: Path, name: str, simplifications: int, expected: str
) -> None:
    row = {"original": "It is , so .", "simplifications": [f"So {i} ." for i in range(simplifications)]}
    write_lines(tmp_path / "data" / name, [row])
    assert list(load(tmp_path / "data")) == [expected]


def test_simplifications_of_neither_are_an_error(tmp_path: Path) -> None:
    write_lines(tmp_path / "test.jsonl", [{"original": "It is so.", "simplifications": ["So."]}])
    with pytest.raises(InputError, match="line 1: 1 simplifications, where TurkCorpus has 8 and ASSET 10"):
        EditEval().load(tmp_path)


def test_what_editeval_saves_is_read(tmp_path: Path) -> None:
    row = {
        "id": "fruit-test-0",
        "input": "Ann was born in 1990 (2).",
        "edits": ["Ann was born in 1990 (2). She won in 2021. (3) (0)"],
        "retrieved_documents": [
            {"url": "u", "title": name, "text": f"About {name}."} for name in ("A", "B", "C", "D_E")
        ],
        "tasks": "info_addition",
    }
    write_lines(tmp_path / "processed" / "fruit" / "test.jsonl", [row])
    (sample,) = load(tmp_path)["fruit"].samples
    assert sample.documents == ("A | About A.", "C | About C.", "D E | About D_E.")
    assert sample.references == ("Ann was born in 1990 [1]. She won in 2021. [2] [0]",)


def ours(**change: Any) -> dict[str, Any]:
    return {
        "id": "a",
        "input": "He go , .",
        "references": ["He goes."],
        "task": "fluency",
        "documents": [],
        **change,
    }


def test_our_own_form_is_taken_as_it_is(tmp_path: Path) -> None:
    write_lines(tmp_path / "jfleg.jsonl", [ours(), ours(id="b", references=["One.", "Two."])])
    first, second = load(tmp_path)["jfleg"].samples
    assert (first.id, first.input, first.task, first.dataset) == ("a", "He go , .", "fluency", "jfleg")
    assert second.references == ("One.", "Two.")


def test_documents_are_three_at_most(tmp_path: Path) -> None:
    write_lines(tmp_path / "wafer_insert.jsonl", [ours(task="updating", documents=["a", "b", "c", "d"])])
    assert load(tmp_path)["wafer_insert"].samples[0].documents == ("a", "b", "c")


def test_our_own_form_comes_before_the_others(tmp_path: Path) -> None:
    write_lines(tmp_path / "jfleg.jsonl", [ours()])
    write_lines(tmp_path / "hub" / "test.jsonl", [{"sentence": "x", "corrections": ["y"]}])
    with pytest.warns(UserWarning, match=r"jfleg is read from .*jfleg\.jsonl, not from .*test\.jsonl"):
        assert load(tmp_path)["jfleg"].samples[0].id == "a"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (ours(input=3), r'jfleg\.jsonl, line 2: "input" should be a string, not a number'),
        (ours(references=[1]), r'line 2: "references" should be a list of strings'),
        (ours(references=[]), r'line 2: "references" is empty'),
        (ours(task="clarity"), r"line 2: \"task\" is 'clarity', where jfleg is 'fluency'"),
        ({"id": "b", "references": ["x"]}, r'line 2: there is no "input"'),
    ],
)
def test_a_bad_record_is_named_by_file_and_line(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    write_lines(tmp_path / "jfleg.jsonl", [ours(), row])
    with pytest.raises(InputError, match=message):
        EditEval().load(tmp_path)


@pytest.mark.parametrize("broken", ['{"id": "b", "inp', "[1, 2]"])
def test_a_line_that_is_no_object_is_named(tmp_path: Path, broken: str) -> None:
    (tmp_path / "jfleg.jsonl").write_text(f"{json.dumps(ours())}\n\n{broken}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"jfleg\.jsonl, line 3"):
        EditEval().load(tmp_path)


def test_parquet_without_its_reader_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (tmp_path / "test-00000-of-00001.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingExtra, match=r"pip install 'redraft\[parquet\]'"):
        EditEval().load(tmp_path)
    write_lines(tmp_path / "jfleg.jsonl", [ours()])
    with pytest.warns(UserWarning, match="needs an optional part"):
        assert list(load(tmp_path)) == ["jfleg"]


def test_parquet_is_read_as_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Table:
        def to_pylist(self) -> list[dict[str, Any]]:
            return [{"original": "It is so.", "simplifications": ["So."] * 10}]

    reader = ModuleType("pyarrow.parquet")
    reader.read_table = lambda _: Table()  # type: ignore[attr-defined]
    monkeypatch.setattr(importlib, "import_module", lambda _: reader)
    (tmp_path / "test-00000-of-00001.parquet").write_bytes(b"PAR1")
    (tmp_path / "validation-00000-of-00001.parquet").write_bytes(b"PAR1")
    with pytest.warns(UserWarning, match="ignored: validation"):
        assert len(load(tmp_path)["asset"].samples) == 1


def test_nothing_found_says_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("hello", encoding="utf-8")
    write_lines(tmp_path / "other.jsonl", [ours()])
    with pytest.raises(InputError) as caught:
        EditEval().load(tmp_path)
    for wanted in ("jfleg.jsonl", "asset.test.orig", "biased.word.test", "before_sent", "wafer-test"):
        assert wanted in str(caught.value)


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        EditEval().load(tmp_path / "nowhere")


def test_files_that_are_no_data_are_told_and_hidden_ones_are_not(tmp_path: Path) -> None:
    write_lines(tmp_path / "jfleg.jsonl", [ours()])
    for name in ("README.md", ".DS_Store", ".git/config"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"ignored: README\.md$"):
        load(tmp_path)
