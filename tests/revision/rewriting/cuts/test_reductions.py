"""Tests of phrases that say nothing, and of what stands for them."""

from __future__ import annotations

import pytest

from redraft.revision.rewriting.cuts.compressions import tightened, trims


@pytest.mark.parametrize(
    ("wordy", "tight"),
    [
        ("Nina will be happy to answer all of your questions.", "Nina will answer all your questions."),
        ("The fee amounts to 45 euros.", "The fee is 45 euros."),
        ("The shop opens at nine o'clock in the morning.", "The shop opens at 9 am."),
        ("It was not until 1950 that the bridge was open again.", "The bridge was not open again until 1950."),
        ("They have come to the conclusion that he was right.", "They have concluded he was right."),
        ("What we need is a plan for the summer.", "We need a plan for the summer."),
        ("He cut the rope with a knife made of stone.", "He cut the rope with a stone knife."),
        ("Ice on a pond can melt within a short time.", "Ice on a pond can melt quickly."),
        (
            "Never leave milk in the sun, because this will cause the fat to separate.",
            "Never leave milk in the sun, or the fat will separate.",
        ),
        ("If you would like to leave, you have to tell us.", "To leave, tell us."),
        ("Anybody who is interested is very welcome to come along to our rehearsal.", "Anybody interested is welcome at our rehearsal."),
        (
            "We would like to thank you for your help and hope to see you again.",
            "Thank you for your help, and we hope to see you again.",
        ),
        ("It can be said that a total of 12 boats sank.", "12 boats sank."),
        (
            "We are writing to you today in order to inform you about the fact that the lift is closed.",
            "The lift is closed.",
        ),
        (
            "I just wanted to reach out and let you know that the meeting has moved to room 4.",
            "The meeting has moved to room 4.",
        ),
        ("The reason why I am late is because the bus broke down.", "I am late because the bus broke down."),
        (
            "It is important to note that the data seem to suggest that there is a possibility that mice could adapt.",
            "The data suggest that mice could adapt.",
        ),
        ("I wanted to take a moment to thank you for your help.", "I thank you for your help."),
        ("We would appreciate it if you could send the file.", "Please send the file."),
        ("It should be noted, however, that the survey was small.", "However, the survey was small."),
        ("It should be noted that A is old, and that B is new.", "A is old, and B is new."),
        ("Scores were found to be lower in the late group.", "Scores were lower in the late group."),
        ("In a trial that was conducted at four schools, we met.", "In a trial at four schools, we met."),
        ("You should then proceed to attach the pump and to pump until it is full.", "Then attach the pump and pump until it is full."),
        ("They need to pay it one single time.", "They need to pay it once."),
        ("It is possible that the lift will not be ready in time.", "The lift may not be ready in time."),
        ("What I would like to know is whether the shop is open.", "Please tell me whether the shop is open."),
        ("If it should happen that it stops, then you should call us.", "If it stops, you should call us."),
        ("The course will, of course, be cheap.", "The course will be cheap."),
        ("Those who swim sleep better than those who do not swim at all.", "Those who swim sleep better than those who do not."),
        ("Because there was heavy rain, several roads are closed.", "Because of heavy rain, several roads are closed."),
        ("I would like to take this opportunity to ask for your help.", "I would like to ask for your help."),
        ("We would be really happy if you could open an issue.", "Please open an issue."),
        ("The Buyer needs the prior written consent of the Seller.", "The Buyer needs the Seller's prior written consent."),
        ("We sent them to a hotel near the lake or to a hotel near the sea.", "We sent them to a hotel near the lake or sea."),
        ("There was an outage, which began at 06:10 in the morning and lasted until 09:45.", "There was an outage from 06:10 to 09:45."),
        ("Please be aware of the fact that you should never, under any circumstances, go above 18 psi.", "Never go above 18 psi."),
        ("The majority of the students come from the village.", "Most of the students come from the village."),
        ("Guests paid a fee of GBP 50 at the door.", "Guests paid GBP 50 at the door."),
        ("The shop opens its doors on Monday.", "The shop opens on Monday."),
        ("It is possible that it could happen that some of them may get two.", "Some of them may get two."),
    ],
)  # fmt: skip
def test_filler_goes_and_all_else_stays(wordy: str, tight: str) -> None:
    found = tightened(wordy)
    assert found is not None
    assert found.text == tight
    assert found.why


@pytest.mark.parametrize(
    "sentence",
    [
        "The survey was voluntary.",
        "She went back to the board.",
        "We noted that it rained.",
        "She was charged a fine of GBP 50.",
        "Everybody who attends must pay.",
        "She called Tom, but he did not answer.",
        "It was a change of course for the firm.",
        "We would like to invite you to a party.",
        "I cannot find the time to read.",
        "Send it not later than 3 days after the sale.",
        "He said that particular care was needed.",
        "We waited until once more people came.",
        "He is close to his mother.",
        "They left without any of them.",
        "As of 1 March, we had twenty members.",
        "He counted to six in the evening sun.",
        "I am looking for the staff room.",
        "If you have any doubt, ask the guide.",
        "He said “it should be noted that I was right” and left.",
    ],
)
def test_what_says_something_is_left_alone(sentence: str) -> None:
    assert tightened(sentence) is None


def test_an_opinion_does_not_become_a_fact() -> None:
    found = tightened("It could be argued that the plan failed.")
    assert found is None or "argued" in found.text


def test_the_tightest_comes_first() -> None:
    found = trims("Please note that, in order to start, you have to press the button two times.")
    assert found[0].text == min((one.text for one in found), key=len)
