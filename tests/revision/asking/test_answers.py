"""Answers of models are read whatever they look like, and nothing in them is trusted."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from redraft.models import Completion
from redraft.revision.asking.answers import (
    Echoes,
    keeps_placeholders,
    numbered_lines,
    read_plan,
    restore_layout,
    restore_line_breaks,
    whole_lines,
    whole_text,
)
from redraft.text import Document

SENTENCES = {
    1: "The ferry was built in 1962.",
    2: "It make eleven crossings every day.",
    3: "Tourists from many countries enjoy the slow ride across the harbour.",
}
GOOD = """THOUGHT: The second sentence has an error.
CALLS:
word_count_check(300, "less than")
text_eval()
PLAN:
2: Make the verb agree.
3: Shorten to ten words.
"""


def test_a_plan_in_our_form() -> None:
    plan = read_plan(GOOD, SENTENCES)
    assert plan.thought == "The second sentence has an error."
    assert plan.calls == ('word_count_check(300, "less than")', "text_eval()")
    assert plan.advice == {2: "Make the verb agree.", 3: "Shorten to ten words."}
    assert (plan.dropped, plan.problem) == ((), "")


@pytest.mark.parametrize(
    "answer",
    [
        "```\n2: Make the verb agree.\n```",
        "**PLAN:**\n- [2] Make the verb agree.",
        "plan: \n  * Sentence 2: Make the verb agree.",
        "THOUGHT: It needs work.\n2. Make the verb agree.",
        "PLAN:\n2) Make the verb agree.\n3: none\n1: No change needed.",
        "###THOUGHT: so\n###ACTION:\n- ###TOOLS:\ntext_eval()\n- ###PLAN:\n2: Make the verb agree.",
        'Sentence: "It make eleven crossings every day."; Improvement Plan: "Make the verb agree."',
        "PLAN:\nSentence: It make eleven crossings every day.\nImprovement Plan: Make the verb agree.",
        "PLAN:\nSentence 2: It make eleven crossings.\nImprovement Plan: Make the verb agree.",
        "PLAN: \nSentence: It make eleven crossings…; Improvement Plan: Make the verb agree.",
    ],
)
def test_a_plan_in_other_forms(answer: str) -> None:
    plan = read_plan(answer, SENTENCES)
    assert plan.advice == {2: "Make the verb agree."}
    assert not plan.problem


def test_calls_are_found_on_one_line_and_without_a_heading() -> None:
    plan = read_plan(
        'CALLS: text_eval(), detect_keyword(); sentence_count_check(3, "at most")\nPLAN: none', SENTENCES
    )
    assert plan.calls == ("text_eval()", "detect_keyword()", 'sentence_count_check(4, "less than")')
    assert not plan.problem
    plan = read_plan('- `keyword_keep_removal_check("very", "remove")`\n2: Fix the verb.', SENTENCES)
    assert plan.calls == ('keyword_keep_removal_check("very", "remove")',)
    assert plan.advice == {2: "Fix the verb."}


def test_what_a_call_is_for_may_be_said_after_it() -> None:
    answer = (
        "CALLS:\ntext_eval() to see how it reads after the changes\n"
        'sentence_modification_check([2], "change") to remove the repetition of "due to the fact"\n'
        "`keyword_keep_removal_check('a (small) boat', 'keep')`: a name\n"
        "PLAN: Sentence 2: remove the repetition"
    )
    plan = read_plan(answer, SENTENCES)
    assert plan.calls == (
        "text_eval()",
        'sentence_modification_check([2], "change")',
        'keyword_keep_removal_check("a (small) boat", "keep")',
    )
    assert (plan.dropped, plan.advice) == ((), {2: "remove the repetition"})


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("__import__('os').system('id')", "nothing may follow"),
        ("eval('1+1')", "unknown constraint"),
        ('word_count_check(10**9, "less than")', "expected"),
        ('word_count_check(99999999999999999999, "less than")', "too large"),
        ('word_count_check("many", "less than")', "count must be"),
        ('sentence_modification_check([9], "unchange")', "the text has 3 sentences"),
        ("text_eval(open('/etc/passwd'))", "expected"),
        ("text_eval(3)", "takes no arguments"),
    ],
)
def test_a_bad_call_is_dropped_with_a_reason(call: str, reason: str) -> None:
    plan = read_plan(f"CALLS:\n{call}\nPLAN:\n2: Fix the verb.", SENTENCES)
    assert plan.calls == ()
    assert len(plan.dropped) == 1
    assert reason in plan.dropped[0]
    assert plan.advice == {2: "Fix the verb."}


def test_numbers_that_do_not_exist_are_ignored_and_told() -> None:
    plan = read_plan("PLAN:\n0: a thing\n2: Fix the verb.\n4: a thing\n999999: a thing", SENTENCES)
    assert plan.advice == {2: "Fix the verb."}
    assert [reason.split()[1] for reason in plan.dropped] == ["0", "4", "999999"]
    only = read_plan("PLAN:\n7: Fix the verb.", SENTENCES)
    assert "sentence 7" in only.problem


def test_an_echo_of_the_sentences_is_no_plan() -> None:
    echo = "\n".join(f"[{number}] {text}" for number, text in SENTENCES.items())
    plan = read_plan(echo, SENTENCES)
    assert plan.advice == {}
    assert "only repeats it" in plan.problem


def test_advice_that_goes_round_in_circles_is_none() -> None:
    plan = read_plan("PLAN:\n2: " + "make it all better and " * 4, SENTENCES)
    assert "circles" in plan.problem


@pytest.mark.parametrize("answer", ["", "I cannot do that.", "PLAN:", "THOUGHT: fine", "OK."])
def test_no_plan_is_a_problem(answer: str) -> None:
    assert read_plan(answer, SENTENCES).problem


@pytest.mark.parametrize(
    "answer", ["PLAN: none", "THOUGHT: good\nPLAN:\nNo changes needed.", "PLAN:\n1: keep as is"]
)
def test_a_plan_may_say_that_all_is_well(answer: str) -> None:
    plan = read_plan(answer, SENTENCES)
    assert (plan.advice, plan.problem) == ({}, "")


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "[3] ",
        "\n",
        "Sentence: x ",
        "Sentence: x\n",
        "x(",
        "x_check(\n",
        "((",
        "```\n",
        "1: a\n",
        '"\n',
        "* ",
        "Here is ",
    ],
)
def test_a_huge_answer_is_read_quickly(piece: str) -> None:
    answer = piece * (300_000 // len(piece))
    started = time.process_time()
    lines = whole_lines(Completion(answer))
    read_plan(lines, SENTENCES)
    numbered_lines(lines)
    whole_text(answer, "A source.")
    assert time.process_time() - started < 5


@given(st.text() | st.lists(st.sampled_from([*GOOD.split("\n"), "[2] x", "```", "\n"])).map("\n".join))
def test_any_answer_gives_only_valid_things(answer: str) -> None:
    plan = read_plan(answer, SENTENCES)
    assert plan.advice.keys() <= SENTENCES.keys()
    assert all(plan.advice.values())
    assert all(call in GOOD for call in plan.calls)
    assert plan.advice or plan.problem or "plan" in answer.lower()


def test_numbered_lines() -> None:
    answer = "Sure:\n[3] One\ngoes on.\nNot this.\n[4]\n[5] **5.** x\n2019. no\n> [6]: y.\n[[M1]] z"
    assert numbered_lines(answer) == [(3, "One goes on."), (4, ""), (5, "**5.** x 2019. no"), (6, "y.")]
    assert numbered_lines("1. One.\n2) Two.\n3.5 percent\n(4) Four.") == [
        (1, "One."),
        (2, "Two."),
        (4, "Four."),
    ]


def test_the_line_that_was_cut_off_goes() -> None:
    assert whole_lines(Completion("1: a\n2: b", "length")) == "1: a"
    assert whole_lines(Completion("1: a\n2: b")) == "1: a\n2: b"


TEXT = "The ferry is old. It is slow."


@pytest.mark.parametrize(
    "answer",
    [
        f"  {TEXT}\n",
        f"Here is the revised text:\n\n{TEXT}",
        f"Sure! Here's a better version of it: {TEXT}",
        f"Certainly!\n\n{TEXT}\n\nI hope this helps!",
        f"**Revised text:** {TEXT}",
        f'"{TEXT}"',
        f"“{TEXT}”",
        f"```text\n{TEXT}\n```",
        f"Here is the text:\n```\n{TEXT}\n```\nLet me know what you think.",
        f"{TEXT}\n\n**Changes made:**\n\n- Fixed it.\n- Shortened it.",
    ],
)
def test_what_stands_around_a_text_goes(answer: str) -> None:
    assert whole_text(answer, "The ferry are old. It are slow.") == TEXT


@pytest.mark.parametrize(
    "text",
    [
        "Here is the plan: we go home.",
        '"Yes," she said. "No," he said.',
        "Certainly, all is well.",
        "A\n\nNote: the boat is wet.",
        "```\ncode\n```\nText.",
        "The final version: a play in five acts.",
    ],
)
def test_what_belongs_to_the_text_stays(text: str) -> None:
    assert whole_text(text, text) == text


@given(st.text(alphabet='ab. \n"“”`:[]', max_size=80))
def test_a_text_that_is_given_back_is_left_alone(text: str) -> None:
    """But for white space, and a fence or quotes that the source has nowhere else."""
    assert whole_text(text, text) == text.strip()


@pytest.mark.parametrize(
    ("new", "kept"),
    [
        ("So [[M1]] is [[M2]].", True),
        ("[[m 1]] is [[M2]], so.", True),
        ("[[M2]] is [[M1]].", False),
        ("So [[M1]] is.", False),
        ("So [[M1]] is [[M2]] and [[M2]].", False),
        ("So [[M1]] is [[M3]].", False),
    ],
)
def test_placeholders(new: str, kept: bool) -> None:
    assert keeps_placeholders(new, "Thus [[M1]] is [[M2]].") is kept


def test_an_echo_is_known_by_its_beginning_if_long_enough() -> None:
    echoes = Echoes(SENTENCES)
    assert echoes.number("the ferry was built in 1962") == 1
    assert echoes.number("Tourists from many countries…") == 3
    assert echoes.number("Tourists") is None
    assert echoes.number("") is None


def test_white_space_comes_back() -> None:
    source = "The ferry is old.\n\nIt make eleven crossings.  Tourists like the slow ride."
    flat = "The ferry is very old. It makes eleven crossings. Tourists love the slow ride."
    assert restore_layout(flat, source) == (
        "The ferry is very old.\n\nIt makes eleven crossings.  Tourists love the slow ride."
    )
    shorter = "The ferry is old. Tourists love the slow ride."
    assert restore_layout(shorter, source) == "The ferry is old.\n\nTourists love the slow ride."
    source = (
        "It was built long ago.\n\nIt makes eleven crossings every day, and the crew rests at night.  Fine."
    )
    split = "It was built long ago. It makes eleven crossings every day. The crew rests at night. Fine."
    assert restore_layout(split, source) == (
        "It was built long ago.\n\nIt makes eleven crossings every day. The crew rests at night.  Fine."
    )


def test_line_breaks_within_a_sentence_come_back() -> None:
    source = "It make eleven crossings\n  every day, and the crew\nrests at night."
    assert restore_line_breaks(
        "It makes eleven crossings every single day, and all the crew rests.", source
    ) == ("It makes eleven crossings\n  every single day, and all the crew rests.")
    assert restore_line_breaks("It makes crossings each day, and they sleep at night.", source) == (
        "It makes crossings each\n  day, and they sleep\nat night."
    )
    text = f"One is here.\n\n{source}"
    flat = "One is here. It makes eleven crossings every day, and the crew rests at night."
    assert restore_layout(flat, text) == text.replace("make", "makes")


LINES = st.lists(st.sampled_from(["a", "b", "ab", "\n"]), max_size=30).map(
    lambda words: " ".join(words).replace(" \n", "\n").replace("\n ", "\n").strip()
)


@given(LINES, LINES)
def test_wrapping_changes_white_space_alone(new: str, source: str) -> None:
    assert restore_line_breaks(new, source).split() == new.split()
    assert restore_line_breaks(" ".join(source.split()), source) == source


@given(
    st.lists(st.sampled_from(["One is here.", "Two goes there.", "Three was seen."]), max_size=6), st.data()
)
def test_laying_out_keeps_every_sentence(sentences: list[str], data: st.DataObject) -> None:
    gaps = st.sampled_from([" ", "\n\n", "  ", "\n"])
    answer = "".join(s + data.draw(gaps) for s in sentences)
    source = "One is here.\n\nTwo goes there. Three was seen."
    found = Document(restore_layout(answer, source))
    assert [s.text for s in found.sentences] == sentences
    assert restore_layout(source, source) == source
