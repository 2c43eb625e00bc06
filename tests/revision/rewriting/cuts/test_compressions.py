"""Shorter versions of a sentence."""

import re

import pytest
from hypothesis import given, strategies as st

from redraft.quality import grammar_findings
from redraft.revision.records import explained
from redraft.revision.rewriting.cuts.compressions import compressions, tightened, trims
from redraft.text import count_words


def shorter(sentence: str) -> list[str]:
    return [candidate.text for candidate in compressions(sentence)]


@pytest.mark.parametrize(
    ("sentence", "version"),
    [
        ("We met in order to talk about the plan.", "We met to talk about the plan."),
        ("He stayed at home due to the fact that it rained all day.", "He stayed at home because it rained all day."),
        ("It is important to note that the valve must be closed.", "The valve must be closed."),
        ("In addition, the survey covers three more towns.", "The survey covers three more towns."),
        ("The tower was very old when the town bought it.", "The tower was old when the town bought it."),
        ("Check each and every bolt before you start the engine.", "Check every bolt before you start the engine."),
        ("There are many people who think that the law is wrong.", "Many people think that the law is wrong."),
        ("She said that they had already left the station.", "She said they had already left the station."),
        ("They made a decision to sell the house in May.", "They decided to sell the house in May."),
        ("A number of visitors complained about the noise.", "Several visitors complained about the noise."),
        ("The paint that is used in the workshop dries slowly.", "The paint used in the workshop dries slowly."),
        ("The bridge (a gift of the king) was built in stone.", "The bridge was built in stone."),
        ("The bridge, which the king paid for, fell last year.", "The bridge fell last year."),
        ("When the rain stopped, the workers went back to the roof.", "The workers went back to the roof."),
        ("The workers left the roof because the rain had started again.", "The workers left the roof."),
        ("We sold the car, which had cost us a fortune.", "We sold the car."),
        ("The firm sells tools, paint and timber to builders.", "The firm sells tools and timber to builders."),
        ("She opened the box and took out the letter.", "She opened the box."),
        ("The garden was full of bright and fragrant flowers.", "The garden was full of bright flowers."),
        ("The river finally reached the old harbour.", "The river reached the old harbour."),
        ("An unusual bird sang near the house.", "A bird sang near the house."),
        ("Studies show that the drug lowers the risk of stroke.", "The drug lowers the risk of stroke."),
        ("You should check the oil before you start the engine.", "Check the oil before you start the engine."),
    ],
)  # fmt: skip
def test_what_can_go(sentence: str, version: str) -> None:
    assert version in shorter(sentence)


@pytest.mark.parametrize(
    ("sentence", "version"),
    [
        ("He put the book on the table.", "He put the book."),
        ("This is not very good for the children.", "This is not good for the children."),
        ("The difference between the cat and the dog is clear.", "The difference between the cat is clear."),
        ("He said that the man in the house is mad.", "He said that the man."),
        ("They allowed us to leave the room.", "They allowed us."),
        ("Tom and Ann are in the garden today.", "Tom are in the garden today."),
        ("A number of the rooms were empty.", "A number were empty."),
        ("The result depends on the weather in May.", "The result depends."),
        ("They do not have to come here again.", "They do not must come here again."),
        (
            "It is clear that the old plan was made in haste, and it is no longer valid.",
            "It is no longer valid.",
        ),
        (
            "The board approved the budget, but they cut the travel costs in half.",
            "They cut the travel costs in half.",
        ),
        (
            "When the engine stopped, it had run for nine hours in the heat.",
            "It had run for nine hours in the heat.",
        ),
    ],
)
def test_what_must_stay(sentence: str, version: str) -> None:
    assert version not in shorter(sentence)


def test_a_ladder() -> None:
    sentence = (
        "In fact, the very old bridge, which was built by the monks, was finally closed to all traffic last"
        " winter because the engineers had found a number of cracks in its main arches, according to the mayor."
    )
    shares = [count_words(text) / count_words(sentence) for text in shorter(sentence)]
    for near in (0.95, 0.8, 0.7, 0.6, 0.4):
        assert any(abs(share - near) <= 0.09 for share in shares), near
    assert len(shares) <= 30
    assert shares[0] > shares[-1]


def test_says_what_is_lost() -> None:
    found = {
        one.text: explained(one.why)
        for one in compressions("The firm moved its office to a new site near Leeds in 2014.")
    }
    assert "2014" in found["The firm moved its office to a new site near Leeds."]
    assert all(one.by == "compression" for one in compressions("It was a very long day for all of us."))


def test_placeholders_stay() -> None:
    sentence = "The result of [[M1]] is very clear (see [[M2]]), which is due to the fact that [[M3]] holds."
    found = shorter(sentence)
    assert found
    assert all(re.findall(r"\[\[M\d\]\]", text) == ["[[M1]]", "[[M2]]", "[[M3]]"] for text in found)


def test_quotations_are_left_alone() -> None:
    assert not shorter('"I really am very tired, in order to be honest," he said.')
    for text in shorter('The very old man said, "I am very tired," and then he left the house with his dog.'):
        assert '"I am very tired,"' in text or '"' not in text


def test_nothing_to_cut() -> None:
    for sentence in ("", "  ", "Stop.", "He left.", "…", "[[M1]]", "Why?"):
        assert compressions(sentence) == []


