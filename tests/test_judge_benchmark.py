"""The table of the judge: what is measured, on what, and the set that was read by hand."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.judge import (
    HAND,
    Column,
    Draw,
    agreement,
    best_limit,
    correlation,
    fitted,
    judge_column,
    measures,
    preferences,
    read,
    recognised,
    share_above,
    spaced,
    table,
)

from redraft.train.judging import is_held_out

CLEAN = "The ferry crosses the bay {} times a day, and tickets are sold at the old pier every morning."


class Scripted:
    """Finds a sentence good unless it has the word bad; of two, the second is better where the first has it."""

    async def soundness(self, sentences: Sequence[str]) -> list[float]:
        return [0.1 if "bad" in sentence else 0.9 for sentence in sentences]

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [0.9 if ("bad" in source) == ("bad" in text) else 0.1 for source, text in pairs]

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        before = await self.soundness([source for source, _ in pairs])
        after = await self.soundness([text for _, text in pairs])
        return [0.5 + (new - old) / 2 for old, new in zip(before, after, strict=True)]


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def held_out(pattern: str, one_in: int = 20) -> list[str]:
    """Five texts that training leaves out, and one that it does not, which comes last."""
    texts = [pattern.format(number) for number in range(400)]
    kept = [text for text in texts if is_held_out(text, one_in)][:5]
    return [*kept, next(text for text in texts if not is_held_out(text, one_in))]


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    """Five rows of every set that training leaves out, and one that it learns from."""
    wrong = held_out("It was bad {} times.")
    right = [text.replace("bad", "good") for text in wrong]
    pairs = list(zip(wrong, right, strict=True))
    rows: dict[str, list[dict[str, Any]]] = {
        "gec_eracond/eracond.jsonl.gz": [{"source": one, "targets": [other]} for one, other in pairs],
        "gec_harper/pairs.jsonl.gz": [{"source": one, "target": other} for one, other in pairs],
        "elife_revisions/abstract_sentences.jsonl.gz": [
            {"id": name, "source": "It was bad.", "target": CLEAN.format(name)} for name in held_out("{}")
        ],
        "paws_wiki/dev.jsonl.gz": [
            {"a": text, "b": text if place % 2 else "It was good.", "label": place % 2}
            for place, text in enumerate(held_out("It was bad {} times.", 4))
        ],
        "gug/test.jsonl.gz": [
            {"text": "It is " + word, "score": score}
            for word, score in (("bad.", 1.0), ("bad!", 1.5), ("good.", 4.0), ("fine.", 3.5), ("well.", 4.0))
        ],
        "blimp/blimp.jsonl.gz": [
            {"uid": "agreement", "good": f"He sees {number}.", "bad": f"He bad see {number}."}
            for number in range(5)
        ],
        "gec_rankings/conll14_grundkiewicz_rankings.jsonl.gz": [
            {
                "source": source,
                "candidates": [
                    {"rank": 2, "text": source},
                    {"rank": 1, "text": source.replace("bad", "good")},
                    {"rank": 2, "text": f"{source} "},
                ],
            }
            for source in held_out("It was bad {} times.", 2)
        ],
        "tmu_gfm/tmu_gfm.jsonl.gz": [
            {
                "source": "It was bad.",
                "output": output,
                "grammar": score,
                "fluency": score,
                "meaning": 4 - score,
            }
            for output, score in (
                ("So bad.", 1.0),
                ("Good.", 4.0),
                ("Fine.", 3.0),
                ("Bad? bad.", 0.0),
                ("A.", 4),
            )
        ],
        "gmeg_ratings/wiki_test.jsonl.gz": [
            {
                "source": "It was bad .",
                "candidates": [
                    {"text": f"It was bad {number} .", "score": 20.0 + number},
                    {"text": f"It was good {number} .", "score": 80.0 + number},
                ],
            }
            for number in range(5)
        ],
    }
    for name, found in rows.items():
        write(tmp_path / name, found)
    return tmp_path


def rows_of(found: Sequence[dict[str, Any]], name: str) -> dict[str, Any]:
    (row,) = (row for row in found if row["measure"].startswith(name))
    return row


def test_a_judge_that_is_right_gets_every_share(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = list(measures(sets, None, None, None, Draw(reported=True)))
    judges = [judge_column("right", Scripted()), Column("silent")]
    found = asyncio.run(table(asked, judges))
    for name, rows in {
        "gec_eracond: correction over its source, each alone": 5,
        "gec_harper: correction over its source, side by side": 5,
        "eLife abstracts: correction over its source, each alone": 5,
        "PAWS": 5,
        "BLiMP": 5,
        "human rankings, development half: agreement, each alone": 10,
        "human rankings, reported half: agreement, as revisions": 2,
    }.items():
        row = rows_of(found, name)
        assert (row["rows"], row["right"], row["silent"]) == (rows, 1.0, None), name
    for name in ("GUG", "TMU-GFM, grammar", "TMU-GFM, meaning", "GMEG wiki, each alone"):
        assert rows_of(found, name)["right"] > 0.9, name
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "| measure | rows | right | silent |"
    assert len(printed) == len(found) + 2


def test_what_is_damaged_is_the_correction(sets: Path) -> None:
    asked = {one.name: one for one in measures(sets, None, None, None, Draw())}
    measure = asked["eLife abstracts: correction over itself damaged, side by side"]
    seen: list[tuple[str, str]] = []

    async def improvement(pairs: Sequence[tuple[str, str]]) -> list[float]:
        seen.extend(pairs)
        return [0.5 for _ in pairs]

    assert asyncio.run(measure.score(Column("", improvement=improvement))) == 0.5
    assert seen
    assert all(source != text and "bad" not in source + text for source, text in seen)


def test_the_half_that_is_reported_is_looked_at_only_when_asked_for(sets: Path) -> None:
    names = [one.name for one in measures(sets, None, None, None, Draw())]
    assert not [name for name in names if "reported" in name]
    assert [name for name in names if "development half" in name]


def test_rows_that_rules_made_are_judged_by_their_task(tmp_path: Path) -> None:
    rows = [
        {"task": "sound", "source": None, "text": "It is good.", "label": 1},
        {"task": "sound", "source": None, "text": "It is bad.", "label": 0},
        {"task": "same", "source": "It is good.", "text": "It was good.", "label": 1},
        {"task": "same", "source": "It is good.", "text": "It is bad.", "label": 0},
        {"task": "better", "source": "It is bad.", "text": "It is good.", "label": 1},
    ]
    asked = list(measures(None, None, write(tmp_path / "made.jsonl", rows), None, Draw()))
    scores = [asyncio.run(one.score(judge_column("", Scripted()))) for one in asked]
    assert [(one.rows, score) for one, score in zip(asked, scores, strict=True)] == [
        (2, 1.0),
        (2, 1.0),
        (1, 1.0),
    ]


def test_a_judge_of_revisions_alone_is_asked_about_the_revision(tmp_path: Path) -> None:
    rows = [
        {"part": "test", "source": "It is well.", "text": f"It is {word}.", "label": label}
        for word, label in (("good", 1), ("fine", 1), ("bad", 0), ("so bad", 0), ("too bad", 0))
    ]
    path = write(tmp_path / "hand.jsonl", rows)
    _, test = measures(None, path, None, None, Draw())
    assert asyncio.run(test.score(Column("", improvement=Scripted().improvement))) == 1.0
    assert asyncio.run(test.score(Column("", sameness=Scripted().sameness))) is None


def test_shares_limits_and_correlations() -> None:
    assert share_above([1, 2, 3, 4], [0, 2, 4, 5]) == (1 + 0.5) / 4
    assert share_above([], []) is None
    good = [0.1, *(0.5 + place / 100 for place in range(19))]
    assert recognised(good, [0.05, 0.2, 0.49, 0.9]) == 0.75
    assert recognised([], [0.5]) is None
    assert best_limit([0.1, 0.4, 0.6, 0.9], [0, 0, 1, 1]) == 0.6
    assert correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1.0)
    assert correlation([1, 1, 1], [2, 4, 6]) is None


def test_a_draw_is_the_same_each_time_and_keeps_the_order() -> None:
    rows = list(range(100))
    some = Draw(limit=7).some(rows)
    assert len(some) == 7
    assert some == sorted(some) == Draw(limit=7).some(rows)
    assert Draw(limit=None).some(rows) == rows


def test_tokens_are_written_as_a_text() -> None:
    assert spaced('He said : " I do n\'t ( yet ) . "') == 'He said: "I don\'t (yet)."'


def test_what_was_read_by_hand() -> None:
    rows = list(read(HAND))
    assert Counter(row["part"] for row in rows) == {"dev": 100, "test": 200}
    for part in ("dev", "test"):
        labels = [row["label"] for row in rows if row["part"] == part]
        assert 0.4 < sum(labels) / len(labels) < 0.6
    assert all(bool(row.get("why")) == (row["label"] == 0) for row in rows)
    assert len({row["text"] for row in rows}) == 300
    parts = {row["id"]: {other["part"] for other in rows if other["id"] == row["id"]} for row in rows}
    assert all(len(found) == 1 for found in parts.values()), "a text stands in one part only"
    assert all(is_held_out(row["id"]) for row in rows), (
        "no row that rules make for training comes of these texts"
    )
    assert all(row["licence"].startswith(("CC0", "CC BY", "public domain")) for row in rows)
    assert not [row["licence"] for row in rows if "SA" in row["licence"] or "NC" in row["licence"]]


def test_preferences_are_pairs_of_which_one_is_ranked_above() -> None:
    edits = [{"text": "B.", "rank": 2}, {"text": "A.", "rank": 1}, {"text": "C.", "rank": 2}]
    assert preferences([{"source": "S.", "candidates": edits}]) == [("S.", "A.", "B."), ("S.", "A.", "C.")]


def test_weights_are_fitted_to_what_was_preferred() -> None:
    rng = np.random.default_rng(0)
    gains = rng.normal(size=(300, 2))
    gains[:, 0] = np.abs(gains[:, 0])
    weights = fitted(gains)
    assert weights[0] > abs(weights[1])
    assert agreement(gains, weights) > 0.9
    assert agreement(np.zeros((4, 2)), weights) == 0.5
