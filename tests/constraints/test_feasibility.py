from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from redraft.constraints import Constraint, check, constraints_of, feasibility, infeasible
from tests.constraints.texts import constraints, texts

ORIGINAL = "The cat sat on the mat today. Dogs bark. We never say synergy here, do we? Dogs bark. It ends."

KEEP_1 = 'sentence_modification_check([1], "unchange")'
SHORT = 'sentence_length_check(5, "less than")'
LONG = 'sentence_length_check(3, "more than")'


def words(count: int, relation: str) -> str:
    return f'word_count_check({count}, "{relation}")'


def sentences(count: int, relation: str) -> str:
    return f'sentence_count_check({count}, "{relation}")'


def keep(*numbers: int) -> str:
    return f'sentence_modification_check({list(numbers)}, "unchange")'


def change(*numbers: int) -> str:
    return f'sentence_modification_check({list(numbers)}, "change")'


@pytest.mark.parametrize(
    "call",
    ['keyword_keep_removal_check("synergy", "remove")', 'keyword_frequency_check("synergy", 1, "less than")'],
)
def test_code_is_not_what_a_sentence_says(call: str) -> None:
    original = "We love `synergy` here. Two words."
    assert infeasible([KEEP_1, call], original=original, format="markdown") is None
    assert infeasible([KEEP_1, call], original=original) is not None


@pytest.mark.parametrize("counting", ["default", "constrev"])
def test_what_is_kept_is_counted(counting: str) -> None:
    calls = [keep(2), 'keyword_frequency_check("bark", 1, "less than")']
    found = infeasible(calls, original=ORIGINAL, counting=counting)
    assert found is not None
    assert found.reason == 'what must stay holds "bark" 1 time; it must occur at most 0 times'


def word(keyword: str, relation: str) -> str:
    return f'keyword_keep_removal_check("{keyword}", "{relation}")'


def often(keyword: str, count: int, relation: str) -> str:
    return f'keyword_frequency_check("{keyword}", {count}, "{relation}")'


