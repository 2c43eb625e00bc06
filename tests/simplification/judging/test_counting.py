"""What is made up or said twice: found word by word, and worth nothing to the judge."""

from __future__ import annotations

import pytest

from redraft.simplification.judging.alignment import Alignment, Link
from redraft.simplification.judging.counting import ExtraWords
from redraft.simplification.verdicts import Judged
from redraft.text import Document
from redraft.text.tagging import tagged
from tests.simplification.judging.test_rubric import judged

SOURCE = "The ferry sails to the island every morning, and the crew repairs the nets in the harbour."
INVENTED = {
    "a life": f"{SOURCE} He was the first of the five sons of a rich farmer from the south.",
    "a clause": SOURCE.replace("The ferry", "The ferry, named after a famous painter of birds,"),
}
REPEATED = {
    "a sentence": "The ferry sails to the island every morning. The ferry sails to the island. The crew"
    " repairs the nets in the harbour.",
    "a phrase": SOURCE.replace("the crew repairs", "the crew repairs the crew repairs"),
    "a word": SOURCE.replace("the nets", "the the nets"),
}


def surplus(source: str, text: str) -> ExtraWords:
    """The surplus where equal words are linked, each at most once."""
    left, right = (
        tuple(word for word in tagged(one) if any(letter.isalnum() for letter in word.text))
        for one in (source, text)
    )
    free = set(range(len(right)))
    links = []
    for place, word in enumerate(left):
        found = [target for target in sorted(free) if right[target].text.lower() == word.text.lower()]
        if found:
            free.remove(found[0])
            links.append(Link(place, found[0], 1.0))
    return ExtraWords.of(Alignment(left, right, tuple(links)))


def words(found: ExtraWords, places: tuple[int, ...]) -> list[str]:
    return [found.alignment.target[place].text for place in places]


def test_a_copy_has_no_surplus() -> None:
    found = surplus(SOURCE, SOURCE)
    assert (found.invented, found.repeated, found.weight) == ((), (), 0.0)
    assert not [*found.counts(), *found.idle()]


def test_new_words_are_found_and_forms_of_old_ones_are_not_new() -> None:
    found = surplus(
        "She sings in Bulgaria.", "She sings in Bulgaria. Singing amused four old Bulgarian kings."
    )
    assert words(found, found.invented) == ["amused", "four", "old", "kings"]


def test_a_word_in_the_place_of_another_is_not_made_up() -> None:
    found = surplus(
        "The worry has intensified because of rain.", "The worry has gotten bigger because of rain."
    )
    assert found.invented == ()


def test_words_are_repeated_beyond_what_the_source_does() -> None:
    found = surplus("A red car and a red bus met.", "A red car and a red bus met. The red car met the bus.")
    assert words(found, found.repeated) == ["red", "car", "met", "bus"]


def test_sentences_that_tell_nothing_of_the_source_are_left_aside() -> None:
    text = "The ferry sails to the island. It was built by rich painters from distant cities. The crew repairs the nets."
    found = surplus(SOURCE, text)
    assert [sentence.number for sentence in found.telling(Document(text).sentences)] == [1, 3]
    strange = "Rich painters build houses."
    assert len(surplus(SOURCE, strange).telling(Document(strange).sentences)) == 1


def test_a_stammer_of_the_source_is_no_fault() -> None:
    twice = "She said that that man had had enough."
    assert not [*surplus(twice, twice).idle()]
    (count,) = surplus("She saw it.", "She saw saw it.").idle()
    assert (count.measure, count.what) == ("harder_structure", "'saw' stands twice in a row")


@pytest.fixture(scope="module")
def verdict() -> Judged:
    (found,) = judged([(SOURCE, [SOURCE, *INVENTED.values(), *REPEATED.values()])])
    return found


def test_what_is_made_up_or_said_twice_is_worse_than_a_copy(verdict: Judged) -> None:
    overall = verdict.verdicts["overall"]
    assert overall.best == 0
    assert max(overall.points[1:]) < overall.points[0]


def test_the_judge_says_what_is_made_up_and_what_is_said_twice(verdict: Judged) -> None:
    said = dict(zip(["a copy", *INVENTED, *REPEATED], verdict.verdicts["overall"].analysis, strict=True))
    assert "nothing in the source says so" in said["a life"]
    assert "'painter'" in said["a clause"]
    assert "said again" in said["a sentence"]
    assert "3 sentences" not in said["a sentence"]
    assert "'the' stands twice in a row" in said["a word"]
    assert "'crew repairs the' stands" in said["a phrase"] or "'the crew repairs' stands" in said["a phrase"]
