"""The search of benchmarks/tuning.py finds what is there, and cross-validation shows what is not."""

from __future__ import annotations

import random
from dataclasses import astuple

import numpy as np
from benchmarks.tuning import CEILINGS, FLOORS, SARI, Pool, crossed, mean_sari, tuned

from redraft.editor import NAMES
from redraft.metrics import Sample, rows_of

WORDS = [*"abcdefghijklmnopqrst"]


def pool(name: str, informed: bool, items: int = 60) -> Pool:
    """Three candidates an item, one of them right; `grammar` says which, or nothing does."""
    generator = random.Random(name)
    sources, features, statistics = [], [], []
    for _ in range(items):
        source = " ".join(generator.sample(WORDS, 8))
        edits = [" ".join(generator.sample(WORDS, 8)) for _ in range(3)]
        right = generator.randrange(3)
        rows = np.array([[generator.random() / 50 for _ in NAMES] for _ in edits])
        rows[:, NAMES.index("grammar")] = [at == right if informed else generator.random() for at in range(3)]
        sources.append(source)
        features.append(rows)
        statistics.append(rows_of(SARI, [Sample(source, text, (edits[right],)) for text in edits]))
    return Pool.of(name, sources, features, statistics, [rows[0] for rows in statistics])


def test_a_feature_that_tells_is_found_and_holds_on_what_was_not_seen() -> None:
    pools = [pool("a", informed=True), pool("b", informed=True)]
    weights = tuned(pools)
    assert mean_sari(pools, np.array(astuple(weights))) == np.mean([each.oracle() for each in pools])
    for each, picks in zip(pools, crossed(pools), strict=True):
        assert each.sari(picks) > each.oracle() - 3


def test_what_was_only_learnt_by_heart_does_not_hold() -> None:
    pools = [pool("c", informed=False)]
    learnt = mean_sari(pools, np.array(astuple(tuned(pools))))
    (picks,) = crossed(pools)
    assert pools[0].sari(picks) < learnt < pools[0].oracle()


def test_what_guards_the_meaning_counts_whatever_the_scores_say() -> None:
    found = pool("e", informed=True)
    found.features[..., NAMES.index("changes")] = -found.features[..., NAMES.index("grammar")]
    weights = np.array(astuple(tuned([found])))
    assert (weights >= np.array(astuple(FLOORS)) - 1e-9).all()
    assert (weights <= np.array(astuple(CEILINGS)) + 1e-9).all()


def test_items_with_fewer_candidates_never_get_one_that_is_not_there() -> None:
    rows = [np.full((3, len(NAMES)), -1.0), np.full((1, len(NAMES)), -1.0)]
    statistics = [np.ones((3, 36)), np.ones((1, 36))]
    found = Pool.of("d", ["a", "b"], rows, statistics, [np.ones(36)] * 2)
    assert found.picks(np.ones(len(NAMES))).tolist() == [0, 0]