def characters(count: int, relation: str) -> str:
    return f'character_count_check({count}, "{relation}")'


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        ([KEEP_1, 'sentence_length_check(7, "less than")'],
         "sentence 1 must stay, and has 7 words; every sentence must have at most 6"),
        ([keep(2), LONG], "sentence 2 must stay, and has 2 words; every sentence must have at least 4"),
        ([words(10, "less than"), words(20, "more than")], "the number of words must be at least 21 and at most 9"),
        ([words(10, "equal"), words(11, "equal")], "the number of words must be at least 11 and at most 10"),
        ([sentences(3, "less than"), SHORT, words(8, "more than")],
         "2 sentences of at most 4 words hold 8 words; the text must have at least 9"),
        ([sentences(5, "more than"), LONG, words(24, "less than")],
         "6 sentences of at least 4 words make 24 words; the text must have at most 23"),
        ([LONG, words(4, "less than")], "1 sentence of at least 4 words make 4 words; the text must have at most 3"),
        ([keep(1), sentences(3, "equal"), LONG, words(15, "less than")],
         "3 sentences of at least 4 words beside the 1 sentence that must stay make 15 words; "
         "the text must have at most 14"),
        ([keep(2, 4), sentences(3, "equal"), SHORT, words(8, "more than")],
         "3 sentences of at most 4 words beside the 2 sentences that must stay hold 8 words; "
         "the text must have at least 9"),
        ([keep(1, 2, 3, 4, 5), sentences(5, "equal"), words(20, "more than")],
         "only the 5 sentences that must stay fit in, with 20 words; the text must have at least 21"),
        ([change(2), words(18, "less than")],
         "sentences 1, 3, 4 and 5 must stay, and together have 18 words at least; the text must have at most 17"),
        ([keep(2), keep(4), keep(1), words(9, "less than")],
         "sentences 1 and 4 must stay, and together have 9 words at least; the text must have at most 8"),
        ([change(2), sentences(4, "less than")], "4 sentences must stay; the text must have at most 3"),
        ([change(1), KEEP_1], "sentence 1 must change, and must stay as it is"),
        ([change(1), change(3)], "sentence 1 must change, and must stay as it is"),
        ([word("cat", "keep"), word("Cat", "remove")], '"cat" must be there, but "Cat" must not'),
        ([word("the cat", "keep"), word("cat", "remove")],
         '"the cat" must be there, but "cat", which "the cat" holds, must not'),
        ([keep(3), word("synergy", "remove")], 'sentence 3 must stay, and holds "synergy", which must go'),
        ([keep(2, 4), often("dogs", 2, "less than")],
         'what must stay holds "dogs" 2 times; it must occur at most 1 time'),
        ([keep(9)], "sentence 9 is named, but the text has 5 sentences"),
        ([often("a", 3, "more than"), often("A", 2, "less than")], '"a" must occur at least 4 and at most 1 times'),
        ([often("a", 0, "less than")], '"a" must occur at least -inf and at most -1 times'),
        ([often("big cat", 2, "more than"), often("cat", 3, "less than")],
         '"big cat" must occur at least 3 times and holds "cat", which must occur at most 2 times'),
        ([sentences(0, "less than")], "no text has at most -1 sentences"),
        (['paragraph_count_check(4, "equal")', sentences(4, "less than")],
         "at least 4 paragraphs cannot be had with at most 3 sentences"),
        ([words(39, "more than"), characters(40, "less than")],
         "at least 40 words cannot be had with at most 39 characters"),
        ([sentences(39, "more than"), characters(40, "less than")],
         "at least 40 sentences cannot be had with at most 39 characters"),
        ([KEEP_1, characters(29, "less than")],
         "sentence 1 must stay, and has 29 characters at least; at most 28 are allowed"),
        ([keep(2, 4), characters(20, "less than")],
         "sentences 2 and 4 must stay, and together have 20 characters at least; at most 19 are allowed"),
        (['reading_grade_check(5, "at most")', 'reading_grade_check(9, "at least")'],
         "the reading grade must be at least 9 and at most 5"),
        (['starts_with_check("Dear all")', 'starts_with_check("Hello")'],
         'the text cannot start with both "hello" and "dear all"'),
        (['ends_with_check("your team")', 'ends_with_check("my team")'],
         'the text cannot end with both "my team" and "your team"'),
        (['ends_with_check("so leverage it.")', word("leverage", "remove")],
         'the text must end with "so leverage it", but "leverage" must not occur'),
        (['pattern_check("a+", "require")', 'pattern_check("a+", "forbid")'], "/a+/ must match somewhere and nowhere"),
    ],
)  # fmt: skip
def test_a_conflict_is_found_and_named_with_nothing_to_spare(calls: list[str], reason: str) -> None:
    idle = [
        word("zebra", "remove"),
        words(900, "less than"),
        'pattern_check("q", "forbid")',
    ]
    conflict = infeasible([*idle, *calls], original=ORIGINAL)
    assert conflict is not None
    assert conflict.reason == reason
    assert {constraint.call for constraint in conflict.constraints} <= {
        one.call for one in constraints_of(calls)
    }
    for left_out in range(len(conflict.constraints)):
        rest = [one for at, one in enumerate(conflict.constraints) if at != left_out]
        assert infeasible([*idle, *rest], original=ORIGINAL) is None


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
    ("calls", "reason"),
    [
        ([KEEP_1, 'sentence_length_check(7, "less than")'],
         "sentence 1 must stay, and has 7 words; every sentence must have at most 6"),
        ([keep(3), word("synerg", "remove")], 'sentence 3 must stay, and holds "synerg", which must go'),
        ([KEEP_1, words(7, "less than")],
         "sentence 1 must stay, and has 7 words at least; the text must have at most 6"),
        ([keep(1, 3), words(13, "less than")],
         "sentences 1 and 3 must stay, and together have 13 words at least; the text must have at most 12"),
        ([KEEP_1, characters(27, "less than")],
         "sentence 1 must stay, and has 27 characters at least; at most 26 are allowed"),
        ([keep(1, 3), often("o", 3, "less than")],
         'what must stay holds "o" 3 times; it must occur at most 2 times'),
        ([keep(2, 4), often("o", 1, "less than")], 'what must stay holds "o" 1 time; it must occur at most 0 times'),
        ([keep(9)], "sentence 9 is named, but the text has 5 sentences"),
        ([change(2), keep(4)], "sentence 2 must change, but sentence 4 holds it and stays"),
        ([word("1st", "keep"), word("1", "remove")], '"1st" must be there, but "1", which "1st" holds, must not'),
        ([sentences(1, "less than")], "no text has at most 0 sentences"),
        ([sentences(9, "more than"), words(9, "less than")], "10 sentences need more than 8 words"),
    ],
)  # fmt: skip
def test_constrev_conflicts(calls: list[str], reason: str) -> None:
    conflict = infeasible(calls, original=f"{ORIGINAL} The 1st.", counting="constrev")
    assert conflict is not None
    assert conflict.reason == reason.replace("has 5 sentences", "has 6 sentences")
    assert len(conflict.constraints) == len(calls)


def test_the_fewest_constraints_are_named() -> None:
    bounds = [sentences(0, "less than"), words(10, "less than"), words(20, "more than")]
    conflict = infeasible(bounds)
    assert conflict is not None
    assert conflict.to_dict() == {
        "calls": ['sentence_count_check(0, "less than")'],
        "reason": "no text has at most -1 sentences",
    }


def test_where_that_is_too_much_to_search_a_set_is_named_that_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bounds = [sentences(0, "less than"), words(10, "less than"), words(20, "more than")]
    monkeypatch.setattr(feasibility, "_MOST_SUBSETS", 0)
    conflict = infeasible(bounds)
    assert conflict is not None
    assert [one.call for one in conflict.constraints] == bounds[1:]


def test_by_constrev_an_empty_text_is_a_sentence_that_cannot_change() -> None:
    conflict = infeasible([change(1)], original="", counting="constrev")
    assert conflict is not None
    assert conflict.reason == "an empty sentence cannot change"


