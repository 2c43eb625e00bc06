"""Marks of punctuation and contractions, as people ask for them."""

from __future__ import annotations

import pytest

from redraft.constraints import check, infeasible, parse

# what is asked for → how people say it
FORBIDDEN = {
    "semicolon": [
        "No semicolons.", "no semi-colons please", "Don't use semicolons.", "Avoid semicolons.",
        "Please remove every semicolon from the text.", "Semicolons must go.", "Semicolons should not be used.",
        "Make sure that it has no semicolons.", "I don't want any semicolons in it.", "Write it without semicolons.",
    ],
    "em dash": [
        "Get rid of the em dashes.", "No em-dashes.", "no dashes", "Stop using em dashes!", "Lose the em dashes.",
        "Take the em dashes out.", "Remove all em dashes.", "There should be no em dashes.",
        "Please don't use em dashes anywhere.", "Never use em dashes.",
    ],
    "exclamation mark": [
        "No exclamation marks.", "Lose the exclamation points.", "Cut out the exclamation marks.",
        "Avoid using exclamation marks.", "Exclamation marks are banned.", "do not include any exclamation points",
        "Drop all the exclamation marks, please.", "No exclamation marks whatsoever.",
        "Exclamation marks must be avoided.", "Without exclamation marks.",
    ],
    "bracket": [
        "Without brackets.", "Rewrite it without parentheses.", "Take out the parentheses, please.", "No brackets.",
        "Leave out the brackets.", "Avoid parentheticals.", "Do away with the parentheses.", "Don't use any parens.",
        "Brackets are not allowed.", "Parentheses should be removed.",
    ],
    "emoji": [
        "No emojis.", "Strip the emoji.", "no emoji", "Keep it emoji-free.", "No emojis allowed.",
        "Take the emojis out.", "There should never be any emojis.", "Emojis are off limits.", "Delete the smileys.",
        "Don't use emoticons.",
    ],
    "ellipsis": [
        "Drop the ellipses.", "Never use ellipses.", "No ellipsis.", "Avoid ellipses.", "Remove all ellipses.",
        "Without ellipses.", "Get rid of every ellipsis.", "Do not use any ellipses at all.",
        "Ellipses are not permitted.", "Ellipses must not be used.",
    ],
    "question mark": ["No question marks.", "Do not use question marks.", "Avoid question marks throughout."],
}  # fmt: skip
COUNTED = {
    ("exclamation mark", 2, "less than"): [
        "Use at most one exclamation mark.", "No more than one exclamation point.", "Only one exclamation mark, please.",
        "Limit yourself to one exclamation mark.", "one exclamation mark at most", "Keep it to one exclamation mark.",
        "Do not use more than one exclamation mark.", "a maximum of one exclamation mark",
        "Fewer than two exclamation marks.", "up to 1 exclamation mark",
    ],
    ("question mark", 0, "more than"): ["At least one question mark.", "Use at least one question mark."],
    ("semicolon", 2, "equal"): ["exactly two semicolons", "There should be exactly 2 semicolons."],
}  # fmt: skip
CONTRACTIONS = {
    "none": [
        "Don't use contractions.", "No contractions.", "Avoid contractions.", "Spell out all contractions.",
        "Expand the contractions.", "Make it contraction-free.", "Contractions should be avoided.",
        "Write out the contractions.", "Contractions must be written out.", "Without contractions, please.",
    ],
    "use": [
        "Use contractions.", "Use contractions where possible.", "Contractions should be used throughout.",
        "Please use more contractions.", "Write it with contractions.", "Prefer contractions.",
        "Contractions must be used.", "Use natural contractions.", "Use contractions wherever you can.",
        "Include contractions.",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("mark", "wording"), [(mark, one) for mark in FORBIDDEN for one in FORBIDDEN[mark]])
def test_a_mark_is_forbidden(mark: str, wording: str) -> None:
    read = parse(wording)
    assert [one.call for one in read.constraints] == [f'punctuation_check("{mark}", 1, "less than")']
    assert read.style in ("", "Rewrite it")


@pytest.mark.parametrize(("bound", "wording"), [(bound, one) for bound in COUNTED for one in COUNTED[bound]])
def test_marks_are_counted(bound: tuple[str, int, str], wording: str) -> None:
    mark, count, relation = bound
    read = parse(wording)
    assert [one.call for one in read.constraints] == [f'punctuation_check("{mark}", {count}, "{relation}")']
    assert read.style == ""


@pytest.mark.parametrize(
    ("way", "wording"), [(way, one) for way in CONTRACTIONS for one in CONTRACTIONS[way]]
)
def test_contractions_are_avoided_or_used(way: str, wording: str) -> None:
    read = parse(wording)
    assert [one.call for one in read.constraints] == [f'contractions_check("{way}")']
    assert read.style == ""


@pytest.mark.parametrize(
    "wording",
    [
        "Keep the semicolons.",
        "Don't remove the semicolons.",
        "Do not get rid of the em dashes.",
        "Never remove the ellipses.",
        "Please don't strip out my emojis.",
        "Don't delete or change the parentheses.",
        "Without removing the brackets, make it friendlier.",
        "Rather than removing the brackets, make the text formal.",
        "Leave the brackets in.",
        "It has no semicolons.",
        "It doesn't use any contractions.",
        "Don't avoid semicolons.",
        "There is no need to remove the brackets.",
        "Emojis are fine.",
        "You may use contractions.",
        "You can use contractions if you like.",
        "Use semicolons sparingly.",
        "Fewer em dashes.",
        "Remove all semicolons except the first.",
        "No emojis in the title.",
        "No more than one exclamation mark per paragraph.",
        "End with a question mark.",
        "Add a dash of humour.",
        "No square brackets.",
    ],
)
def test_nothing_is_read_backwards_or_for_the_whole_text(wording: str) -> None:
    assert parse(wording).constraints == ()
    assert parse(wording).style == wording.rstrip(".")


def test_several_marks_are_named_at_once() -> None:
    read = parse("Formal tone: no contractions, semicolons, em dashes or emojis; keep the brackets.")
    assert [one.call for one in read.constraints] == [
        'contractions_check("none")',
        'punctuation_check("semicolon", 1, "less than")',
        'punctuation_check("em dash", 1, "less than")',
        'punctuation_check("emoji", 1, "less than")',
    ]
    assert read.style == "Formal tone; keep the brackets"


@pytest.mark.parametrize(
    "wording",
    [
        "Replace the em dashes with commas.",
        "Use commas instead of em dashes.",
        "Turn the em dashes into commas.",
        "swap the em dashes for commas",
    ],
)
def test_what_stands_for_the_marks_is_still_told(wording: str) -> None:
    read = parse(wording)
    assert [one.call for one in read.constraints] == ['punctuation_check("em dash", 1, "less than")']
    assert read.style == wording.rstrip(".")


@pytest.mark.parametrize("part", ["semicolons, ", "no all of the ", "emoji ", "no emojis in the the "])
def test_a_line_without_end_is_read_all_the_same(part: str) -> None:
    assert len(parse(part * 2000).constraints) <= 1


def test_code_and_addresses_have_no_marks_of_a_writer() -> None:
    text = "Run `a; b!` and see <https://a.org/x;y?z=1>.\n\n```\nx; y;\n```\n"
    wanted = [
        'punctuation_check("semicolon", 0, "at most")',
        'punctuation_check("exclamation mark", 0, "at most")',
    ]
    assert check(text, wanted, format="markdown").met


def test_a_mark_in_a_sentence_that_must_stay_is_a_conflict() -> None:
    found = infeasible("No semicolons, and keep sentence 1.", original="It was late; we left. It rained.")
    assert found is not None
    assert found.reason == "sentence 1 must stay, with 1 semicolon; none may be there"
    assert (
        infeasible("No semicolons, and keep sentence 2.", original="It was late; we left. It rained.") is None
    )
    crossed = infeasible("At least two semicolons and no semicolons.")
    assert crossed is not None
    assert crossed.reason == "the number of semicolons must be at least 2 and at most 0"


@pytest.mark.parametrize(
    "wording",
    ["No ALL CAPS.", "Don't write in all caps.", "Avoid all-caps words.", "No words in capital letters."],
)
def test_words_in_capitals_are_forbidden(wording: str) -> None:
    read = parse(wording)
    assert [one.call for one in read.constraints] == ['punctuation_check("word in capitals", 1, "less than")']
    assert read.style == ""


def test_what_is_listed_with_a_mark_is_not_lost() -> None:
    calls = [one.call for one in parse("No exclamation marks or ALL CAPS.").constraints]
    assert calls == [
        'punctuation_check("exclamation mark", 1, "less than")',
        'punctuation_check("word in capitals", 1, "less than")',
    ]
    assert parse("Write the title in all caps.").constraints == ()


def test_an_abbreviation_does_not_shout() -> None:
    call = 'punctuation_check("word in capitals", 0, "at most")'
    assert check("NASA and UNESCO use HTML, JSON and the EU flag.", [call]).met
    assert not check("You MUST come.", [call]).met
