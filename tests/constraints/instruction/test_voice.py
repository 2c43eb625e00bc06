"""Voice, person and tense in plain English: read where they are meant, and never backwards."""

from __future__ import annotations

import pytest

from redraft.constraints import parse

NO_PASSIVE = 'passive_voice_check(1, "less than")'
NO_FIRST = 'person_check("first", "none")'
NO_SECOND = 'person_check("second", "none")'
FIRST = 'person_check("first", "use")'
SECOND = 'person_check("second", "use")'
PAST = 'tense_check("past")'
PRESENT = 'tense_check("present")'

READ = [
    ("Use the active voice.", [NO_PASSIVE]),
    ("Please rewrite this in the active voice, under 90 words.", [NO_PASSIVE, 'word_count_check(90, "less than")']),
    ("active voice, no jargon", [NO_PASSIVE]),
    ("No passive voice please", [NO_PASSIVE]),
    ("The passive voice should be avoided.", [NO_PASSIVE]),
    ("Change passive to active.", [NO_PASSIVE]),
    ("from passive to active please", [NO_PASSIVE]),
    ("Replace passive verbs by active ones", [NO_PASSIVE]),
    ("Active, not passive.", [NO_PASSIVE]),
    ("Eliminate passive constructions and contractions.", [NO_PASSIVE, 'contractions_check("none")']),
    ("Use no more than 3 passive sentences.", ['passive_voice_check(4, "less than")']),
    ("At most two passives, no first person.", ['passive_voice_check(3, "less than")', NO_FIRST]),
    ("Do not write in the first person.", [NO_FIRST]),
    ("Avoid first-person pronouns and the passive voice.", [NO_FIRST, NO_PASSIVE]),
    ("1st-person narration is out.", [NO_FIRST]),
    ("Don't use I or we.", [NO_FIRST]),
    ("No first person singular.", ['person_check("first singular", "none")']),
    ("Write in the first person.", [FIRST]),
    ("Write it from a first-person point of view", [FIRST]),
    ("First person only.", [FIRST]),
    ("Keep the first person.", [FIRST]),
    ("Use the first person singular.", ['person_check("first singular", "use")']),
    ("Rewrite in third person, please.", [NO_FIRST, NO_SECOND]),
    ("Switch from first to third person.", [NO_FIRST]),
    ("Address the reader directly.", [SECOND]),
    ("Never address the reader.", [NO_SECOND]),
    ("Remove first person and replace with passive voice.", [NO_FIRST]),
    ("Put everything into the past tense.", [PAST]),
    ("Past tense please.", [PAST]),
    ("Use past tense, not present tense.", [PAST]),
    ("Use present instead of past tense.", [PRESENT]),
    ("Rewrite this from present tense to past tense.", [PAST]),
    ("Change the tense from past to present.", [PRESENT]),
    ("Make sure the text is in the present tense.", [PRESENT]),
    ("Use the simple past.", [PAST]),
    ("No passive voice, and put everything into the past tense.", [NO_PASSIVE, PAST]),
    ("Tell the story in the first person, past tense.", [FIRST, PAST]),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "calls"), READ)
def test_what_is_meant_is_read(instruction: str, calls: list[str]) -> None:
    assert [constraint.call for constraint in parse(instruction).constraints] == calls


@pytest.mark.parametrize(
    "instruction",
    [
        "Keep the passive voice.",
        "Use the passive voice.",
        "You may use first person.",
        "It's ok to use the first person.",
        "Don't worry about the passive voice.",
        "Passive voice is fine.",
        "Avoid passive voice where possible.",
        "Reduce the passive voice.",
        "Prefer the active voice.",
        "Use mostly active voice.",
        "Make it less first-person.",
        "My first draft was in first person.",
        "The text is in the past tense.",
        "Do not change the tense.",
        "Don't use the past tense.",
        "Don't switch to the present tense.",
        "Put the second paragraph into the past tense.",
        "Put sentence 3 in the past tense.",
        "Use the past tense in the methods section.",
        "Use the past perfect tense.",
        "The first person to answer wins.",
        "Be more active.",
    ],
)
def test_what_is_not_meant_is_not_read(instruction: str) -> None:
    assert parse(instruction).constraints == ()


def test_what_is_to_be_avoided_too_keeps_its_verb() -> None:
    assert parse("Avoid passive voice, jargon and long words.").style.startswith("Avoid")
    assert parse("Use the active voice and short sentences.").style.endswith("short sentences")
