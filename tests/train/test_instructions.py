from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from redraft.constraints import Constraint, parse, parse_call
from redraft.errors import InputError
from redraft.train.planning.instructions import write_instruction
from redraft.train.planning.phrases import fill_wording, ordinal, spell_number

CALLS = (
    'word_count_check(301, "less than")',
    'word_count_check(250, "more than")',
    'sentence_count_check(12, "equal")',
    'sentence_length_check(30, "less than")',
    'sentence_length_check(4, "more than")',
    'keyword_keep_removal_check("policy", "keep")',
    'keyword_keep_removal_check("machine learning", "remove")',
    'keyword_frequency_check("river", 2, "more than")',
    'keyword_frequency_check("energy", 4, "less than")',
    'sentence_modification_check([4], "unchange")',
    'sentence_modification_check([2, 9, 21], "change")',
)


def drawn(seed: int, count: int) -> list[Constraint]:
    return [parse_call(call) for call in Random(seed).sample(CALLS, count)]


def worded(constraints: Sequence[Constraint], seed: int) -> str:
    return write_instruction(constraints, Random(seed))[0]


@pytest.mark.parametrize("call", CALLS)
def test_every_kind_is_worded_in_many_ways_that_mostly_read_back(call: str) -> None:
    wanted = parse_call(call)
    texts = {worded([wanted], seed) for seed in range(120)}
    read = [set(parse(text).constraints) == {wanted} for text in texts]
    assert len(texts) > 115
    assert sum(read) > 0.8 * len(texts)


def test_several_constraints_are_worded_together_and_mostly_read_back() -> None:
    right = 0
    for seed in range(200):
        constraints = drawn(seed, 2 + seed % 2)
        if {type(one) for one in constraints} == {type(constraints[0])}:
            continue
        text = worded(constraints, seed)
        right += set(parse(text).constraints) == set(constraints)
        assert text == worded(constraints, seed)
        assert not set("{}[]|") & set(text)
    assert right > 150


def test_without_constraints_only_a_better_text_is_asked_for() -> None:
    texts = [worded([], seed) for seed in range(200)]
    assert len(set(texts)) > 190
    assert not any(parse(text).constraints for text in texts)


def test_an_inclusive_bound_is_worded_with_the_last_number_that_is_allowed() -> None:
    bound = parse_call('word_count_check(301, "less than")')
    texts = [worded([bound], seed).lower() for seed in range(100)]
    inclusive = [text for text in texts if "300" in text or "three hundred" in text]
    assert 50 < len(inclusive) < 100
    assert all("301" in text or "three hundred" in text for text in texts if text not in inclusive)


def test_a_pair_of_bounds_leaves_its_ends_out_as_constrev_has_it() -> None:
    pair = [
        parse_call('word_count_check(420, "less than")'),
        parse_call('word_count_check(400, "more than")'),
    ]
    texts = [worded(pair, seed) for seed in range(150)]
    assert any("between 400 and 420" in text for text in texts)
    assert not any("between 401" in text for text in texts)


def test_constraints_come_back_in_the_order_in_which_they_are_said() -> None:
    calls = (
        'keyword_keep_removal_check("policy", "keep")',
        'sentence_modification_check([4], "unchange")',
        'sentence_count_check(12, "equal")',
    )
    constraints = [parse_call(call) for call in calls]
    orders = set()
    for seed in range(80):
        text, said = write_instruction(constraints, Random(seed))
        assert set(said) == set(constraints)
        where = [
            min(at for word in words if (at := text.lower().find(word)) >= 0)
            for words in (("policy",), ("4", "four"), ("12", "twelve"))
        ]
        order = [constraints[place] for place in sorted(range(3), key=lambda place: where[place])]
        assert list(said) == order
        orders.add(said)
    assert len(orders) == 6


def test_a_range_is_said_from_its_lower_end() -> None:
    pair = [
        parse_call('word_count_check(420, "less than")'),
        parse_call('word_count_check(400, "more than")'),
    ]
    for seed in range(60):
        text, said = write_instruction(pair, Random(seed))
        if "between 400 and 420" in text:
            assert said == (pair[1], pair[0])


def test_asides_ask_for_nothing() -> None:
    wanted = parse_call('keyword_keep_removal_check("policy", "keep")')
    texts = [write_instruction([wanted], Random(seed), 1.0) for seed in range(100)]
    assert {said for _, said in texts} == {(wanted,)}
    assert sum(text.count(".") > 1 for text, _ in texts) > 70


def test_a_constraint_of_another_kind_has_no_wording() -> None:
    with pytest.raises(InputError, match="no wording for paragraph_count_check"):
        worded([parse_call('paragraph_count_check(3, "less than")')], 0)


def test_wordings_choose_leave_out_and_fill_in() -> None:
    said = {fill_wording("(a|b) [c ]{x}", {"x": "d"}, Random(seed)) for seed in range(40)}
    assert said == {"a d", "b d", "a c d", "b c d"}


def test_numbers_are_spelt() -> None:
    assert spell_number(421) == "four hundred and twenty-one"
    assert spell_number(1100, british=False) == "one thousand one hundred"
    assert [ordinal(number, True) for number in (1, 12, 20, 21, 105)] == [
        "first",
        "twelfth",
        "twentieth",
        "twenty-first",
        "one hundred and fifth",
    ]
    assert [ordinal(number, False) for number in (2, 11, 23)] == ["2nd", "11th", "23rd"]
