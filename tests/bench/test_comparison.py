from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from redraft.bench.benchmark import Sample
from redraft.bench.comparison import compare, comparison_terminal, coverage_table, difference_table
from redraft.bench.report.formats import csv_text, markdown
from redraft.errors import InputError
from redraft.runs.results import RunDir
from tests.bench.report.runs import GOLD, INPUTS, dataset, outputs, record, scores, write_run


class Lower:
    """A benchmark that scores in lower case."""

    name = "editeval"

    def normalise(self, text: str, sample: Sample | None = None) -> str:
        assert sample is not None
        return text.lower()


BENCHMARK = Lower()
SCORED = {"jfleg": dataset("JFL", [{"em": 50.0, "sari": 40.0}])}


def runs(
    path: Path, first: dict[tuple[str, int], str | None], second: dict[tuple[str, int], str | None]
) -> tuple[RunDir, RunDir]:
    return (
        write_run(path / "first", "copy", outputs(first), SCORED),
        write_run(path / "second", "model", outputs(second), SCORED),
    )


def one_prompt(**given: str | None) -> dict[tuple[str, int], str | None]:
    return {(name, 1): output for name, output in given.items()}


def test_differences_by_hand(tmp_path: Path) -> None:
    first, second = runs(tmp_path, one_prompt(**INPUTS), one_prompt(**{**GOLD, "d": INPUTS["d"]}))
    found = compare(first, second, benchmark=BENCHMARK)
    exact = found.differences[0]
    assert (exact.metric, exact.samples, exact.items) == ("em", 4, 4)
    assert (exact.first, exact.second, exact.difference) == (0.0, 75.0, 75.0)
    assert exact.interval[0] <= 75 <= exact.interval[1]
    assert exact.tests[0].startswith("paired-bootstrap|")
    # Exchanging three outputs that differ: of 8 ways, 2 give as large a difference.
    assert exact.p_randomisation == pytest.approx(0.25, abs=0.05)
    assert found.differences[1].metric == "sari"
    assert found.differences[1].difference > 0
    assert [change.key for change in found.gains] == ["jfleg/c/1", "jfleg/b/1", "jfleg/a/1"]
    assert found.losses == ()
    assert found.gains[0].difference == 100.0


def test_texts_are_scored_as_the_benchmark_sees_them(tmp_path: Path) -> None:
    first, second = runs(tmp_path, one_prompt(a=GOLD["a"]), one_prompt(a=GOLD["a"].upper()))
    assert compare(first, second, benchmark=BENCHMARK).differences[0].difference == 0


def test_only_items_that_both_finished_are_compared(tmp_path: Path) -> None:
    first, second = runs(
        tmp_path,
        one_prompt(a=GOLD["a"], b=None, c=INPUTS["c"]),
        one_prompt(a=INPUTS["a"], b=GOLD["b"], c=None, d=GOLD["d"]),
    )
    found = compare(first, second, benchmark=BENCHMARK)
    (coverage,) = found.coverage
    assert (coverage.both, coverage.first_only, coverage.second_only) == (1, 1, 2)
    assert found.differences[0].difference == -100
    assert [change.key for change in found.losses] == ["jfleg/a/1"]


def test_prompts_of_a_sample_are_one_piece_of_evidence(tmp_path: Path) -> None:
    first, second = runs(
        tmp_path,
        {(name, prompt): INPUTS[name] for prompt in (1, 2) for name in "abcd"},
        {(name, prompt): GOLD[name] if prompt == 1 else INPUTS[name] for prompt in (2, 1) for name in "dcba"},
    )
    exact = compare(first, second, benchmark=BENCHMARK).differences[0]
    assert (exact.samples, exact.items) == (4, 8)
    assert exact.difference == 50.0
    assert exact.interval == (50.0, 50.0), "every sample gains the same, however they are drawn"


def test_equal_runs_do_not_differ(tmp_path: Path) -> None:
    first, second = runs(tmp_path, one_prompt(**GOLD), one_prompt(**GOLD))
    found = compare(first, second, benchmark=BENCHMARK)
    assert [(each.difference, each.p_bootstrap, each.p_randomisation) for each in found.differences] == [
        (0, 1, 1)
    ] * 2
    assert found.gains == found.losses == ()


def test_the_same_twice(tmp_path: Path) -> None:
    first, second = runs(tmp_path, one_prompt(**INPUTS), one_prompt(**GOLD))
    assert compare(first, second, benchmark=BENCHMARK) == compare(first, second, benchmark=BENCHMARK)


def test_as_markdown_csv_and_on_a_terminal(tmp_path: Path) -> None:
    first, second = runs(tmp_path, one_prompt(**INPUTS), one_prompt(a="\x1b[2J", b=GOLD["b"], c=None))
    found = compare(first, second, benchmark=BENCHMARK)
    assert "| JFL | EM | 2 | 0.0 | 50.0 | 50.00 [" in markdown(difference_table(found))
    assert "| JFL | 2 | 2 | 0 |" in markdown(coverage_table(found))
    assert csv_text(difference_table(found)).startswith("Data set,Metric,n,copy,copy low,")
    console = Console(file=io.StringIO(), width=120)
    console.print(comparison_terminal(found))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "jfleg/b/1" in shown
    assert "They [-was-]{+were+} late ." in shown
    assert "\x1b" not in shown


def test_runs_that_cannot_be_compared(tmp_path: Path) -> None:
    first, second = runs(tmp_path, one_prompt(a="x"), one_prompt(b="x"))
    with pytest.raises(InputError, match="no finished item in common"):
        compare(first, second, benchmark=BENCHMARK)
    other = write_run(tmp_path / "other", "x", [record("a", 1, "x", input="Something else .")], SCORED)
    with pytest.raises(InputError, match="different data"):
        compare(first, other, benchmark=BENCHMARK)
    other.write("scores.json", {**scores("x", SCORED), "benchmark": "constrev"})
    with pytest.raises(InputError, match="is a run of editeval"):
        compare(first, other, benchmark=BENCHMARK)
