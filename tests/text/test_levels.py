from __future__ import annotations

import doctest
import subprocess
import sys
import time

import pytest

from redraft.text import levels
from redraft.text.inflection import bases, inflected, verb_forms
from redraft.text.levels import LEVELS, difficulty, level, zipf
from redraft.text.tagging import tagged

EASIER = """
    use utilise VB · begin commence VB · help facilitate VB · buy purchase VB · end terminate VB · get obtain VB
    show demonstrate VB · try endeavour VB · need require VB · ask inquire VB · stop cease VB · think ponder VB
    house edifice NN · dog canine NN · way methodology NN · fight altercation NN · child infant NN
    walk perambulation NN · start inception NN · doctor physician NN · friend acquaintance NN · book tome NN
    big enormous JJ · old archaic JJ · main predominant JJ · important pivotal JJ · happy euphoric JJ
    clear perspicuous JJ · quick expeditious JJ · common ubiquitous JJ · tired fatigued JJ · rich affluent JJ
    now currently RB · often frequently RB · then subsequently RB · about approximately RB · almost virtually RB
    mostly predominantly RB · quickly expeditiously RB · suddenly impetuously RB
"""
PAIRS = [tuple(pair.split()) for line in EASIER.strip().splitlines() for pair in line.split("·")]


@pytest.mark.parametrize(("easy", "hard", "tag"), PAIRS)
def test_the_plain_word_is_easier_than_the_learned_one(easy: str, hard: str, tag: str) -> None:
    assert difficulty(easy, tag) < difficulty(hard, tag)


@pytest.mark.parametrize(
    ("words", "least", "most"),
    [
        ("house dog water old big good go make eat mother", 1.0, 1.5),
        ("easily huge breakfast choose journey", 1.2, 3.0),
        ("ubiquitous edifice complacent impetuous pernicious sycophant", 4.5, 6.0),
    ],
)
def test_levels_are_where_learners_meet_the_words(words: str, least: float, most: float) -> None:
    for word in words.split():
        easiest = min(difficulty(word, tag) for tag in ("NN", "VB", "JJ", "RB"))
        assert least <= easiest <= most, word


def test_a_word_is_as_difficult_as_what_it_is_in_its_sentence() -> None:
    verb, noun = (
        next(one for one in tagged(text) if one.text.startswith("coin"))
        for text in ("He coined the term.", "He lost a coin.")
    )
    assert difficulty(verb.text, verb.tag) > difficulty(noun.text, noun.tag) + 0.5
    assert difficulty("table", "VB") > difficulty("table", "NN") + 1
    assert difficulty("saw", "NN") > difficulty("saw", "VBD") + 1


@pytest.mark.parametrize(
    ("form", "tag", "base", "base_tag"),
    [
        ("commenced", "VBD", "commence", "VB"), ("utilising", "VBG", "utilise", "VB"), ("edifices", "NNS", "edifice", "NN"),
        ("children", "NNS", "child", "NN"), ("better", "JJR", "good", "JJ"), ("happier", "JJR", "happy", "JJ"),
        ("went", "VBD", "go", "VB"), ("planned", "VBN", "plan", "VB"), ("Commenced", "VBD", "commence", "VB"),
    ],
)  # fmt: skip
def test_forms_go_by_their_base(form: str, tag: str, base: str, base_tag: str) -> None:
    assert difficulty(form, tag) == difficulty(base, base_tag)


@pytest.mark.parametrize(
    ("word", "tag"),
    [
        ("London", "NNP"), ("Alps", "NNPS"), ("12", "CD"), ("twelve", "CD"), (",", ","), ("the", "DT"), ("of", "IN"),
        ("would", "MD"), ("'s", "VBZ"), ("n't", "RB"), ("’re", "VBP"), ("20th", "JJ"), ("[[M1]]", "NN"), ("", "NN"),
    ],
)  # fmt: skip
def test_what_no_learner_is_graded_on_has_no_level(word: str, tag: str) -> None:
    assert level(word, tag) is None
    assert difficulty(word, tag) == 1


def test_what_no_dictionary_has_goes_by_frequency_and_length() -> None:
    assert zipf("blorfington") == 0
    assert difficulty("blorfington", "NN") == 6
    assert zipf("Café") == zipf("cafe") > 4
    assert difficulty("well-known", "JJ") < difficulty("ill-conceived", "JJ")
    assert difficulty("日本", "NN") > 5


def test_a_wrong_tag_makes_no_word_difficult() -> None:
    assert difficulty("conceals", "NNS") == difficulty("conceals", "VBZ")
    assert difficulty("only", "JJ") < 3


def test_every_level_is_between_the_first_and_the_last() -> None:
    for word in ("a", "x", "go", "house", "antidisestablishmentarianism", "zzzz"):
        for tag in ("NN", "NNS", "VB", "VBD", "JJ", "JJR", "RB", "RBR"):
            assert 1 <= difficulty(word, tag) <= 6
            assert level(word, tag) in LEVELS


def test_the_examples_are_true() -> None:
    assert not doctest.testmod(levels).failed


def test_the_data_is_read_late_and_quickly() -> None:
    code = (
        "import redraft.text, redraft.cli.app, sys; assert 'redraft.text.levels' not in sys.modules;"
        "from redraft.text import levels; assert not levels._entries.cache_info().currsize"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    levels._entries.cache_clear()
    start = time.process_time()
    zipf("house")
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("base", "tag", "form"),
    [("go", "VBD", "went"), ("outgrow", "VBN", "outgrown"), ("carry out", "VBZ", "carries out"), ("big", "JJR", "bigger"),
     ("easy", "JJS", "easiest"), ("child", "NNS", "children"), ("careful", "JJR", "more careful"), ("house", "NN", "house")],
)  # fmt: skip
def test_forms_are_made_and_undone(base: str, tag: str, form: str) -> None:
    assert inflected(base, tag) == form
    if not form.startswith("more "):
        assert base in bases(form, tag) or verb_forms(base).participle == form


@pytest.mark.parametrize(
    ("noun", "many"),
    [("place to stay", "places to stay"), ("group of ships", "groups of ships"), ("life story", "life stories"),
     ("illness", "illnesses"), ("laws", "laws"), ("big guns", "big guns"), ("people", "people"), ("equipment", "equipment"),
     ("king or queen", "")],
)  # fmt: skip
def test_a_plural_is_made_once_and_of_the_right_word(noun: str, many: str) -> None:
    assert inflected(noun, "NNS") == many


def test_have_and_do_are_irregular() -> None:
    assert [inflected("have", tag) for tag in ("VBZ", "VBD", "VBN", "VBG")] == ["has", "had", "had", "having"]
    assert [inflected("do", tag) for tag in ("VBZ", "VBD", "VBN", "VBG")] == ["does", "did", "done", "doing"]
