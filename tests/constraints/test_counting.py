from __future__ import annotations

import pytest
from hypothesis import given, settings

from redraft.constraints import read
from redraft.errors import InputError
from tests.constraints.nltk_words import nltk_words, texts

TEXT = "Dr. Lee can't come.  She said: “No way!” U.S. rules apply, e.g. in 3.5 cases... Right?"


def test_constrev_splits_where_its_regular_expression_does() -> None:
    sentences = [sentence.text for sentence in read(TEXT, "constrev").sentences]
    assert sentences == [
        "Dr", "Lee can't come", "She said: “No way!” U.S", "rules apply, e.g", "in 3.5 cases..", "Right",
    ]  # fmt: skip


def test_constrev_counts_words_as_nltk_does() -> None:
    # Dr. | Lee | ca | n't | come | . | She | said | : | “ | No | way | ! | ” | U.S. | rules | apply | , | e.g | . |
    # in | 3.5 | cases | ... | Right | ?
    assert read(TEXT, "constrev").words == 26


@settings(max_examples=400)
@given(texts)
def test_constrev_counts_words_as_nltk_does_on_anything(text: str) -> None:
    assert read(text, "constrev").words == len(nltk_words(text))


def test_constrev_counts_long_texts_as_it_counts_their_pieces() -> None:
    assert read((TEXT + " and so on ") * 2000, "constrev").words == (26 + 3) * 2000


def test_constrev_counts_sentence_words_by_white_space() -> None:
    assert read(TEXT, "constrev").sentence_words == (1, 3, 5, 3, 3, 1)


def test_constrev_matches_substrings_and_bans_with_case() -> None:
    reading = read("Art is art; party.", "constrev")
    assert len(reading.occurrences("ART")) == 3
    assert len(reading.uses("Art")) == 1


def test_default_counts_as_a_reader_does() -> None:
    reading = read(TEXT)
    assert [sentence.number for sentence in reading.sentences] == [1, 2, 3, 4]
    assert reading.words == sum(reading.sentence_words) == 16


def test_default_matches_whole_words_in_any_case_and_over_line_ends() -> None:
    reading = read("Art is art; party. The art\nscene isn’t artful.")
    assert len(reading.occurrences("art")) == 3
    assert len(reading.occurrences("art scene")) == 1
    assert len(reading.occurrences("isn't")) == 1
    assert not reading.occurrences("part")


def test_default_looks_into_the_cells_of_tables_but_not_into_their_code() -> None:
    text = "A *very* short text.\n\n| very | `very` |\n|---|---|\n| so ve**ry** | verycold |\n\nVery well."
    reading = read(text, "default", "markdown")
    found = [text[span.start : span.end] for span in reading.uses("very")]
    assert found == ["very", "very", "ve**ry", "Very"]
    assert [sentence.text for sentence in reading.sentences] == ["A *very* short text.", "Very well."]
    assert [reading.document.is_in_table(span.start) for span in reading.uses("very")] == [
        False, True, True, False,
    ]  # fmt: skip


def test_default_does_not_look_into_links_and_code() -> None:
    reading = read("See [the page](https://x.org/leverage) and `leverage`.", format="markdown")
    assert not reading.occurrences("leverage")


def test_keywords_in_chinese_and_korean_need_no_spaces() -> None:
    assert len(read("我们喜欢东京的东京塔。").occurrences("东京")) == 2
    for char in "一鿿가힣豈":
        assert len(read(f"的{char}的").occurrences(char)) == 1
    assert not read("aéb").occurrences("é")


@pytest.mark.parametrize("counting", ["default", "constrev"])
def test_an_empty_text_can_be_read(counting: str) -> None:
    reading = read("", counting)
    assert reading.words == 0
    assert not reading.occurrences("a")


def test_an_unknown_convention_is_an_error() -> None:
    with pytest.raises(InputError, match='unknown counting "words"; use default or constrev'):
        read("x", "words")
