"""Instructions that the embedded model reads where the rules do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from redraft.constraints import (
    READER,
    Instruction,
    is_borne_out,
    parse,
    parse_call,
    read_both,
    read_call,
    read_reading,
    reader_answer,
    reader_question,
)
from redraft.constraints.reader import SURE, SURE_OF_ALL, ModelReading
from redraft.errors import ModelError
from redraft.models import answer_once, known_adapters
from redraft.revision import read_instruction, understood_by
from redraft.revision.wishes.understanding import _answer
from redraft.settings import Settings, load_settings


def calls(instruction: Instruction) -> set[str]:
    return {one.call for one in instruction.constraints}


def said(answer: str, instruction: str, sure: float = 1.0) -> ModelReading:
    return read_reading(answer, [sure] * len(answer.splitlines()), instruction)


@pytest.mark.parametrize(
    ("call", "instruction"),
    [
        ('word_count_check(120, "at most")', "120 is the ceiling"),
        ('word_count_check(120, "at most")', "a hundred and twenty words, tops"),
        ('word_count_check(270, "at least")', "roughly 300 words"),
        ('relative_length_check(50, "percent", "shorter")', "half as long"),
        ('relative_length_check(40, "percent", "shorter")', "to 60 % of its length"),
        ('sentence_edit_check("combine", [3, 4])', "the third and the fourth sentence"),
        ('sentence_edit_check("delete", [1, 2, 3])', "the first three can go"),
        ('parts_check(["last paragraph"], "unchange")', "leave the ending"),
        ('part_length_check("section Methods", 90, "words", "at most")', "Methods: 90 words"),
        ('keyword_keep_removal_check("Open Larder", "keep")', "name our charity, open larder"),
        ('pattern_check("\\\\[NAME\\\\]", "forbid")', "no [NAME] in it"),
    ],
)
def test_what_a_call_names_is_in_the_instruction(call: str, instruction: str) -> None:
    assert is_borne_out(read_call(call), instruction)


@pytest.mark.parametrize(
    ("call", "instruction"),
    [
        ('word_count_check(120, "at most")', "one hundred words at the most"),
        ('keyword_keep_removal_check("budget", "remove")', "no jargon"),
        ('part_length_check("section Results", 90, "words", "at most")', "Methods: 90 words"),
        ('parts_check(["paragraph 4"], "unchange")', "keep paragraph 2"),
        ('sentence_edit_check("delete", [7, 8])', "drop sentence 2"),
    ],
)
def test_what_the_instruction_does_not_say_is_no_call(call: str, instruction: str) -> None:
    assert not is_borne_out(read_call(call), instruction)
    assert said(f"{call}\nrest: none", instruction).calls == ((None, 1.0),)


def test_an_answer_is_data() -> None:
    """What is no call, or none that we know, is nothing, wherever it stands."""
    answer = 'import os\nword_count_check(90, "at most"\nunlink_check("/")\nsemicolons away\nrest: none'
    found = said(answer, "90 words")
    assert {call for call, _ in found.calls} == {None}
    rules = parse("90 words at most, gently")
    assert read_both(rules, found).constraints == rules.constraints


def test_the_rest_is_the_instructions_own() -> None:
    assert said("rest: warmer", "make it warmer").rest == "warmer"
    assert said("rest: none", "make it warmer").rest == ""
    assert said("rest: delete everything", "make it warmer").rest is None


def test_what_is_learnt_is_what_is_read() -> None:
    found = said(reader_answer(['word_count_check(90, "at most")'], "be kind"), "90 words, be kind")
    assert [call.call for call, _ in found.calls if call] == ['word_count_check(91, "less than")']
    assert found.rest == "be kind"
    assert reader_question("two\n  lines").endswith("\ntwo lines")


def test_a_call_counts_where_the_model_is_sure_enough() -> None:
    instruction = "they chop off whatever comes after the 120th word"
    rules = parse(instruction)
    answer = 'word_count_check(120, "at most")\nrest: none'
    assert calls(read_both(rules, said(answer, instruction, SURE))) == {'word_count_check(121, "less than")'}
    assert read_both(rules, said(answer, instruction, SURE)).style == rules.style
    assert read_both(rules, read_reading(answer, [SURE, SURE_OF_ALL], instruction)).style == ""
    assert read_both(rules, said(answer, instruction, SURE / 2)) == rules


def test_a_rule_stays_unless_the_model_is_sure_of_all() -> None:
    instruction = "Under 90 words. Semicolons drive me up the wall."
    rules = parse(instruction)
    answer = 'punctuation_check("semicolon", 0, "at most")\nrest: none'
    both = {'word_count_check(90, "less than")', 'punctuation_check("semicolon", 1, "less than")'}
    assert calls(read_both(rules, said(answer, instruction, 0.8))) >= both
    sure = said(answer, instruction, 0.95)
    assert calls(read_both(rules, sure)) == {'punctuation_check("semicolon", 1, "less than")'}
    nothing = said("rest: none", instruction)
    assert read_both(rules, nothing) == rules


def test_a_number_belongs_to_one_thing() -> None:
    """A rule that took the bound of a paragraph for the text's gives way."""
    instruction = "para 2 is twice as long as it ought to be, get it under 70 words"
    rules = Instruction(instruction, (parse_call('word_count_check(70, "less than")'),), (), "para 2")
    answer = 'part_length_check("paragraph 2", 70, "words", "less than")\nrest: none'
    found = read_both(
        Instruction(instruction, rules.constraints, parse(instruction).places[:1], ""),
        said(answer, instruction, 0.5),
    )
    assert calls(found) == {'part_length_check("paragraph 2", 70, "words", "less than")'}


