"""Paragraphs and sentences go, move, join and part before anything else is done, and no word changes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st

from redraft.constraints import PartEdit, PartLength, SentenceModification, parse, parse_call
from redraft.errors import CallError, ConnectionFailed
from redraft.revision.first.rearranging import Rearranged
from redraft.revision.first.sentence_edits import BY
from redraft.revision.revising import arevise
from redraft.revision.revision import ReviseOptions, Revision
from redraft.revision.task import Task
from redraft.text import Format
from tests.constraints.texts import texts
from tests.revision.test_revising import Failing, Offline

FIRST, SECOND, THIRD = (
    "The harbour froze in January. Nobody had seen anything like it.",
    "The council met twice a week. It rationed coal. The deadline is 9 March.",
    "Please write to us. We need your answer.",
)
HEADING = "# A heading"
TEXT = f"Dear Ann,\n\n{FIRST}\n\n{SECOND}\n\n{THIRD}\n\nYours,\nTom\n"


def letter(*paragraphs: str) -> str:
    return "\n\n".join(["Dear Ann,", *paragraphs, "Yours,\nTom\n"])


def revised(instruction: str, folder: Path, text: str = TEXT) -> Revision:
    async def run() -> Revision:
        async with Offline(Failing(ConnectionFailed("away")), folder) as models:
            return await arevise(text, instruction, models=models, options=ReviseOptions())

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        ("Move the last paragraph to the top.", letter(THIRD, FIRST, SECOND)),
        ("Move the first paragraph to the end.", letter(SECOND, THIRD, FIRST)),
        ("Put the third paragraph before the second.", letter(FIRST, THIRD, SECOND)),
        ("Swap the first two paragraphs.", letter(SECOND, FIRST, THIRD)),
        ("Delete the second paragraph.", letter(FIRST, THIRD)),
        ("Delete the first and the last paragraph.", letter(SECOND)),
        ("Merge the first two paragraphs.", letter(f"{FIRST} {SECOND}", THIRD)),
        ("Split the last paragraph.", letter(FIRST, SECOND, *THIRD.split(". ")).replace("us\n", "us.\n")),
        ("Move paragraph 3 to the top and delete paragraph 1.", letter(THIRD, SECOND)),
        ("Keep only the last paragraph.", letter(THIRD)),
        ("Delete the last sentence of the second paragraph.", letter(FIRST, SECOND[:47].rstrip(), THIRD)),
        (
            "Move the last paragraph to the top, and swap the first two sentences of the first paragraph.",
            letter(THIRD, "Nobody had seen anything like it. The harbour froze in January.", SECOND),
        ),
        ("Cut everything after the first paragraph.", letter(FIRST)),
        ("Only keep the first two sentences.", letter(FIRST)),
        ("Delete the sentence about the deadline.", letter(FIRST, SECOND[:47].rstrip(), THIRD)),
        ("Move the paragraph about deadlines to the top.", letter(SECOND, FIRST, THIRD)),
        (
            "Start a new paragraph after the first sentence.",
            letter(*FIRST.split(" N"), SECOND, THIRD).replace("\nobody", "\nNobody"),
        ),
        (
            "Start with the second sentence.",
            letter("Nobody had seen anything like it. The harbour froze in January.", SECOND, THIRD),
        ),
        (
            "Put the deadline first.",
            letter(
                f"The deadline is 9 March. {FIRST}", SECOND.removesuffix(" The deadline is 9 March."), THIRD
            ),
        ),
        (
            "End with the first sentence.",
            letter("Nobody had seen anything like it.", SECOND, f"{THIRD} The harbour froze in January."),
        ),
    ],
)
def test_parts_are_arranged_to_the_letter_and_no_model_is_asked(
    instruction: str, text: str, tmp_path: Path
) -> None:
    found = revised(instruction, tmp_path)
    assert found.text == text
    assert found.findings.met
    assert not found.failure
    assert found.usage.calls == 0
    assert found.changes
    assert {change.by for change in found.changes} == {BY}
    assert all(change.before in TEXT for change in found.changes)


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        (
            "Move the last sentence to the start. Delete the first paragraph.",
            letter(f"We need your answer. {SECOND}", "Please write to us."),
        ),
        (
            "Move sentence 3 to the end and delete the last paragraph.",
            letter(FIRST, "It rationed coal. The deadline is 9 March. The council met twice a week."),
        ),
        ("Delete paragraph 2. Delete everything after paragraph 2.", letter(FIRST)),
        (
            "Delete paragraph 2. Delete sentences 1 and 4.",
            letter("Nobody had seen anything like it.", THIRD),
        ),
    ],
)
def test_what_goes_is_gone_before_anything_else_moves(instruction: str, text: str, tmp_path: Path) -> None:
    found = revised(instruction, tmp_path)
    assert (found.text, found.met) == (text, True)


def test_nothing_is_joined_with_what_is_to_go(tmp_path: Path) -> None:
    found = revised("Merge paragraphs 1 and 2. Delete paragraph 2.", tmp_path)
    assert (found.text, found.met) == (letter(FIRST, THIRD), False)


@pytest.mark.parametrize(
    "text", ["One is here.\n\n## Heading\n\nTwo is here.\n", "# Title\n\nOne.\n\nTWO OF THEM\n\nTwo is here."]
)
def test_nothing_is_joined_across_a_heading(text: str, tmp_path: Path) -> None:
    found = revised("Merge paragraphs 1 and 2.", tmp_path, text)
    assert (found.text, found.met) == (text, False)


def test_years_are_no_numbers_of_items() -> None:
    text = "1990. It began.\n1991. It grew.\n1992. It ended.\n"
    task = Task(text, [PartEdit("delete", "sentence", (), "", "began")], format="markdown")
    assert Rearranged(task).text == text.removeprefix("1990. It began.\n")


def test_the_length_of_a_paragraph_is_that_of_the_one_that_was_meant() -> None:
    bound = PartLength("paragraph 3", 8, "words", "less than")
    task = Task(TEXT, [PartEdit("delete", "paragraph", (1,)), bound])
    arranged = Rearranged(task)
    assert [one.call for one in arranged.task.constraints] == [
        'part_length_check("paragraph 2", 8, "words", "less than")'
    ]
    (_, finding) = arranged.check(arranged.text)
    assert (finding.constraint, finding.met, finding.measured) == (bound, False, 8)


SECTIONS = "# Title\n\nOne is here.\n\n## Two\n\nTwo is here.\n\n## Three\n\nThree is here.\n"


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (PartEdit("delete", "paragraph", (), "after 1"), "# Title\n\nOne is here.\n"),
        (PartEdit("delete", "paragraph", (2,), "others"), "# Title\n\n## Two\n\nTwo is here.\n"),
        (PartEdit("delete", "paragraph", (), "before 3"), "# Title\n\n## Three\n\nThree is here.\n"),
    ],
)
def test_no_heading_is_left_above_nothing(edit: PartEdit, text: str) -> None:
    task = Task(SECTIONS, [edit], format="markdown")
    found = Rearranged(task).text
    assert found == text
    assert task.check(found).met


def test_a_range_is_not_gone_while_an_image_or_a_table_is_left() -> None:
    text = "One is here.\n\n![A mill](mill.png)\n\nTwo is here.\n\n| a | b |\n|---|---|\n| c | d |\n"
    task = Task(text, [PartEdit("delete", "paragraph", (), "after 1")], format="markdown")
    (finding,) = task.check(Rearranged(task).text)
    assert not finding.met
    assert "mill.png" in finding.message
    assert task.check("One is here.\n").met


@pytest.mark.parametrize(
    ("text", "left", "form"),
    [
        ("One is.\n\n\\section{B}\n\nTwo is.\n", "One is.\n\n\\section{B}\n", "latex"),
        ("One is.\n\nMore\n----\n\nTwo is.\n", "One is.\n\nMore\n----\n", "markdown"),
    ],
)
def test_a_heading_stays_with_its_mark_up(text: str, left: str, form: Format) -> None:
    task = Task(text, [PartEdit("delete", "paragraph", (), "after 1")], format=form)
    found = Rearranged(task).text
    (finding,) = task.check(found)
    assert (found, finding.met) == (left, False)
    assert "still there" in finding.message


def test_no_empty_command_is_left_where_a_heading_is_among_what_goes() -> None:
    text = "One is.\n\n\\section{B}\n\nTwo is. Three is.\n"
    task = Task(text, [PartEdit("delete", "sentence", (), "after 1")], format="latex")
    (finding,) = task.check(Rearranged(task).text)
    assert Rearranged(task).text == text
    assert "mark-up" in finding.message


def test_not_everything_but_a_title_goes() -> None:
    task = Task(SECTIONS, [PartEdit("delete", "sentence", (1,), "others")], format="markdown")
    (finding,) = task.check(SECTIONS)
    assert Rearranged(task).text == SECTIONS
    assert "nothing but headings" in finding.message


@pytest.mark.parametrize(
    "edit",
    [
        PartEdit("move", "sentence", (2,), "end"),
        PartEdit("move", "sentence", (-1,), "after 1"),
        PartEdit("delete", "sentence", (), "", "fine"),
    ],
)
def test_no_quotation_is_broken(edit: PartEdit) -> None:
    text = "“It is late. We are fine.” He left. She stayed."
    task = Task(text, [edit])
    assert Rearranged(task).text == text
    assert "quotation" in next(iter(task.check(text))).message


def test_the_last_sentence_by_its_number_becomes_a_paragraph() -> None:
    text = "One is here. Two is here. Three is here."
    (edit,) = parse("Make sentence 3 its own paragraph.").constraints
    task = Task(text, [edit])
    found = Rearranged(task).text
    assert found == "One is here. Two is here.\n\nThree is here."
    assert task.check(found).met


def test_long_paragraphs_without_capitals_are_divided() -> None:
    task = Task("这是一个很长的句子，说的是港口和委员会。" * 20, [PartEdit("divide", "paragraph", ())])
    found = Rearranged(task).text
    assert found.count("\n\n") > 1
    assert task.check(found).met


def test_a_long_paragraph_that_cannot_be_divided_is_named() -> None:
    text = f"“{'The harbour froze in January, and nobody had seen it before. ' * 10}”"
    task = Task(text, [PartEdit("divide", "paragraph", ())])
    (finding,) = task.check(Rearranged(task).text)
    assert not finding.met
    assert "cannot be divided" in finding.message


def test_a_mark_is_no_word_of_a_sentence() -> None:
    with pytest.raises(CallError, match="no word"):
        PartEdit("divide", "sentence", (), "", "?")
    assert parse('Start a new paragraph with "?".').constraints == ()


def test_a_heading_stays_above_what_moves(tmp_path: Path) -> None:
    text = "# News\n\nThe mill is open.\n\nWe sell bread.\n"
    found = revised("Move the last paragraph to the top.", tmp_path, text)
    assert found.text == "# News\n\nWe sell bread.\n\nThe mill is open.\n"


def test_what_stands_in_a_list_stays_and_it_is_said(tmp_path: Path) -> None:
    text = "We sell this:\n\n- Bread is at the door.\n- Milk is behind it.\n\nCome soon.\n"
    found = revised("Move the second paragraph to the end.", tmp_path, text)
    assert (found.text, found.met) == (text, False)
    assert "list" in str(found.infeasible)


def test_a_word_that_no_sentence_has_is_named(tmp_path: Path) -> None:
    found = revised("Put the budget first.", tmp_path)
    assert (found.text, found.status) == (TEXT, 1)
    assert "no sentence of the text has “budget”" in next(iter(found.findings)).message


def test_a_sentence_that_may_point_to_what_is_gone_from_before_it_is_named(tmp_path: Path) -> None:
    found = revised("Move the third sentence to the end.", tmp_path)
    (concern,) = found.concerns
    assert (concern.kind, concern.text) == ("points back", "It rationed coal.")


def test_what_is_left_to_do_has_the_numbers_that_sentences_have_now() -> None:
    task = Task(TEXT, [PartEdit("move", "paragraph", (-1,), "start"), SentenceModification((1,), "unchange")])
    arranged = Rearranged(task)
    assert not arranged.is_all
    assert [one.call for one in arranged.task.constraints] == ['sentence_modification_check([3], "unchange")']


@example(f"One is here.\n\n{HEADING}\n\nTwo is here.", "join", 1, 2)
@given(
    st.lists(texts | st.just(HEADING), min_size=1, max_size=4).map("\n\n".join),
    st.sampled_from(["delete", "move", "swap", "join", "divide"]),
    st.integers(1, 4),
    st.integers(1, 4),
)
def test_what_can_be_arranged_is_and_the_check_agrees(text: str, edit: str, one: int, other: int) -> None:
    numbers = f"[{one}]" if edit in ("delete", "move") else f"[{one}, {other}]" if one != other else "[]"
    where = f', "before {other}"' if edit == "move" else ""
    if edit in ("swap", "join") and numbers == "[]":
        return
    constraint = parse_call(f'part_edit_check("{edit}", "paragraph", {numbers}{where})')
    assert isinstance(constraint, PartEdit)
    task = Task(text, [constraint], format="markdown")
    if constraint.missing(task.before) is not None:
        return
    found = Rearranged(task).text
    if edit in ("join", "divide"):
        assert found.split() == text.split()
    elif edit != "delete":
        assert sorted(found.split()) == sorted(text.split())
    if edit != "delete":
        assert found.splitlines().count(HEADING) == text.splitlines().count(HEADING)
    assert task.check(found).met
