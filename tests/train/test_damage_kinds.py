"""Each kind of error on sentences written by hand: what it makes, and what it never makes."""

from __future__ import annotations

import random

import pytest

from redraft.text.inflection import plural, regular, singular, third, with_ed, with_ing
from redraft.train.damage.profile import KINDS
from redraft.train.damage.reading import Reading
from redraft.train.damage.spelling import misheard, mistyped


def made(kind: str, clean: str, rounds: int = 60) -> set[str]:
    """Every damaged text that a kind can make of a sentence."""
    found = set()
    for seed in range(rounds):
        for site in KINDS[kind](Reading(clean), random.Random(seed)):
            found.add(clean[: site.start] + site.new + clean[site.end :])
    return found


MAKES = (
    ("agreement", "He goes to school.", "He go to school."),
    ("agreement", "They like the city.", "They likes the city."),
    ("agreement", "The cost of the books is high.", "The cost of the books are high."),
    ("agreement", "There are many books here.", "There is many books here."),
    ("agreement", "She has a car.", "She have a car."),
    ("agreement", "It doesn't matter.", "It don't matter."),
    ("distant_agreement", "Deep ensembles are a simple baseline.", "Deep ensembles is a simple baseline."),
    ("distant_agreement", "Her hands were shaking.", "Her hands was shaking."),
    ("distant_agreement", "This method needs more data.", "This method need more data."),
    (
        "distant_agreement",
        "The list of items that the clerks keep is long.",
        "The list of items that the clerks keep are long.",
    ),
    ("participle", "The rain began at noon.", "The rain begun at noon."),
    ("complement", "He suggested that I take the train.", "He suggested me to take the train."),
    ("phrase", "They could have known better.", "They could of known better."),
    ("number", "There are many students here.", "There are many student here."),
    ("number", "He gave a talk to these children.", "He gave a talk to this children."),
    ("number", "We need more information about it.", "We need more informations about it."),
    ("number", "This is a car.", "This is a cars."),
    ("number", "Many students work here.", "Much students work here."),
    ("article", "I saw a dog.", "I saw dog."),
    ("article", "I saw a dog.", "I saw an dog."),
    ("article", "The dog is here.", "Dog is here."),
    ("article", "They live in society.", "They live in the society."),
    ("article", "He gave us advice.", "He gave us an advice."),
    ("article", "It is the best idea.", "It is best idea."),
    ("preposition", "It depends on the weather.", "It depends of the weather."),
    ("preposition", "They discussed the problem.", "They discussed about the problem."),
    ("preposition", "She listens to the music.", "She listens the music."),
    ("preposition", "He went home.", "He went to home."),
    ("phrase", "In my opinion, it works.", "On my opinion, it works."),
    ("phrase", "I have a lot of books.", "I have alot of books."),
    ("tense", "Yesterday he went there and saw the city.", "Yesterday he goes there and saw the city."),
    ("verb_form", "He can go home.", "He can to go home."),
    ("verb_form", "She did not go there.", "She did not went there."),
    ("verb_form", "They have gone there.", "They have went there."),
    ("verb_form", "I enjoy reading books.", "I enjoy to read books."),
    ("verb_form", "They want to go there.", "They want go there."),
    ("verb_form", "It is good for making bread.", "It is good for make bread."),
    ("auxiliary", "He is happy now.", "He happy now."),
    ("auxiliary", "They do not like it.", "They not like it."),
    ("auxiliary", "I agree with you.", "I am agree with you."),
    ("comma", "However, it was late.", "However it was late."),
    ("apostrophe", "I don't know its name.", "I dont know its name."),
    ("apostrophe", "I don't know its name.", "I don't know it's name."),
    ("apostrophe", "We don’t know.", "We dont know."),
    ("stop", "It was late.", "It was late"),
    ("stop", "Why is he late?", "Why is he late."),
    ("spacing", "It was late, and dark.", "It was late , and dark."),
    ("spacing", "It was late. He left.", "It was late.He left."),
    ("capital", "The dog and I left.", "the dog and I left."),
    ("capital", "The dog and I left.", "The dog and i left."),
    ("capital", "He left on Monday.", "He left on monday."),
    ("confusion", "It is better than their car.", "It is better then their car."),
    ("confusion", "It is better than their car.", "It is better than there car."),
    ("confusion", "The economic growth is slow.", "The economical growth is slow."),
    ("compound", "I like a lot of it.", "I like alot of it."),
    ("compound", "He left without it.", "He left with out it."),
    ("compound", "It is a well-known book.", "It is a well known book."),
    ("word_order", "It is good enough for me.", "It is enough good for me."),
    ("word_order", "I know what it is.", "I know what is it."),
    ("word_order", "What are they here for?", "What they are here for?"),
    ("word_form", "It is very important for us.", "It is very importance for us."),
    ("word_form", "It is extremely high now.", "It is extreme high now."),
    ("word_form", "This is better for us.", "This is more better for us."),
    ("pronoun", "It is important to go.", "Is important to go."),
    ("pronoun", "He came with them.", "He came with they."),
    ("pronoun", "I know people who live here.", "I know people which live here."),
    ("pronoun", "The book is good.", "The book it is good."),
    ("omission", "It is more useful than that.", "It is useful than that."),
    ("omission", "I like books, songs, and films.", "I like books, songs, films."),
    ("redundancy", "I left because he came.", "I left because that he came."),
    ("run_on", "It was late. He left.", "It was late, he left."),
    ("run_on", "It was late. He left.", "It was late he left."),
    ("run_on", "It was late, so he left.", "It was late, he left."),
    (
        "fragment",
        "We all stayed at home, because it was late.",
        "We all stayed at home. Because it was late.",
    ),
    ("connective", "It was late. However, he stayed.", "It was late. He stayed."),
    ("connective", "It was late. However, he stayed.", "It was late. Therefore, he stayed."),
    ("connective", "Although it was late, he stayed.", "Although it was late, but he stayed."),
    ("repetition", "He is in the city.", "He is in the the city."),
    ("spelling", "They receive it.", "They recieve it."),
    ("spelling", "I caught a fish.", "I catched a fish."),
    ("wordiness", "He left because it rained.", "He left due to the fact that it rained."),
    ("wordiness", "They use it to earn money.", "They use it in order to earn money."),
)


