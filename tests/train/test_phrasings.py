"""The wordings of the tasks: enough, varied, all different, and none of them a benchmark's."""

from __future__ import annotations

from itertools import chain

import pytest

from redraft.bench.editeval.facts import prompts
from redraft.editor import control_instruction, fill_phrasing, places, read_phrasings
from redraft.errors import InputError
from redraft.train.editor import merge_instructions
from redraft.train.guard import normalised_words

TASKS = ("fluency", "clarity", "coherence", "simplification", "paraphrasing", "neutralization", "updating")
CONTROLS = {
    "shorten": {"n"},
    "split": {"n"},
    "merge": set(),
    "with_word": {"word"},
    "without_word": {"word"},
    "simpler": {"n"},
    "plain": set(),
    "active": set(),
    "impersonal": set(),
    "past": set(),
    "present": set(),
    "formal": set(),
    "friendly": set(),
    "polite": set(),
    "concise": set(),
    "confident": set(),
    "no_slang": set(),
    "no_cliches": set(),
    "no_superlatives": set(),
    "commands": set(),
}
"""Tasks with a value to name, or with a result that can be checked."""


def training_phrasings(task: str) -> tuple[str, ...]:
    return read_phrasings()[task]["training"]


def held_out_phrasings(task: str) -> tuple[str, ...]:
    return read_phrasings()[task]["held_out"]


def plain(line: str) -> str:
    return " ".join(normalised_words(line))


def test_every_task_has_enough() -> None:
    assert tuple(read_phrasings()) == (*TASKS, *CONTROLS)
    for task in TASKS:
        assert len(training_phrasings(task)) >= 30
        assert len(held_out_phrasings(task)) == 5
    for task in CONTROLS:
        assert len(training_phrasings(task)) >= 8
        assert len(held_out_phrasings(task)) == 3


def test_no_wording_stands_twice_and_none_is_editevals() -> None:
    ours = [plain(line) for parts in read_phrasings().values() for lines in parts.values() for line in lines]
    assert len(set(ours)) == len(ours)
    theirs = {plain(line) for line in chain.from_iterable(prompts().values())}
    assert not theirs.intersection(ours)


@pytest.mark.parametrize("task", TASKS)
def test_wordings_vary_as_users_do(task: str) -> None:
    lines = training_phrasings(task)
    assert sum(line[0].islower() for line in lines) >= 5
    assert any(line.endswith("?") for line in lines)
    assert any("please" in line.lower() for line in lines)
    assert min(len(line.split()) for line in lines) <= 2
    assert max(len(line.split()) for line in lines) >= 9
    assert all(line == line.strip() and not line.endswith((".", ":")) for line in lines)


@pytest.mark.parametrize(("task", "values"), CONTROLS.items())
def test_every_wording_of_a_control_names_its_values(task: str, values: set[str]) -> None:
    lines = (*training_phrasings(task), *held_out_phrasings(task))
    assert all(places(line) == values for line in lines)
    assert all(line == line.strip() and not line.endswith((".", ":")) for line in lines)
    assert sum(line[0].islower() for line in training_phrasings(task)) >= 2
    assert any(line.endswith("?") for line in training_phrasings(task))


def test_places_are_filled() -> None:
    assert control_instruction("shorten", n=14) == "Shorten to at most 14 words"
    assert control_instruction("without_word", word="{n}") == 'Rewrite without the word "{n}"'
    assert control_instruction("merge") == training_phrasings("merge")[0]
    assert fill_phrasing("Answer as {this}", {}) == "Answer as {this}"
    with pytest.raises(InputError, match="needs a value for n"):
        control_instruction("split", word="and")
    with pytest.raises(InputError, match="there is no task 'sing'; there are fluency"):
        control_instruction("sing")


def test_joined_adds_other_lists_behind_ours() -> None:
    found = merge_instructions(
        {"fluency": ["Mend it", training_phrasings("fluency")[0]], "translation": ["Say it in French"]}
    )
    assert found["fluency"] == (*training_phrasings("fluency"), "Mend it")
    assert found["clarity"] == training_phrasings("clarity")
    assert found["translation"] == ("Say it in French",)
    assert not set(held_out_phrasings("fluency")).intersection(found["fluency"])
