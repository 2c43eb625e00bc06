from __future__ import annotations

import pytest
from hypothesis import example, given, settings

from tests.constraints.nltk_words import MODEL, nltk_spans, texts


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in MODEL.spans(text)]


@settings(max_examples=400)
@given(texts)
@example(" !! a")
@example("!!! Oh. a.\n\x1c")
@example("One.’ two.”--three. . . . Four.\xa0Five")
@example("J. S. Bach, b. 1685. The end. 'Yes.' (No.) No")
def test_sentences_are_nltks(text: str) -> None:
    assert list(MODEL.spans(text)) == nltk_spans(text)


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("Dr. Lee came. She left.", ["Dr. Lee came.", "She left."]),
        ("Rules of the U.S. The rest.", ["Rules of the U.S.", "The rest."]),
        ("J. Bach wrote it. Really?! Yes.", ["J. Bach wrote it.", "Really?!", "Yes."]),
        ("On the 4. of May. All 5. The end.", ["On the 4. of May.", "All 5.", "The end."]),
        ("Well... the end. Well... The end.", ["Well... the end.", "Well...", "The end."]),
        ("(One.) “Two.” Three", ["(One.)", "“Two.”", "Three"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, split: list[str]) -> None:
    assert sentences(text) == split


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    ["." * 10**6, "!" * 10**6, '"' * 10**6, "a." + " " * 10**6 + "b", "a" * 10**7, "a." + ")" * 10**6 + " b"],
    ids=["dots", "exclamation marks", "quotes", "spaces", "one word", "brackets"],
)
def test_time_is_linear(text: str) -> None:
    assert len(list(MODEL.spans(text))) <= 3
