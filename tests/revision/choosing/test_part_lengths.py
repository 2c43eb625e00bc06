"""A part with a bound of its own is brought within it, and nothing else changes."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings, strategies as st

from redraft.constraints import parse_call
from redraft.revision.draft import Draft
from redraft.revision.editing.controls import control_requests
from redraft.revision.task import Task
from redraft.text import Format
from tests.revision.fakes import repaired

TEXT = (
    "The river, which was very low, ran past the old mill. It was cold.\n\n"
    "We walked along the bank, as we often did, until the bridge came into view. "
    "It was really quite late by then. The miller, an old man, was asleep. Nobody spoke.\n\n"
    "The lamps, which were all lit, shone on the water. We went home."
)
README = (
    "# A Very Small Tool\n\nIt is, as we said, really quite small.\n\n## Use\n\n"
    "Run it, as you often do, with `x` on the files. It is, of course, very fast. Stop it then.\n\n## End\n\n"
    "It is, as we said, very old.\n"
)


def revised(text: str, call: str, format: Format = "text") -> str:
    found = asyncio.run(repaired(Task(text, [parse_call(call)], format=format)))
    assert found.findings.met, found.findings.findings[0].message
    return found.draft.text


@pytest.mark.parametrize(
    "bound", ['25, "words", "at most"', '3, "sentences", "at most"', '150, "characters", "at most"']
)
def test_a_paragraph_is_shortened_and_the_others_stay(bound: str) -> None:
    done = revised(TEXT, f'part_length_check("paragraph 2", {bound})')
    before, after = TEXT.split("\n\n"), done.split("\n\n")
    assert (after[0], after[2]) == (before[0], before[2])


def test_the_last_paragraph_is_lengthened_by_a_sentence() -> None:
    done = revised(TEXT, 'part_length_check("paragraph 2", 5, "sentences", "at least")')
    assert done.startswith(TEXT[:60])
    assert done.endswith(TEXT[-60:])


def test_a_section_is_shortened_and_code_stays() -> None:
    done = revised(README, 'part_length_check("section Use", 15, "words", "at most")', "markdown")
    assert done.startswith("# A Very Small Tool\n\nIt is, as we said, really quite small.")
    assert done.endswith("## End\n\nIt is, as we said, very old.\n")


def test_equations_and_code_stay_where_words_must_go() -> None:
    calls = ['parts_check("code", "unchange")', 'word_count_check(30, "at most")']
    task = Task(README, [parse_call(call) for call in calls], format="markdown")
    found = asyncio.run(repaired(task))
    assert found.findings.met
    assert "`x`" in found.draft.text


def test_nothing_but_the_part_is_rewritten_unless_more_is_asked_for() -> None:
    bound = parse_call('part_length_check("paragraph 2", 25, "words", "at most")')
    free = [unit.free for unit in Draft.of(Task(TEXT, [bound])).units]
    assert free == [False, False, True, True, True, True, False, False]
    assert all(unit.free for unit in Draft.of(Task(TEXT, [bound], style="make it friendlier")).units)


def test_the_editor_is_asked_about_the_part_alone() -> None:
    task = Task(TEXT, [parse_call('part_length_check("paragraph 2", 25, "words", "at most")')])
    asked = {request.start for request in control_requests(task, Draft.of(task))}
    assert asked
    assert asked <= {2, 3, 4, 5}


@settings(max_examples=20)
@given(
    st.sampled_from(["paragraph 1", "paragraph 2", "last paragraph"]),
    st.integers(1, 40),
    st.sampled_from(["words", "sentences"]),
    st.sampled_from(["less than", "more than", "equal"]),
)
def test_what_is_outside_the_part_stays(part: str, count: int, unit: str, relation: str) -> None:
    task = Task(TEXT, [parse_call(f'part_length_check("{part}", {count}, "{unit}", "{relation}")')])
    found = asyncio.run(repaired(task))
    if found.findings.met:
        own = {"paragraph 1": 0, "paragraph 2": 1, "last paragraph": 2}[part]
        before, after = TEXT.split("\n\n"), found.draft.text.split("\n\n")
        assert [one for place, one in enumerate(before) if place != own] == [
            one for place, one in enumerate(after) if place != own
        ]


def test_a_part_that_has_to_be_short_is_not_left_out() -> None:
    text = "The test was good.\n\nWhether we should, as some of us think, repeat it is a question for you."
    done = asyncio.run(
        repaired(Task(text, [parse_call('part_length_check("last paragraph", 5, "words", "at most")')]))
    )
    assert done.draft.text.count("\n\n") == 1


def test_something_is_left_between_a_greeting_and_a_signature() -> None:
    text = "Dear Sam,\n\nI bought a can of green paint, which I like much more.\n\nBest,\nLou"
    done = asyncio.run(repaired(Task(text, [parse_call('word_count_check(9, "at most")')])))
    assert "paint" in done.draft.text


def test_something_is_left_under_each_heading() -> None:
    text = "# Hours\n\nWe open at nine in the morning.\n\n# Parking\n\nThere are, of course, spaces behind the house."
    done = asyncio.run(
        repaired(Task(text, [parse_call('word_count_check(16, "at most")')], format="markdown"))
    )
    assert all(part.strip() for part in done.draft.text.split("# ")[1:])
    assert "nine" in done.draft.text
    assert "spaces" in done.draft.text


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_each_item_is_shortened_and_begins_as_it_did(format: Format) -> None:
    text = (
        "# What to do\n\n- Rubbish is collected every Tuesday morning, so please put out the bins on Monday evening.\n"
        "- Ring us.\n- The heating is switched on in October, as it was last year, and you cannot turn it on.\n"
    )
    done = revised(text, 'part_length_check("each bullet", 12, "words", "at most")', format)
    assert done.startswith("# What to do\n\n- ")
    assert "\n- Ring us.\n- " in done


def test_a_heading_is_not_left_out_for_its_length() -> None:
    bound = parse_call('part_length_check("each heading", 3, "words", "at most")')
    found = asyncio.run(repaired(Task(README, [bound], format="markdown")))
    assert found.draft.text.startswith("# ")
