from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from redraft.constraints import Constraint, check_constraints, parse_call, read
from redraft.constraints.drawing.drawing import _implied, draw
from redraft.constraints.drawing.keywords import occurrences, terms
from redraft.constraints.drawing.kinds import KINDS, Features, round_number
from redraft.constraints.drawing.witness import CONVENTIONS, Pair, Witness, witnesses
from redraft.constraints.kinds import Keyword, KeywordFrequency, SentenceModification, WordCount
from tests.bench.constrev.built import revision, text


def pair(name: str) -> Pair:
    return Pair(text(name), revision(text(name)))


def met(words: str, constraints: tuple[Constraint, ...], source: str) -> list[bool]:
    return [
        check_constraints(words, constraints, original=source, counting=counting).met
        for counting in CONVENTIONS
    ]


@pytest.mark.parametrize("relation", ["change", "unchange"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_witness_mixes_source_and_revision_as_the_sentences_say(relation: str, count: int) -> None:
    found = list(witnesses(pair("a"), relation, count, Random(1)))  # type: ignore[arg-type]
    assert found
    for witness in found:
        assert witness.constraint is not None
        assert len(witness.constraint.sentences) == count
        assert witness.text != witness.pair.source
        assert met(witness.text, (witness.constraint,), witness.pair.source) == [True, True]


def test_a_revision_that_changes_one_sentence_gives_no_witness_for_changing_two() -> None:
    source = text("a")
    one = Pair(source, source.replace(" and the ", " while the ", 1))
    assert len(list(witnesses(one, "change", 1, Random(0)))) == 1
    assert not list(witnesses(one, "change", 2, Random(0)))
    assert not list(witnesses(Pair(source, source), None, 0, Random(0)))


def test_sentences_are_named_only_where_both_conventions_count_alike() -> None:
    source = f"The first of all came by train. He left with Dr. Smith at about noon. {text('a')}"
    one = Pair(source, revision(source))
    assert one.keepable == (1,)
    assert one.changeable == ()


def test_every_kind_can_be_drawn_and_holds_for_the_witness_under_both_conventions() -> None:
    uses: Counter[str] = Counter()
    for number in range(40):
        one = pair(f"t{number}")
        drawn = draw(one, 2, uses, Random(number))
        assert drawn is not None
        assert len(drawn.kinds) == len(set(drawn.kinds)) == 2
        assert met(drawn.witness, drawn.constraints, one.source) == [True, True]
        uses.update(drawn.kinds)
    available = set(uses)
    # These made-up texts have no sentence shorter than another by much; all other kinds are there.
    assert set(KINDS) - available <= {"words_more", "sentences_more", "each_more"}
    assert max(uses.values()) - min(uses.values()) <= 3


@pytest.mark.parametrize("level", [1, 3, 4])
def test_no_instruction_says_two_things_of_one_quantity_or_word(level: int) -> None:
    uses: Counter[str] = Counter()
    for number in range(12):
        drawn = draw(pair(f"t{number}"), level, uses, Random(number))
        assert drawn is not None
        uses.update(drawn.kinds)
        about = [KINDS[kind].about for kind in drawn.kinds]
        assert len(about) == len(set(about)) == level
        words = [
            one.keyword.lower() for one in drawn.constraints if isinstance(one, Keyword | KeywordFrequency)
        ]
        assert not any(one in other or other in one for one, other in combinations(words, 2))


@pytest.mark.parametrize(
    ("call", "others", "implied"),
    [
        (
            'word_count_check(100, "more than")',
            ['sentence_count_check(10, "more than")', 'sentence_length_check(9, "more than")'],
            True,
        ),
        (
            'word_count_check(120, "more than")',
            ['sentence_count_check(10, "more than")', 'sentence_length_check(9, "more than")'],
            False,
        ),
        (
            'word_count_check(500, "less than")',
            ['sentence_count_check(20, "equal")', 'sentence_length_check(25, "less than")'],
            True,
        ),
        (
            'sentence_count_check(9, "more than")',
            ['word_count_check(400, "more than")', 'sentence_length_check(40, "less than")'],
            True,
        ),
        (
            'sentence_count_check(99, "less than")',
            ['word_count_check(400, "less than")', 'sentence_length_check(4, "more than")'],
            True,
        ),
        ('sentence_count_check(20, "less than")', ['word_count_check(400, "less than")'], False),
        ('keyword_keep_removal_check("x", "keep")', ['word_count_check(400, "less than")'], False),
    ],
)
def test_what_the_others_already_say_is_not_said(call: str, others: list[str], implied: bool) -> None:
    assert _implied(parse_call(call), [parse_call(other) for other in others]) is implied


def test_where_only_some_sentences_may_change_the_rest_implies_nothing_else() -> None:
    one = pair("a")
    for witness in witnesses(one, "change", 1, Random(3)):
        features = Features(witness, Random(0))
        standing = " ".join(witness.fixed)
        for keep in KINDS["keep_word"].make(features) or ():
            assert isinstance(keep, Keyword)
            word = keep.keyword.lower()
            assert standing.lower().count(word) < one.source.lower().count(word)
        for more in KINDS["words_more"].make(features) or ():
            assert isinstance(more, WordCount)
            assert more.count >= len(standing.split())


def test_bounds_bind_where_the_witness_leaves_room() -> None:
    source = text("a")
    shorter = " ".join(source.split(". ")[:20])
    witness = Witness(Pair(source, shorter), shorter)
    made = [KINDS["words_less"].make(Features(witness, Random(seed))) for seed in range(40)]
    binding = [met(source, one, source) == [False, False] for one in made if one]
    assert len(binding) == 40
    assert sum(binding) > 25


def test_numbers_are_such_as_people_say() -> None:
    numbers = [round_number(312, 367, Random(seed)) for seed in range(100)]
    assert all(312 <= number <= 367 for number in numbers)
    assert sum(number % 10 == 0 for number in numbers) > 80
    assert [round_number(7, 7, Random(seed)) for seed in range(5)] == [7] * 5


def test_keywords_are_content_words_that_no_longer_word_holds() -> None:
    words = "The art of the party was known. The parties met at Paris, and the market saw the market again. They went there."
    found = {term.word: term.count for term in terms(read(words))}
    assert "art" not in found  # too short, and within "party" and "market"
    assert "market" in found
    assert found["market"] == 2
    assert not {"the", "there", "they"} & found.keys()
    assert {term.word for term in terms(read("Keep the oil warm. Keep the box dry."))} == {"warm"}
    assert occurrences(read("The ship sank. Ships sink."), "ship") is None
    assert occurrences(read("The Ship sank."), "ship") == 1


def test_the_source_is_shown_to_meet_what_it_meets() -> None:
    one = pair("a")
    drawn = draw(one, 1, Counter(), Random(0), ("keep_1",))
    assert drawn is not None
    assert isinstance(drawn.constraints[0], SentenceModification)
    assert drawn.loose == 2
    less = draw(one, 1, Counter(), Random(0), ("remove_word",))
    assert less is not None
    assert less.constraints == (Keyword("lantern", "remove"),)
    assert less.loose == 0