@pytest.mark.parametrize(("kind", "clean", "wrong"), MAKES)
def test_makes(kind: str, clean: str, wrong: str) -> None:
    assert wrong in made(kind, clean)


NEVER = (
    ("agreement", "If it was late, he left."),  # "if it were" is right
    ("agreement", "The team is here."),  # as are the team
    ("agreement", "We saw him go there."),
    ("number", "I saw the books there."),  # "the book" would be as right
    ("article", "I have a few books."),
    ("article", "The books of Paris."),
    ("preposition", "He sat under it."),
    ("confusion", "We walked then."),
    ("confusion", "He was made a knight."),
    ("compound", "The year 1990-1991 was good."),
    ("apostrophe", "The knives are sharp."),
    ("stop", "It was late!"),
    ("fragment", "Because it was late, he left."),
    ("run_on", "It was late. Paris slept."),
    ("connective", "However, he stayed."),  # what it linked to is not there: nobody could put it back
    ("word_order", "He is here now."),
    ("comma", "In Paris, France, in May 1990, it rained."),
    ("wordiness", "Paris is near."),
    ("repetition", "Go."),
)


@pytest.mark.parametrize(("kind", "clean"), NEVER)
def test_never(kind: str, clean: str) -> None:
    found = made(kind, clean)
    if kind == "comma":
        assert "In Paris France, in May 1990, it rained." not in found
    elif kind == "article" and "Paris" in clean:
        assert "The a books of Paris." not in found
    else:
        assert found == set()


def test_misspellings_are_no_words() -> None:
    known = (
        "receive",
        "government",
        "beautiful",
        "necessary",
        "interesting",
        "knowledge",
        "different",
        "people",
    )
    for word in known:
        for seed in range(200):
            for wrong in (misheard(word, random.Random(seed)), mistyped(word, random.Random(seed))):
                assert wrong is None or (wrong != word and (wrong[0] == word[0] or word.startswith("kn")))


def test_endings_are_not_misheard() -> None:
    for word in ("published", "starting", "changes", "wanted"):
        assert not {misheard(word, random.Random(seed)) for seed in range(300)} & {
            "publishid", "starteng", "changis", "wantid",
        }  # fmt: skip


def test_forms() -> None:
    assert regular("try") == ("try", "tries", "tried", "tried", "trying")
    assert regular("stop") == ("stop", "stops", "stopped", "stopped", "stopping")
    assert (with_ing("make"), with_ing("die"), with_ing("see"), with_ing("begin")) == (
        "making",
        "dying",
        "seeing",
        "beginning",
    )
    assert (with_ed("play"), with_ed("prefer"), with_ed("visit")) == ("played", "preferred", "visited")
    assert (third("go"), third("watch"), third("say")) == ("goes", "watches", "says")
    assert (plural("child"), plural("city"), plural("box"), plural("day")) == (
        "children",
        "cities",
        "boxes",
        "days",
    )
    assert (singular("children"), singular("cities"), singular("series"), singular("glass")) == (
        "child",
        "city",
        None,
        None,
    )
