from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, strategies as st

from redraft.bench.report.figures import draw_figures, pearson
from redraft.bench.report.plots import Drawing, Values, axis, box_plot
from redraft.bench.tables import read_result
from tests.bench.report.runs import dataset, scores

SVG = "{http://www.w3.org/2000/svg}"
PROMPTS = [{"sari": 40.0, "gleu": 50.0}, {"sari": 44.0, "gleu": 46.0}, {"sari": 41.0, "gleu": 49.5}]
ONE = read_result(scores("one", {"jfleg": dataset("JFL", PROMPTS), "turk": dataset("TRK", [{"sari": 30.0}])}))
SAMPLES = {"jfleg": {"sari": [10.0, 50.0, 90.0, 40.0, 30.0], "gleu": [20.0, 60.0, 80.0, float("nan"), 35.0]}}
PUBLISHED = {"Copy": {"jfleg": {"sari": 26.7}, "turk": {"sari": 0.0}}, "Other": {"turk": {"sari": 50.0}}}


def parsed(drawing: Drawing) -> ET.Element:
    return ET.fromstring(drawing.standalone().encode())


def test_every_figure_is_sound_and_can_be_read_aloud() -> None:
    drawings = {drawing.name: drawing for drawing in draw_figures([ONE], PUBLISHED, [SAMPLES])}
    names = [
        "scores", "by-dataset", "by-system", "by-prompt-jfleg", "samples-1",
        "correlation", "correlation-samples",
    ]  # fmt: skip
    assert list(drawings) == names
    for drawing in drawings.values():
        root = parsed(drawing)
        assert root.get("role") == "img"
        labels = (root.get("aria-labelledby") or "").split()
        assert [root.find(f"{SVG}*[@id='{label}']") is not None for label in labels] == [True, True]
        assert drawing.description
        assert "http" not in drawing.inline()
    assert "one, JFL: 41.7; one, TRK: 30.0, 95 % interval 29.0 to 31.0" in drawings["scores"].description
    assert "TRK: median 30.0, 0.0 to 50.0 (n 3)" in drawings["by-dataset"].description


def test_hostile_labels_stay_labels() -> None:
    label = "</svg><script>alert(1)</script>\x00\ud800"
    result = read_result(scores(label, {"jfleg": dataset(label, PROMPTS)}))
    for drawing in draw_figures([result], {}, [{}]):
        root = parsed(drawing)
        assert not root.findall(f".//{SVG}script")
        assert "<script" not in drawing.inline()


def test_few_values_get_no_box() -> None:
    def boxes(count: int) -> int:
        row = Values("row", {str(number): float(number) for number in range(count)})
        root = parsed(box_plot("b", "B", "", "SARI", [row]))
        return len(root.findall(f"{SVG}rect[@class='box']"))

    assert [boxes(count) for count in (0, 1, 4, 5, 50)] == [0, 0, 0, 1, 1]


def test_runs_without_scores_have_no_figures() -> None:
    assert draw_figures([read_result(scores("none", {}))], {}, [{}]) == ()
    failed = read_result(scores("failed", {"jfleg": dataset("JFL", [{}], failed=4)}))
    assert draw_figures([failed], PUBLISHED, [{}]) == ()


def test_one_prompt_and_one_metric_draw_what_there_is() -> None:
    result = read_result(scores("one", {"jfleg": dataset("JFL", [{"sari": 40.0}])}))
    assert [drawing.name for drawing in draw_figures([result], {}, [{}])] == [
        "scores",
        "by-dataset",
        "by-system",
    ]


def test_correlation_by_hand() -> None:
    nan = float("nan")
    rows = np.array([[1.0, 2.0, 5.0, nan], [2.0, 1.0, 5.0, nan], [3.0, 4.0, 5.0, 1.0], [4.0, nan, 5.0, 2.0]])
    grid = pearson(rows)
    # Over the three rows that have both: deviations -1 0 1 and -1/3 -4/3 5/3.
    assert grid[0, 1] == grid[1, 0] == pytest.approx(2 / (2 * (42 / 9)) ** 0.5)
    assert grid[0, 0] == pytest.approx(1)
    assert np.isnan(grid[0, 2]), "a constant has no correlation"
    assert np.isnan(grid[0, 3]), "two rows are too few"


@given(st.lists(st.floats(-100, 1000), max_size=9), st.booleans())
def test_an_axis_holds_its_values(values: list[float], zero: bool) -> None:
    scale = axis(values, 100, 700, zero=zero)
    for value in values:
        assert scale.low - 1e-6 <= value <= scale.high + 1e-6
        assert 100 <= scale.x(value) <= 700
    assert 1 <= round((scale.high - scale.low) / scale.step) <= 12
