"""FRUIT and WAFER-INSERT: the updating task's articles, claims and reference documents."""

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from redraft.bench.benchmark import DataSet
from redraft.bench.editeval import EditEval
from redraft.errors import InputError

INPUTS = (
    "[0] Ann Lee (born 1990) is a rower. [1] She has two medals [7] so far. [2] She lives in Ghent. "
    "[CONTEXT] (0) Rowing_in_2021 Finals Ann Lee won gold. (1) Ghent INTRODUCTION A city (7) in Belgium. "
    "(2) Bruges INTRODUCTION A city. (3) Lee_(name) INTRODUCTION A name. (4) Oar Uses Lee used one."
)
TARGETS = "[0] (0) (4) She won gold in 2021 (her first). [1] (1) (3) She moved to Bruges. [2]"
TARGET = (
    "Ann Lee (born 1990) is a rower. She won gold in 2021 (her first). [0] [2] "
    "She has two medals [7] so far. She moved to Bruges. [1] She lives in Ghent."
)


def load(path: Path) -> dict[str, DataSet]:
    with pytest.warns(UserWarning, match="samples, the paper's has"):
        return {dataset.name: dataset for dataset in EditEval().load(path)}


def varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def example(**texts: str) -> bytes:
    """A tf.train.Example, in a record, with an id that is no text."""
    features = [(name, field(1, field(1, text.encode()))) for name, text in texts.items()]
    features.append(("id", field(3, field(1, varint(300)))))
    entries = b"".join(field(1, field(1, name.encode()) + field(2, value)) for name, value in features)
    message = field(1, entries)
    return struct.pack("<QI", len(message), 0) + message + struct.pack("<I", 0)


RECORDS = "article_pairs.update.diff.all.text.reference.tfrecords"


def test_fruit_from_its_records(tmp_path: Path) -> None:
    for folder in ("gold_test", "test"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / RECORDS).write_bytes(example(inputs=INPUTS, targets=TARGETS) * 2)
    with pytest.warns(UserWarning, match="ignored: test/"):
        fruit = load(tmp_path)["fruit"]
    sample = fruit.samples[1]
    assert sample.id == "fruit-test-1"
    assert sample.input == (
        "Ann Lee (born 1990) is a rower. She has two medals [7] so far. She lives in Ghent."
    )
    assert sample.references == (TARGET,)
    assert sample.documents == (
        "Rowing in 2021 | Finals Ann Lee won gold.",
        "Ghent | INTRODUCTION A city (7) in Belgium.",
        "Oar | Uses Lee used one.",
    )
    assert fruit.metrics[:2] == ("sari", "update_rouge1")
    assert len(fruit.prompts) == 3


def test_fruit_from_its_own_json_lines(tmp_path: Path) -> None:
    row = {"inputs": INPUTS, "targets": TARGETS, "normalized_inputs": "", "normalized_targets": ""}
    (tmp_path / "gold_inputlabels.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert load(tmp_path)["fruit"].samples[0].references == (TARGET,)


def test_a_target_without_citations_has_no_documents(tmp_path: Path) -> None:
    row = {"inputs": INPUTS, "targets": "[0] It ended (2021). [2]"}
    (tmp_path / "gold_inputlabels.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (sample,) = load(tmp_path)["fruit"].samples
    assert sample.documents == ()
    assert sample.references == ("Ann Lee (born 1990) is a rower. It ended (2021). She lives in Ghent.",)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (example(inputs=INPUTS, targets=TARGETS)[:-20], "record 1: the file ends inside it"),
        (example(inputs=INPUTS, targets=TARGETS) + b"\x05", "record 2: the file ends inside it"),
        (struct.pack("<QI", 3, 0) + b"\x0a\x7f\x01" + bytes(4), "record 1: not a tf.train.Example"),
        (example(inputs=INPUTS), 'record 1: there is no "targets"'),
        (example(inputs="[0] One.", targets="[0]"), r"record 1: there is no \[CONTEXT\]"),
    ],
)
def test_a_broken_record_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / RECORDS).write_bytes(data)
    with pytest.raises(InputError, match=message):
        EditEval().load(tmp_path)


