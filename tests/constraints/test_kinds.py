"""Each kind, met and not met, as a writer would notice it."""

from __future__ import annotations

import pytest

from redraft.constraints import check_constraints, kinds, parse_call
from redraft.errors import CallError, InputError

ORIGINAL = (
    'We met in Paris. Sales rose 12% to 1,000 units. "It works," said Ann Lee. We met in Paris (Kim, 2020).'
)

# call, revision, met, distance, part of the message
CASES = [
    ('word_count_check(4, "less than")', "One two three.", True, 0, "3 words; wanted fewer than 4 words"),
    ('word_count_check(3, "less than")', "One two three.", False, 1, "cut at least 1"),
    ('word_count_check(5, "more than")', "One two three.", False, 3, "add at least 3"),
    ('word_count_check(1, "equal")', "One.", True, 0, "1 word;"),
    ('sentence_count_check(2, "equal")', "One. Two. Three.", False, 1, "cut 1"),
    ('sentence_count_check(3, "at most")', "One. Two. Three.", True, 0, "3 sentences"),
    ('sentence_length_check(3, "less than")', "One two. One two three. A b c d.", False, 3, "sentence 2 has 3 words"),
    ('sentence_length_check(1, "more than")', "One two. One two three.", True, 0, "sentences have 2 to 3 words"),
    ('character_count_check(10, "at most")', "  0123456789\r\n", True, 0, "10 characters"),
    ('character_count_check(10, "less than")', "0123456789", False, 1, "cut at least 1"),
    ('paragraph_count_check(2, "equal")', "One.\n\nTwo.", True, 0, "2 paragraphs"),
    ('paragraph_count_check(2, "equal")', "One.\n\nTwo.\n\nThree.", False, 1, "cut 1"),
    ('keyword_keep_removal_check("paris", "keep")', "Paris! Paris!", True, 0, "occurs 2 times; wanted at least 2"),
    ('keyword_keep_removal_check("Paris", "keep")', "Paris!", False, 1, "occurs 1 time; wanted at least 2 times"),
    ('keyword_keep_removal_check("Rome", "keep")', "Oslo.", False, 1, "wanted at least 1 time"),
    ('keyword_keep_removal_check("synergy", "remove")', "Synergy is out.", False, 1, '"synergy" occurs 1 time'),
    ('keyword_keep_removal_check("synergy", "remove")', "Synergies stay.", True, 0, "does not occur"),
    ('keyword_frequency_check("eat", 2, "less than")', "Eat, beat, eat.", False, 1, "occurs 2 times"),
    ('keyword_frequency_check("eat", 2, "equal")', "Eat, beat, eat.", True, 0, "occurs 2 times"),
    ('reading_grade_check(3, "at most")', "The cat sat. The dog ran.", True, 0, "reading grade"),
    ('reading_grade_check(3, "at most")', "Organisational interdependencies necessitate considerable deliberation.",
     False, None, "wanted at most 3"),
    (r'pattern_check("\\d{4}-\\d{2}", "require")', "On 2026-11 it was.", True, 0, "in 1 place"),
    (r'pattern_check("TODO", "forbid")', "TODO: TODO", False, 2, "in 2 places"),
    ('starts_with_check("In short")', "In  short, yes.", True, 0, "starts with"),
    ('starts_with_check("In short")', "Yes, in short.", False, 1, "found “Yes, in short.”"),
    ('ends_with_check("thank you")', "Well. Thank you!", True, 0, "ends with"),
    ('ends_with_check("thank you")', "Thank you. Bye.", False, 1, "wanted a text that ends with"),
    ("unique_sentences_check()", "One. Two. one!", False, 1, "sentence 3 repeats sentence 1"),
    ("unique_sentences_check()", "One. Two.", True, 0, "no sentence twice"),
    ('preserve_check("numbers")', "Sales: 1000 units, up 12%. (Kim, 2020)", True, 0, "kept"),
    ('preserve_check("numbers")', "Sales rose to 1,000 units. (2020)", False, 1, "12"),
    ('preserve_check("quotations")', "Ann Lee said “It works,” and left.", True, 0, "kept"),
    ('preserve_check("quotations")', 'Ann Lee said "it is fine".', False, 1, "It works"),
    ('preserve_check("entities")', "Ann Lee met us in Paris: 12%, 1,000 units (Kim, 2020).", True, 0, "kept"),
    ('preserve_check("entities")', "She met us in Paris: 12%, 1,000 units (Kim, 2020).", False, 1, "Ann Lee"),
    ('preserve_check("citations")', "We met in Paris (Kim, 2020).", True, 0, "kept"),
    ('preserve_check("citations")', "We met in Paris.", False, 1, "Kim, 2020"),
    ('preserve_check("links")', "anything", True, 0, "kept"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "revised", "met", "distance", "says"), CASES)