@pytest.mark.parametrize("sure", [0.6, 0.95])
@pytest.mark.parametrize(
    ("instruction", "answer"),
    [
        (
            "Keep the word 'hereinafter', it is a defined term; the rest is up to you",
            'keyword_keep_removal_check("hereinafter", "remove")',
        ),
        ("Under 90 words, they chop the rest", 'word_count_check(90, "at least")'),
    ],
)
def test_the_model_contradicts_no_rule(instruction: str, answer: str, sure: float) -> None:
    rules = parse(instruction)
    assert calls(read_both(rules, said(f"{answer}\nrest: none", instruction, sure))) == calls(rules)


@pytest.mark.parametrize("bound", ["20", "twenty"])
def test_nothing_is_deleted_while_a_number_is_left_over(bound: str) -> None:
    instruction = f"Cut the second sentence to {bound} words, and move the last sentence up."
    answer = (
        'sentence_edit_check("delete", [2])\npart_edit_check("move", "sentence", [-1], "start")\nrest: none'
    )
    assert calls(read_both(parse(instruction), said(answer, instruction))) == {
        'part_edit_check("move", "sentence", [-1], "start")'
    }


def test_where_the_rules_understand_all_the_model_adds_what_it_is_sure_of() -> None:
    instruction = "Under 90 words, friendlier"
    rules = parse(instruction)
    answer = 'word_count_check(90, "at least")\npassive_voice_check(0, "at most")\nrest: friendlier'
    assert calls(read_both(rules, said(answer, instruction, 0.6), is_left=False)) == calls(rules)
    more = {*calls(rules), 'passive_voice_check(1, "less than")'}
    assert calls(read_both(rules, said(answer, instruction, 0.95), is_left=False)) == more


def test_a_date_and_odd_numbers_are_read_as_text() -> None:
    instruction = "Everything dated 12.03.2024 or 1.2.3 goes, 1,200 words is the ceiling"
    assert is_borne_out(read_call('word_count_check(1200, "at most")'), instruction)
    assert not is_borne_out(read_call('word_count_check(2024, "at most")'), instruction)


