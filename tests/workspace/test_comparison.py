from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.workspace import Passage, compare

SENTENCES = [
    "The cat sat down. ",
    "A dog ran home.\n\n",
    "Nobody was there! ",
    "Was it late? ",
    "The cat sat. ",
]
texts = st.lists(st.sampled_from(SENTENCES) | st.text(max_size=12), max_size=6).map("".join)


def shown(passages: list[Passage]) -> list[tuple[str, str]]:
    return [(one.before, one.after) for one in passages]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("A cat sat. A dog ran.", "A cat sat.", [("A cat sat.", "A cat sat."), (" A dog ran.", "")]),
        ("A dog ran.", "A cat sat. A dog ran.", [("", "A cat sat. "), ("A dog ran.", "A dog ran.")]),
        (
            "A cat sat. A dog ran.",
            "A cat sat.\n\nA dog ran.",
            [("A cat sat.",) * 2, (" ", "\n\n"), ("A dog ran.",) * 2],
        ),
        ("Hello.", "Hello.\n", [("Hello.", "Hello."), ("", "\n")]),
        ("", "", []),
    ],
)
def test_passages(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert shown(compare(before, after)) == expected


def test_a_changed_sentence_tells_its_words() -> None:
    (passage,) = compare("It is very big.", "It is big.")
    assert passage.to_dict()["words"] == [
        {"op": "same", "text": "It is "},
        {"op": "cut", "text": "very "},
        {"op": "same", "text": "big."},
    ]


@given(texts, texts)
def test_the_passages_are_the_texts(before: str, after: str) -> None:
    passages = [one.to_dict() for one in compare(before, after, "text")]
    assert "".join(one["before"] for one in passages) == before
    assert "".join(one["after"] for one in passages) == after
    for one in passages:
        assert "".join(word["text"] for word in one["words"] if word["op"] != "new") == one["before"]
        assert "".join(word["text"] for word in one["words"] if word["op"] != "cut") == one["after"]


@given(texts)
def test_a_text_is_the_same_as_itself(text: str) -> None:
    assert all(one.same for one in compare(text, text, "text"))