def test_finding(call: str, revised: str, met: bool, distance: float | None, says: str) -> None:
    (finding,) = check_constraints(revised, [call], original=ORIGINAL)
    assert finding.met is met, finding.message
    assert says in finding.message
    assert finding.distance == distance or (distance is None and finding.distance > 0)
    assert all(0 <= span.start <= span.end <= len(revised) for span in finding.spans)


def test_every_kind_is_covered() -> None:
    covered = {parse_call(case[0]).name for case in CASES}
    assert covered | {"sentence_modification_check"} == set(kinds())


KEEP = 'sentence_modification_check([1, 3], "unchange")'
ONLY = 'sentence_modification_check([2], "change")'


@pytest.mark.parametrize(
    ("call", "revised", "met", "measured"),
    [
        (KEEP, "A one. X two. C three.", True, []),
        (KEEP, "New. A\none. C three. End.", True, []),
        (KEEP, "A one! B two. C three.", False, [1]),
        (KEEP, "a one. B two. C three.", False, [1]),
        (KEEP, "Well, A one. B two. C three.", False, [1]),
        (ONLY, "A one. X two. C three.", True, []),
        (ONLY, "A one. X two. Y two. C three.", True, []),
        (ONLY, "A one. C three.", True, []),
        (ONLY, "A one. B two. C three.", False, [2]),
        (ONLY, "A one. X two. C four.", False, [3]),
        (ONLY, "New. A one. X two. C three.", False, [1]),
        (ONLY, "A one. X two. C three. New.", False, [3]),
    ],
)
def test_sentences_kept_and_changed(call: str, revised: str, met: bool, measured: list[int]) -> None:
    (finding,) = check_constraints(revised, [call], original="A one. B two. C three.")
    assert (finding.met, finding.measured) == (met, measured), finding.message


def test_kept_sentences_stay_in_order() -> None:
    (finding,) = check_constraints("C three. A one.", [KEEP], original="A one. B two. C three.")
    assert not finding.met
    assert finding.distance == 1


def test_constrev_keeps_substrings_and_counts_keywords_exactly() -> None:
    original = "A one. B two. C three."
    kept = check_constraints("Well, A one, C three.", [KEEP], original=original, counting="constrev")
    assert kept.met
    changed = check_constraints("A one. B two!", [ONLY], original=original, counting="constrev")
    assert not changed.met
    more = check_constraints("one one", ['keyword_keep_removal_check("one", "keep")'], original=original,
                             counting="constrev")  # fmt: skip
    assert not more.met


@pytest.mark.parametrize("counting", ["default", "constrev"])
def test_a_sentence_that_is_not_there_is_not_met(counting: str) -> None:
    (finding,) = check_constraints(
        "A.", ['sentence_modification_check([9], "unchange")'], original="One. Two.", counting=counting
    )
    assert not finding.met
    assert finding.message == "sentence 9 is named, but the text has 2 sentences"


def test_the_original_is_asked_for_only_where_it_is_needed() -> None:
    assert check_constraints("A b.", ['word_count_check(2, "equal")']).met
    assert check_constraints("A b.", ['keyword_keep_removal_check("x", "remove")']).met
    with pytest.raises(InputError, match="compares with the original text"):
        check_constraints("A b.", ['keyword_keep_removal_check("x", "keep")'])


