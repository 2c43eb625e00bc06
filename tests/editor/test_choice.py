"""None"""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from redraft.editor import NAMES, WEIGHTS, EditorAnswer, Kind, Weights, best, choose, features, kind_of
from redraft.editor.choice import agreed_sari, overlap
from redraft.quality import Meaning
from tests.editor.judging import FakeQuality, judged
from tests.metrics.formulas import plain_sari

NOTHING = Weights(**dict.fromkeys(NAMES, 0.0))
SOURCE = "he go home"


def only(**weights: float) -> Weights:
    return replace(NOTHING, **weights)


def chosen(candidates: list[EditorAnswer], weights: Weights, **options: Any) -> str:
    return asyncio.run(choose(SOURCE, candidates, weights=weights, **options)).text


def column(name: str, *arguments: Any) -> list[float]:
    found: list[float] = features(*arguments)[:, NAMES.index(name)].tolist()
    return found


@pytest.mark.parametrize(
    ("texts", "votes", "expected"),
    [
        # Words a, b and the pair; no four characters in "a b". One of three is shared.
        (["a b", "a c"], [1, 1], [1 / 3, 1 / 3]),
        (["a b", "a c"], [2, 1], [(1 + 1 / 3) / 2, 1 / 3]),
        # "abcd": one word, one 4-gram; "abcde": one word, two 4-grams.
        (["abcd", "abcde"], [1, 1], [2 / 5, 2 / 5]),
        (["a b"], [1], [1.0]),
        (["a b"], [3], [1.0]),
        (["A b", "a b"], [1, 1], [1 / 3, 1 / 3]),
    ],
)
def test_overlap_by_hand(texts: list[str], votes: list[int], expected: list[float]) -> None:
    assert overlap(texts, votes) == pytest.approx(expected)


def test_agreed_sari_is_sari_with_the_other_votes_for_references() -> None:
    source, one, other = "the cat sat on the mat", "a cat sat on a mat", "the cat sat there"
    found = agreed_sari(source, [one, other], [2, 1])
    assert found[0] * 100 == pytest.approx(plain_sari([source], [one], [[one, other]])[0])
    assert found[1] * 100 == pytest.approx(plain_sari([source], [other], [[one, one]])[0])
    assert agreed_sari(source, [one], [1]) == [1.0]


def test_features_by_hand() -> None:
    candidates = [
        EditorAnswer("he goes home", 2, greedy=True),
        EditorAnswer("he  go home", 1),
        EditorAnswer("home", 1),
    ]
    qualities = {
        SOURCE: judged(perplexity=20.0, grammar=5.0),
        "he goes home": judged(10.0, -1.5, 0.0, Meaning(0.9, ("tense", "number"))),
        "he  go home": judged(20.0, -0.5, 5.0, Meaning(1.0, ())),
        "home": judged(40.0, -2.0, 0.5, None),
    }
    rows = features(SOURCE, candidates, qualities)
    assert rows.shape == (3, len(NAMES))
    found = {name: rows[:, at].tolist() for at, name in enumerate(NAMES)}
    assert found["greedy"] == [1, 0, 0]
    assert found["copy"] == [0, -1, 0]
    assert found["shorter"] == pytest.approx([0, 0, math.log(2)])
    assert found["perplexity"] == pytest.approx([math.log(2), 0, -math.log(2)])
    assert found["likelihood"] == [-1.5, -0.5, -2.0]
    assert found["grammar"] == [0, -5, -0.5]
    assert found["similarity"] == [0.9, 1.0, 0.0]
    assert found["changes"] == [-2, 0, 0]


@pytest.mark.parametrize("source", [10.0, math.inf])
def test_a_text_without_words_is_no_trouble_and_no_choice(source: float) -> None:
    candidates = [EditorAnswer("…", 1), EditorAnswer("he goes home", 1)]
    qualities = {SOURCE: judged(source), "…": judged(math.inf, -math.inf), "he goes home": judged(8.0, -1.0)}
    rows = features(SOURCE, candidates, qualities)
    assert np.isfinite(rows).all()
    assert best(rows, only(perplexity=1, likelihood=1)) == 1


def test_without_qualities_what_they_would_say_is_zero() -> None:
    rows = features(SOURCE, [EditorAnswer("he goes home", 1)])
    assert not rows[:, [NAMES.index(name) for name in ("perplexity", "grammar", "changes")]].any()


