from __future__ import annotations

import pytest
from hypothesis import example, given, settings, strategies as st
from nltk.tokenize.destructive import NLTKWordTokenizer

from redraft.text.treebank import NLTK_3_7, NLTK_3_10, Treebank

_NLTK = NLTKWordTokenizer()

_PIECES = st.one_of(
    st.sampled_from(
        ["'s", "n't", "'LL", "'tis", "'twas", "'em", "'a", "''", "``", '"', "'", "’", "”", "“", "`"]
    ),
    st.sampled_from(["cannot", "gımme", "gonna", "Wanna", "d'ye", "more'n", "tea", "É\u0301", "x²", "中文"]),
    st.sampled_from(
        ["U.S.", "...", "..", ".", ".)", "5,000", "10:30", ",", ":", "$5", "20%", "--", "—", "?!"]
    ),
    st.sampled_from(list("()[]{}<>«»‘„*;@#&-\x1c\x85\u2028\n\t ")),
    st.characters(exclude_categories=["Cs"]),
)
_JOINTS = st.sampled_from([" ", " ", " ", "", "\n", "\xa0", "\t"])
texts = st.lists(st.tuples(_PIECES, _JOINTS).map("".join), max_size=12).map("".join)


@settings(max_examples=400)
@given(texts)
@example("'hello' 'a' 're 'tis\n'twas don't\tcan't\x1cwon't\xa0stay")
@example("\u2028 '' although")
@example("gımme CANNOT wanna")
def test_words_are_nltks(text: str) -> None:
    assert NLTK_3_10.words(text) == _NLTK.tokenize(text)


@pytest.mark.parametrize("release", [NLTK_3_7, NLTK_3_10], ids=["3.7", "3.10"])
@settings(max_examples=200)
@given(text=texts)
@example(text="\"\" a \"b\" '' 'c' .")
@example(text="He said: ' . '")
@example(text='One . "\n"two')
def test_splitting_word_by_word_is_splitting_at_once(release: Treebank, text: str) -> None:
    assert release.words(text) == release.by_rules(text)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("the 'green' tea", "the 'green ' tea", "the ' green ' tea"),
        ("plan 'a' or 'n'", "plan ' a ' or 'n '", "plan ' a ' or 'n '"),
        ("1990–1995—so", "1990–1995—so", "1990 – 1995 — so"),
        ("don't\nstop", "don't stop", "do n't stop"),
    ],
)
def test_where_the_releases_differ(text: str, old: str, new: str) -> None:
    assert NLTK_3_7.words(text) == old.split()
    assert NLTK_3_10.words(text) == new.split()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("release", [NLTK_3_7, NLTK_3_10], ids=["3.7", "3.10"])
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("." * 10**6, 1),
        ("!" * 10**6, 10**6),
        ('"' * 10**6, 10**6),
        ("a." + " " * 10**6 + "b", 2),
        ("a" * 10**7, 1),
    ],
    ids=["dots", "exclamation marks", "quotes", "spaces", "one word"],
)
def test_time_is_linear(release: Treebank, text: str, number: int) -> None:
    assert len(release.words(text)) == number


def test_what_is_forgotten_is_split_again() -> None:
    before = NLTK_3_10.words("He can't, can he?")
    NLTK_3_10.forget()
    assert NLTK_3_10.words("He can't, can he?") == before
