"""Readability beside the original's."""

from __future__ import annotations

import pytest

from redraft.constraints import check, infeasible, parse, parse_call, read
from redraft.errors import CallError
from redraft.revision import Task

HARD = (
    "The municipality subsequently commissioned a comprehensive investigation into the deterioration of the "
    "infrastructure. Its recommendations necessitate considerable expenditure."
)
EASIER = (
    "The town then paid for a full study of how the roads and pipes wear out. What it asks for costs a lot."
)


def calls(instruction: str) -> list[str]:
    return [one.call for one in parse(instruction).constraints]


@pytest.mark.parametrize(
    ("instruction", "call"),
    [
        ("Bring this down about two grade levels, please.", 'relative_reading_check(2, "easier")'),
        ("lower this by two reading grades so it suits our paper", 'relative_reading_check(2, "easier")'),
        ("Can you get the reading age down by 2 or 3 years?", 'relative_reading_check(2, "easier")'),
        ("two grades easier than now, please", 'relative_reading_check(2, "easier")'),
        ("Raise the reading level by 3 grades.", 'relative_reading_check(3, "harder")'),
        (
            "Raise the Flesch reading ease by ten to twenty points.",
            'relative_reading_check(10, "easier", "reading ease")',
        ),
        (
            "Gunning fog should drop by maybe two points.",
            'relative_reading_check(2, "easier", "gunning fog")',
        ),
        ("Lower the Gunning fog index by 2 points.", 'relative_reading_check(2, "easier", "gunning fog")'),
    ],
)
def test_a_change_is_read(instruction: str, call: str) -> None:
    assert calls(instruction) == [call]


@pytest.mark.parametrize(
    "instruction",
    [
        "grade 8 or lower",
        "at or below a 9th grade reading level",
        "Reading ease of 60 at least",
        "it was two grades lower before",
        "He is two years older. Fix it.",
    ],
)
def test_a_bound_and_a_story_are_no_change(instruction: str) -> None:
    assert not any(one.startswith("relative_reading") for one in calls(instruction))


@pytest.mark.parametrize("formula", ["", ', "gunning fog"', ', "reading ease"'])
def test_it_is_measured_beside_the_original(formula: str) -> None:
    easier, harder = (f'relative_reading_check(2, "{way}"{formula})' for way in ("easier", "harder"))
    assert check(EASIER, [easier], original=HARD).met
    assert not check(HARD, [easier], original=HARD).met
    assert check(HARD, [harder], original=EASIER).met
    assert not check(EASIER, [harder], original=EASIER).met
    assert infeasible([parse_call(easier), parse_call(harder)], original=HARD) is not None


def test_it_needs_the_original_and_a_sensible_amount() -> None:
    with pytest.raises(CallError, match="original"):
        parse_call('relative_reading_check(2, "easier")').check(None, read(EASIER))
    with pytest.raises(CallError, match="amount"):
        parse_call('relative_reading_check(-2, "easier")')
    with pytest.raises(CallError, match="amount"):
        parse_call('relative_reading_check(999, "easier")')


def test_a_revision_has_the_bound_that_it_means() -> None:
    task = Task.of(HARD, parse("two grades easier than now"))
    (name,) = task.scores
    (absolute,) = Task.of(HARD, parse("grade 40 or lower")).scores
    assert name == absolute
    bound = task.scores[name].high
    assert check(HARD, [f'reading_grade_check({bound + 2:g}, "at most")']).met
    assert not check(HARD, [f'reading_grade_check({bound:g}, "at most")']).met
