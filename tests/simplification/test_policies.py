from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest
import yaml

from redraft.constraints import check, parse_call
from redraft.errors import FileError, InputError
from redraft.simplification.policy import LEXICAL, STRUCTURAL, operations_used
from redraft.simplification.policy_files import (
    load_policy,
    policy_names,
    policy_text,
    policy_warnings,
    read_policy,
)
from redraft.simplification.yaml_values import MOST
from redraft.text import count_words
from redraft.text.levels import difficulty, level
from redraft.text.tagging import tagged

GOOD = """
name: mine
title: My own
instruction: Make it easier.
operations: [replace, keep]
decides: lexical
principles:
  lexical:
    - {name: easier, says: Easier words., points: 2, measure: difficult_replaced}
"""


def told(text: str) -> list[str]:
    """The problems of a policy."""
    policy, problems = read_policy(text)
    assert (policy is None) == bool(problems)
    return [str(problem) for problem in problems]


@pytest.mark.parametrize("name", ["lexical", "rewrite"])
def test_ours_have_every_principle_of_the_paper(name: str) -> None:
    policy = load_policy(name)
    assert name in policy_names()
    assert tuple(one.measure for one in policy.lexical) == LEXICAL
    assert tuple(one.measure for one in policy.structural) == STRUCTURAL
    assert [one.points for one in policy.lexical] == [2, 1, -2, -2, 1, -1, -2, -2, -1, -2]
    assert [one.points for one in policy.structural] == [2, 1, -2, 2, 2, -1, -2]
    assert len(policy.examples) == 3
    assert policy.decides == {"lexical": "lexical", "rewrite": "overall"}[name]
    assert not policy_warnings(policy)
    assert len(LEXICAL + STRUCTURAL) == 17


def test_only_rewriting_may_split_and_reorder() -> None:
    lexical, rewrite = load_policy("lexical"), load_policy("rewrite")
    assert not lexical.allows("split")
    assert not lexical.allows("reorder")
    assert rewrite.allows("split")
    assert rewrite.allows("reorder")
    assert all("split" in operations_used(one.source, one.simplified) for one in rewrite.examples)


@pytest.mark.parametrize("name", ["lexical", "rewrite"])
def test_our_examples_are_simpler_and_keep_what_must_stay(name: str) -> None:
    policy = load_policy(name)
    for example in policy.examples:
        before, after = (
            fmean(difficulty(word.text, word.tag) for word in tagged(text) if level(word.text, word.tag))
            for text in (example.source, example.simplified)
        )
        assert after < before
        assert check(example.simplified, policy.constraints, original=example.source).met
        least, most = policy.limits.length_ratio or (0, 9)
        assert least <= count_words(example.simplified) / count_words(example.source) <= most
    for call in policy.constraints:
        assert parse_call(call).needs_original


