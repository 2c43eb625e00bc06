"""The parser that is always there: every word once, and more structure where there is more."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings, strategies as st

from redraft.simplification.judging.shallow import parsed
from redraft.simplification.judging.trees import MOST_DEPTH, Tree, read_tree
from redraft.text.tagging import tagged

WORDS = [
    *(
        "the",
        "a",
        "cat",
        "cats",
        "saw",
        "seen",
        "seeing",
        "see",
        "is",
        "been",
        "had",
        "must",
        "to",
        "of",
        "in",
    ),
    *(
        "which",
        "that",
        "who",
        "whose",
        "when",
        "because",
        "if",
        "as",
        "and",
        "or",
        "but",
        ",",
        ";",
        ":",
        ".",
        "(",
        ")",
    ),
    *(
        '"',
        "very",
        "old",
        "not",
        "n't",
        "'s",
        "she",
        "him",
        "what",
        "–",
        "due",
        "than",
        "Ålesund",
        "1994",
        "$",
    ),
]


def tree(sentence: str) -> Tree:
    found = parsed(sentence).tree
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("sentence", "brackets"),
    [
        (
            "The boat stayed in the lake.",
            "(S (NP (DT The) (NN boat)) (VP (VBD stayed) (PP (IN in) (NP (DT the) (NN lake)))) (. .))",
        ),
        (
            "We could not have seen it.",
            "(S (NP (PRP We)) (VP (MD could) (RB not) (VP (VB have) (VP (VBN seen) (NP (PRP it))))) (. .))",
        ),
        (
            "She left when he shouted.",
            "(S (NP (PRP She)) (VP (VBD left) (SBAR (WHADVP (WRB when)) (S (NP (PRP he)) (VP (VBD shouted))))) (. .))",
        ),
        (
            "She sang and he danced.",
            "(S (S (NP (PRP She)) (VP (VBD sang))) (CC and) (S (NP (PRP he)) (VP (VBD danced))) (. .))",
        ),
        (
            "He wants to go.",
            "(S (NP (PRP He)) (VP (VBZ wants) (S (VP (TO to) (VP (VB go))))) (. .))",
        ),
    ],
)
def test_plain_sentences(sentence: str, brackets: str) -> None:
    assert tree(sentence).brackets() == brackets


@pytest.mark.parametrize(
    ("simpler", "harder"),
    [
        ("The mayor left.", "The mayor, who had lost the vote, left."),
        ("The mayor left.", "The mayor left because she had lost the vote."),
        ("She lost the vote and she left.", "She left after she had lost the vote that they held."),
        ("He took the road to the town.", "He took the road to the edge of the town in the valley."),
        ("They were happy.", "They were happy, having won the match against the team of the city."),
        ("He works. He lives in Rome.", "He works where he lives, which is in Rome."),
        ("China's acts made it worse.", "It was made worse by the acts of China, which is the main seller."),
    ],
)
def test_more_structure_is_a_deeper_tree(simpler: str, harder: str) -> None:
    easy, hard = tree(simpler), tree(harder)
    assert easy.depth < hard.depth
    assert (easy.subordinate, easy.nested_prepositions) < (hard.subordinate, hard.nested_prepositions)


@pytest.mark.parametrize(
    ("sentence", "clauses", "subordinate"),
    [
        ("The dog barked.", 1, 0),
        ("The dog that I saw was old.", 2, 1),
        ("The dog, which I saw, barked at the man who fed it.", 3, 2),
        ("If it rains, we stay.", 2, 1),
        ("It rained; we stayed.", 2, 0),
        ("It rained. We stayed.", 2, 0),
        ("He said that she knew why they left.", 3, 2),
        ("Built in 1990, the bridge collapsed.", 2, 1),
        ("The bridge built in 1990 collapsed.", 1, 0),
    ],
)
def test_clauses_are_counted(sentence: str, clauses: int, subordinate: int) -> None:
    found = tree(sentence)
    assert (found.clauses, found.subordinate) == (clauses, subordinate), found.brackets()


def test_words_before_the_verb() -> None:
    assert tree("After the long war, the king of the island resigned.").words_before_verb == 9


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_nothing_has_no_tree(text: str) -> None:
    assert parsed(text) == (None, "there are no words in it")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map(" ".join))
def test_any_text_has_a_tree_with_each_of_its_words_once(text: str) -> None:
    found = tree(text)
    assert list(found.words()) == [word.text for word in tagged(text)]
    assert all(node.word is not None or node.children for node in found.nodes())
    assert read_tree(found.brackets()).brackets() == found.brackets()


@pytest.mark.parametrize(
    "piece", ["( ", "of the ", "he saw that ", "to see ", "seeing ", "which is ", "a cat, "]
)
def test_endless_sentences_end(piece: str) -> None:
    started = time.process_time()
    assert tree(piece * 400).depth < MOST_DEPTH
    assert time.process_time() - started < 10
