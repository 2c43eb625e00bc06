from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.constraints import Constraint, check_constraints, infeasible
from tests.constraints.texts import constraints, texts

ORIGINAL = "The cat sat on the mat today. Dogs bark. We never say synergy here, do we? Dogs bark. It ends."

KEEP_1 = 'sentence_modification_check([1], "unchange")'
SHORT = 'sentence_length_check(5, "less than")'
LONG = 'sentence_length_check(3, "more than")'


def words(count: int, relation: str) -> str:
    return f'word_count_check({count}, "{relation}")'


def sentences(count: int, relation: str) -> str:
    return f'sentence_count_check({count}, "{relation}")'


@pytest.mark.parametrize(
    ("calls", "culprits", "says"),
    [
        ([KEEP_1, SHORT], 2, "sentence 1 must stay, and has 7 words; every sentence must have at most 4"),
        (['sentence_modification_check([2], "unchange")', LONG], 2, "every sentence must have at least 4"),
        ([words(10, "less than"), words(20, "more than")], 2, "at least 21 and at most 9"),
        ([words(10, "equal"), words(11, "equal")], 2, "the number of words must be"),
        ([sentences(3, "less than"), SHORT, words(8, "more than")], 3, "2 sentences of at most 4 words hold 8 words"),
        ([sentences(5, "more than"), LONG, words(24, "less than")], 3, "6 sentences of at least 4 words make 24"),
        (['sentence_modification_check([2], "change")', words(18, "less than")], 2, "must stay, and together have 18"),
        (['sentence_modification_check([2], "change")', sentences(4, "less than")], 2, "4 sentences must stay"),
        (['sentence_modification_check([1], "change")', KEEP_1], 2, "must change, and must stay"),
        (['sentence_modification_check([1], "change")', 'sentence_modification_check([3], "change")'], 2, "must change"),
        (['keyword_keep_removal_check("cat", "keep")', 'keyword_keep_removal_check("Cat", "remove")'], 2, "must not"),
        (['keyword_keep_removal_check("the cat", "keep")', 'keyword_keep_removal_check("cat", "remove")'], 2, "holds"),
        (['sentence_modification_check([3], "unchange")', 'keyword_keep_removal_check("synergy", "remove")'], 2,
         'sentence 3 must stay, and holds "synergy", which must go'),
        (['sentence_modification_check([2, 4], "unchange")', 'keyword_frequency_check("dogs", 2, "less than")'], 2,
         "2 times"),
        (['sentence_modification_check([9], "unchange")'], 1, "sentence 9 is named, but the text has 5 sentences"),
        (['keyword_frequency_check("a", 3, "more than")', 'keyword_frequency_check("A", 2, "less than")'], 2, "at least 4"),
        (['keyword_frequency_check("big cat", 2, "more than")', 'keyword_frequency_check("cat", 3, "less than")'], 2,
         "holds"),
        ([sentences(0, "less than")], 1, "no text has at most -1 sentences"),
        (['paragraph_count_check(5, "equal")', sentences(4, "less than")], 2, "5 paragraphs cannot be had"),
        ([words(50, "more than"), 'character_count_check(40, "less than")'], 2, "cannot be had"),
        (['sentence_modification_check([1], "unchange")', 'character_count_check(20, "less than")'], 2, "characters"),
        (['reading_grade_check(5, "at most")', 'reading_grade_check(9, "at least")'], 2, "reading grade"),
        (['starts_with_check("Dear all")', 'starts_with_check("Hello")'], 2, "cannot start with both"),
        (['ends_with_check("so leverage it.")', 'keyword_keep_removal_check("leverage", "remove")'], 2, "must end with"),
        (['pattern_check("a+", "require")', 'pattern_check("a+", "forbid")'], 2, "somewhere and nowhere"),
        (['sentence_modification_check([1, 2, 3, 4, 5], "unchange")', sentences(5, "equal"), words(30, "more than")], 3,
         "only the 5 sentences that must stay fit in"),
    ],
)  # fmt: skip
def test_a_conflict_is_found_and_named_with_nothing_to_spare(
    calls: list[str], culprits: int, says: str
) -> None:
    idle = ['keyword_keep_removal_check("zebra", "remove")', 'word_count_check(900, "less than")']
    conflict = infeasible([*idle, *calls], original=ORIGINAL)
    assert conflict is not None
    assert len(conflict.constraints) == culprits
    assert {constraint.call for constraint in conflict.constraints} <= set(calls)
    assert says in conflict.reason