WORDS = st.sampled_from(
    [
        "the",
        "a",
        "very",
        "old",
        "man",
        "who",
        "in",
        "of",
        "and",
        ",",
        "(",
        ")",
        "said",
        "that",
        "because",
        "it",
        "was",
        "is",
        "to",
        "go",
        "went",
        "quickly",
        "in",
        "order",
        "to",
        "[[M1]]",
        "[[M2]]",
        '"',
        "which",
        "Paris",
        "2014",
        "not",
        "house",
        "houses",
        ",",
        ";",
        ":",
        "—",
        "when",
        "he",
        "she",
        "built",
        "finally",
        "such",
        "as",
        "for",
        "there",
        "are",
    ]
)


@given(st.lists(WORDS, min_size=1, max_size=25), st.sampled_from([".", "!", "?", ""]))
def test_any_words(words: list[str], mark: str) -> None:
    sentence = re.sub(r" ([,;:)])", r"\1", " ".join(words)) + mark
    sentence = sentence[:1].upper() + sentence[1:]
    marks = re.findall(r"\[\[M\d\]\]", sentence)
    for candidate in compressions(sentence):
        text = candidate.text
        assert count_words(text) < count_words(sentence)
        assert re.findall(r"\[\[M\d\]\]", text) == marks
        assert text.endswith(mark)
        assert text.count("(") - text.count(")") == sentence.count("(") - sentence.count(")")
        assert text.count('"') % 2 == sentence.count('"') % 2
        assert not text.startswith((",", ";", " ")) or sentence.startswith((",", ";"))
        assert compressions(sentence)[0].why


def test_no_new_findings() -> None:
    sentences = (
        "While many around the country gave money, the survey found that a fifth were paying nothing at all.",
        "The earliest stages of your project are your chance to set the tone that you want to hear in it.",
        "Attach an iron rod to the wooden frame, using a pair of strong clamps, and let the glue dry for an hour.",
    )
    for sentence in sentences:
        assert not grammar_findings(sentence)
        for text in shorter(sentence):
            assert not grammar_findings(text), text


def test_a_sentence_that_was_cut_off_after_a_comma_is_read_all_the_same() -> None:
    found = shorter("To see the effect, we measure how fast the water falls at the gate in winter,")
    assert "We measure how fast the water falls at the gate in winter," in found


@pytest.mark.parametrize(
    ("sentence", "never"),
    [
        ("If the rent is not paid within ten days after it is due, the tenant shall pay interest.", r"\AIf [^,]*\Z"),
        ("The council voted on Tuesday evening by 31 to 24 to close the old bridge.", r"24\.\Z"),
        ("Rinse the tank, fill it with water, and run the pump twice.", r"\ARinse the tank, fill it with water\.\Z"),
        ("It was her patience that won us the first prize in May.", r"\AIt was her patience\.\Z"),
        ("The mould is worse, and my son, who is six, has been coughing for weeks.", r"\bmy son\.\Z"),
        ("Whether naps help in adolescents, who sleep too little, remains unclear.", r"adolescents\.\Z"),
        ("We met the band, who sang, danced and drummed until midnight.", r"the band danced"),
        ("We do not fail because we are lazy; we fail because we are proud.", r"lazy\.\Z"),
        ("The shaded points were cooler in the afternoon than the open ones.", r"cooler\.\Z"),
        ("The stairs have to be 20 cm wider than they are now.", r"20 wider"),
        ("The doors closed with too much force on Monday.", r"with much force"),
    ],
)  # fmt: skip
def test_what_is_never_cut(sentence: str, never: str) -> None:
    assert not [one.text for one in compressions(sentence) if re.search(never, one.text)]


def test_a_label_stays() -> None:
    sentence = "Results: The naps, which were short, helped nearly all of the nurses at night."
    assert all(one.text.startswith("Results: ") for one in compressions(sentence))
    assert compressions(sentence)


@pytest.mark.parametrize(
    ("sentence", "broken"),
    [
        ("Anyone who is interested should write to me.", "Anyone should write to me."),
        ("The hotel is in a quiet spot right by the sea and the staff are kind.", "spot right and"),
        (
            "It is slow, but it does not, as far as we know, break the pump.",
            "it does not, as far as we know.",
        ),
    ],
)
def test_no_cut_leaves_half_of_a_phrase(sentence: str, broken: str) -> None:
    assert not any(broken in one.text for one in compressions(sentence))


def test_what_happens_meanwhile_is_cut_within_an_opening_clause() -> None:
    made = [
        one.text
        for one in compressions("When she got to the hall after running all the way, the train had left.")
    ]
    assert "When she got to the hall, the train had left." in made


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("A short night now and then does little harm.", "short night now and then"),
        ("The kitchen is closed on the morning of the following day.", "morning of the"),
        ("I have a basic knowledge of Italian.", "basic"),
    ],
)
def test_words_that_belong_together_or_limit_stay(sentence: str, kept: str) -> None:
    assert all(kept in one.text for one in compressions(sentence))


@pytest.mark.parametrize("line", ["Yours sincerely, Hugh Merrick", "Yours very truly,", "Dear Mr Lee,"])
def test_how_a_letter_is_signed_says_something(line: str) -> None:
    assert compressions(line) == trims(line) == []
    assert tightened(line) is None