def wafer(text: str, claim: str, **change: Any) -> dict[str, Any]:
    chunks = [{"url": "u", "title": f"Page {i}", "text": f"Chunk {i}.", "score": i} for i in range(4)]
    return {
        "id": "w1",
        "input": f"Ghent [SEP] Section::::History.:Middle Ages. [SEP] {text}",
        "output": [{"answer": "u", "provenance": chunks}, {"answer": "v"}],
        "meta": {"wikipedia_title": "Ghent", "sentences": ["Before.", claim]},
        **change,
    }


def write_wafer(path: Path, *rows: dict[str, Any]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def test_wafer_takes_the_claim_out(tmp_path: Path) -> None:
    text = (
        "and so it grew. It was large. It had a wall.[CIT] It burnt.\n"
        "BULLET::::- A bullet.\nSection::::History.:Now.\nIt is calm. It is"
    )
    write_wafer(tmp_path / "wafer-test-kiltweb.jsonl", wafer(text, "It had a wall."))
    (sample,) = load(tmp_path)["wafer_insert"].samples
    assert sample.id == "w1"
    assert sample.input == (
        "== History ==\n=== Middle Ages ===\nand so it grew. It was large. It burnt.\n* A bullet.\n"
        "== History ==\n=== Now ===\nIt is calm."
    )
    assert sample.references == (sample.input.replace("large. It burnt", "large. It had a wall. It burnt"),)
    assert sample.documents == ("Page 3 | Chunk 3.", "Page 2 | Chunk 2.", "Page 1 | Chunk 1.")


def test_wafer_drops_a_repeated_heading_and_a_beginning_that_is_cut_off(tmp_path: Path) -> None:
    text = "Section::::Abstract.\nand so it grew. It was large. It had a wall.[CIT]."
    row = wafer(text, "It had a wall.", input=f"Ghent [SEP] Section::::Abstract [SEP] {text}")
    write_wafer(tmp_path / "wafer-test.jsonl", row)
    (sample,) = load(tmp_path)["wafer_insert"].samples
    assert sample.input == "It was large."
    assert sample.references == ("It was large. It had a wall.",)


def test_wafer_passages_that_cannot_be_cut_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = (
        wafer("It had a wall.[CIT]", "It had a wall.", id="w1"),
        wafer("It is calm.[CIT]", "It had a wall.", id="w2"),
        wafer("It had a wall. C[CIT]", "C", id="w3", meta={"sentences": ["It had a wall.", "C"]}),
    )
    write_wafer(tmp_path / "wafer-test.jsonl", *rows)
    with pytest.warns(UserWarning, match="1 passages are left out"):
        samples = load(tmp_path)["wafer_insert"].samples
    assert [sample.id for sample in samples] == ["w1", "w3"]


def test_wafer_without_the_text_of_its_pages_is_told(tmp_path: Path) -> None:
    row = wafer("Old. It had a wall.[CIT]", "It had a wall.", output=[{"provenance": [{"url": "u"}]}])
    write_wafer(tmp_path / "wafer-test.jsonl", row)
    with pytest.warns(UserWarning, match="1 samples have no text of the pages they cite"):
        (sample,) = load(tmp_path)["wafer_insert"].samples
    assert sample.documents == ()


def test_wafer_of_failed_citations_is_no_test(tmp_path: Path) -> None:
    write_wafer(tmp_path / "wafer-test.jsonl", wafer("Old. It had a wall.[CIT]", "It had a wall."))
    write_wafer(tmp_path / "wafer-fail-test.jsonl", wafer("Old.[CIT]", "Old."))
    with pytest.warns(UserWarning, match="ignored: wafer-fail-test"):
        assert len(load(tmp_path)["wafer_insert"].samples) == 1


def test_wafer_with_a_bad_record_names_the_line(tmp_path: Path) -> None:
    good = wafer("Old. It had a wall.[CIT]", "It had a wall.")
    write_wafer(tmp_path / "wafer-test.jsonl", good, {**good, "meta": {}})
    with pytest.raises(InputError, match=r'wafer-test\.jsonl, line 2: "meta" should have "sentences"'):
        EditEval().load(tmp_path)