@pytest.mark.parametrize(
    "calls",
    [
        # A kept sentence is a substring there: it may sit inside a longer sentence.
        ['sentence_modification_check([2], "unchange")', LONG],
        # Keeping ignores case there, banning does not.
        ['keyword_keep_removal_check("cat", "keep")', 'keyword_keep_removal_check("cat", "remove")'],
        # One word of a sentence may be many words of the text there: a!b!c.
        [sentences(3, "less than"), SHORT, words(8, "more than")],
        # "Only change" says nothing of the other sentences there.
        ['sentence_modification_check([2], "change")', words(4, "less than")],
    ],
)
def test_constrev_leaves_ways_out_that_default_does_not(calls: list[str]) -> None:
    assert infeasible(calls, original=ORIGINAL) is not None
    assert infeasible(calls, original=ORIGINAL, counting="constrev") is None


@pytest.mark.parametrize(
    ("calls", "says"),
    [
        ([KEEP_1, SHORT], "sentence 1 must stay, and has 7 words"),
        (
            [
                'sentence_modification_check([3], "unchange")',
                'keyword_keep_removal_check("synerg", "remove")',
            ],
            "synerg",
        ),
        (['sentence_modification_check([1], "unchange")', words(7, "less than")], "7 words at least"),
        (['sentence_modification_check([9], "unchange")'], "sentence 9 is named"),
        (
            ['sentence_modification_check([2], "change")', 'sentence_modification_check([4], "unchange")'],
            "holds it",
        ),
        ([sentences(9, "more than"), words(9, "less than")], "10 sentences need more than 8 words"),
    ],
)
def test_constrev_conflicts(calls: list[str], says: str) -> None:
    conflict = infeasible(calls, original=ORIGINAL, counting="constrev")
    assert conflict is not None
    assert says in conflict.reason


def test_without_the_original_what_needs_it_is_left_out() -> None:
    assert infeasible([KEEP_1, SHORT]) is None
    assert infeasible([KEEP_1, words(2, "less than"), words(3, "more than")]) is not None


@settings(max_examples=600)
@given(texts, texts, st.lists(constraints, max_size=12), st.sampled_from(["default", "constrev"]))
def test_what_some_text_satisfies_is_never_called_infeasible(
    original: str, witness: str, pool: list[Constraint], counting: str
) -> None:
    findings = check_constraints(witness, pool, original=original, counting=counting)
    met = [finding.constraint for finding in findings if finding.met]
    conflict = infeasible(met, original=original, counting=counting)
    assert conflict is None, conflict


@pytest.mark.parametrize(
    ("original", "calls", "witness", "counting"),
    [
        # Equal sentences of two demands may be one and the same.
        ("Yes. We can do it. Yes. It is late now.",
         ['sentence_modification_check([1], "unchange")', 'sentence_modification_check([3], "unchange")',
          'sentence_count_check(1, "equal")'], "Yes.", "default"),
        # White space does not make two sentences differ.
        ("Hello\nworld out there. We go. Hello world out there.",
         ['sentence_modification_check([1], "change")', 'sentence_modification_check([1], "unchange")'],
         "Nope. We go. Hello world out there.", "default"),
        ("Any.", ['sentence_count_check(0, "equal")'], "", "default"),
        ("Any.", ['paragraph_count_check(1, "less than")', 'character_count_check(1, "less than")'], "", "default"),
        ("Any.", ['word_count_check(1, "less than")'], "", "constrev"),
        # By this convention two kept sentences may meet in one word.
        ("We met. They left. Nobody saw it.",
         ['sentence_modification_check([1, 2, 3], "unchange")', words(6, "less than")],
         "We metThey leftNobody saw it", "constrev"),
        ("Any.", ['starts_with_check("Die Straße ist")', 'keyword_keep_removal_check("strasse", "remove")'],
         "Die Straße ist lang.", "default"),
    ],
)  # fmt: skip
def test_what_a_witness_satisfies_is_feasible(
    original: str, calls: list[str], witness: str, counting: str
) -> None:
    assert check_constraints(witness, calls, original=original, counting=counting).met
    assert infeasible(calls, original=original, counting=counting) is None
