"""Sentences that begin with another word than their neighbours."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import given, settings, strategies as st

from redraft.constraints import constraints_of
from redraft.revision.rewriting.wording.openings import reopened
from redraft.revision.task import Task
from redraft.text import Format, opening_word
from tests.revision.fakes import repaired


@pytest.mark.parametrize(
    ("sentence", "moved"),
    [
        ("We met him in May.", "In May, we met him."),
        ("He left because he was ill.", "Because he was ill, he left."),
        ("The report was published last week.", "Last week, the report was published."),
        ("In 2019, the firm opened a shop in Leeds.", "The firm opened a shop in Leeds in 2019."),
        ("If you agree, sign here.", "Sign here if you agree."),
        ("He slowly opened the door.", "Slowly, he opened the door."),
        ("The old lamp burned near the door.", "Near the door, the old lamp burned."),
        ("I tried to call on Monday without success.", "On Monday, I tried to call without success."),
        ("I have not received it yet.", "So far, I have not received it."),
        ("We then measured the rest.", "Then we measured the rest."),
        ("In spring we also mend the fence.", "We also mend the fence in spring."),
        ("We met at the end of the week.", "At the end of the week, we met."),
        ("It runs for a week on one charge.", "On one charge, it runs for a week."),
        ("If Customer agrees, Partner pays.", "Partner pays if Customer agrees."),
        ("The firm shall pay within ten days.", "Within ten days, the firm shall pay."),
    ],
)
def test_what_says_when_is_moved(sentence: str, moved: str) -> None:
    assert moved in [one.text for one in reopened(sentence)]


@pytest.mark.parametrize(
    "sentence",
    [
        "He said he would come on Monday.",
        "They promised us a reply by Friday.",
        "I think that he left when it rained.",
        "She lives in the house.",
        "The abbey was founded only in 1150.",
        "He called just before noon.",
        "We would be glad of a reply this week.",
        "She wants to study law next year.",
        "It rained from dawn until noon.",
        "She puts the beard in the attic.",
        "I found a flat near the harbour.",
        "If it fails, the pump is replaced.",
        "This tells us that while they slept, the firm grew.",
        "These rules say when we close.",
        "In Rome we shall rest and eat and we shall sleep.",
        "However, the firm failed.",
        "In fact, it failed.",
        "Did he come in May?",
        "“We came in May,” he said in June.",
        "Nothing here",
    ],
)
def test_nothing_is_moved_where_it_would_say_something_else(sentence: str) -> None:
    assert reopened(sentence) == []


PIECES = [
    "we met",
    "he left",
    "in May",
    "because he was ill",
    "slowly",
    "the old man",
    "it rained",
    "on Monday,",
]
SENTENCES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map(
    lambda words: " ".join(words).capitalize().replace(" may", " May").replace("monday", "Monday") + "."
)


@settings(max_examples=200)
@given(SENTENCES)
def test_no_word_is_new_or_lost_and_the_first_is_another(sentence: str) -> None:
    for one in reopened(sentence):
        assert sorted(re.findall(r"\w+", one.text.lower())) == sorted(re.findall(r"\w+", sentence.lower()))
        assert opening_word(one.text) != opening_word(sentence)


def revised(text: str, instruction: str, format: Format = "text") -> tuple[str, list[str]]:
    found = asyncio.run(repaired(Task(text, constraints_of(instruction), format=format)))
    return found.draft.text, [finding.message for finding in found.findings if not finding.met]


def test_neighbours_are_told_apart() -> None:
    text = "He rose at dawn. He washed. He left the house in the morning. She slept. She dreamt of the sea."
    new, unmet = revised(text, "No two sentences in a row may begin with the same word.")
    assert unmet == []
    words = [word for word in re.findall(r"\w+", text.lower()) if word not in ("he", "she")]
    assert all(word in new.lower() for word in words)


def test_numbers_and_headings_are_mended_with_all_else() -> None:
    text = "# a trip To Kent\n\nWe saw 3 cats; they ran. We left Kent.\n"
    new, unmet = revised(text, "Title case headings, spell out numbers, no semicolons.", "markdown")
    assert (new, unmet) == ("# A Trip to Kent\n\nWe saw three cats. They ran. We left Kent.\n", [])


@pytest.mark.parametrize(
    "instruction",
    ["Reading ease of at least 50.", "Fog index of at most 13.", "SMOG of at most 12.", "ARI of at most 12."],
)
def test_a_text_is_made_easier_by_any_formula(instruction: str) -> None:
    text = (
        "The committee, which met twice in the autumn, decided that the proposal should be rejected because the"
        " costs were considerable, and the members agreed that another meeting was necessary. The weather was"
        " unfavourable, but the participants arrived in time, and everybody was satisfied with the arrangements."
    )
    task = Task(text, constraints_of(instruction))
    found = asyncio.run(repaired(task))
    assert found.findings.distance < task.check(text).distance
