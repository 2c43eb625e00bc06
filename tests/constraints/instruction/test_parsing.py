from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import example, given, settings, strategies as st

from redraft.constraints import Constraint, Finding, Reading, parse
from redraft.constraints.instruction import parsing
from redraft.text import Span

KNOWN = """
    keep leave the not don't no sentence sentences words tokens paragraph 300 3rd third 2-4 first
    last 'x' "y" and or but under over at least most between only change except everything nothing
    else to with each every grade 8 without avoid use times twice , ; : . ( ) - unchanged must
    should be limit max from 1,200 half a dozen of replace start end match /x/ numbers names
"""
WORDS = st.sampled_from([*KNOWN.split(), "\n"])
HOSTILE = [
    "1 words ",
    "under 1 words ",
    "keep 'a' ",
    '"',
    "“a ",
    " ",
    "- a\n",
    "keep:\n",
    "grade of the ",
    "1-2 ",
]
HOSTILE += ["match /", "change anything except sentence 3 ", "hundred and ", "do not use the word ", "e.g. "]
HOSTILE += ["2nd, ", "keep the 2nd to last, ", "over 2 but under 3 ", "besides, ", "no 2 words or more or "]


@pytest.mark.parametrize(
    ("text", "style"),
    [
        (
            "Please revise this to make it friendlier, under 300 words",
            "Please revise this to make it friendlier",
        ),
        (
            "Please refine the following text. Keep the 35th sentence unchanged:",
            "Please refine the following text",
        ),
        ("Make it warmer; keep it under 120 words; don't touch sentence 2.", "Make it warmer"),
        ("Revise for fluency, ensuring the output contains fewer than 9 sentences.", "Revise for fluency"),
        ("Keep it under 300 words.", ""),
        ("- max 300 words\n- be kind\n- keep sentence 4", "be kind"),
        ("Use a lively voice. Under 90 words. Be bold!", "Use a lively voice. Be bold!"),
        ("Avoid:\n- 'synergy'\n- 'leverage'", ""),
        ("Explain what's more important, in at most 300 words.", "Explain what's more important"),
        ("Put a cherry on top of it, under 300 words.", "Put a cherry on top of it"),
        ("no fluff 300 words or fewer", "no fluff"),
        ("Don't touch the quotes or the dialect.", "Don't touch the dialect"),
        ("don't change the numbers or rewrite the intro", "don't rewrite the intro"),
        ("Don't use em dashes, semicolons, or any jargon", "Don't use any jargon"),
        ("Avoid semicolons and flowery language.", "Avoid flowery language"),
        ("keep the quotations, the humour and the order", "keep the humour and the order"),
        ("No semicolons and sound confident", "sound confident"),
        ("", ""),
    ],
)
def test_style_is_what_is_left(text: str, style: str) -> None:
    assert parse(text).style == style


@pytest.mark.parametrize(
    "opening",
    [
        "Also",
        "In addition",
        "Besides",
        "Besides that",
        "In addition to this",
        "On top of that",
        "What's more",
        "Apart from that",
        "Beyond that",
        "Further",
        "Likewise",
        "As well",
        "Last but not least",
        "Thirdly",
    ],
)
def test_an_opening_that_adds_a_demand_is_no_style(opening: str) -> None:
    for demand in ("keep it under 300 words", "sentence 3 must stay", "only change sentence 3"):
        read = parse(f"Make it friendlier. {opening}, {demand}.")
        assert read.constraints == parse(demand).constraints
        assert read.style == "Make it friendlier"


@pytest.mark.parametrize(
    "place",
    [
        "second to last",
        "second-to-last",
        "2nd last",
        "next to last",
        "penultimate",
        "third from the last",
        "third to the last",
        "second to final",
        "last two",
        "last",
    ],
)
@pytest.mark.parametrize(
    "demand", ["Keep the {} sentence.", "Only change the {} sentence.", "Edit all but the {}."]
)
def test_a_sentence_counted_from_the_end_has_no_number(place: str, demand: str) -> None:
    text = demand.format(place)
    read = parse(text)
    part = {"last": "last sentence", "last two": "last 2 sentences"}.get(place, "second-to-last sentence")
    if "third" not in place and "{} sentence" in demand:
        # These are parts of the text, which have a name and no number.
        relation = "unchange" if demand.startswith("Keep") else "change"
        assert [one.call for one in read.constraints] == [f'parts_check(["{part}"], "{relation}")']
        return
    assert read.constraints == ()
    assert read.style == text.rstrip(".")


def test_constraints_come_in_order_with_their_places() -> None:
    text = "Be brief. Keep sentence 4 unchanged, avoid “synergy”, and use fewer than 200 words."
    read = parse(text)
    assert [c.call for c in read.constraints] == [
        'sentence_modification_check([4], "unchange")',
        'keyword_keep_removal_check("synergy", "remove")',
        'word_count_check(200, "less than")',
    ]
    places = [text[span.start : span.end] for span in read.places]
    assert places == ["Keep sentence 4 unchanged", "avoid “synergy”", "fewer than 200 words"]