def test_the_smallest_policy_will_do(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(GOOD, encoding="utf-8")
    policy = load_policy(file)
    assert policy == load_policy(str(file))
    assert policy.limits.word_level == "B1"
    assert policy.operations == {"replace", "keep"}
    assert [one.partition(":")[0] for one in policy_warnings(policy)] == ["examples", "constraints"]
    assert policy_text(file) == GOOD


def test_every_problem_is_told_at_once_with_its_place() -> None:
    text = """
name: My Policy
titel: x
operations: [replase, keep]
decides: lexicall
instruction: 12
principles:
  lexical:
    - {name: a, says: b, points: 9, measure: dificult_replaced}
    - {name: a, points: 0}
  other: []
examples:
  - {source: "The 3 cats sat down.", simplified: "Down. The cats sat."}
limits: {length_ratio: [2, 1], word_level: D1, reading_grade: x}
constraints: [word_count_chek(3), 'word_count_check(300, "les than")', 'preserve_check("numbers")']
name: again
"""
    assert told(text) == [
        "line 2: title is missing",
        "line 2: name: 'My Policy' should be small letters, digits and hyphens, such as plain-letters",
        "line 3: titel: is not known; did you mean title?",
        "line 4: operations[1]: 'replase' is not known; did you mean replace?",
        "line 5: decides: 'lexicall' is not known; did you mean lexical?",
        "line 6: instruction: should be a text, not a number: put it between quotes",
        "line 9: principles.lexical[1].measure: 'dificult_replaced' is not known; did you mean difficult_replaced?",
        "line 9: principles.lexical[1].points: should be a number from -5 to 5, not '9'",
        "line 10: principles.lexical[2]: says is missing",
        "line 10: principles.lexical[2].name: 'a' is there twice",
        "line 10: principles.lexical[2].points: should give or take something: 2 or 1, -1 or -2",
        "line 11: principles.other: is not known; there are lexical, structural",
        "line 13: examples[1].simplified: breaks preserve_check(\"numbers\"): lost “3”",
        "line 13: examples[1].simplified: does what operations do not allow: add (down)",
        "line 13: examples[1].simplified: does what operations do not allow: delete (3)",
        "line 13: examples[1].simplified: does what operations do not allow: split (1 became 2)",
        "line 14: limits.length_ratio: should be the least and the most, such as [0.5, 1.2]",
        "line 14: limits.reading_grade: should be a number from 0 to 20, not 'x'",
        "line 14: limits.word_level: 'D1' is not known; there are A1, A2, B1, B2, C1, C2",
        "line 15: constraints[1]: unknown constraint 'word_count_chek'; did you mean word_count_check?",
        'line 15: constraints[2]: unknown relation "les than"; use one of "less than", "more than", "equal", "at least", "at most"',
        "line 16: name: is there twice",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: the file is empty"),
        ("a: &x [1]\nb: *x", "line 1: anchors (&) and aliases (*) are not read: write the value out"),
        ("a: 1\nb: !!python/object/apply:os.system [x]", "line 2: tags such as tag:yaml.org,2002:python/object/apply:os.system are not read: leave it out"),
        ("a: " + "[" * 90_000, "line 1: lists and tables stand too deep in one another"),
        ("x" * (MOST + 1), f"line 1: the file has {MOST + 1} characters; {MOST} are the most"),
        ("a: 1\nb: c: d", "line 2: this is no valid YAML: mapping values are not allowed here"),
        ("a: 1\nb: \x00", "line 2: the character U+0000 may not stand in YAML"),
        ("a: 1\n---\nb: 2", "line 2: this is no valid YAML: but found another document"),
        (GOOD + "constraints: ['word_count_check(9, \"more than\")', 'word_count_check(5, \"less than\")']", "line 10: constraints: no text can meet these together: the number of words must be at least 10 and at most 4"),
        (GOOD + "constraints: ['sentence_modification_check([1], \"unchange\")']", "line 10: constraints[1]: sentence_modification_check names sentences of one text, and a policy is for every text"),
        (GOOD.replace("lexical\n", "structural\n", 1), "line 8: principles: structural decides, and has no principles"),
        (GOOD.replace("difficult_replaced", "split"), "line 9: principles.lexical[1].measure: 'split' is not known; there are " + ", ".join(LEXICAL)),
        (GOOD.replace("[replace, keep]", "[keep]"), "line 5: operations: allow nothing but to keep: name at least one more"),
        (GOOD.replace("My own", "no"), "line 3: title: should be a text, not yes or no: put it between quotes"),
        (GOOD.replace("points: 2", "points: .inf"), "line 9: principles.lexical[1].points: should be a number from -5 to 5, not '.inf'"),
        (GOOD.replace("points: 2", "points: 1:30"), "line 9: principles.lexical[1].points: should be a number from -5 to 5, not '1:30'"),
        (GOOD + '"\\e[31m": 1', "line 10: \\x1b[31m: is not known; there are name, title, instruction, operations, decides, principles, about, examples, limits, constraints, judged"),
        (GOOD + "limits: {length_ratio: [0.9, 1.1]}\nexamples: [{source: An old house., simplified: A very old and small house.}]\n", "line 11: examples[1].simplified: has 2.00 times the words of its source; length_ratio is 0.9 to 1.1"),
    ],
)  # fmt: skip
def test_what_is_no_policy_says_why(text: str, says: str) -> None:
    assert says in told(text)