@pytest.mark.parametrize("name", ["overlap", "sari"])
def test_consensus_takes_the_centre(name: str) -> None:
    texts = [
        "a dog ran far",
        "the cat sat on the red mat today",
        "the cat sat on the mat today",
        "the cat sat on the mat",
        "my cat sat on the mat today",
    ]
    candidates = [EditorAnswer(text, 1, greedy=at == 0) for at, text in enumerate(texts)]
    weights = only(**{name: 1.0})
    assert asyncio.run(choose("the old cat was sitting", candidates, weights=weights)).text == texts[2]


def test_what_is_drawn_often_outvotes_the_rest() -> None:
    candidates = [
        EditorAnswer("he went home", 1),
        EditorAnswer("he goes home", 1),
        EditorAnswer("away he ran", 6),
    ]
    assert chosen(candidates, only(overlap=1)) == "away he ran"


def test_of_equals_the_first_is_taken() -> None:
    candidates = [EditorAnswer("b a", 1), EditorAnswer("a b", 1), EditorAnswer("c d", 1)]
    for order in (candidates, candidates[::-1]):
        assert chosen(order, NOTHING) == order[0].text
    # Sums of the same numbers in another order differ in the last digit, and that decides nothing.
    assert (
        best(
            np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]) @ np.eye(3, len(NAMES)),
            only(overlap=1, sari=1, greedy=1),
        )
        == 0
    )


@pytest.mark.parametrize(
    ("kind", "errors", "penalties"),
    [
        ("simplify", 0, [-1, 0]),
        ("paraphrase", 0, [-1, 0]),
        ("correct", 0, [0, 0]),
        ("correct", 5, [-1, 0]),
    ],
)
def test_a_copy_is_bad_where_a_change_is_asked_for(kind: Kind, errors: float, penalties: list[float]) -> None:
    candidates = [EditorAnswer(SOURCE, 5, greedy=True), EditorAnswer("he goes home", 2)]
    qualities = {SOURCE: judged(grammar=errors), "he goes home": judged()}
    assert column("copy", SOURCE, candidates, qualities, kind) == penalties


def test_the_copy_loses_if_its_penalty_outweighs_its_votes() -> None:
    candidates = [EditorAnswer(SOURCE, 5, greedy=True), EditorAnswer("he goes home", 2)]
    assert chosen(candidates, only(overlap=1)) == SOURCE
    assert chosen(candidates, only(overlap=1, copy=1)) == "he goes home"


def test_the_source_and_each_candidate_are_judged_once_and_together() -> None:
    quality = FakeQuality({SOURCE: judged(grammar=5), "he goes home": judged(grammar=2)})
    candidates = [EditorAnswer(SOURCE, 1), EditorAnswer("he goes home", 1), EditorAnswer("home he goes", 1)]
    assert chosen(candidates, only(grammar=1), quality=quality) == "home he goes"
    assert quality.asked == [((SOURCE, "he goes home", "home he goes"), (SOURCE,) * 3)]


@pytest.mark.parametrize(
    ("candidates", "weights"),
    [([EditorAnswer("a", 1), EditorAnswer("b", 1)], only(overlap=1)), ([EditorAnswer("a", 8)], Weights())],
)
def test_nothing_is_judged_where_it_decides_nothing(candidates: list[EditorAnswer], weights: Weights) -> None:
    quality = FakeQuality()
    assert chosen(candidates, weights, quality=quality) == "a"
    assert not quality.asked


def test_there_are_weights_for_every_kind_and_something_to_choose_from() -> None:
    assert all(isinstance(weights, Weights) for weights in WEIGHTS.values())
    with pytest.raises(ValueError, match="nothing to choose"):
        chosen([], NOTHING)


@pytest.mark.parametrize(
    ("instruction", "kind"),
    [
        ("Fix grammar errors", "correct"),
        ("Update to remove grammar errors", "correct"),
        ("Update with new information", "update"),
        ("Add missing information", "update"),
        ("SIMPLIFY", "simplify"),
        ("Make this text less complex", "simplify"),
        ("Explain it", "improve"),  # "plain" within a word says nothing
        ("Remove POV", "neutralise"),
        ("Make this text less biased", "neutralise"),
        ("Use different wording", "paraphrase"),
        ("Rewrite this text", "paraphrase"),
        ("Make the text more formal", "improve"),
        ("", "improve"),
        ("Please correct my English", "correct"),
        ("Copyedit lightly; don't rewrite my sentences", "correct"),
        ("Fix only what is wrong", "correct"),
    ],
)
def test_an_instruction_says_what_kind_of_edit_it_wants(instruction: str, kind: str) -> None:
    assert kind_of(instruction) == kind
