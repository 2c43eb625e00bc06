"""A simplifier's data: for its policy alone, none of a test set's, and who judged them is known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redraft.errors import InputError
from redraft.simplification.policy_files import load_policy
from redraft.simplification.simplifiers import messages
from redraft.train.config import Loss
from redraft.train.guard import Guard
from redraft.train.policy import loss_for, read_parallel_data, read_policy_data

LEXICAL = load_policy("lexical")
LEAK = "The council commenced its deliberations on the budget last week."


def pair(source: str, policy: Any = LEXICAL, **more: Any) -> dict[str, Any]:
    asked = [{"role": one.role, "content": one.content} for one in messages(policy, source)]
    return {
        "source": source,
        "policy": policy.name,
        "judge": "rubric|version:3",
        "prompt": asked,
        "chosen": [{"role": "assistant", "content": f"Simply: {source}"}],
        "rejected": [{"role": "assistant", "content": f"Worse: {source}"}],
        **more,
    }


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_pairs_are_read_in_order_and_who_judged_them_is_recorded(tmp_path: Path) -> None:
    rows = [pair(f"Sentence {number}.") for number in range(4)]
    train = write(tmp_path / "train.jsonl", *rows, pair("Another.", judge="openai:gpt-4o"))
    dev = write(tmp_path / "dev.jsonl", pair("SENTENCE 1"))
    found = read_policy_data(LEXICAL, [train], dev=[dev], limit=3)
    assert [one.preferred.messages[1].content for one in found.kept] == [
        "Sentence 0.", "Sentence 2.", "Sentence 3.",
    ]  # fmt: skip
    assert found.in_dev == {"train": 1}
    assert found.record["judges"] == ["openai:gpt-4o", "rubric|version:3"]
    assert found.record["policy"]["hash"] == LEXICAL.hash
    assert found.record["limit"] == 3
    with pytest.raises(InputError, match="only 4 to learn from, fewer than 9"):
        read_policy_data(LEXICAL, [train], dev=[dev], limit=9)


def test_sft_imitates_what_is_preferred(tmp_path: Path) -> None:
    found = read_policy_data(LEXICAL, [write(tmp_path / "a.jsonl", pair("One."))], objective="sft")
    assert [turns.messages[-1].content for turns in found.kept] == ["Simply: One."]
    assert found.record["objective"] == "sft"


def test_a_source_of_a_test_set_is_kept_out(tmp_path: Path) -> None:
    train = write(tmp_path / "a.jsonl", pair("One two."), pair(LEAK))
    found = read_policy_data(LEXICAL, [train], guard=Guard([LEAK]))
    assert found.refused == {"a": 1}
    assert found.record["guarded"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**pair("One."), "policy": "rewrite"}, "for the policy 'rewrite', not for 'lexical'"),
        (
            pair("One.", replace(LEXICAL, instruction="Older words.")),
            "line 1: the prompt does not begin with",
        ),
        ({**pair("One."), "prompt": []}, "the prompt does not begin with"),
        ({**pair("One."), "prompt": "Simplify."}, "the prompt does not begin with"),
    ],
)
def test_data_for_another_policy_are_an_error(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_policy_data(LEXICAL, [write(tmp_path / "a.jsonl", row)])


def test_without_a_policy_pairs_answer_any_requests(tmp_path: Path) -> None:
    other = {**pair("One."), "prompt": [{"role": "user", "content": "Make it formal: One."}], "judge": "ann"}
    found = read_policy_data(None, [write(tmp_path / "a.jsonl", other, pair("Two."))])
    assert len(found.kept) == 2
    assert found.record["judges"] == ["ann", "rubric|version:3"]
    assert "policy" not in found.record


def test_lines_that_are_none_are_named(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    for line in ("[1]", "{"):
        file.write_text(line, encoding="utf-8")
        with pytest.raises(InputError, match="line 1: needs prompt, chosen and rejected"):
            read_policy_data(LEXICAL, [file])


def test_parallel_rows_are_asked_for_as_the_policy_asks(tmp_path: Path) -> None:
    rows = [("He commenced.", "He began."), ("It is.", "It is."), (LEAK, "It began."), ("So be it.", "Yes.")]
    train = write(
        tmp_path / "p.jsonl", *({"task": "simplification", "input": a, "target": b} for a, b in rows)
    )
    dev = write(tmp_path / "d.jsonl", {"task": "simplification", "input": "So be it", "target": "yes"})
    found = read_parallel_data(LEXICAL, [train], dev=[dev], guard=Guard([LEAK]))
    (only,) = found.kept
    assert only.messages[:2] == messages(LEXICAL, "He commenced.")
    assert only.messages[2].content == "He began."
    assert (found.refused, found.in_dev, found.record["parallel"]) == ({"p": 1}, {"p": 1}, True)
    with pytest.raises(InputError, match="nothing to train on"):
        read_parallel_data(LEXICAL, [dev], dev=[dev])


def test_an_objective_has_its_published_constants_but_for_those_given() -> None:
    assert loss_for("arpo") == Loss("arpo", 0.1, 1.5, 1.0)
    assert loss_for("arpo", gamma=0.0, authors=True) == Loss("arpo", 0.1, 0.0, 1.0, authors=True)
    assert loss_for("sft") is None
    with pytest.raises(InputError, match="SFT knows no beta"):
        loss_for("sft", beta=1.0)
