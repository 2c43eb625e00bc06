from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import example, given, strategies as st

from redraft.constraints import constraints_of
from redraft.revision.draft import Draft, Option
from redraft.revision.records import Candidate, Reason
from redraft.revision.task import Task

TEXT = 'He said "no." Then he left. It was late!  Dr. Lee stayed.\n\nThe end came\nsoon. Nobody knew why.\n'
pieces = st.sampled_from(
    ["One two.", 'He said "no."', "Dr. Lee", "and so", "Why?", "- a list", "e.g. this", "…"]
)
gaps = st.sampled_from([" ", "  ", "\n", "\n\n", " \n", ""])


def options(*texts: str | None) -> list[Option]:
    """One option a unit: its new text, or None for its own."""
    return [
        Option(place, place + 1, Candidate(text or "", "writer" if text is None else "test"))
        for place, text in enumerate(texts)
    ]


@pytest.mark.parametrize("counting", ["default", "constrev"])
def test_the_units_join_to_the_text_again(counting: str) -> None:
    task = Task(TEXT, counting=counting)
    assert Draft.of(task).text == TEXT


@given(st.lists(st.tuples(pieces, gaps), max_size=12), st.sampled_from(["default", "constrev"]))
@example([("One two.", " ")] * 2 + [('He said "no."', " "), ("Dr. Lee", "\n"), ("One two.", " ")], "default")
def test_any_text_is_its_units(parts: list[tuple[str, str]], counting: str) -> None:
    text = "".join(piece + gap for piece, gap in parts)
    task = Task(text, counting=counting)
    draft = Draft.of(task)
    assert draft.text == text
    standing = zip(draft.starts, draft.units, strict=True)
    assert all(start is not None and text.startswith(unit.text, start) for start, unit in standing)
    if counting == "default":
        assert len(draft.units) == len(task.before.sentences)
        # Whether a line break ends a sentence is told by the lines around it, which a unit alone has not.
        assert all(len(task.read(unit.text).sentences) == 1 for unit in draft.units if "\n" not in unit.text)


def test_a_unit_ends_where_both_ways_of_counting_agree() -> None:
    units = [unit.text for unit in Draft.of(Task(TEXT, counting="constrev")).units]
    assert units[0] == 'He said "no." Then he left.'
    assert [unit.text for unit in Draft.of(Task(TEXT)).units][:2] == ['He said "no."', "Then he left."]


def test_what_must_stay_and_what_must_not_is_known() -> None:
    calls = ['sentence_modification_check([2], "unchange")', 'sentence_modification_check([3], "change")']
    task = Task("A b. C d. E f.", constraints_of(calls), counting="constrev")
    first, second, third = Draft.of(task).units
    assert (first.free, second.free, third.free) == (True, False, True)
    assert [sentence.number for sentence in third.altered] == [3]


def test_a_unit_that_is_left_out_leaves_no_gap() -> None:
    draft = Draft.of(Task("One here.  Two here.\n\nThree here. Four here.\n"))
    assert draft.chosen(options(None, "", None, None)).text == "One here.\n\nThree here. Four here.\n"
    assert draft.chosen(options(None, "", None, None)).starts == (0, None, 11, 23)
    assert draft.chosen(options("", None, None, "")).text == "Two here.\n\nThree here.\n"
    assert draft.chosen(options(None, "Two there.", None, None)).text == (
        "One here.  Two there.\n\nThree here. Four here.\n"
    )


def test_units_that_become_one_have_one_source() -> None:
    draft = Draft.of(Task("One here. Two here. Three here."))
    joined = Option(0, 2, Candidate("One and two here.", "merge", (Reason("merge", detail="by a dash"),)))
    found = draft.chosen([joined, options(None, None, None)[2]])
    assert found.text == "One and two here. Three here."
    (change,) = found.changes
    assert change.before == "One here. Two here."
    assert (change.by, change.why) == ("merge", "joined by a dash")


@pytest.mark.parametrize("counting", ["default", "constrev"])
@pytest.mark.parametrize(
    "revised",
    [
        "A ship.  It sails fast. Nobody waits here any more.",
        "It sails fast across the wide bay.\n\nNobody waits.",
        "One ship sails fast across the wide bay.",
        "Nobody waits at the old quay. One old ship lies there.",
        "Quite another text.",
    ],
)
def test_a_revision_of_the_whole_text_is_a_draft_to_the_letter_and_each_passage_can_be_restored(
    revised: str, counting: str
) -> None:
    original = "One old ship lies there. It sails fast across the wide bay. Nobody waits at the old quay."
    task = Task(original, counting=counting)
    draft = Draft.revised(task, revised, "model", (Reason("rewrite"),))
    assert draft.text == revised
    sources = " ".join(unit.source for unit in draft.units if unit.source)
    assert sorted(sources.split()) == sorted(original.split())
    whole = replace(draft, units=tuple(replace(unit, text=unit.source or unit.text) for unit in draft.units))
    assert not re.search(r"\.[A-Z]", whole.text)
