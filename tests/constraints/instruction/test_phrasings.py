"""The table of phrasings: what people type, and the calls that it means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redraft.constraints import parse_call, parse_instruction

ROWS = [
    json.loads(line) for line in Path(__file__).with_name("phrasings.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["instruction"][:60])
def test_phrasing(row: dict[str, list[str]]) -> None:
    read = parse_instruction(str(row["instruction"]))
    assert {c.call for c in read.constraints} == {parse_call(call).call for call in row["calls"]}


@pytest.mark.parametrize(
    "row", [row for row in ROWS if not row["calls"]], ids=lambda row: row["instruction"][:60]
)
def test_what_holds_no_constraint_is_all_style(row: dict[str, str]) -> None:
    text = " ".join(row["instruction"].split())
    assert parse_instruction(row["instruction"]).style.rstrip(" .:;") == text.rstrip(" .:;")


def test_the_table_covers_both_sides() -> None:
    assert len(ROWS) >= 250
    assert sum(not row["calls"] for row in ROWS) >= 60


@pytest.mark.parametrize(
    "change", [str.upper, lambda text: text.replace("'", "’"), lambda text: "Please: " + text]
)
def test_typography_does_not_matter(change) -> None:  # type: ignore[no-untyped-def]
    for text in ("keep it under 300 words", "don't touch sentence 3", "at most 12 sentences"):
        assert parse_instruction(change(text)).constraints == parse_instruction(text).constraints
