"""How much shorter a part is to be, which part a wish is about, and what of an instruction is none."""

from __future__ import annotations

import pytest

from redraft.constraints import check, find_scope, infeasible, parse, parse_call

TEXT = "One two three four.\n\nFive six seven eight nine ten. Again we came.\n\nThe end is near. So it is."


def calls(instruction: str) -> list[str]:
    return [one.call for one in parse(instruction).constraints]


def share(part: str, below: int) -> str:
    return f'part_length_check("{part}", {below}, "percent", "less than")'


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("Shorten the first paragraph a lot", [share("paragraph 1", 51)]),
        ("make the last paragraph much shorter", [share("last paragraph", 51)]),
        ("Cut the intro down a bit.", [share("section Introduction", 91)]),
        ("cut the conclusion in half", [share("section conclusion", 51)]),
        ("halve paragraph 2", [share("paragraph 2", 51)]),
        ("Shorten paragraphs 2 and 3 by 40%", [share("paragraph 2", 61), share("paragraph 3", 61)]),
        ("get the last paragraph down to a third of its length", [share("last paragraph", 34)]),
        ("the second paragraph is way too long, shorten it", [share("paragraph 2", 51)]),
        ("Make the second section half as long", [share("section 2", 51)]),
        (
            "shorten the first paragraph a lot, rest is fine",
            [share("paragraph 1", 51), 'parts_check(["paragraph 1"], "change")'],
        ),
        (
            "Shorten the second paragraph by a third, leave the others alone",
            [share("paragraph 2", 68), 'parts_check(["paragraph 2"], "change")'],
        ),
        (
            "Shorten the last paragraph to at most 35 words, and leave the rest alone.",
            [
                'part_length_check("last paragraph", 36, "words", "less than")',
                'parts_check(["last paragraph"], "change")',
            ],
        ),
        ("Under 90 words. The rest can stay as it is.", ['word_count_check(90, "less than")']),
        ("don't shorten the first paragraph a lot", []),
        ("you can shorten the first paragraph a lot", []),
        ("the first paragraph isn't too long", []),
        ("cut the first paragraph", []),
    ],
)
def test_shares_of_parts(instruction: str, wanted: list[str]) -> None:
    assert calls(instruction) == wanted


def test_a_share_is_of_what_the_part_had() -> None:
    half = "Shorten the second paragraph by half."
    shorter = TEXT.replace("Five six seven eight nine ten. Again we came.", "Five six seven.")
    assert not check(TEXT, half, original=TEXT).met
    assert check(shorter, half, original=TEXT).met
    assert infeasible([*parse(half).constraints, parse_call(share("paragraph 2", 2))], original=TEXT) is None
    kept = [*parse(half).constraints, parse_call('part_length_check("paragraph 2", 8, "words", "at least")')]
    assert infeasible(kept, original=TEXT) is not None


def test_parts_are_found_without_headings() -> None:
    for instruction in (
        "Leave the intro alone.",
        "Don't change the conclusion.",
        "Keep the ending as it is.",
    ):
        assert infeasible(instruction, original=TEXT) is None
        assert check(TEXT, instruction, original=TEXT).met
    assert not check(TEXT.replace("near", "far"), "Don't change the conclusion.", original=TEXT).met


def test_sections_are_found_by_number() -> None:
    page = "# Guide\n\n## Before\n\nDo this.\n\n## After\n\nDo that."
    instruction = "Keep the second section unchanged."
    assert check(page.replace("this", "it"), instruction, original=page, format="markdown").met
    assert not check(page.replace("that", "it"), instruction, original=page, format="markdown").met


@pytest.mark.parametrize(
    ("style", "wanted"),
    [
        ("The tone of paragraph 3 is too harsh, soften it", 'parts_check(["paragraph 3"], "change")'),
        ("make the conclusion stronger", 'parts_check(["section conclusion"], "change")'),
        ("I don't like the ending, rewrite it", 'parts_check(["section ending"], "change")'),
        ("The second sentence is clumsy. Rest is ok.", 'sentence_modification_check([2], "change")'),
        ("rewrite the 3rd sentence, I don't like it", 'sentence_modification_check([3], "change")'),
        ("simplify the second section but leave its table", 'parts_check(["section 2"], "change")'),
        ("Simplify paragraph 3, and be friendlier", None),
        ("don't simplify paragraph 2", None),
        ("The wording of sentence 3 is final.", None),
        ("paragraph 2 is fine", None),
        ("make it stronger", None),
        ("make paragraph 2 the first paragraph", None),
    ],
)
def test_a_wish_about_one_part_is_about_no_other(style: str, wanted: str | None) -> None:
    scope = find_scope(style)
    assert (scope.call if scope else None) == wanted


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("every sentence has to be kept word for word", ['parts_check(["sentences"], "unchange")']),
        ("Keep all my sentences as they are.", ['parts_check(["sentences"], "unchange")']),
        ("don't keep every sentence unchanged", []),
        (
            "every sentence has to be kept word for word except the last",
            ['parts_check(["last sentence"], "change")'],
        ),
        (
            "Paragraphs 1 and 3 are approved by legal, so they can't change.",
            ['parts_check(["paragraph 1", "paragraph 3"], "unchange")'],
        ),
        ("please don't make any changes to paragraph one", ['parts_check(["paragraph 1"], "unchange")']),
        ("second para max 40 words", ['part_length_check("paragraph 2", 41, "words", "less than")']),
        (
            "about 400 words, give or take 20",
            ['word_count_check(421, "less than")', 'word_count_check(379, "more than")'],
        ),
        ("this is 900 words and the limit is 600.", ['word_count_check(601, "less than")']),
        ("must fit in a tweet (280 characters)", ['character_count_check(281, "less than")']),
        (
            "avoid words like synergy and robust",
            ['keyword_keep_removal_check("synergy", "remove")', 'keyword_keep_removal_check("robust", "remove")'],
        ),
        ("avoid words like these", []),
        ('the word "project" comes up too often, max 3 times', ['keyword_frequency_check("project", 4, "less than")']),
        ('I said "new" 6 times, twice is enough', ['keyword_frequency_check("new", 3, "less than")']),
        ('dont say "utilise", say "use"', ['replacement_check(["utilise"], ["use"], "free")']),
        ("Leave the numbers alone, everything else can go down to a third",
         ['preserve_check("numbers")', 'relative_length_check(67, "percent", "shorter")']),
        ("Write it as a numbered list of steps", ['list_check("numbered", "any")']),
    ],
)  # fmt: skip
def test_more_ways_to_ask(instruction: str, wanted: list[str]) -> None:
    assert calls(instruction) == wanted
