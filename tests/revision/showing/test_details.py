"""What there is to know of each passage: its numbers, what else was tried, what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

from redraft.constraints import read
from redraft.revision.records import Change, Concern, Considered
from redraft.revision.revision import ReviseOptions
from redraft.revision.showing.details import Details
from tests.revision.asking_parts import Answering, asked
from tests.revision.strategies.test_steps import TEXT, small

BEFORE = "Dear Ann,\n\nOne is here. Two is there. Three is far away. Four is gone."
AFTER = "Dear Ann,\n\nOne is here and two is there. Three is far."
CHANGES = (
    Change("One is here. Two is there.", "One is here and two is there.", "merge", "joined"),
    Change("Three is far away.", "Three is far.", "compression", "without away"),
    Change("Four is gone.", "", "drop", "left out"),
)


def details(considered: dict[str, dict[str, Considered]] | None = None) -> Details:
    return Details(read(BEFORE), read(AFTER), considered or {})


def test_sentences_have_the_numbers_that_people_count_by() -> None:
    found = details().of_changes(CHANGES, ())
    assert [(one.before, one.after) for one in found] == [((1, 2), (1,)), ((3,), (2,)), ((4,), ())]


def test_concerns_stand_with_the_change_that_they_are_about() -> None:
    concerns = (
        Concern("left out", None, "Four is gone."),
        Concern("left out", 2, "away", "cut from this sentence"),
    )
    found = details().of_changes(CHANGES, concerns)
    assert [one.concerns for one in found] == [(), concerns[1:], concerns[:1]]


def test_what_else_was_tried_comes_best_first_and_without_what_stands_there() -> None:
    tried = [
        Considered("Three is far.", "compression", "without away", worth=2.0, sound=0.9, same=0.8),
        Considered("Three is a way.", "editor", "clearer", refused="reads badly"),
        Considered("Three goes far away.", "editor", "clearer", worth=-1.0),
        Considered("Three is distant.", "editor", "clearer", worth=1.0),
    ]
    known = {"Three is far away.": {one.text: one for one in tried}}
    found = details(known).of_changes(CHANGES, ())[1]
    assert found.chosen == tried[0]
    assert found.considered == (tried[3], tried[2], tried[1])


def test_what_was_tried_for_a_sentence_that_stayed_is_told_too() -> None:
    one = Considered("Three lies far away.", "editor", "clearer", refused="not clearly better")
    (found,) = details({"Three is far away.": {one.text: one}}).of_others(CHANGES[:1])
    assert (found.text, found.before, found.considered) == ("Three is far away.", (3,), (one,))


def test_a_revision_says_it_all_in_json(tmp_path: Path) -> None:
    def answer(request: object) -> str:
        text = asked(request).partition(":\n")[2]  # type: ignore[arg-type]
        return text.replace("It make", "It makes").replace("enjoys", "enjoy")

    found = small(tmp_path, TEXT, Answering(answer), ReviseOptions(effort="low"), wish="Fix the grammar.")
    said = json.loads(json.dumps(found.to_dict()))
    assert len(said["changes"]) == len(found.changes) > 0
    for change in said["changes"]:
        assert change["sentences_before"]
        assert change["sentences_after"]
    assert any(change["chosen"] and change["chosen"]["worth"] is not None for change in said["changes"])
    assert said["tree"][0]["parent"] is None
    assert [node["best"] for node in said["tree"]].count(True) == 1
    assert all("text" not in node for node in said["tree"])
