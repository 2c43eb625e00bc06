from __future__ import annotations

import pytest
from hypothesis import example, given
from rouge_score.tokenizers import DefaultTokenizer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from redraft.metrics import editeval_normalise, tokens as treebank
from redraft.metrics.tokens import rouge_tokens, tokens_13a, treebank_words, words_13a
from tests.metrics.corpus import free_texts, sentences, texts

_13a = Tokenizer13a()
_ROUGE = DefaultTokenizer(use_stemmer=False)
_ROUGE_STEMMED = DefaultTokenizer(use_stemmer=True)


@given(texts)
@example("well-\nknown &quot;1.5&quot; <skipped>, 3-4, ...5,000.")
@example("a.,b 1.,2 .5 5. -5 5-")
def test_13a_is_sacrebleus(text: str) -> None:
    ours = [token for word in words_13a(text) for token in tokens_13a(word)]
    assert ours == _13a(text).split()


@given(texts)
@example("Running runners' ran easily; İstanbul, naïve 3.5")
def test_rouge_tokens_are_rouge_scores(text: str) -> None:
    assert list(rouge_tokens(text)) == _ROUGE.tokenize(text)
    assert list(rouge_tokens(text, stem=True)) == _ROUGE_STEMMED.tokenize(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # The examples of NLTK's own documentation.
        (
            "Good muffins cost $3.88 in New York. Please buy me two of them. Thanks.",
            "Good muffins cost $ 3.88 in New York . Please buy me two of them . Thanks .",
        ),
        ("They'll save and invest more.", "They 'll save and invest more ."),
        ("hi, my name can't hello,", "hi , my name ca n't hello ,"),
        (
            '"We beat some pretty good teams to get here," Slocum said.',
            "`` We beat some pretty good teams to get here , '' Slocum said .",
        ),
        ("I cannot cannot work under these conditions!", "I can not can not work under these conditions !"),
        (
            "The company spent 40.75% of its income last year.",
            "The company spent 40.75 % of its income last year .",
        ),
        (
            "Dr. Smith left... at 5 p.m. yesterday (alone).",
            "Dr. Smith left ... at 5 p.m. yesterday ( alone ) .",
        ),
        ("I'm gonna go -- wanna come?", "I 'm gon na go -- wan na come ?"),
        ("", ""),
    ],
)
def test_words(text: str, words: str) -> None:
    assert list(treebank_words(text)) == words.split()


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("hello , i ca n't feel my feet ! Help ! !", "hello, i can't feel my feet! Help!!"),
        ("It was ( he said ) Tom 's fault : `` mine '' .", 'It was (he said) Tom\'s fault: "mine".'),
        ("I can not go , gon na stay .", "I cannot go, gonna stay."),
        ("in 1990 . In 1991 .", "in 1990 . In 1991."),
        ("Nothing to join here.", "Nothing to join here."),
        (" spaces around  and within ", "spaces around  and within"),
        ("costs $ 5 ; 20 % off ... really", "costs $5; 20% off...really"),
        ("yes -- no , 't is [ he said ] ' so ' they 're ok", "yes--no,'tis [he said]' so' they're ok"),
    ],
)
def test_normalisation(text: str, normal: str) -> None:
    assert editeval_normalise(text) == normal


@given(sentences | free_texts)
def test_normalisation_skips_only_what_the_rules_leave_alone(text: str) -> None:
    by_rules = treebank._rewrite(
        treebank._CLOSED_UP, treebank._rewrite(treebank._REJOINED, text).strip()
    ).strip()
    assert editeval_normalise(text) == by_rules
