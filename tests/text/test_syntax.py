"""The syntax of a sentence: its phrases, its main verb, and its clauses."""

from __future__ import annotations

import pytest

from redraft.text import analyse_syntax, read_clauses


@pytest.mark.parametrize(
    ("sentence", "phrase"),
    [
        ("The very old house of my aunt burned.", "The very old house"),
        ("It rained.", "It"),
        ("Three red and blue kites flew.", "Three red and blue kites"),
        ("Slowly they came.", ""),
    ],
)
def test_the_noun_phrase_that_opens_a_sentence(sentence: str, phrase: str) -> None:
    syntax = analyse_syntax(sentence)
    end = syntax.noun_phrase(0)
    assert (syntax.phrase_text(0, end) if end else "") == phrase


@pytest.mark.parametrize(
    ("sentence", "verb"),
    [
        ("The man in the old house was ill.", "was"),
        ("When it rained, the cellar was wet.", "was"),
        ("Although she was tired, Anna wrote to him.", "wrote"),
        ("Read the whole letter.", "read"),
    ],
)
def test_the_main_verb_by_phrases_and_by_patterns(sentence: str, verb: str) -> None:
    syntax, clauses = analyse_syntax(sentence), read_clauses(sentence)
    main = clauses.main()
    assert syntax.main is not None
    assert main is not None
    assert (syntax.word(syntax.main), clauses.lower(main.verb)) == (verb, verb)


def test_what_is_quoted_or_in_brackets_is_held_apart() -> None:
    syntax = analyse_syntax("He said “go home” (twice).")
    assert [word.text for word, held in zip(syntax.words, syntax.held, strict=True) if held] == [
        "“", "go", "home", "”"
    ]  # fmt: skip
    assert syntax.depth[syntax.low.index("twice")] == 1
    assert read_clauses("He said “go home” (twice).").letters == "PVQQQQBBB"


def test_clauses_end_at_a_semicolon_and_before_a_new_subject() -> None:
    syntax = analyse_syntax("We came late; they had left, and the door was shut.")
    assert [syntax.word(end) for end in syntax.clause_ends()] == [";", ",", "."]


def test_a_sentence_without_words_has_no_clauses() -> None:
    assert analyse_syntax("").main is None
    assert read_clauses("").main() is None
