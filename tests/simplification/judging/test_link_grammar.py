"""Link Grammar: how it is given sentences, and how what it prints is read."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest

from redraft.simplification.judging import link_grammar
from redraft.simplification.judging.link_grammar import LinkParser, line, read_constituents, read_output
from redraft.simplification.judging.trees import Parsed

needs_program = pytest.mark.skipif(
    link_grammar.program() is None, reason="needs link-parser: apt-get install link-grammar"
)

# As version 5.12 prints it.
PRINTED = """verbosity set to 0
Debug: Dictionary "en/4.0.dict": Locale "en_US.UTF-8" unknown
constituents set to 3
timeout set to 5
The treasurer of the club, who can't swim, fell into the lake.
(S (NP the treasurer.n of the club.n ,.j who) (VP can't (VP swim.v ,.j fell.v-d (PP into (NP the lake.n)))) .)

Although it rained, we stayed; they left.
(S (S (SBAR although.e (S (NP it) (VP rained.v-d))) , (S (NP we) (VP stayed.v-d))) ; (S (NP they) (VP left.v-d)) .)

This took too long.
Mrs. Ødegård , the mayor , paid $3.5 million for it.
(S (NP (NP Mrs..x Ødegård{!}) , (NP the mayor.n) ,) (VP paid.v-d (NP $ 3.5{!} million) (PP for.p (NP it))) .)
(S (NP a second linkage))

glorp of of zzz
(S (VP glorp{?}.v {of} {of} (NP zzz{?}.n)))

Bye.
"""
LINES = [
    "The treasurer of the club, who can't swim, fell into the lake.",
    "Although it rained, we stayed; they left.",
    "This took too long.",
    "Mrs. Ødegård , the mayor , paid $3.5 million for it.",
    "glorp of of zzz",
]


def test_each_line_has_the_first_tree_that_follows_it() -> None:
    found = read_output(PRINTED, LINES)
    assert set(found) == {*LINES} - {"This took too long."}
    assert found[LINES[3]].startswith("(S (NP (NP Mrs..x")
    assert found[LINES[4]].startswith("(S (VP glorp")


def test_words_and_tags_are_those_of_the_sentence() -> None:
    rows = read_output(PRINTED, LINES)
    sentence = "Mrs. Ødegård (the mayor) paid $3.5 million for it."
    assert read_constituents(rows[LINES[3]], sentence).brackets() == (
        "(S (NP (NP (NNP Mrs.) (NNP Ødegård)) (, ,) (NP (DT the) (NN mayor)) (, ,))"
        " (VP (VBD paid) (NP ($ $) (CD 3.5) (CD million)) (PP (IN for) (NP (PRP it)))) (. .))"
    )
    assert read_constituents(rows[LINES[1]], LINES[1]).clauses == 3
    words = read_constituents(rows[LINES[0]], LINES[0]).words()
    assert words[6:10] == ("who", "ca", "n't", "swim")
    assert read_constituents(rows[LINES[4]], LINES[4]).words() == ("glorp", "of", "of", "zzz")


@pytest.mark.parametrize(
    ("row", "brackets"),
    [
        ("(S (NP acts.n of (NP China.l)) (VP ended.v-d))", "(NP (NNS acts) (PP (IN of) (NP (NNP China))))"),
        (
            "(S (PP (S (VP (NP acts.n of (NP China.l))))) (VP ended.v-d))",
            "(NP (NNS acts) (PP (IN of) (NP (NNP China))))",
        ),
    ],
)
def test_prepositions_join_their_nouns_and_empty_frames_go(row: str, brackets: str) -> None:
    found = read_constituents(row, "acts of China ended")
    assert brackets in found.brackets()
    assert "(PP (S" not in found.brackets()


@pytest.mark.parametrize(
    "row", ["(S (NP he) (VP left.v-d", "(S (NP she) (VP left.v-d))", "(S (NP he))", "garbage", "(S)"]
)
def test_what_does_not_fit_the_sentence_is_not_believed(row: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_constituents(row, "he left")


@pytest.mark.parametrize(
    ("sentence", "given"),
    [
        ("!exit", "exit"),
        ("  !!panic\n!batch", "panic !batch"),
        ("% comment", "comment"),
        ("-spell=1 is a flag", "spell=1 is a flag"),
        ("He\nleft\t(at once)\r\n!exit", "He left , at once , !exit"),
        ('"Go," he said.', '"Go," he said.'),
        ("…", ""),
        ("()", ""),
    ],
)
def test_a_sentence_is_one_line_and_no_command(sentence: str, given: str) -> None:
    assert line(sentence) == given


def test_without_the_program_there_is_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_grammar, "program", lambda: None)
    (found,) = asyncio.run(LinkParser().parse(["He left."]))
    assert found.tree is None


def test_a_program_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "hangs"
    program.write_text("#!/bin/sh\necho 'He left.'\necho '(S (NP he) (VP left.v-d) .)'\nexec sleep 600\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setattr(link_grammar, "program", lambda: str(program))
    monkeypatch.setattr(link_grammar, "_START", 0.5)
    monkeypatch.setattr(link_grammar, "_SECONDS", 0)
    first, second = asyncio.run(LinkParser().parse(["He left.", "She stayed."]))
    assert first.tree is not None
    assert first.tree.words() == ("He", "left", ".")
    assert second == Parsed(None, "Link Grammar found no tree for it in time")


@needs_program
def test_a_dictionary_where_the_user_stands_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "4.0.dict").write_text("a stranger wrote this\n")
    monkeypatch.chdir(tmp_path)
    (found,) = asyncio.run(LinkParser().parse(["He left."]))
    assert found.tree is not None


@needs_program
def test_the_program_itself() -> None:
    sentences = [
        "The old man saw a dog.",
        "",
        "!exit",
        "He left (at once) because it rained.",
        "The old man saw a dog.",
    ]
    found = asyncio.run(LinkParser().parse([*sentences, "long " * 400]))
    assert [parsed.tree is not None for parsed in found] == [True, False, True, True, True, False]
    assert found[0] == found[4]
    tree = found[3].tree
    assert tree is not None
    assert tree.clauses == 2
    assert found[5].problem == "it has over 150 words"
