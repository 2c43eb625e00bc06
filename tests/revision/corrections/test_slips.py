"""Errors that a few words tell, what is right in their place, and correct text that stays as it is."""

from __future__ import annotations

import pytest

from redraft.revision.corrections.slip_words import FORMS_OF_WORDS, is_in
from redraft.revision.corrections.slips import slips, without_slips
from redraft.revision.corrections.told_in_past import in_past, is_told_in_past, with_past_for_present


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("The nurse did not knew it.", "The nurse did not know it."),
        ("Nobody does this no more.", "Nobody does this any more."),
        ("Can you tell me when will arrive the machine?", "Can you tell me when the machine will arrive?"),
        ("I wonder why is the door open.", "I wonder why the door is open."),
        ("She knows what time is it.", "She knows what time it is."),
        ("I think she has right, but I am not sure.", "I think she is right, but I am not sure."),
        ("I would like that you give me back the money.", "I would like you to give me back the money."),
        ("The barn is used like a school.", "The barn is used as a school."),
        ("My aunt suggested me to leave.", "My aunt suggested that I leave."),
        ("I recommend everybody to tries it.", "I recommend that everybody try it."),
        ("The shop is close on mondays.", "The shop is closed on Mondays."),
        ("We discussed about the price.", "We discussed the price."),
        ("Despite of the rain we walked.", "Despite the rain we walked."),
        ("It's depend of the weather.", "It depends on the weather."),
        ("This one is more better than that.", "This one is better than that."),
        ("She is married with a baker.", "She is married to a baker."),
        ("The most of people goes there.", "Most people go there."),
        ("We got many informations.", "We got a lot of information."),
        ("It was one of the best film of the year.", "It was one of the best films of the year."),
        ("A dozen of painters met.", "A dozen painters met."),
        ("I don't know where is the station.", "I don't know where the station is."),
        ("She throwed it away.", "She threw it away."),
        ("He can't to come.", "He can't come."),
        ("If we would have known, we would have called.", "If we had known, we would have called."),
        ("They could of said so.", "They could have said so."),
    ],
)
def test_puts_right(wrong: str, right: str) -> None:
    assert without_slips(wrong) == right


@pytest.mark.parametrize(
    "sentence",
    [
        "A dozen of the cores were lost.",
        "She has right of way.",
        "I would like that very much.",
        "The key that Ola Brandt cut in May opens the shed.",
        "They came in May to visit us.",
        "It is close to forty years since he died.",
        "He had meant it to.",
        "We make the most of our time.",
        "The assays were done as suggested to improve the paper.",
        "You should see who is at the door.",
        "Four days is enough to see the town.",
        "They were used to a cold house.",
        "I insist that he go.",
        "Did she leave early?",
        "Whoever wrote it did so in the dark.",
        "The news is good, and the data were kept.",
        "There is a lot of water in the cellar.",
        "Let it be known that none of us objected.",
        "He wants to know what the price is.",
    ],
)
def test_leaves_correct_text_alone(sentence: str) -> None:
    assert slips(sentence) == []


def test_leaves_what_is_quoted_or_code() -> None:
    for sentence in (
        "“He don't know nothing no more,” she said.",
        'He wrote "we was late" on the door.',
        "Run `they was here` first.",
    ):
        assert slips(sentence) == []
    # Marks that stand in other sentences are told by who calls.
    assert without_slips("We was late.", ["We was late."]) == "We was late."


def test_says_which_pattern_found_an_error() -> None:
    (slip,) = slips("We discussed about it.")
    assert "discuss" in slip.pattern
    assert slip.right == ""


@pytest.mark.parametrize(
    ("form", "word", "made"),
    [
        ("base", "went", "go"),
        ("part", "throwed", "thrown"),
        ("tell", "said", "told"),
        ("plural", "city", "cities"),
        ("comparative", "high", "higher"),
    ],
)
def test_forms(form: str, word: str, made: str) -> None:
    assert FORMS_OF_WORDS[form](word) == made


def test_sets_told_by_rule() -> None:
    assert is_in("pasts", "knew")
    assert not is_in("pasts", "said")  # its participle is the same
    assert is_in("bare_verbs", "decide")
    assert not is_in("bare_verbs", "cover")


def test_tells_a_text_in_the_past() -> None:
    told = "She opened the door. It was dark. He had gone. They waited, and nobody came. She left."
    assert is_told_in_past(told)
    assert not is_told_in_past("She opens the door. It is dark. He waits. They came.")


def test_verbs_go_to_the_past_behind_a_time_that_is_over() -> None:
    assert in_past("Yesterday we go home.", told_in_past=False) == "Yesterday we went home."
    assert in_past("After lunch we climb up.", told_in_past=True) == "After lunch we climbed up."
    for sentence in ("After lunch we climb up.", "I think that we go home.", "Yesterday, did they go home?"):
        assert in_past(sentence, told_in_past=False) == sentence


def test_a_verb_that_was_to_agree_goes_to_the_past() -> None:
    assert with_past_for_present("It rain, and nobody have slept.", "It rains, and nobody has slept.") == (
        "It rained, and nobody had slept."
    )
    assert with_past_for_present("We was here.", "We were here.") == "We were here."
    assert with_past_for_present("Five member came.", "Five members came.") == "Five members came."
    assert with_past_for_present("The next meeting take place.", "The next meeting takes place.").endswith(
        "takes place."
    )
