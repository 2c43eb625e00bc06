"""Problems: places with lines and columns, known again when they move."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from redraft.constraints import Baseline, check, list_problems
from redraft.text import Lines

CALLS = ['pattern_check("b+", "forbid")', 'word_count_check(0, "at most")']
TEXTS = st.text("ab \n.", max_size=40)


def fingerprints(text: str) -> list[str]:
    return [one.fingerprint for one in list_problems(check(text, CALLS), text)]


@given(TEXTS, st.text("a \n.", max_size=20))
def test_a_problem_that_moves_is_known_again(text: str, before: str) -> None:
    known = set(fingerprints(text))
    assert {*fingerprints(f"{before}a\n\n{text}")} >= known


@given(TEXTS)
def test_each_problem_has_a_fingerprint_of_its_own(text: str) -> None:
    found = fingerprints(text)
    assert len(set(found)) == len(found)


@given(st.text("ab\r\n\ufeff😀", max_size=30))
def test_a_place_is_where_the_character_stands(text: str) -> None:
    lines = Lines(text)
    split = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for offset, character in enumerate(text):
        place = lines.place(offset)
        if character not in "\r\n" and not (offset == 0 and character == "\ufeff"):
            assert split[place.line - 1][place.column - 1] == character


@pytest.mark.parametrize("folder", [".", "sub"])
def test_a_baseline_is_written_and_read(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    problems = list_problems(check("b b", CALLS), "b b")
    path = Path(folder, "known.json")
    Baseline(path.absolute().parent).updated({"sub/a.md": problems, "sub/b.md": []}).write(path)
    known = Baseline.read(path)
    assert all(known.knows("sub/a.md", one) for one in problems)
    assert not known.knows("sub/b.md", problems[0])
    assert known.gone("sub/a.md", problems[:1]) == len(problems) - 1
    assert list(known.files) == [f"{'sub/' if folder == '.' else ''}a.md"]
