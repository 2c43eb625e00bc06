"""Parts of the text that stay, or alone change, named by their place."""

from __future__ import annotations

import pytest

from redraft.constraints import Parts, check, infeasible, parse
from redraft.errors import CallError

TEXT = "One is here. Two is here.\n\n“Three,” she said. Four is here.\n\nFive is here. Six is here."


@pytest.mark.parametrize(
    ("instruction", "parts", "relation"),
    [
        ("Keep the last sentence.", ("last sentence",), "unchange"),
        ("Please keep the final sentence as it is.", ("last sentence",), "unchange"),
        ("Don't touch the last two sentences.", ("last 2 sentences",), "unchange"),
        ("Leave my second paragraph as it is.", ("paragraph 2",), "unchange"),
        ("Keep the first and last paragraphs unchanged.", ("paragraph 1", "last paragraph"), "unchange"),
        (
            "Do not change the last sentence and the first paragraph.",
            ("last sentence", "paragraph 1"),
            "unchange",
        ),
        ("Only change the third paragraph.", ("paragraph 3",), "change"),
        ("Change nothing but the 2nd paragraph.", ("paragraph 2",), "change"),
        ("Do not touch the dialogue.", ("dialogue",), "unchange"),
        ("Leave all dialogue alone.", ("dialogue",), "unchange"),
        ("Only edit paragraph 3.", ("paragraph 3",), "change"),
    ],
)
def test_parts_have_many_wordings(instruction: str, parts: tuple[str, ...], relation: str) -> None:
    read = parse(instruction)
    assert read.constraints == (Parts(parts, relation),)  # type: ignore[arg-type]
    assert not read.style


@pytest.mark.parametrize(
    "instruction",
    [
        "Don't keep the last sentence.",
        "You don't have to keep the last sentence.",
        "Keep the last paragraph short.",
        "Leave the second paragraph out.",
        "Keep the last sentence under 20 words.",
        "Do not only change the third paragraph.",
        "Keep the second sentence of the last paragraph.",
        "Keep the last sentence but one.",
        "Make the last sentence punchier.",
    ],
)
def test_what_says_something_else(instruction: str) -> None:
    assert not any(isinstance(one, Parts) for one in parse(instruction).constraints)


def test_the_rest_is_still_read() -> None:
    read = parse("Make it friendlier, but keep the last paragraph as it is.")
    assert read.constraints == (Parts(("last paragraph",), "unchange"),)
    assert read.style == "Make it friendlier"


def test_what_must_stay_is_compared() -> None:
    other = TEXT.replace("Six is here", "Six was here")
    assert not check(other, [Parts(("last sentence",), "unchange")], original=TEXT).met
    assert check(other, [Parts(("dialogue", "paragraph 1"), "unchange")], original=TEXT).met
    assert check(other, [Parts(("last paragraph",), "change")], original=TEXT).met
    (finding,) = check(other, [Parts(("paragraph 1",), "change")], original=TEXT)
    assert finding.measured == [6]


def test_a_part_that_is_not_there_is_impossible() -> None:
    assert infeasible([Parts(("paragraph 4",), "unchange")], original=TEXT) is not None
    assert infeasible([Parts(("paragraph 3",), "unchange")], original=TEXT) is None
    with pytest.raises(CallError, match="no part"):
        Parts(("middle",), "unchange")


def test_every_phrasing_reads_back() -> None:
    for one in (
        Parts(("last sentence",), "unchange"), Parts(("last 3 sentences", "paragraph 2"), "unchange"),
        Parts(("paragraph 12",), "change"), Parts(("dialogue", "last paragraph"), "unchange"),
    ):  # fmt: skip
        for phrasing in one.phrasings():
            assert parse(phrasing).constraints == (one,)
