"""The wordings of the tasks: enough, varied, all different, and none of them a benchmark's."""

from __future__ import annotations

from itertools import chain

import pytest

from redraft.bench.editeval.facts import prompts
from redraft.errors import InputError
from redraft.train.editor import held_out, joined, phrasings, tasks
from redraft.train.guard import normalised_words

TASKS = ("fluency", "clarity", "coherence", "simplification", "paraphrasing", "neutralization", "updating")


def plain(line: str) -> str:
    return " ".join(normalised_words(line))


def test_every_task_has_enough() -> None:
    assert tasks() == TASKS
    for task in TASKS:
        assert len(phrasings(task)) >= 30
        assert len(held_out(task)) == 5


def test_no_wording_stands_twice_and_none_is_editevals() -> None:
    ours = [plain(line) for task in TASKS for line in (*phrasings(task), *held_out(task))]
    assert len(set(ours)) == len(ours)
    theirs = {plain(line) for line in chain.from_iterable(prompts().values())}
    assert not theirs.intersection(ours)


@pytest.mark.parametrize("task", TASKS)
def test_wordings_vary_as_users_do(task: str) -> None:
    lines = phrasings(task)
    assert sum(line[0].islower() for line in lines) >= 5
    assert any(line.endswith("?") for line in lines)
    assert any("please" in line.lower() for line in lines)
    assert min(len(line.split()) for line in lines) <= 2
    assert max(len(line.split()) for line in lines) >= 9
    assert all(line == line.strip() and not line.endswith((".", ":")) for line in lines)


def test_joined_adds_other_lists_behind_ours() -> None:
    found = joined({"fluency": ["Mend it", phrasings("fluency")[0]], "translation": ["Say it in French"]})
    assert found["fluency"] == (*phrasings("fluency"), "Mend it")
    assert found["clarity"] == phrasings("clarity")
    assert found["translation"] == ("Say it in French",)
    assert not set(held_out("fluency")).intersection(found["fluency"])


def test_an_unknown_task() -> None:
    with pytest.raises(InputError, match="no task 'poetry'; the tasks are fluency"):
        phrasings("poetry")
