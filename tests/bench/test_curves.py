"""Scores by the size of the training set, from real runs."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from redraft.bench.curves import CurveRun
from redraft.errors import InputError
from tests.bench.simplification import bench, three_runs

SVG = "{http://www.w3.org/2000/svg}"


def test_runs_become_a_curve_with_a_baseline(tmp_path: Path) -> None:
    copy, lexical, rewrite = three_runs(tmp_path)
    figure = tmp_path / "curve.svg"
    words = [f"2k={lexical}", f"1000={rewrite}", "--baseline", f"copy={copy}", "--out", str(figure)]
    result = bench("curve", *words, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["metric"] == "sari"
    curve, baseline = sorted(found["curves"], key=lambda each: each["baseline"])
    assert [point["size"] for point in curve["points"]] == [1000, 2000]
    assert all(point["low"] <= point["score"] <= point["high"] for point in curve["points"])
    assert (baseline["name"], [point["size"] for point in baseline["points"]]) == ("copy", [None])
    drawn = ElementTree.parse(figure).getroot()
    kinds = [line.get("class") for line in drawn.iter(f"{SVG}line")]
    assert kinds.count("curve c0") == 1  # two points, one line
    assert kinds.count("curve c1 baseline") == 1
    assert kinds.count("spread c0") == 2
    assert "TRK" in "".join(drawn.itertext())


def test_curves_have_names_and_other_metrics(tmp_path: Path) -> None:
    copy, lexical, rewrite = three_runs(tmp_path)
    words = [
        f"a@1k={copy}",
        f"a@2k={lexical}",
        f"b@1k={rewrite}",
        "--metric",
        "deleted",
        "--baseline",
        f"people@2k={copy}",
    ]
    result = bench("curve", *words)
    assert result.exit_code == 0, result.output
    assert "deleted" in result.stdout
    assert "people (baseline)" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("{copy}",), "names no run: write SIZE=DIR"),
        (("much={copy}",), "'much' in 'much="),
        (("1k={copy}", "1000={lexical}"), "both stand at 1000 for TRK"),
        (("1k={copy}", "--metric", "bleurt"), "no run has bleurt; they have: "),
        (("1k={copy}", "--baseline", "={lexical}"), "write NAME=DIR or NAME@SIZE=DIR"),
        (("1k=nowhere",), "is no folder of a run"),
    ],
)
def test_what_is_no_curve_is_said(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    copy, lexical, _ = three_runs(tmp_path)
    result = bench("curve", *(word.format(copy=copy, lexical=lexical) for word in words))
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_sizes_are_read_as_people_write_them() -> None:
    assert [CurveRun.of(f"{size}=x").size for size in ("5", "1.5k", "2K", "1M")] == [5, 1500, 2000, 1_000_000]
    assert CurveRun.of("my@model@2k=a=b").name == "my@model"
    with pytest.raises(InputError):
        CurveRun.of("-3=x")
