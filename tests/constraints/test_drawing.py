from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from redraft.constraints import Constraint, check, parse_call, read
from redraft.constraints.drawing import KINDS, Features, _implied, draw, round_number
from redraft.constraints.kinds import Keyword, KeywordFrequency, SentenceModification, WordCount
from redraft.constraints.witness import CONVENTIONS, Pair, Witness, occurrences, terms, witnesses
from tests.bench.constrev.built import revision, text


def pair(name: str) -> Pair:
    return Pair(text(name), revision(text(name)))


def met(words: str, constraints: tuple[Constraint, ...], source: str) -> list[bool]:
    return [check(words, constraints, original=source, counting=counting).met for counting in CONVENTIONS]


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


def test_a_split_sentence_is_put_back_whole() -> None:
    source = "It rained all day long, and the river rose to the bridge. Nobody went out that evening."
    split = Pair(
        source, "It rained all day long. The river rose to the bridge. Nobody left home that evening."
    )
    kept = {witness.text for witness in witnesses(split, "unchange", 1, Random(0))}
    assert kept == {
        "It rained all day long, and the river rose to the bridge. Nobody left home that evening.",
        "It rained all day long. The river rose to the bridge. Nobody went out that evening.",
    }
    changed = {witness.text: witness.fixed for witness in witnesses(split, "change", 1, Random(0))}
    assert changed == {
        "It rained all day long. The river rose to the bridge. Nobody went out that evening.":
            ("Nobody went out that evening.",),
        "It rained all day long, and the river rose to the bridge. Nobody left home that evening.":
            ("It rained all day long, and the river rose to the bridge.",),
    }  # fmt: skip


def test_a_witness_that_is_the_source_proves_nothing() -> None:
    source = "It rained all day long in the hills. Nobody went out that evening."
    one = Pair(source, source.replace("all day", "all night"))
    kept = list(witnesses(one, "unchange", 1, Random(0)))
    assert [(witness.text, witness.fixed) for witness in kept] == [
        (one.revision, ("Nobody went out that evening.",))
    ]


def test_the_kinds_are_those_of_the_paper() -> None:
    assert Counter(kind.group for kind in KINDS.values()) == {"sentence": 6, "length": 8, "keyword": 5}
    assert {name: kind.name for name, kind in KINDS.items()} == {name: name for name in KINDS}
    assert [kind.about for kind in KINDS.values()] == [
        *["which sentences"] * 6, *["words"] * 3, *["sentences"] * 3, *["words in a sentence"] * 2,
        "keep_word", "remove_word", "frequency_exactly", "frequency_at_least", "frequency_less",
    ]  # fmt: skip


def test_nobody_is_asked_for_more_than_one_or_two_sentences_or_for_a_word_ten_times() -> None:
    two = Pair("It rained and rained.", "It rained. It rained on.")
    assert KINDS["sentences_more"].make(Features(Witness(two, two.revision), Random(0))) is None
    for count, asked in ((9, {"river"}), (10, set())):
        source = "We saw the river. " * count
        witness = Witness(Pair(source, source + "Then it rained."), source + "Then it rained.")
        found = [KINDS["keep_word"].make(Features(witness, Random(seed))) for seed in range(9)]
        assert {one.keyword for made in found for one in made or () if isinstance(one, Keyword)} == asked
        found = [KINDS["frequency_exactly"].make(Features(witness, Random(seed))) for seed in range(9)]
        assert {
            one.keyword for made in found for one in made or () if isinstance(one, KeywordFrequency)
        } == asked


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


SOURCE = (
    "The harbour froze over in January, and the ferries stayed in port for weeks. "
    "Fishermen walked across the ice to the lighthouse, where the keeper sold them coffee. "
    "Nobody in the town had seen such ice before the winter came. "
    "The council met every week and decided to ration the coal that the town still had. "
    "Old people said that the coffee and the coal would not last until spring. "
    "In spring the ice broke up with a noise that people heard in the hills."
)
REVISION = (
    "The harbour froze over in January, and the ferries stayed in port. "
    "Fishermen walked to the lighthouse, where the keeper sold them coffee. "
    "Nobody in the town had seen such ice before the winter came. "
    "The council met and rationed the coal. "
    "Old people said that the coffee would not last until spring. "
    "The coffee was good. "
    "In spring the ice broke up with a noise that people heard in the hills."
)
HARBOUR = Pair(SOURCE, REVISION)
RELATIONS = {
    "words_more": "more than", "words_less": "less than", "sentences_more": "more than",
    "sentences_less": "less than", "sentences_exactly": "equal", "each_more": "more than",
    "each_less": "less than", "keep_word": "keep", "remove_word": "remove", "frequency_exactly": "equal",
    "frequency_at_least": "more than", "frequency_less": "less than",
}  # fmt: skip


