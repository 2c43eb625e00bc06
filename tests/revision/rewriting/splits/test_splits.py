"""Splits: what a writer would do, nothing lost, no quotation cut."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from redraft.revision.rewriting.splits.splits import MOST_SPLITS, breaks, splits


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The road was closed, and the buses took another way.", "The road was closed. The buses took another way."),
        ("The plan was good, but it cost too much.", "The plan was good. But it cost too much."),
        (
            "You can either pay or wait, but you must tell us which you prefer.",
            "You can either pay or wait. However, you must tell us which you prefer.",
        ),
        (
            "Members who have paid can either wait or go home.",
            "Members who have paid can wait. Alternatively, they can go home.",
        ),
        (
            "My aunt, who sold it in May and who now misses it, had bought the boat for 300 euros.",
            "My aunt had bought the boat for 300 euros. She sold it in May and now misses it.",
        ),
        ("The plan was good, but it cost too much.", "The plan was good. However, it cost too much."),
        ("The first test failed; the second one went well.", "The first test failed. The second one went well."),
        ("He returned to his flat and lay awake for hours.", "He returned to his flat. He lay awake for hours."),
        ("The box is cut from pine, painted in red and sold in the shop.", "The box is cut from pine. It is painted in red and sold in the shop."),
        ("We met the king, who was very old.", "We met the king. He was very old."),
        ("It rests on a set of rules, which were written in 1990.", "It rests on a set of rules. They were written in 1990."),
        ("The prices fell again, which means that few people will invest.", "The prices fell again. This means that few people will invest."),
        ("The ball, which wore a red dress, would not reply.", "The ball wore a red dress. It would not reply."),
        ("Although the house was old, they liked it a lot.", "The house was old. However, they liked it a lot."),
        ("They stayed at home because the storm was near.", "They stayed at home. This was because the storm was near."),
        ("Sales rose in the north, while they fell in the south.", "Sales rose in the north. Meanwhile, they fell in the south."),
        ("The wind turned in the night, making the crossing dangerous.", "The wind turned in the night. This made the crossing dangerous."),
        ("Cut the paper in two, leaving a small edge on each side.", "Cut the paper in two. Leave a small edge on each side."),
        ("We moved to Leeds, where we found a house.", "We moved to Leeds. There, we found a house."),
        ("There are 30 tools, many of which are free.", "There are 30 tools. Many of them are free."),
        ("Hold the lamp so that we can see the map.", "Hold the lamp. That way, we can see the map."),
        ("It rains every day, but why do they stay?", "It rains every day. But why do they stay?"),
        ("We use [[M1]] for the first part, and [[M2]] holds for the rest.", "We use [[M1]] for the first part. [[M2]] holds for the rest."),
    ],
)  # fmt: skip
def test_what_a_writer_would_do(sentence: str, expected: str) -> None:
    found = splits(sentence)
    assert expected in [candidate.text for candidate in found]
    assert {candidate.by for candidate in found} == {"split"}


@pytest.mark.parametrize(
    "sentence",
    [
        "The dog barked.",
        "She likes apples, pears and plums.",
        "He said that the cat and the dog are friends.",
        "“We were late, and they had left without us,” she said.",
        "(We were late, and they had left.)",
        "What do you do when it rains, and the shop is closed?",
        "He is not only late, but he is also tired.",
        "The cat and the dog, the horse and the cow.",
    ],
)
def test_what_stays_whole(sentence: str) -> None:
    assert splits(sentence) == []


def test_a_long_sentence_comes_down_to_short_ones() -> None:
    sentence = (
        "The council closed the old bridge in March, and the buses took another way through the town, "
        "which made the shops on the river lose a third of their trade, but the mayor would not open it "
        "because the engineers had found deep cracks in two of its arches."
    )
    best = splits(sentence, longest=15)[0].text
    assert all(len(piece.split()) <= 15 for piece in re.split(r"(?<=[.!?]) ", best))
    assert best.startswith("The council closed the old bridge in March. ")
    lengths = [
        max(len(piece.split()) for piece in re.split(r"(?<=[.!?]) ", c.text)) for c in splits(sentence)
    ]
    assert len(lengths) <= MOST_SPLITS
    assert min(lengths) <= 15


def test_breaks_go_on_where_splits_end() -> None:
    sentence = (
        "The team found a new kind of beetle in the forests of the north during the wet summer of 1990."
    )
    assert splits(sentence) == []
    best = breaks(sentence, longest=12)[0].text
    assert best == (
        "The team found a new kind of beetle. This was in the forests of the north. "
        "This was during the wet summer of 1990."
    )


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We show that the old method fails.", "We show the following. The old method fails."),
        ("It is clear that the old method fails.", "One thing is clear. The old method fails."),
        ("It works in most cases (Smith et al., 2002).", "It works in most cases. See Smith et al., 2002."),
        ("Press the lid down when the glue is dry.", "Press the lid down. Do this when the glue is dry."),
        ("She left the house when the rain had ended.", "She left the house. This happened when the rain had ended."),
        ("In the spring of 1990, they moved to a farm.", "They moved to a farm. This was in the spring of 1990."),
    ],
)  # fmt: skip
def test_the_last_resort(sentence: str, expected: str) -> None:
    assert expected in [candidate.text for candidate in breaks(sentence)]
    assert expected not in [candidate.text for candidate in splits(sentence)]


_CLAUSES = st.sampled_from(
    [
        "the old man saw [[M{}]] in the garden",
        "we did not find the {} keys",
        "it was “late, and {} cold” outside",
        "Mary Smith (who came in {}) left early",
        "they will never use the {} tools again",
        "the results are shown in [[M{}]]",
    ]
)
_JOINTS = st.sampled_from(
    [", and ", ", but ", "; ", ", which means that ", " because ", ", while ", " – ", " and "]
)


@given(st.lists(st.tuples(_CLAUSES, _JOINTS), min_size=1, max_size=5), st.sampled_from([".", "!", "?"]))
def test_nothing_is_lost(parts: list[tuple[str, str]], end: str) -> None:
    text = "".join(clause.format(n + 10) + joint for n, (clause, joint) in enumerate(parts))
    sentence = (text + "that is all").strip()
    sentence = sentence[0].upper() + sentence[1:] + end
    for candidate in splits(sentence) + breaks(sentence):
        for kept in (r"\[\[M\d+\]\]", r"\d+", r"“[^”]*”", r"\([^)]*\)"):
            assert re.findall(kept, candidate.text) == re.findall(kept, sentence)
        for small in ("not", "never"):
            assert candidate.text.split().count(small) == sentence.split().count(small)
        assert candidate.text.endswith(end)
        assert not re.search(r"\s[.,;]|[,;]\.|\.\.", candidate.text)
        pieces = re.split(r"(?<=[.!?]) ", candidate.text)
        assert len(pieces) > 1
        assert not any(piece[0].islower() for piece in pieces)


@given(st.text(st.sampled_from("aeT .,;:–-()“”\"'?!&[]1and"), max_size=50))
def test_any_text_will_do(text: str) -> None:
    for candidate in splits(text) + breaks(text):
        assert candidate.text.strip()


def test_no_piece_ends_before_what_its_condition_is_for() -> None:
    condition = "so if your child needs a hot meal for medical reasons, let Ann know by noon on Monday."
    made = breaks(f"The kitchen was damaged in March, and the hall is cold this week, {condition}", 12)
    assert made
    assert all(one.text.endswith(f", {condition}") for one in made)
