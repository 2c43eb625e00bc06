from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.functional import log_softmax

from redraft.errors import InputError
from redraft.train.batches import BatchFeed, pack_pairs
from redraft.train.chat import Example, Pair
from redraft.train.config import LOSSES
from redraft.train.conversations import read_preference_data, read_preferences
from redraft.train.guard import Guard
from redraft.train.loop import Config, Trainer
from redraft.train.model import PreferenceObjective
from redraft.train.sft import _with_reference
from tests.train.tiny import tiny_examples, tiny_model


def said(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(asked: str = "Shorten it.", better: str = "Short.", worse: str = "Longer.") -> dict[str, Any]:
    return {
        "prompt": [said("user", asked)],
        "chosen": [said("assistant", better)],
        "rejected": [said("assistant", worse)],
        "judge": "any other key",
    }


def tiny_pairs(count: int = 6, seed: int = 0) -> list[Pair]:
    examples = tiny_examples(2 * count, seed)
    return [Pair(*both) for both in zip(examples[::2], examples[1::2], strict=True)]


def by_hand(model: Any, example: Example) -> tuple[float, int]:
    """The log-probability of the learnt tokens, and their number, from plain logits."""
    tokens = torch.from_numpy(example.tokens)
    logits = log_softmax(model(tokens[None]).logits[0], dim=-1)
    learnt = [place for place in range(1, len(tokens)) if example.weights[place]]
    return sum(logits[place - 1, tokens[place]].item() for place in learnt), len(learnt)


@pytest.mark.parametrize("size", [None, 256])
def test_each_answer_is_summed_by_itself(size: int | None) -> None:
    model, pairs = tiny_model(), tiny_pairs()
    sums, lengths = PreferenceObjective(model, LOSSES["simpo"]).log_probabilities(
        pack_pairs(pairs, size, size and 32)
    )
    for number, pair in enumerate(pairs):
        for side, example in enumerate((pair.preferred, pair.dispreferred)):
            total, count = by_hand(model, example)
            assert sums[number, side].item() == pytest.approx(total, rel=1e-4)
            assert lengths[number, side].item() == count


def test_the_loss_of_a_batch_is_the_sum_over_its_pairs() -> None:
    model, pairs = tiny_model(), tiny_pairs()
    objective = PreferenceObjective(model, LOSSES["arpo"])
    together = objective(pack_pairs(pairs)).item()
    assert together == pytest.approx(sum(objective(pack_pairs([pair])).item() for pair in pairs), rel=1e-5)
    assert pack_pairs(pairs).weight == 6


def test_of_several_turns_only_the_answers_after_the_prompt_are_learnt(tmp_path: Path) -> None:
    shared = [said("system", "Plan."), said("user", "o0"), said("assistant", "a1"), said("user", "o1")]
    better = [said("assistant", "a2"), said("user", "o2"), said("assistant", "a3")]
    path = written(tmp_path / "p.jsonl", {"prompt": shared, "chosen": better, "rejected": better[:1]})
    (pair,) = read_preferences(path)
    assert pair.preferred.learnt == (4, 6)
    assert pair.dispreferred.learnt == (4,)
    marked = [said("assistant", "a2"), said("user", "o2"), said("assistant", "a3", learn=True)]
    path = written(tmp_path / "q.jsonl", {"prompt": shared, "chosen": marked, "rejected": better})
    (pair,) = read_preferences(path)
    assert (pair.preferred.learnt, pair.dispreferred.learnt) == ((6,), (4, 6))


def test_training_makes_the_preferred_answers_likelier(tmp_path: Path) -> None:
    model, pairs = tiny_model(), tiny_pairs(4)
    told: list[dict[str, Any]] = []
    objective = PreferenceObjective(model, LOSSES["simpo"])
    config = Config(max_steps=12, tokens=256, longest=32, rate=0.02, examples=2, seed=1)
    Trainer(objective, lambda _: pairs, config, tmp_path, pairs, told.append).run()
    steps = [one for one in told if "loss" in one]
    assert steps[-1]["loss"] < steps[0]["loss"]
    with torch.no_grad():
        sums, lengths = objective.log_probabilities(pack_pairs(pairs))
    assert ((sums / lengths)[:, 0] > (sums / lengths)[:, 1]).all()
    assert steps[-1]["right"] == 1
    assert steps[-1]["margin"] > steps[0]["margin"]


def test_a_batch_holds_so_many_pairs() -> None:
    feed = BatchFeed(lambda _: tiny_pairs(7), 4096, "packed", 0, 1, most=3)
    assert [batch.weight for batch in feed.batches(tiny_pairs(7))] == [3, 3, 1]
    # A row for compiled code has room for so many stretches: a pair is two.
    one = Example(np.arange(3, 7), np.ones(4, np.float32))
    short = [Pair(one, one)] * 20
    filled = BatchFeed(lambda _: short, 256, "packed", 0, 1, longest=64)
    assert [batch.weight for batch in filled.batches(short)] == [4] * 5


def test_the_reference_is_what_the_model_says_before_training() -> None:
    model, pairs = tiny_model(), tiny_pairs(5)
    objective = PreferenceObjective(model, LOSSES["dpo"])
    known = _with_reference(objective, pairs, Config(tokens=128, longest=32))
    assert [pair.preferred for pair in known] == [pair.preferred for pair in pairs]
    for pair in known:
        assert pair.reference is not None
        assert pair.reference[0] == pytest.approx(by_hand(model, pair.preferred)[0], rel=1e-4)
    # Nothing is gained yet, so each pair costs log 2.
    assert objective(pack_pairs(known)).item() == pytest.approx(5 * np.log(2), rel=1e-5)


def test_files_are_read_and_what_others_hold_is_kept_out(tmp_path: Path) -> None:
    long = "It was the first time that the town had seen so much rain within a single day of the year."
    data = written(tmp_path / "d.jsonl", row(), row("shorten it!", "S.", "L."), row("Other."), row(long))
    dev = written(tmp_path / "v.jsonl", row())
    found = read_preference_data([data], [dev], Guard([long]))
    assert [pair.preferred.messages[0].content for pair in found.kept] == ["Other."]
    assert (found.refused, found.in_dev) == ({"d": 1}, {"d": 2})
    alone = found.converted(lambda pair: pair.preferred)
    assert [turns.messages[-1].content for turns in alone.kept] == ["Short."]
    assert len(alone.dev) == 1


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ({"prompt": [], "chosen": []}, "needs"),
        ({"prompt": "x", "chosen": [], "rejected": []}, "needs"),
        ({**row(), "chosen": [said("user", "x")]}, "nothing to learn"),
        ({**row(), "rejected": [{"role": "robot", "content": "x"}]}, "a role is"),
    ],
)
def test_broken_lines_are_told_with_their_place(tmp_path: Path, broken: dict[str, Any], why: str) -> None:
    path = written(tmp_path / "p.jsonl", row(), broken)
    with pytest.raises(InputError, match=rf"line 2.*{why}"):
        list(read_preferences(path))
