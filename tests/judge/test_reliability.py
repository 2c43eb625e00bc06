"""What is known of judges is kept, and is known only for the words that they were asked in."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from redraft.errors import FileError
from redraft.judge import load_rubric
from redraft.judge.reliability import (
    Reliability,
    ablated,
    keep,
    kept_in,
    read_reliability,
    reliability_of,
    wording,
)
from redraft.settings import Settings

RUBRIC = load_rubric("end2end")
FOUND = Reliability(
    "tiny", "end2end", wording(RUBRIC), 200, 50, 0, 0.884, (0.8, 0.943), "2026-11-16", "0123456789abcdef"
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache")


def test_what_was_measured_is_found_again_and_told_in_a_line(settings: Settings) -> None:
    assert reliability_of("tiny", RUBRIC, settings) is None
    keep([FOUND], kept_in(settings))
    found = reliability_of("tiny", RUBRIC, settings)
    assert found == FOUND
    assert str(found) == "agreed with people on 88 % [80, 94] of 200 pairs (end2end)"
    assert str(replace(FOUND, interval=None)) == "agreed with people on 88 % of 200 pairs (end2end)"
    assert str(replace(FOUND, interval=None, unanswered=3)).endswith("pairs (end2end), 3 more unanswered")


def test_nothing_is_known_of_others_nor_after_the_wording_has_changed(settings: Settings) -> None:
    keep([FOUND], kept_in(settings))
    assert reliability_of("large", RUBRIC, settings) is None
    assert reliability_of("tiny", load_rubric("cloze"), settings) is None
    reworded = replace(RUBRIC, instructions=RUBRIC.instructions + " Be kind.")
    assert reliability_of("tiny", reworded, settings) is None
    assert reliability_of("tiny", replace(ablated(RUBRIC, "traits"), name="end2end"), settings) is None


def test_the_most_pairs_count_and_the_same_measurement_is_kept_once(
    settings: Settings, tmp_path: Path
) -> None:
    few = replace(FOUND, pairs=4, consistency=1.0, date="2026-12-24")
    again = replace(FOUND, consistency=0.9, date="2026-11-17")
    other = tmp_path / "mine.json"
    for one in (FOUND, few, again):
        keep([one], other)
    assert read_reliability(other) == (again, few)
    assert reliability_of("tiny", RUBRIC, settings, other) == again
    assert reliability_of("tiny", RUBRIC, settings) is None, "kept elsewhere"


@pytest.mark.parametrize("content", ["{", "[]]", '[{"judge": "tiny"}]', '{"judge": 1}'])
def test_a_damaged_file_is_named(settings: Settings, content: str) -> None:
    kept_in(settings).parent.mkdir()
    kept_in(settings).write_text(content, encoding="utf-8")
    with pytest.raises(FileError, match=r"reliability\.json .* delete it"):
        reliability_of("tiny", RUBRIC, settings)


def test_of_two_that_measure_at_once_neither_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(path: Path) -> tuple[Reliability, ...]:
        found = read_reliability(path)
        time.sleep(0.1)
        return found

    monkeypatch.setattr("redraft.judge.reliability.read_reliability", slowly)
    file = tmp_path / "kept.json"
    found = [replace(FOUND, judge=name) for name in ("one", "other")]
    with ThreadPoolExecutor() as threads:
        list(threads.map(lambda each: keep([each], file), found))
    assert {each.judge for each in read_reliability(file)} == {"one", "other"}


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="file cannot be written"):
        keep([FOUND], tmp_path / "file" / "kept.json")