def test_what_nothing_acts_on_is_still_named() -> None:
    """An answer that reads nothing new does not make the rest understood."""
    instruction = "Under 90 words. Add a joke about cats."
    rules = parse(instruction)
    for sure in (0.05, 0.7, 1.0):
        answer = said('word_count_check(90, "less than")\nrest: none', instruction, sure)
        assert read_both(rules, answer).style == rules.style
    assert said("rest: Add a joke about cats", instruction, 0.5).rest is None


Answer = Callable[[Path, str, Settings], tuple[str, tuple[float, ...]]]


def answering(text: str, sure: float = 1.0) -> Answer:
    return lambda *_: (text, (sure,) * (text.count("\n") + 1))


@pytest.fixture
def by_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    _answer.cache_clear()
    yield load_settings({"reading": "model"})
    _answer.cache_clear()


UNREAD = "has to fit in a tweet, so 280 characters with spaces"
LIMIT = 'character_count_check(281, "less than")'


def test_an_answer_is_asked_for_once_and_a_failure_is_forgotten(
    by_model: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def failing(_: Path, question: str, __: Settings) -> tuple[str, tuple[float, ...]]:
        asked.append(question)
        raise ModelError("no weights")

    monkeypatch.setattr("redraft.models.answer_once", failing, raising=False)
    assert read_instruction(UNREAD, by_model) == parse(UNREAD)
    assert read_instruction(UNREAD, by_model) == parse(UNREAD)
    assert asked == [reader_question(UNREAD)] * 2
    right = answering('character_count_check(280, "at most")\nrest: none')
    monkeypatch.setattr("redraft.models.answer_once", right, raising=False)
    assert calls(read_instruction(UNREAD, by_model)) == {LIMIT}
    monkeypatch.setattr("redraft.models.answer_once", failing, raising=False)
    assert calls(understood_by(by_model, UNREAD).instruction) == {LIMIT}


@pytest.mark.parametrize(
    "text", ["", "\n", "rest:", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"), "x" * 900]
)
def test_an_odd_answer_says_nothing(text: str, by_model: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.models.answer_once", answering(text), raising=False)
    assert read_instruction(UNREAD, by_model) == parse(UNREAD)


def test_the_embedded_model_reads_most_of_some_plain_demands(by_model: Settings) -> None:
    """No sentence of a model is sure on every processor; most of these, which the rules leave, are read."""
    demands = {
        UNREAD: "character_count_check",
        "join up sentences 1 and 2, they're choppy": "sentence_edit_check",
        "My tenses jump around, it should all be in the past": "tense_check",
        "spell out don't, can't, it's and all that, they are sloppy": "contractions_check",
        "Those long dashes give away that a chatbot wrote it. I don't want any.": "punctuation_check",
        "swap purchase for buy all the way through, nobody talks like that": "replacement_check",
    }
    found = {said: calls(read_instruction(said, by_model)) for said in demands}
    read = [any(one.startswith(name) for one in found[said]) for said, name in demands.items()]
    assert sum(read) > len(demands) / 2
    assert _answer.cache_info().currsize > len(demands) / 2


def test_words_of_any_script_come_back_whole(by_model: Settings) -> None:
    (adapter,) = (one for name, one in known_adapters(by_model.weights()).items() if name == READER)
    question = reader_question("they struck out 日本語 and ő wherever it stood, so never again")
    text, sure = answer_once(adapter, question, by_model)
    assert "\N{REPLACEMENT CHARACTER}" not in text
    assert len(sure) == text.count("\n") + 1
    assert all(0 <= one <= 1 for one in sure)


def test_what_the_rules_read_whole_needs_no_model(
    by_model: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> tuple[str, tuple[float, ...]]:
        raise AssertionError

    monkeypatch.setattr("redraft.models.answer_once", never, raising=False)
    assert read_instruction("Under 90 words.", by_model) == parse("Under 90 words.")
    assert read_instruction(UNREAD, load_settings({"reading": "rules"})) == parse(UNREAD)
