from __future__ import annotations

import pytest
from hypothesis import given

from redraft.metrics import score
from redraft.metrics.exact_match import text_edits
from tests.metrics.corpus import texts


def em_diff(source: str, prediction: str, *references: str, name: str = "em_diff") -> float:
    return score(name, [source], [prediction], [references], resamples=0)[name].value


def test_exact_match_is_literal() -> None:
    found = score("em", None, ["a b", "a b", "A b"], [["x", "a b"], ["x"], ["a b"]])["em"]
    assert found.value == pytest.approx(100 / 3)


@pytest.mark.parametrize(
    ("source", "target", "wanted"),
    [
        ("he go home", "he went home", [("go", "went")]),
        ("he go home", "he go home", []),
        ("a big red dog", "a small red cat", [("big", "small"), ("dog", "cat")]),
        ("we go", "we go now", [("go", "go now")]),
        # "the" occurs twice, so the edit grows until its words are unmistakable.
        ("the cat saw the dog", "a cat saw the dog", [("the cat", "a cat")]),
        ("", "new", [("", "new")]),
        ("old", "", [("old", "")]),
    ],
)
def test_edits(source: str, target: str, wanted: list[tuple[str, str]]) -> None:
    assert list(text_edits(source, target)) == wanted


@given(texts, texts)
def test_edits_hold_the_source_and_no_edit_means_no_change(source: str, target: str) -> None:
    found = text_edits(source, target)
    assert all(piece in source for piece, _ in found)
    assert (not found) == (source == target)


def test_share_of_edits() -> None:
    source, reference = "he go to a school", "he goes to the school"
    assert em_diff(source, reference, reference) == 100
    assert em_diff(source, "he goes to a school", reference) == 50
    assert em_diff(source, "he goes to one school", reference) == 50
    assert em_diff(source, "she goes to the school", reference) == pytest.approx(200 / 3)
    assert em_diff(source, "he goes to a school", "he walked to a school", "he goes to a school") == 100


def test_a_right_no_op() -> None:
    assert em_diff("fine as it is", "fine as it is", "fine as it is") == 0
    assert em_diff("fine as it is", "fine as it is", "fine as it is", name="em_diff_noop") == 100
    assert em_diff("fine as it is", "fine as it was", "fine as it is", name="em_diff_noop") == 0


def test_sample_without_edits_in_common() -> None:
    assert em_diff("a b c", "x b c", "a b y") == 0
