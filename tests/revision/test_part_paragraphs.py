"""Paragraphs that have too much are parted between sentences."""

from __future__ import annotations

import asyncio

from redraft.constraints import ParagraphLength, parse_call
from redraft.revision.draft import Draft
from redraft.revision.paragraphs import part_paragraphs
from redraft.revision.task import Task
from tests.revision.fakes import repaired

TEXT = "One is here. Two is here. Three is here. Four is here.\n\nFive is here."


def parted(text: str, limit: ParagraphLength) -> str:
    return part_paragraphs(Draft.of(Task(text, [limit])), limit, "text").text


def test_the_parts_are_of_much_the_same_length() -> None:
    done = "One is here. Two is here.\n\nThree is here. Four is here.\n\nFive is here."
    assert parted(TEXT, ParagraphLength(4, "sentences", "less than")) == done
    assert parted(TEXT, ParagraphLength(7, "words", "less than")) == done
    assert parted(TEXT, ParagraphLength(9, "sentences", "less than")) == TEXT


def test_a_quotation_is_not_parted() -> None:
    text = "She came in. “I am late. I am sorry. It rained.” He nodded."
    done = parted(text, ParagraphLength(3, "sentences", "less than"))
    assert "“I am late. I am sorry. It rained.”" in done


def test_the_repair_parts_them_and_changes_nothing_else() -> None:
    task = Task(TEXT, [parse_call('paragraph_length_check(3, "sentences", "at most")')])
    found = asyncio.run(repaired(task))
    assert found.findings.met
    assert found.draft.text.split() == TEXT.split()


def test_parts_that_must_stay_are_not_rewritten() -> None:
    task = Task(TEXT, [parse_call('parts_check(["last sentence", "paragraph 1"], "unchange")')])
    assert not any(unit.free for unit in Draft.of(task).units)
    task = Task(TEXT, [parse_call('parts_check("last paragraph", "change")')])
    assert [unit.free for unit in Draft.of(task).units] == [False, False, False, False, True]
