"""Which sentences are of use, and that the same are drawn and split in the same way every time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redraft.bench.preferences.pairs import Filters, is_dev, read_preference_sources, source_id
from redraft.errors import InputError

GOOD = "The committee commenced its deliberations shortly after the chairman had arrived."


def sentences(count: int) -> list[str]:
    return [
        f"In the year {year} the council met {year % 7 + 2} times in the old hall." for year in range(count)
    ]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        (GOOD, None),
        ("They met on Monday.", "too short"),
        ("word " * 90 + "is.", "too long"),
        ("A very long list of green and yellow houses near the sea.", "no verb"),
        ("Der Ausschuss begann seine Beratungen kurz nach dem Eintreffen des Vorsitzenden in der Stadt.", "not English"),
        ("The '''committee''' met in [[Oslo]] after the chairman had arrived there.", "markup"),
        ("The committee met, and see https://example.org for what it said that day.", "markup"),
        ("| The committee | met in the hall | after the chairman had come |", "markup"),
        ("The committee <ref>source</ref> met after the chairman had arrived in town.", "markup"),
        ("Its 5 * 3 grid of A/B tests was run by R&D; it found nothing of note.", None),
    ],
)  # fmt: skip
def test_what_is_of_no_use_is_left_out_with_its_reason(sentence: str, reason: str | None) -> None:
    assert Filters().reason(sentence) == reason


def test_sentences_are_read_from_lines_and_from_jsonl(tmp_path: Path) -> None:
    lines = tmp_path / "in.txt"
    lines.write_text(f"\ufeff{GOOD}\r\n\n  {GOOD.upper()}  \nToo short.\n", encoding="utf-8")
    rows = tmp_path / "in.jsonl"
    rows.write_text(
        "\n".join(json.dumps({"source": "corpus", name: GOOD}) for name in ("source", "input", "text")),
        encoding="utf-8",
    )
    for path, left_out in ((lines, {"duplicate": 1, "too short": 1}), (rows, {"duplicate": 2})):
        found = read_preference_sources(path, Filters())
        assert [source.text for source in found.usable] == [GOOD]
        assert found.left_out == left_out
        assert found.read == 3
        assert found.name == path.name


@pytest.mark.parametrize("line", ["[1]", "{", '{"source": 3}', '{"target": "x"}', '{"text": " "}'])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps({"text": GOOD}) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        read_preference_sources(path, Filters())


def test_a_file_without_use_says_why(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text("Too short.\nShorter.\n", encoding="utf-8")
    with pytest.raises(InputError, match="2 too short"):
        read_preference_sources(path, Filters())


def test_a_larger_limit_only_adds_and_the_file_s_order_plays_no_part(tmp_path: Path) -> None:
    path, turned = tmp_path / "in.txt", tmp_path / "turned.txt"
    path.write_text("\n".join(sentences(60)), encoding="utf-8")
    turned.write_text("\n".join(reversed(sentences(60))), encoding="utf-8")
    found = read_preference_sources(path, Filters())
    ten, thirty = found.drawn(0, 10), found.drawn(0, 30)
    assert thirty[:10] == ten
    assert read_preference_sources(turned, Filters()).drawn(0, 30) == thirty
    assert found.drawn(1, 10) != ten
    assert len(found.drawn(0, None)) == 60


def test_a_source_is_on_the_same_side_however_it_is_written() -> None:
    ids = [source_id(sentence) for sentence in sentences(2000)]
    held = {id for id in ids if is_dev(id, 0.125)}
    assert 190 < len(held) < 310
    assert held <= {id for id in ids if is_dev(id, 0.25)}
    assert not any(is_dev(id, 0) for id in ids)
    assert source_id("The  Old hall, he said.") == source_id("the old hall he said")
