"""The table of phrasings: what people type, and the calls that it means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redraft.constraints import parse, parse_call

ROWS = [
    json.loads(line) for line in Path(__file__).with_name("phrasings.jsonl").read_text("utf-8").splitlines()
]


def test_phrasings_mean_their_calls() -> None:
    wrong = []
    for row in ROWS:
        read = {constraint.call for constraint in parse(row["instruction"]).constraints}
        if read != {parse_call(call).call for call in row["calls"]}:
            wrong.append(f"{row['instruction']!r} is read as {sorted(read)}, not {row['calls']}")
    assert not wrong, "\n".join(wrong)


def test_what_no_constraint_says_is_style() -> None:
    """A row without calls is all style; of the others the row says what is left, and null if that is not whole."""
    wrong = []
    for row in ROWS:
        left = row.get("style", "") if row["calls"] else " ".join(row["instruction"].split())
        style = parse(row["instruction"]).style
        if left is not None and style.rstrip(" .:;") != left.rstrip(" .:;"):
            wrong.append(f"of {row['instruction']!r}, style is {style!r}, not {left!r}")
    assert not wrong, "\n".join(wrong)


def test_the_table_covers_both_sides() -> None:
    assert len(ROWS) >= 250
    assert sum(not row["calls"] for row in ROWS) >= 60


@pytest.mark.parametrize(
    "change", [str.upper, lambda text: text.replace("'", "’"), lambda text: "Please: " + text]
)
def test_typography_does_not_matter(change) -> None:  # type: ignore[no-untyped-def]
    for text in ("keep it under 300 words", "don't touch sentence 3", "at most 12 sentences"):
        assert parse(change(text)).constraints == parse(text).constraints