def test_a_pattern_that_never_ends_is_stopped() -> None:
    with pytest.raises(InputError, match="simplify it"):
        check_constraints("a" * 60 + "!", ['pattern_check("(a|a)*$", "require")'])


def test_an_instruction_can_be_checked_as_it_is() -> None:
    findings = check_constraints("Short and sweet.", "Write at most three words.")
    assert findings.met
    assert findings.to_dict()["findings"][0]["call"] == 'word_count_check(4, "less than")'


@pytest.mark.parametrize(
    ("original", "named", "revised", "met", "says"),
    [
        ("Yes. Yes.", [1], "New. Yes.", True, "only sentence 1"),
        ("Yes. Yes. Yes.", [2], "Yes. New one. Yes.", True, "only sentence 2"),
        ("Yes. Yes. Yes.", [1], "New one. Yes. Yes.", True, "only sentence 1"),
        ("Yes. Yes.", [1], "Yes. Yes.", False, "sentence 1 did not change"),
        ("One. Two. Three. Four.", [2, 4], "One. Three. Two.", False, "sentence 2 did not change"),
        ("One. Two. Three.", [1], "New. Two. Added. Three.", False, "new text before sentence 3"),
        ("One. Two. Three.", [1], "New. Two. Three. Added.", False, "new text at the end"),
        ("One. Two. Three.", [1], "New. Three. Two.", False, "changed as well"),
    ],
)
def test_only_change_with_repeats_moves_and_insertions(
    original: str, named: list[int], revised: str, met: bool, says: str
) -> None:
    (finding,) = check_constraints(
        revised, [f'sentence_modification_check({named}, "change")'], original=original
    )
    assert finding.met is met
    assert says in finding.message


def test_only_change_is_linear_in_repeated_sentences() -> None:
    text = "Yes it is. " * 20_000
    (finding,) = check_constraints(text, ['sentence_modification_check([1], "change")'], original=text)
    assert not finding.met


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("See tax **cut** now.", "markdown"),
        ("See **tax** cut now.", "markdown"),
        ("See tax [cut](https://x.org) now.", "markdown"),
        ("See t**ax** cut now.", "markdown"),
        ("See \\emph{tax} cut now.", "latex"),
    ],
)
def test_mark_up_hides_no_phrase(text: str, format: str) -> None:
    (finding,) = check_constraints(text, ['keyword_keep_removal_check("tax cut", "remove")'], format=format)  # type: ignore[arg-type]
    assert not finding.met
    (span,) = finding.spans
    assert text[span.start : span.end].startswith(("tax", "**tax", "t**ax"))


def test_a_keyword_is_a_whole_one() -> None:
    findings = check_constraints(
        "The U.S.A. uses C++11; write to a@bob now, 50% off.",
        ['keyword_keep_removal_check("U.S.", "remove")', 'keyword_keep_removal_check("C++", "remove")',
         'keyword_keep_removal_check("@bob", "remove")', 'keyword_frequency_check("%", 1, "equal")'],
    )  # fmt: skip
    assert findings.met


def test_a_text_starts_and_ends_with_whole_words() -> None:
    text = "A fresh start."
    assert check_constraints(text, ['starts_with_check("A fresh")', 'ends_with_check("start")']).met
    assert not check_constraints(text, ['starts_with_check("A fre")']).met
    assert not check_constraints(text, ['ends_with_check("art")']).met


@pytest.mark.parametrize("counting", ["default", "constrev"])
def test_an_empty_text_is_one_empty_sentence_for_lengths(counting: str) -> None:
    assert check_constraints("", ['sentence_length_check(3, "less than")'], counting=counting).met
    assert not check_constraints("", ['sentence_length_check(3, "more than")'], counting=counting).met


def test_one_call_as_a_string_is_checked_and_not_passed() -> None:
    assert not check_constraints("a b c d", 'word_count_check(3, "less than")').met
    with pytest.raises(CallError):
        check_constraints("a b c d", 'wrod_count_check(3, "less than")')
