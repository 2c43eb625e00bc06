"""Named parts: what an instruction says of them, and whether a revision obeys."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.constraints import PartLength, Parts, check, infeasible, parse, parse_call
from redraft.errors import CallError
from tests.constraints.texts import texts

LETTER = "Dear Ann,\n\nOne is here. “Two,” he said. Use `x` now.\n\nBest,\nBob"
README = "# Tool\n\nOne is here. Two is here.\n\n## Use\n\nRun `x` now.\n\n- one thing\n- another thing\n"


@pytest.mark.parametrize(
    ("instruction", "calls"),
    [
        ("Don't touch the headings.", ['parts_check(["headings"], "unchange")']),
        (
            "Leave the greeting and the signature alone.",
            ['parts_check(["greeting", "signature"], "unchange")'],
        ),
        ("Keep the penultimate sentence.", ['parts_check(["second-to-last sentence"], "unchange")']),
        ("Only change the bullet points.", ['parts_check(["bullets"], "change")']),
        ("Only the last paragraph should be changed.", ['parts_check(["last paragraph"], "change")']),
        ("Change everything except the code blocks.", ['parts_check(["code"], "unchange")']),
        ("The title must stay as it is.", ['parts_check(["title"], "unchange")']),
        ("Leave the Methods section untouched.", ['parts_check(["section Methods"], "unchange")']),
        (
            "Without changing the equations, shorten this to 80 words.",
            ['parts_check(["equations"], "unchange")', 'word_count_check(80, "at most")'],
        ),
        (
            "Keep the title and all numbers.",
            ['parts_check(["title"], "unchange")', 'preserve_check("numbers")'],
        ),
        (
            "Don't change the second sentence or the title.",
            ['parts_check(["title"], "unchange")', 'sentence_modification_check([2], "unchange")'],
        ),
        (
            "Don't touch the greeting, and keep it under 100 words.",
            ['parts_check(["greeting"], "unchange")', 'word_count_check(100, "less than")'],
        ),
        ("Keep the quotes.", ['preserve_check("quotations")']),
        ("Only change the quotes.", ['parts_check(["quotations"], "change")']),
    ],
)
def test_parts_are_read(instruction: str, calls: list[str]) -> None:
    read = parse(instruction)
    assert {one.call for one in read.constraints} == {parse_call(call).call for call in calls}
    assert read.style == ""


@pytest.mark.parametrize(
    ("instruction", "calls"),
    [
        ("The second paragraph must have at most 50 words.", [("paragraph 2", 50, "words", "at most")]),
        ("Keep the last paragraph under 3 sentences.", [("last paragraph", 3, "sentences", "less than")]),
        ("Cut paragraph 3 to two sentences.", [("paragraph 3", 2, "sentences", "at most")]),
        ("Keep the Methods section under 200 words.", [("section Methods", 200, "words", "less than")]),
        ("Shorten the introduction to 100 words.", [("section introduction", 100, "words", "at most")]),
        ("The title must not exceed 60 characters.", [("title", 60, "characters", "at most")]),
        ("Title: max 8 words.", [("title", 8, "words", "at most")]),
        ("At most 3 sentences in the first paragraph.", [("paragraph 1", 3, "sentences", "at most")]),
        ("Never let the title go over 10 words.", [("title", 10, "words", "at most")]),
        ("Please make sure that the title has fewer than 10 words.", [("title", 10, "words", "less than")]),
        ("Expand the conclusion to 100 words.", [("section conclusion", 100, "words", "at least")]),
        (
            "Keep the last paragraph between 40 and 60 words.",
            [("last paragraph", 40, "words", "at least"), ("last paragraph", 60, "words", "at most")],
        ),
        (
            "Make the second paragraph about 50 words.",
            [("paragraph 2", 45, "words", "at least"), ("paragraph 2", 55, "words", "at most")],
        ),
        (
            "Keep the introduction to three sentences and the conclusion under 50 words.",
            [
                ("section introduction", 3, "sentences", "at most"),
                ("section conclusion", 50, "words", "less than"),
            ],
        ),
    ],
)
def test_bounds_on_parts_are_read(instruction: str, calls: list[tuple[str, int, str, str]]) -> None:
    wanted = [
        parse_call(f'part_length_check("{part}", {count}, "{unit}", "{relation}")')
        for part, count, unit, relation in calls
    ]
    read = parse(instruction)
    assert list(read.constraints) == wanted
    assert read.style in ("", "Please")


@pytest.mark.parametrize(
    "instruction",
    [
        "You don't have to keep the title.",
        "Feel free to change the headings.",
        "I don't mind if you change the last paragraph.",
        "No need to keep the last paragraph under 50 words.",
        "The second paragraph has 50 words.",
        "The last paragraph is over 100 words, which is too long.",
        "Keep the title short.",
        "Make the introduction shorter.",
        "Keep the title, the headings and the friendly tone.",
    ],
)
def test_what_is_no_demand_on_a_part_is_not_read(instruction: str) -> None:
    assert parse(instruction).constraints == ()


def test_parts_stay_or_alone_change() -> None:
    cases = [
        (LETTER, "Ann", "Anna", "greeting"),
        (LETTER, "Bob", "Rob", "signature"),
        (LETTER, "“Two,”", "“Too,”", "quotations"),
        (LETTER, "`x`", "`y`", "code"),
        (LETTER, "“Two,” he said.", "He said two.", "second-to-last sentence"),
        (LETTER, "Use `x` now.", "Use it now.", "last sentence"),
        (README, "# Tool", "# Tools", "title"),
        (README, "## Use", "## Usage", "headings"),
        (README, "another", "one more", "bullets"),
        (README, "Run", "Start", "section Use"),
        (README, "Two is", "Two was", "paragraph 1"),
    ]
    for text, old, new, part in cases:
        other = text.replace("One is", "One was").replace("one thing", "one thing")
        for revised, relation, met in (
            (text.replace(old, new), "unchange", False),
            (text, "unchange", True),
            (text.replace(old, new), "change", True),
        ):
            call = f'parts_check(["{part}"], "{relation}")'
            assert check(revised, [call], original=text, format="markdown").met is met, call
        if part != "paragraph 1":
            kept = check(other, [f'parts_check(["{part}"], "unchange")'], original=text, format="markdown")
            alone = check(other, [f'parts_check(["{part}"], "change")'], original=text, format="markdown")
            assert kept.met
            assert not alone.met


def test_places_and_messages() -> None:
    revised = README.replace("## Use", "## Usage")
    (finding,) = check(revised, ['parts_check("headings", "unchange")'], original=README, format="markdown")
    assert [revised[span.start : span.end] for span in finding.spans] == ["Usage"]
    (none,) = check(LETTER, ['parts_check("equations", "unchange")'], original=LETTER)
    assert none.met
    assert "the text has no equations" in none.message
    (absent,) = check(LETTER, ['parts_check("title", "unchange")'], original=LETTER)
    assert absent.message == "title is named, but the text has none"
    assert infeasible(['parts_check("title", "unchange")'], original=LETTER) is not None


def test_calls_name_known_parts() -> None:
    with pytest.raises(CallError, match='known are "last sentence"'):
        parse_call('parts_check("footer", "unchange")')
    with pytest.raises(CallError, match='known are "paragraph 2"'):
        parse_call('part_length_check("headings", 3, "words", "less than")')


def test_bounds_that_cross_conflict() -> None:
    short, long = (
        f'part_length_check("title", {count}, "words", "{relation}")'
        for count, relation in ((5, "at most"), (9, "at least"))
    )
    conflict = infeasible([short, long])
    assert conflict is not None
    assert conflict.reason == "the title must have at least 9 and at most 5 words"
    part = 'part_length_check("paragraph 1", 90, "words", "at least")'
    assert infeasible([part, 'word_count_check(50, "less than")'], original=LETTER) is not None
    assert infeasible([part, 'word_count_check(150, "less than")'], original=LETTER) is None


SENTENCES = [
    "last sentence",
    "second-to-last sentence",
    "last 2 sentences",
    "dialogue",
    "headings",
    "bullets",
]
REGIONS = ["paragraph 2", "last paragraph", "section Methods", "title"]
parts = st.sampled_from([*SENTENCES, *REGIONS, "greeting", "signature", "equations", "code"])


@given(st.lists(parts, min_size=1, max_size=3, unique=True), st.sampled_from(["change", "unchange"]))
def test_phrasings_of_parts_are_read_back(names: list[str], relation: str) -> None:
    constraint = Parts(tuple(names), relation)  # type: ignore[arg-type]
    for phrasing in constraint.phrasings():
        read = parse(phrasing)
        assert read.constraints == (constraint,)
        assert read.style == ""


@given(
    st.sampled_from(REGIONS),
    st.integers(1, 400),
    st.sampled_from(["words", "sentences", "characters"]),
    st.sampled_from(["less than", "more than", "equal"]),
)
def test_phrasings_of_bounds_are_read_back(part: str, count: int, unit: str, relation: str) -> None:
    constraint = PartLength(part, count, unit, relation)  # type: ignore[arg-type]
    for phrasing in constraint.phrasings():
        read = parse(phrasing)
        assert read.constraints == (constraint,), phrasing
        assert read.style == ""


@given(texts, texts, parts, st.sampled_from(["text", "markdown", "latex"]))
def test_any_text_can_be_checked(original: str, revised: str, part: str, format: str) -> None:
    for relation in ("change", "unchange"):
        check(revised, [Parts((part,), relation)], original=original, format=format)  # type: ignore[arg-type]
    assert check(original, [Parts((part,), "unchange")], original=original).met or infeasible(
        [Parts((part,), "unchange")], original=original
    )


@pytest.mark.parametrize(
    "part", ["the title and ", "the first, second, ", "paragraph 2 and 3, 4, ", "title: 5 words "]
)
def test_a_line_without_end_is_read_all_the_same(part: str) -> None:
    assert len(parse(part * 1000).constraints) <= 50


LISTED = (
    "# Our plan\n\n## How we begin\n\n- We paint the hall first.\n- Stairs next.\n\n## End\n\nWe are done."
)


@pytest.mark.parametrize(
    ("said", "call"),
    [
        ("each bullet at most 12 words", 'part_length_check("each bullet", 13, "words", "less than")'),
        ("Bullets: max 10 words each", 'part_length_check("each bullet", 11, "words", "less than")'),
        ("max 12 words per bullet point", 'part_length_check("each bullet", 13, "words", "less than")'),
        ("no heading longer than 6 words", 'part_length_check("each heading", 7, "words", "less than")'),
        ("Every section under 100 words.", 'part_length_check("each section", 100, "words", "less than")'),
        ("The second bullet under 10 words", 'part_length_check("bullet 2", 10, "words", "less than")'),
    ],
)
def test_bounds_on_each_of_several_parts_are_read(said: str, call: str) -> None:
    read = parse(said)
    assert ([one.call for one in read.constraints], read.style) == ([call], "")


def test_what_it_is_to_be_cut_to_is_said_of_the_part() -> None:
    read = parse("Rewrite the first paragraph, cut it to 30 words.")
    assert read.constraints == (PartLength("paragraph 1", 31, "words", "less than"),)


@pytest.mark.parametrize("bound", ["under 40 words", "under 40 words each", "at most 2 sentences each"])
def test_a_bound_on_the_others_is_not_one_on_all(bound: str) -> None:
    read = parse(f"Keep the first paragraph; the others {bound}.")
    assert read.constraints == (Parts(("paragraph 1",), "unchange"),)
    assert "others" in read.style


def test_each_part_is_held_to_its_bound() -> None:
    (finding,) = check(
        LISTED, [PartLength("each bullet", 4, "words", "less than")], format="markdown"
    ).findings
    assert not finding.met
    assert [LISTED[span.start : span.end] for span in finding.spans] == ["- We paint the hall first."]
    assert finding.message.startswith("bullet 1 has 5 words; wanted fewer than 4")
    for bound in (
        PartLength("each heading", 4, "words", "less than"),
        PartLength("bullet 2", 2, "words", "equal"),
    ):
        assert check(LISTED, [bound], format="markdown").met, bound
    assert check("No list.", [PartLength("each bullet", 4, "words", "less than")]).met
