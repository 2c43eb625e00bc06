"""Edits as tags, one for each word."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.editor import DELETE, JOIN, KEEP, applied, tags_of, word_spans, words_in


@pytest.mark.parametrize(
    ("source", "target", "tags"),
    [
        ("She go home.", "She goes home.", {"go": "$VBZ"}),
        ("He have a cat.", "He has a cat.", {"have": "$VBZ"}),
        ("Two car stood there.", "Two cars stood there.", {"car": "$NNS"}),
        ("I went in library.", "I went in the library.", {"in": "+the"}),
        ("We discussed about it.", "We discussed it.", {"about": DELETE}),
        ("Their is hope.", "There is hope.", {"Their": "=There"}),
        ("i know.", "I know.", {"i": "$CAPITAL"}),
        ("He left with out it.", "He left without it.", {"with": JOIN}),
        ("My brothers car.", "My brother's car.", {"brothers": "$S_POSS"}),
        ("He sings bad.", "He sings badly.", {"bad": "$LY"}),
    ],
)
def test_each_edit_is_the_tag_of_a_word(source: str, target: str, tags: dict[str, str]) -> None:
    found = tags_of(words_in(source), words_in(target))
    assert {one.word: one.tag for one in found if one.tag != KEEP} == tags


_WORDS = ("She", "he", "go", "goes", "the", "a", "cat", "cats", ",", ".", "Home")
_SENTENCES = st.lists(st.sampled_from(_WORDS), max_size=9)


@given(_SENTENCES, _SENTENCES)
def test_what_stands_for_the_words_is_the_other_text(source: list[str], target: list[str]) -> None:
    found = tags_of(source, target)
    assert [word for one in found for word in one.becomes][1:] == target
    assert [one.word for one in found][1:] == source


@given(_SENTENCES, _SENTENCES)
def test_a_tag_makes_what_it_was_made_from(source: list[str], target: list[str]) -> None:
    for one in tags_of(source, target)[1:]:
        if one.tag != JOIN and one.becomes:
            assert applied(one.word, one.tag) == one.becomes


def test_a_form_that_a_word_does_not_have_is_none() -> None:
    assert applied("table", "$S_POSS") is None
    assert applied("xyzzy", "$VBD") is None
    assert applied("Go", "$VBD") == ["Went"]


def test_words_stand_where_their_spans_say() -> None:
    text = "“It’s late,” he said."
    assert [text[one.start : one.end] for one in word_spans(text)][1] == "It’s"
    assert words_in(text)[:2] == ['"', "It's"]
