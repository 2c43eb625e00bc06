"""Which candidates a round of training prefers."""

from __future__ import annotations

from redraft.simplification import load_policy
from redraft.train.rounds import Choosing, Drawn, choose_pairs, features

SOURCE = "The committee will commence its deliberations in the municipal edifice on Monday."
COPY = SOURCE
EASY = "The committee will begin its talks in the town building on Monday."
NEAR = "The committee will begin its deliberations in the town building on Monday."
SPLIT = "The committee will begin its talks. It will meet in the town building. That is on Monday."
DRAWN = Drawn(SOURCE, (COPY, EASY, NEAR, SPLIT))


def points(by: Choosing, policy: str = "lexical", sure: float = 1.0) -> list[float]:
    return [each.points(by, sure) for each in features(DRAWN, load_policy(policy))]


def test_what_the_policy_does_not_permit_is_the_worst() -> None:
    (pair,) = choose_pairs([DRAWN], [points(Choosing())], load_policy("lexical"), Choosing())
    assert pair["rejected"][0]["content"] == SPLIT
    assert pair["prompt"][0]["content"] == load_policy("lexical").instruction


def test_penalties_count() -> None:
    plain, dear = points(Choosing()), points(Choosing(kept=30))
    losses = [one - other for one, other in zip(plain, dear, strict=True)]
    assert losses[0] == 30  # all words are kept
    assert losses[0] > losses[2] > losses[1] > 0
    easier = points(Choosing(easier=10))
    assert easier[1] > plain[1]
    assert easier[0] == plain[0]
    assert points(Choosing(judged=20), sure=0.5)[1] == plain[1] - 10


def test_a_source_that_is_the_best_makes_no_pair() -> None:
    given = [[3.0, 2.0, 1.0, 0.0]]
    assert not choose_pairs([DRAWN], given, load_policy("rewrite"), Choosing())
    (pair,) = choose_pairs([DRAWN], [[0.0, 2.0, 1.0, 1.5]], load_policy("rewrite"), Choosing(), "someone")
    assert pair["chosen"][0]["content"] == EASY
    assert pair["rejected"][0]["content"] == COPY
    assert pair["judge"] == "someone"


def test_only_pairs_far_enough_apart_are_taken() -> None:
    given = [[0.0, 2.0, 1.0, 1.5], [0.0, 9.0, 1.0, 1.5]]
    policy = load_policy("rewrite")
    assert len(choose_pairs([DRAWN, DRAWN], given, policy, Choosing(apart=3))) == 1
    assert len(choose_pairs([DRAWN, DRAWN], given, policy, Choosing(share=0.5))) == 1
