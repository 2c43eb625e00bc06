"""Trees: read strictly, measured, and held against their sentences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from redraft.simplification.judging.trees import MOST_DEPTH, MOST_LETTERS, Tree, difference, read_tree

SIMPLE = "(S (NP (DT The) (NN cat)) (VP (VBD slept)) (. .))"
NESTED = (
    "(S (PP (IN After) (NP (DT the) (NN war))) (, ,) (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD"
    " lived) (PP (IN in) (NP (NP (DT the) (NN house)) (PP (IN of) (NP (PRP$ my) (NN aunt))))))))) (VP (VBD said)"
    " (SBAR (IN that) (S (NP (PRP he)) (VP (MD would) (VP (VB leave)))))) (. .))"
)
JOINED = "(S (S (NP (PRP He)) (VP (VBD left))) (CC and) (S (NP (PRP she)) (VP (VBD stayed))) (. .))"


@pytest.mark.parametrize("text", [SIMPLE, NESTED, JOINED])
def test_brackets_come_back(text: str) -> None:
    assert read_tree(text).brackets() == text
    assert read_tree(text.replace(" (", "\n   (")).brackets() == text


def test_marks_may_lack_their_tags_and_the_whole_its_label() -> None:
    assert read_tree("( (S (NP (PRP We)) , (VP (VBP run)) (.)))").brackets() == (
        "(S (NP (PRP We)) (, ,) (VP (VBP run)) (. .))"
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no bracket"),
        ("no tree here", "does not begin with an opening bracket but with 'no'"),
        ("Sure! (S (NN x))", "begin"),
        ("(S (NP (DT The) (NN cat))", "1 opening brackets are not closed"),
        ("(S (NN cat)))", "follows the whole tree: '\\)'"),
        ("(S (NN cat)) I hope this helps", "follows the whole tree: 'I hope"),
        ("(S (NP the cat) (VP (VBD slept)))", "without its tag in \\(NP …\\): 'the'"),
        ("(S (NP) (VP (VBD slept)))", "\\(NP\\) has neither"),
        ("()", "has neither"),
        ("((NN a) (NN b))", "no label"),
        ("(S " * 5000 + "x" + ")" * 5000, "inside one another"),
        ("(S " + "(NN x) " * MOST_LETTERS + ")", "longer than"),
    ],
)
def test_what_is_no_tree_is_told(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_tree(text)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="(S VP x.,)\n-", max_size=60))
def test_what_is_read_can_be_written_and_read_again(text: str) -> None:
    try:
        tree = read_tree(text)
    except ValueError:
        return
    assert read_tree(tree.brackets()) == tree
    assert tree.depth <= MOST_DEPTH


def test_measures_of_a_simple_sentence() -> None:
    tree = read_tree(SIMPLE)
    assert (tree.depth, tree.clauses, tree.subordinate, tree.nested_prepositions) == (2, 1, 0, 0)
    assert tree.words() == ("The", "cat", "slept", ".")
    assert tree.words_before_verb == 2


def test_measures_of_a_nested_sentence() -> None:
    tree = read_tree(NESTED)
    assert (tree.clauses, tree.subordinate) == (3, 2)
    assert tree.nested_prepositions == 1
    assert tree.words_before_verb == 13
    assert tree.depth == 9


def test_clauses_side_by_side_stand_in_none() -> None:
    tree = read_tree(JOINED)
    assert (tree.clauses, tree.subordinate, tree.words_before_verb) == (2, 0, 1)


def test_functions_on_labels_do_not_matter() -> None:
    tree = read_tree(
        "(S (NP-SBJ-1 (PRP We)) (VP (VBP run) (PP-LOC (IN to) (NP (NP (NN x)) (PP=2 (IN of) (NP (NN y)))))))"
    )
    assert tree.nested_prepositions == 1


def test_a_phrase_has_no_verb() -> None:
    assert read_tree("(NP (DT The) (NN cat))").words_before_verb == 0
    assert read_tree("(NP (DT The) (NN cat))").clauses == 0


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("The cat slept.", None),
        ("the cat slept", None),
        ("The “cat” slept …", None),
        ("The cat slept well.", "the sentence goes on with 'well' where the tree ends"),
        ("The cat.", "the tree goes on with 'slept' where the sentence ends"),
        ("The dog slept.", "the tree has 'cat' where the sentence has 'dog'"),
    ],
)
def test_a_tree_is_held_against_its_sentence(sentence: str, problem: str | None) -> None:
    assert difference(read_tree(SIMPLE), sentence) == problem


def test_contractions_and_brackets_agree_with_how_people_write_them() -> None:
    tree = Tree("S", tuple(Tree("X", word=word) for word in ["We", "ca", "n't", "(", "yet", ")", "go"]))
    assert tree.brackets() == "(S (X We) (X ca) (X n't) (X -LRB-) (X yet) (X -RRB-) (X go))"
    assert difference(read_tree(tree.brackets()), "We can’t (yet) go") is None
