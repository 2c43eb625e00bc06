"""Reading ConsTRev in every shape it comes in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from redraft.bench.benchmark import plan
from redraft.bench.constrev import ConsTRev
from redraft.errors import InputError
from tests.bench.constrev.records import LATEX, ROWS, TEXT, write_rows

PUBLISHED: dict[str, Any] = {
    "id": 7,
    "test_input": 'You are an agent …\n\n"###OBSERVATION: Tool\'s output result."\n'
    "Refine the text below. Keep the second and third sentences:\n\n" + TEXT,
    "tool_test_result": {
        "constraint_info": [
            'word_count_check(60, "less than"); word_count_check(20, "more than")',
            'sentence_check([2, 3], "unchange")',
        ]
    },
}


def test_our_records_become_levels_and_sets(tmp_path: Path) -> None:
    datasets = ConsTRev().load(write_rows(tmp_path / "own.jsonl"))
    assert [each.name for each in datasets] == ["L0", "L1", "L2", "length"]
    assert "adherence:constrev" not in datasets[0].metrics
    assert datasets[1].metrics[0] == "adherence:constrev"
    (sample,) = datasets[2].samples
    assert sample.calls == (
        'sentence_modification_check([1], "unchange")',
        'keyword_keep_removal_check("quay", "remove")',
    )
    assert sample.others["other"] == TEXT.replace("on the quay", "there")
    items = plan(datasets).items
    assert [item.instruction for item in items] == [row["instruction"] for row in ROWS]
    assert items[1].facts["calls"] == ['word_count_check(40, "less than")']


def test_the_published_files_have_the_text_at_the_tail_of_the_prompt(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "test.agent.constraint_2.jsonl", [PUBLISHED])
    (dataset,) = ConsTRev().load(tmp_path)
    (sample,) = dataset.samples
    assert (dataset.name, sample.id, sample.input) == ("L2", "L2-007", TEXT)
    assert sample.instruction == "Refine the text below. Keep the second and third sentences:"
    assert sample.calls == (
        'word_count_check(60, "less than")',
        'word_count_check(20, "more than")',
        'sentence_modification_check([2, 3], "unchange")',
    )
    with pytest.raises(InputError, match=r"other\.jsonl, line 1: the level should stand"):
        ConsTRev().load(path.rename(tmp_path / "other.jsonl"))


def test_a_text_alone_is_one_to_improve(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": TEXT}, {"id": "b", "text": LATEX}]
    datasets = ConsTRev().load(write_rows(tmp_path / "texts.jsonl", rows))
    assert [(each.name, each.samples[0].format) for each in datasets] == [("L0", "text"), ("latex", "latex")]
    assert "keywords" in datasets[1].metrics
    assert "keywords" not in datasets[0].metrics


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "a"}, "line 1: it has no 'text'"),
        ({**ROWS[1], "calls": ["word_count(3)"]}, "unknown constraint 'word_count'"),
        ({**ROWS[1], "level": "high"}, "line 1: level should be a number"),
        ({**PUBLISHED, "test_input": "Only words"}, "line 1: an instruction, an empty line and the text"),
    ],
)
def test_a_line_that_is_wrong_is_named(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        ConsTRev().load(write_rows(tmp_path / "test.agent.constraint_1.jsonl", [row]))


def test_the_same_id_twice_and_no_data_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="L0-000 occurs twice"):
        ConsTRev().load(write_rows(tmp_path / "twice.jsonl", [ROWS[0], ROWS[0]]))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no \.jsonl files"):
        ConsTRev().load(tmp_path / "empty")
    with pytest.raises(InputError, match="cannot be read"):
        ConsTRev().load(tmp_path / "nothing.jsonl")