def test_a_constraint_said_twice_is_given_once() -> None:
    assert len(parse("Under 300 words. Really, stay under 300 words!").constraints) == 1


def test_the_last_sentence_has_no_number() -> None:
    read = parse("Keep the first and last sentences unchanged.")
    assert [c.call for c in read.constraints] == [
        'sentence_modification_check([1], "unchange")',
        'parts_check(["last sentence"], "unchange")',
    ]
    assert parse("Only change the first and last sentences.").constraints == ()


def test_a_text_pasted_behind_the_instruction_is_not_read() -> None:
    pasted = (
        "The rule says to keep it under 300 words and never to use the word 'synergy' in any letter. " * 8
    )
    read = parse(f"Make this friendlier, at most 12 sentences:\n\n{pasted}")
    assert [c.call for c in read.constraints] == ['sentence_count_check(13, "less than")']
    assert pasted.strip() in read.style


def test_other_kinds_read_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Hashtags(Constraint):
        name = "hashtag_check"

        def check(self, original: Reading | None, revised: Reading) -> Finding:
            raise NotImplementedError

        def phrasings(self) -> Sequence[str]:
            return ["No hashtags."]

        @classmethod
        def read(cls, instruction: str) -> Iterable[tuple[Span, Constraint]]:
            assert "300" not in instruction
            at = instruction.find("no hashtags")
            return [(Span(at, at + 11), cls())] if at >= 0 else []

    monkeypatch.setattr(parsing, "all_kinds", lambda: {"hashtag_check": Hashtags})
    text = "Be bold, no hashtags, under 300 words."
    read = parse(text)
    assert [c.call for c in read.constraints] == ["hashtag_check()", 'word_count_check(300, "less than")']
    assert text[read.places[0].start : read.places[0].end] == "no hashtags"
    assert read.style == "Be bold"


@settings(max_examples=300)
@given(st.text())
@example("'" * 50)
@example("match /(/")
@example("grade 2019 or below")
@example("sentences 1 to 999999999 stay")
@example("at most 999999999999999 words")
@example("keep sentence 0")
def test_any_text_is_read_without_a_crash(text: str) -> None:
    check_sound(text)


@settings(max_examples=500)
@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_any_mix_of_known_words_is_read_without_a_crash(text: str) -> None:
    check_sound(text)


def check_sound(text: str) -> None:
    read = parse(text)
    assert read.text == text
    assert len(read.constraints) == len(read.places) == len(set(read.constraints))
    assert all(0 <= span.start < span.end <= len(text) for span in read.places)


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_input_takes_linear_time(unit: str) -> None:
    short, long = (_seconds(unit * (size // len(unit))) for size in (3_000, 30_000))
    assert long < max(30 * short, 1.0)


def _seconds(text: str) -> float:
    started = time.process_time()
    parse(text)
    return time.process_time() - started


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        ("Begin with 'Dear Prof. Lee,'", "Dear Prof. Lee,"),
        ('Start with "Hi team," and keep it friendly.', "Hi team,"),
        ('Close with "Best," please.', "Best,"),
        ('Begin with "However," and keep it friendly.', "However"),
    ],
)
def test_the_comma_of_a_greeting_is_its_own(instruction: str, text: str) -> None:
    (constraint,) = parse(instruction).constraints
    assert constraint.to_dict()["text"] == text


@pytest.mark.parametrize(
    ("instruction", "calls"),
    [
        (
            "You can go over 300 words if you need to, but no emojis.",
            ['punctuation_check("emoji", 1, "less than")'],
        ),
        ("It's fine to exceed 300 words.", []),
        ("You may use more than 20 sentences.", []),
        ("You may go up to 300 words.", ['word_count_check(301, "less than")']),
        ("You can't go over 300 words.", ['word_count_check(301, "less than")']),
        ("It can have three paragraphs at most.", ['paragraph_count_check(4, "less than")']),
    ],
)
def test_leave_to_go_further_is_no_demand(instruction: str, calls: list[str]) -> None:
    assert [constraint.call for constraint in parse(instruction).constraints] == calls


@pytest.mark.parametrize(
    "said",
    [
        "Nothing may begin with 'But'.",
        "No sentence may end with 'it'.",
        "You may start sentences with 'And'.",
    ],
)
def test_what_no_sentence_may_open_with_does_not_open_the_text(said: str) -> None:
    assert parse(said).constraints == ()


def test_what_is_denied_beside_an_opening_denies_it_not() -> None:
    (opening,) = parse("Add nothing, but begin with 'Dear Ann,'.").constraints
    assert opening.call == 'starts_with_check("Dear Ann,")'