def test_laughs_are_not_multiplied() -> None:
    laughs = "a: &a [x, x]\n" + "".join(
        f"{new}: &{new} [*{old}, *{old}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert told(laughs) == ["line 1: anchors (&) and aliases (*) are not read: write the value out"]


def test_nothing_but_plain_yaml_is_needed_to_read_it() -> None:
    assert yaml.safe_load(policy_text("lexical"))["name"] == "lexical"


def test_a_policy_that_is_not_there_or_not_right_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are lexical, rewrite, or name a"):
        load_policy("lexcal")
    with pytest.raises(FileError, match="no such file"):
        load_policy(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_text("name: x", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.yaml cannot be used:\n  line 1: decides is missing\n"):
        load_policy(tmp_path / "bad.yaml")


def test_doubts_are_told_and_stop_nothing() -> None:
    policy = load_policy("lexical")
    bare = replace(
        policy,
        decides="overall",
        structural=(),
        examples=(),
        lexical=(replace(policy.lexical[0], measure=None),),
    )
    assert policy_warnings(bare) == [
        "principles.lexical: 'easier words for difficult ones' names no measure: the rubric judge leaves it out",
        "principles.structural: there are none, though both aspects decide",
        "examples: there are none: candidate pools will be asked without",
    ]


JUDGED = """
judged:
  - source: He utilised it. We left.
    parse: [(S (NP (PRP He)) (VP (VBD utilised) (NP (PRP it))) .), (S (NP (PRP We)) (VP (VBD left)) .)]
    candidates:
      - text: He used it.
        alignment: 0_He-0_He 2_it-2_it 1_utilised-1_used
        parse: [(S (NP (PRP He)) (VP (VBD used) (NP (PRP it))) .)]
        lexical: An easier word.
        structural: One sentence is gone.
      - text: He left.
        alignment: 0_He-0_He 4_left-1_left
        parse: [(S (NP (PRP He)) (VP (VBD left)) .)]
        lexical: Most is lost.
        structural: Short.
    lexical: {best: A, worst: B}
    structural: {best: B, worst: A}
    overall: {best: A, worst: B}
"""


def test_a_policy_brings_examples_for_judges() -> None:
    policy, problems = read_policy(GOOD + JUDGED)
    assert policy is not None, problems
    (example,) = policy.judged or ()
    assert example.candidates[0].links == ((0, 0), (1, 1), (2, 2))
    assert example.parses[1] == "(S (NP (PRP We)) (VP (VBD left)) (. .))"
    assert example.verdicts == (("lexical", 0, 1), ("structural", 1, 0), ("overall", 0, 1))
    without, _ = read_policy(GOOD)
    none, _ = read_policy(GOOD + "judged: []")
    assert without is not None
    assert none is not None
    assert (without.judged, none.judged) == (None, ())
    assert policy.hash == without.hash, "what decides candidates is the same"


@pytest.mark.parametrize("name", ["lexical", "rewrite"])
def test_ours_bring_three_examples_with_alignments_and_parses(name: str) -> None:
    judged = load_policy(name).judged or ()
    assert len(judged) == 3
    for example in judged:
        assert example.parses
        assert all(one.links and one.parses for one in example.candidates)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("1_utilised-1_used", "1_utilized-1_used", "line 16: judged[1].candidates[1].alignment: 1_utilized-1_used: the word at 1 of the source is 'utilised'"),
        ("4_left-1_left", "4_left-7_left", "line 21: judged[1].candidates[2].alignment: 4_left-7_left: the candidate has 2 words, and so none at 7"),
        ("4_left-1_left", "left=left", "line 21: judged[1].candidates[2].alignment: 'left=left' is no pair: write each as 1_utilised-1_used, words counted from 0"),
        ("        alignment: 0_He-0_He 4_left-1_left\n", "", "line 15: judged[1].candidates: some have an alignment: give one for every candidate, or for none"),
        ("        parse: [(S (NP (PRP He)) (VP (VBD left)) .)]\n", "", "line 12: judged[1]: some texts have a parse: give one for the source and every candidate, or for none"),
        (", (S (NP (PRP We)) (VP (VBD left)) .)]", "]", "line 13: judged[1].parse: has 1 trees for 2 sentences: give one for each, as a list"),
        ("(VBD used)", "(VBD uses)", "line 17: judged[1].candidates[1].parse[1]: the tree has 'uses' where the sentence has 'used'"),
        ("(VBD used)", "(VBD used", "line 17: judged[1].candidates[1].parse[1]: is no tree: a word stands without its tag in (VBD …): 'used'; write (TAG used)"),
        ("{best: B, worst: A}", "{best: B, worst: B}", "line 26: judged[1].structural: the best and the worst are the same"),
        ("{best: B, worst: A}", "{best: B, worst: C}", "line 26: judged[1].structural.worst: 'C' is not known; there are A, B"),
        ("text: He left.", "text: He used it.", "line 15: judged[1].candidates: two are the same"),
        ("        lexical: Most is lost.\n", "", "line 20: judged[1].candidates[2]: lexical is missing"),
        ("    overall: {best: A, worst: B}\n", "", "line 12: judged[1]: overall is missing"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_example_for_judges(old: str, new: str, says: str) -> None:
    assert old in JUDGED
    assert says in told(GOOD + JUDGED.replace(old, new))


@pytest.mark.parametrize(
    ("source", "simplified", "used"),
    [
        ("The cat sat.", "The cat sat.", set()),
        ("The feline sat.", "The cat sat.", {"replace"}),
        ("The old cat sat.", "The cat sat.", {"delete"}),
        ("The cat sat.", "The old cat sat.", {"add"}),
        ("The cat sat and it slept.", "The cat sat. It slept.", {"split", "delete"}),
        ("Yesterday the cat slept.", "The cat slept yesterday.", {"reorder", "delete", "add"}),
        ("That garden blossoms.", "A garden blossoms like that.", {"replace", "add"}),
        ("", "", set()),
    ],
)
def test_operations_are_told_from_the_words(source: str, simplified: str, used: set[str]) -> None:
    assert set(operations_used(source, simplified)) == used