@pytest.mark.parametrize(
    ("witness", "said"),
    [
        # 85 words (93 by constrev) in 6 sentences of 12 to 16 become 72 (81) in 7 of 4 to 15.
        (Witness(HARBOUR, REVISION), {
            "words_more": "62 65 66 69 70 71",
            "words_less": "82 83 84 85 90 91",
            "sentences_more": "4 5 6",
            "sentences_less": "8 9 10",
            "sentences_exactly": "7",
            "each_more": "3",
            "each_less": "16 20",
            "keep_word": "January council ferries froze harbour hills keeper lighthouse noise people port spring winter",
            "remove_word": "weeks",
            "frequency_exactly": "coffee 3",
            "frequency_at_least": "coffee 2",
            "frequency_less": "coffee 4, coffee 5, people 3, people 4, spring 3, spring 4",
        }),
        # The other way round.
        (Witness(Pair(REVISION, SOURCE), SOURCE), {
            "words_more": "80 81 82 83 84",
            "words_less": "94 100",
            "sentences_more": "3 4 5",
            "sentences_less": "7 8 9",
            "sentences_exactly": "6",
            "each_more": "8 10 11",
            "each_less": "17 20",
            "keep_word": "January council ferries froze harbour hills keeper lighthouse noise people port spring winter",
            "remove_word": "",
            "frequency_exactly": "coal 2, coffee 2, town 2",
            "frequency_at_least": "coal 1, town 1",
            "frequency_less": "coffee 3",
        }),
        # Only sentences 1 and 4 may change: what the others hold cannot be asked for.
        (next(witnesses(HARBOUR, "change", 2, Random(0))), {
            "words_more": "64 65 68 70 71 72 73",
            "words_less": "83 84 85 90 92",
            "sentences_more": "4 5",
            "sentences_less": "7 8 9",
            "sentences_exactly": "6",
            "each_more": "5 6",
            "each_less": "16 20",
            "keep_word": "January coal council ferries froze harbour port",
            "remove_word": "weeks",
            "frequency_exactly": "coal 2",
            "frequency_at_least": "coal 1",
            "frequency_less": "coal 3, coal 4",
        }),
    ],
    ids=["shorter", "longer", "two sentences"],
)  # fmt: skip
def test_what_each_kind_says_of_a_witness(witness: Witness, said: dict[str, str]) -> None:
    for name, relation in RELATIONS.items():
        found = set()
        for seed in range(150):
            for one in KINDS[name].make(Features(witness, Random(seed))) or ():
                *what, its_relation = vars(one).values()
                assert its_relation == relation
                found.add(" ".join(map(str, what)))
        expected = said[name].split(", " if name.startswith("frequency") else None)
        assert found == set(filter(None, expected)), name


@pytest.mark.parametrize(
    ("seed", "calls", "loose"),
    [
        (0, ['sentence_modification_check([4], "change")', 'word_count_check(85, "less than")',
             'sentence_length_check(16, "less than")'], 0),
        (1, ['sentence_length_check(16, "less than")', 'sentence_count_check(6, "more than")',
             'word_count_check(70, "more than")', 'word_count_check(85, "less than")'], 0),
        (2, ['sentence_modification_check([2, 4, 6], "unchange")', 'sentence_count_check(7, "equal")',
             'keyword_frequency_check("coffee", 2, "more than")'], 2),
        (3, ['sentence_modification_check([2, 4, 5], "change")', 'word_count_check(69, "more than")',
             'word_count_check(80, "less than")', 'sentence_count_check(5, "more than")'], 2),
        (4, ['sentence_modification_check([4, 5], "change")', 'sentence_length_check(16, "less than")',
             'word_count_check(63, "more than")', 'word_count_check(85, "less than")'], 0),
    ],
)  # fmt: skip
def test_a_seed_draws_what_it_always_drew(seed: int, calls: list[str], loose: int) -> None:
    drawn = draw(HARBOUR, 3, Counter(), Random(seed))
    assert drawn is not None
    assert [one.call for one in drawn.constraints] == calls
    assert drawn.loose == loose


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


def test_a_word_within_one_that_is_taken_or_around_it_is_not_free() -> None:
    pair = Pair(
        "The market grew. A supermarket opened near Paris.",
        "The market shrank. A supermarket opened near Paris.",
    )
    features = Features(next(witnesses(pair, "unchange", 1, Random(0))), Random(0))
    words = {term.word for term, _ in features.free_terms()}
    assert {"supermarket", "Paris"} <= words
    features.taken.add("market")
    assert words - {term.word for term, _ in features.free_terms()} == words & {"market", "supermarket"}
    features.taken = {"in paris today"}
    assert words - {term.word for term, _ in features.free_terms()} == {"Paris"}


def test_keywords_are_content_words_that_no_longer_word_holds() -> None:
    words = "The art of the party was known. The parties met at Paris, and the market saw the market again. They went there."
    found = {term.word: term.count for term in terms(read(words))}
    assert "art" not in found  # too short, and within "party" and "market"
    assert "market" in found
    assert found["market"] == 2
    assert not {"the", "there", "they"} & found.keys()
    assert {term.word for term in terms(read("Keep the oil warm. Keep the box dry."))} == {"warm"}
    assert [term.word for term in terms(read("At the Market. In Paris the market grew."))] == [
        "market",
        "Paris",
    ]
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