def test_many_sentences_that_stay_are_counted_and_few_are_named() -> None:
    original = "One here. Two here. Three here. Four here. Five here. Six here."
    for numbers, says in (
        ((1, 2, 3, 4, 5), "sentences 1, 2, 3, 4 and 5 must stay, and together have 10 words at least"),
        ((1, 2, 3, 4, 5, 6), "6 sentences must stay, and together have 12 words at least"),
    ):
        conflict = infeasible([keep(*numbers), words(2, "equal")], original=original)
        assert conflict is not None
        assert conflict.reason == f"{says}; the text must have at most 2"


def test_without_the_original_what_needs_it_is_left_out() -> None:
    assert infeasible([KEEP_1, SHORT]) is None
    assert infeasible([KEEP_1, words(2, "less than"), words(3, "more than")]) is not None


@settings(max_examples=600)
@given(texts, texts, st.lists(constraints, max_size=12), st.sampled_from(["default", "constrev"]))
def test_what_some_text_satisfies_is_never_called_infeasible(
    original: str, witness: str, pool: list[Constraint], counting: str
) -> None:
    findings = check(witness, pool, original=original, counting=counting)
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
        # One of two equal sentences may go.
        ("Yes. We can do it. Yes.", ['sentence_edit_check("delete", [3])', keep(1)], "Yes. We can do it.", "default"),
        # By this convention two kept sentences may meet in one word.
        ("We met. They left. Nobody saw it.",
         ['sentence_modification_check([1, 2, 3], "unchange")', words(6, "less than")],
         "We metThey leftNobody saw it", "constrev"),
        # What need not be there may be banned.
        ("Any.", [often("cat", 3, "less than"), word("cat", "remove")], "A dog.", "default"),
        # By this convention the end of one kept sentence may be the beginning of another, whichever is first.
        ("it was it rained. So it was it.", [keep(1, 2), words(6, "less than")], "So it was it rained", "constrev"),
        ("So it was it. it was it rained.", [keep(1, 2), words(6, "less than")], "So it was it rained", "constrev"),
        ("Any.", ['starts_with_check("Die Straße ist")', 'keyword_keep_removal_check("strasse", "remove")'],
         "Die Straße ist lang.", "default"),
    ],
)  # fmt: skip
def test_what_a_witness_satisfies_is_feasible(
    original: str, calls: list[str], witness: str, counting: str
) -> None:
    assert check(witness, calls, original=original, counting=counting).met
    assert infeasible(calls, original=original, counting=counting) is None


NAMES = "Anna Smith of Brightwater Ltd met Smith and Li Wei in New York City on Monday."


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        (['relative_length_check(50, "words", "shorter")'], "the text has 20 words, and 50 cannot be cut"),
        (['relative_length_check(50, "percent", "shorter")', words(10, "more than")],
         "the number of words must be at least 11 and at most 10"),
        (['relative_length_check(1, "words", "longer")', 'relative_length_check(0, "percent", "shorter")'],
         "the number of words must be at least 21 and at most 20"),
        (['sentence_edit_check("delete", [2])', keep(2, 3)], "sentence 2 must go, and must stay as it is"),
        (['sentence_edit_check("delete", [-1])', change(2)], "sentence 4 must go, and must stay as it is"),
        (['sentence_edit_check("combine", [1, 2])', keep(1)],
         "sentence 1 must be combined with another, and must stay as it is"),
        (['sentence_edit_check("swap", [1, 3])', keep(1, 2, 3)],
         "sentences 1 and 3 must change places, and must stay as they are"),
        (['sentence_edit_check("swap", [4, -1])'],
         "sentence 4 and the last sentence are the same one: the text has 4 sentences"),
        (['sentence_edit_check("delete", [1, 2, 3, 4])'], "nothing would be left: the text has 4 sentences"),
        (['sentence_edit_check("delete", [-5])'], "the 5th-to-last sentence is named, but the text has 4 sentences"),
    ],
)  # fmt: skip
def test_what_contradicts_the_original_or_what_stays(calls: list[str], reason: str) -> None:
    original = "The cat sat on the mat today. Dogs bark a lot. We never say synergy here, do we? It ends."
    found = infeasible(calls, original=original)
    assert found is not None
    assert found.reason == reason


def test_names_that_must_stay_take_room() -> None:
    calls = ['preserve_check("entities")', words(10, "less than")]
    found = infeasible(calls, original=NAMES)
    assert found is not None
    assert found.reason == "the names that must stay have 10 words at least; the text must have at most 9"
    assert infeasible([calls[0], words(11, "less than")], original=NAMES) is None
    assert infeasible([calls[0], words(2, "more than")], original=NAMES) is None


def test_names_inside_what_must_stay_take_no_more() -> None:
    original = f"{NAMES} It was late."
    calls = ['preserve_check("entities")', KEEP_1]
    assert infeasible([*calls, words(18, "less than")], original=original) is None
    calls = ['preserve_check("entities")', keep(2), words(12, "less than")]
    found = infeasible(calls, original=original)
    assert found is not None
    assert found.reason == (
        "the names that must stay have 10 words, 13 with the sentences that must stay, at least; "
        "the text must have at most 11"
    )
