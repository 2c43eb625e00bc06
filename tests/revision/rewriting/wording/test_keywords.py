"""Keywords taken out of a sentence, put into it, or said once less; and the synonyms and numbers behind that."""

import re

import pytest
from hypothesis import given, strategies as st

from redraft.revision.rewriting.wording.keywords import fewer, with_keyword, without
from redraft.revision.rewriting.wording.replacements import respelled, synonyms


@pytest.mark.parametrize(
    ("word", "tag", "one"),
    [
        ("helped", "VBD", "aided"),
        ("Helps", "VBZ", "Aids"),
        ("starting", "VBG", "beginning"),
        ("began", "VBD", "started"),
        ("bigger", "JJR", "larger"),
        ("quickly", "RB", "rapidly"),
        ("stories", "NNS", "tales"),
        ("carried out", "VBD", "accomplished"),
        ("CITY", "NN", "METROPOLIS"),
        ("important", "JJ", "significant"),
    ],
)
def test_synonyms(word: str, tag: str, one: str) -> None:
    assert one in synonyms(word, tag)


@pytest.mark.parametrize(
    ("word", "tag"), [("was", "VBD"), ("Paris", "NNP"), ("not", "RB"), ("xyzzy", "NN"), ("", "NN")]
)
def test_no_synonyms(word: str, tag: str) -> None:
    assert synonyms(word, tag) == ()


@pytest.mark.parametrize(
    ("number", "ways"),
    [
        ("two", ["2"]),
        ("2", ["two"]),
        ("Twenty-one", ["21"]),
        ("3/4 cup", ["three quarters of a cup"]),
        ("1/2 hour", ["half an hour"]),
        ("one hundred percent", ["100 percent", "100%"]),
        ("50%", ["50 percent", "fifty percent"]),
        ("330,000", ["three hundred and thirty thousand", "330000"]),
        ("two hundred and six", ["206"]),
        ("first", ["1st"]),
        ("dog", []),
        ("1/0", []),
    ],
)
def test_numbers_written_another_way(number: str, ways: list[str]) -> None:
    assert respelled(number) == ways


@given(st.integers(1, 999))
def test_numbers_come_back(value: int) -> None:
    assert str(value) in respelled(respelled(str(value))[0])


@pytest.mark.parametrize(
    ("sentence", "keyword", "version"),
    [
        ("The story was long.", "story", "The narrative was long."),
        ("She quickly opened the box.", "quickly", "She opened the box."),
        ("It was a difficult job.", "difficult", "It was a hard job."),
        ("Add two cups of flour.", "two", "Add 2 cups of flour."),
        ("Add 3/4 cup of sugar.", "3/4 cup", "Add three quarters of a cup of sugar."),
        ("The old committee met again.", "committee", "It met again."),
        ("Don't open the box.", "Don't", "Do not open the box."),
        ("However, the plan failed.", "however", "The plan failed."),
        ("We met in New York City today.", "New York", "We met there today."),
        ("The bus (its driver was ill) left without us.", "driver", "The bus left without us."),
        ("We need an idea.", "idea", "We need a thought."),
    ],
)
def test_without(sentence: str, keyword: str, version: str) -> None:
    assert version in [candidate.text for candidate in without(sentence, keyword)]


def test_without_within_words_and_in_other_cases() -> None:
    for candidate in without("Art is the start of all art.", "art"):
        assert "art" not in candidate.text
        assert not re.search(r"\bart\b", candidate.text, re.IGNORECASE)
    assert without("Start here, and then go on.", "art here")
    assert without("The Art of war is old.", "art", anywhere=False) == []
    assert without("The Art of war is old.", "art")


def test_without_leaves_quotations_alone() -> None:
    assert without('She said "never again" to him.', "never") == []
    for candidate in without('The never-ending noise said "never again" to him.', "ending"):
        assert '"never again"' in candidate.text


def test_nothing_to_do() -> None:
    assert without("The plan failed.", "dog") == []
    assert without("The plan failed.", "") == []
    assert fewer("The plan failed.", "dog") == []
    assert with_keyword("The plan failed.", " ") == []
    assert with_keyword("", "dog") == []


@pytest.mark.parametrize(
    ("sentence", "keyword", "version"),
    [
        ("They helped the old man.", "aided", "They aided the old man."),
        (
            "The committee met and it approved the plan.",
            "committee",
            "The committee met and the committee approved the plan.",
        ),
        ("The results were good.", "accuracy", "When it comes to accuracy, the results were good."),
        ("Stir the soup.", "cooking", "When it comes to cooking, stir the soup."),
        ("She opened the box.", "slowly", "She slowly opened the box."),
        ("[[M1]] shows the results.", "accuracy", "In terms of accuracy, [[M1]] shows the results."),
        ("Weighs only 310 g.", "sustainability", "In terms of sustainability, it weighs only 310 g."),
        ("Made from cork.", "sustainability", "In terms of sustainability, it is made from cork."),
        ("Wear it daily.", "sustainability", "In terms of sustainability, wear it daily."),
    ],
)
def test_with_keyword(sentence: str, keyword: str, version: str) -> None:
    assert version in [candidate.text for candidate in with_keyword(sentence, keyword)]


def test_no_nonsense_with_verbs() -> None:
    assert with_keyword("The results were good.", "explained") == []
    assert with_keyword("The results were good.", "of the") == []


def test_fewer() -> None:
    texts = [candidate.text for candidate in fewer("The dog saw the cat and the dog barked.", "dog")]
    assert texts[0] == "The dog saw the cat and it barked."
    assert all(text.lower().count("dog") == 1 for text in texts)


WORDS = st.sampled_from(
    ["the", "old", "man", "and", "two", "2014", "walks", "quickly", ",", "in", "Paris", "[[M1]]", '"', "(", ")", "of", "a", "is", "story", "don't"]
)  # fmt: skip


@given(st.lists(WORDS, min_size=1, max_size=14), WORDS)
def test_any_words(words: list[str], keyword: str) -> None:
    sentence = "It " + " ".join(words) + "."
    marks = re.findall(r"\[\[M\d\]\]", sentence)
    times = sentence.lower().count(keyword.lower())
    found = without(sentence, keyword)
    assert len(found) <= 12
    for candidate in found:
        assert keyword not in candidate.text
        assert re.findall(r"\[\[M\d\]\]", candidate.text) == marks
        assert candidate.text.endswith(".")
        assert candidate.text[0].isupper()
    assert all(one.text.lower().count(keyword.lower()) == times - 1 for one in fewer(sentence, keyword))
    more = with_keyword(sentence, keyword)
    assert len(more) <= 6
    assert all(one.text.lower().count(keyword.lower()) == times + 1 for one in more)
    assert all(re.findall(r"\[\[M\d\]\]", one.text) == marks or "[[" in keyword for one in more)
