"""Items of our own for the kinds of constraint that the published file lacks: every one can be met."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from redraft.constraints import check, constraints_of, read
from redraft.revision.choosing.candidates import OptionMaker
from redraft.revision.choosing.ends import closed_with, opened_with
from redraft.revision.choosing.needs import Needs
from redraft.revision.draft import Draft
from redraft.revision.records import Candidate
from redraft.revision.task import Task
from tests.revision.fakes import repaired

ITEMS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "own.jsonl").read_text(encoding="utf-8").splitlines()
]
BOTH = ("change one", "change two", "change three", "sentences", "exactly", "at least", "fewer")
KINDS = sorted({kind for item in ITEMS for kind in item["calls"]})
CASES = [
    (kind, counting)
    for kind in KINDS
    for counting in (("default", "constrev") if kind in BOTH else ("default",))
]


@pytest.mark.parametrize(("kind", "counting"), CASES)
def test_every_item_of_a_kind_is_met(kind: str, counting: str) -> None:
    items = [item for item in ITEMS if kind in item["calls"]]
    assert len(items) >= (20 if kind in BOTH else 5)
    for item in items:
        text, calls = item["text"], item["calls"][kind].split("; ")
        assert not check(text, calls, original=text, counting=counting).met
        found = asyncio.run(repaired(Task(text, constraints_of(calls), counting=counting)))
        checked = check(found.draft.text, calls, original=text, counting=counting)
        assert [finding.message for finding in checked if not finding.met] == [], item["id"]
        assert len(found.draft.text) > 0.5 * len(text), item["id"]
        assert "  " not in found.draft.text


@pytest.mark.parametrize("kind", ["change one", "change two", "change three"])
def test_only_the_named_sentences_change(kind: str) -> None:
    for item in ITEMS:
        if kind in item["calls"]:
            task = Task(item["text"], constraints_of(item["calls"][kind]))
            revised = asyncio.run(repaired(task)).draft.text
            named = {sentence.number for sentence in task.altered}
            rest = [one for one in read(item["text"]).sentences if one.number not in named]
            assert read(revised).changed(rest) == []
            assert all(one.text in revised for one in rest)


TEXT = (
    "The council met twice a week and, after some debate, decided to ration coal. "
    "It was cold, because the pipes had burst. Nobody had seen anything like it."
)


def options(*calls: str, text: str = TEXT, hard: bool = False) -> list[tuple[int, int, str]]:
    task = Task(text, constraints_of(calls))
    draft = Draft.of(task)
    made = OptionMaker(task).options(draft, Needs.of(task, text, hard), hard)
    return [(one.start, one.stop, one.candidate.text) for one in made]


def test_without_need_there_is_the_text_itself_and_nothing_else() -> None:
    units = Draft.of(Task(TEXT)).units
    assert options('word_count_check(90, "less than")') == [
        (place, place + 1, unit.text) for place, unit in enumerate(units)
    ]
    assert Needs.of(Task(TEXT), TEXT) == Needs()


def test_what_must_stay_has_no_other_option_than_a_join_that_holds_it() -> None:
    calls = ('word_count_check(20, "less than")', 'sentence_modification_check([2], "unchange")')
    kept = "It was cold, because the pipes had burst."
    for hard in (False, True):
        made = options(*calls, hard=hard)
        assert [text for start, stop, text in made if (start, stop) == (1, 2)] == [kept]
        assert all(kept in text for start, stop, text in made if start <= 1 < stop)


@pytest.mark.parametrize(
    "call",
    [
        'sentence_length_check(8, "less than")',
        'keyword_keep_removal_check("debate", "remove")',
        'pattern_check("(?i)because", "forbid")',
    ],
)
def test_every_candidate_obeys_by_itself(call: str) -> None:
    task = Task(TEXT, constraints_of(call))
    own = {unit.text for unit in Draft.of(task).units}
    made = [text for _, _, text in options(call) if text not in own and text]
    assert made
    assert [task.fault(text) for text in made] == [0.0] * len(made)


def test_a_sentence_with_a_forbidden_pattern_is_rewritten_and_not_only_left_out() -> None:
    made = [text for start, _, text in options('pattern_check("(?i)because", "forbid")') if start == 1]
    assert any(text.startswith("It was cold") and "because" not in text for text in made)


def test_a_repeat_may_be_left_out_and_the_first_may_not() -> None:
    text = f"Nobody had seen anything like it. It snowed. {TEXT}"
    made = options("unique_sentences_check()", text=text)
    dropped = [start for start, _, text in made if not text]
    assert dropped == [4]


def test_words_that_open_and_close_are_put_in_the_least_odd_way_first() -> None:
    def made(tool: Callable[..., list[Candidate]], words: str, **options: bool) -> list[str]:
        return [one.text for one in tool("Nobody had seen it.", words, **options)]

    assert made(opened_with, "in short") == ["In short, nobody had seen it.", "In short: nobody had seen it."]
    assert made(opened_with, "The")[0] == "The fact is that nobody had seen it."
    assert made(opened_with, "Dear all,") == [
        "Dear all,\n\nNobody had seen it.",
        "Dear all, nobody had seen it.",
    ]
    assert made(opened_with, "Dear all", apart=True)[-1] == "Dear all. Nobody had seen it."
    assert made(closed_with, "of course")[0] == "Nobody had seen it, of course."
    assert made(closed_with, "Thank you.") == ["Nobody had seen it. Thank you."]
    assert made(closed_with, "of course", apart=True)[-1] == "Nobody had seen it. Of course."


def test_a_salutation_takes_the_place_of_another() -> None:
    def made(sentence: str, words: str) -> list[str]:
        return [candidate.text for candidate in opened_with(sentence, words, apart=True)]

    assert made("Dear Hiring Manager,", "Dear Prof. Lee") == ["Dear Prof. Lee,"]
    assert made("Dear Mr. J. Hill,\n\nHere I am.", "Dear Prof. Lee,") == ["Dear Prof. Lee,\n\nHere I am."]
    assert made("Hi Dr. Smith! All is well.", "Hello all") == ["Hello all! All is well."]
    assert "Dear all: Hello is a word." in made("Hello is a word.", "Dear all")


def test_our_rules_cut_and_join_nothing_in_another_language() -> None:
    text = (
        "Der Zug ist nicht pünktlich. Die Leute warten auf dem Bahnsteig. Das Wetter ist schlecht und kalt."
    )
    made = options('sentence_count_check(3, "less than")', 'word_count_check(9, "less than")', text=text)
    assert [(start, stop) for start, stop, _ in made] == [(0, 1), (1, 2), (2, 3)]
    assert " ".join(own for _, _, own in made) == text


def test_a_quotation_is_not_left_without_its_end_or_its_speaker() -> None:
    text = (
        "It snowed. “We did not expect this. It is a good sign,” said Ms. Lopez. Signs went up. "
        "The mayor was pleased. “We have waited for years.”"
    )
    dropped = [
        (start, stop)
        for start, stop, own in options('word_count_check(20, "less than")', text=text)
        if not own
    ]
    assert sorted(set(dropped)) == [(0, 1), (1, 3), (3, 4), (4, 6), (5, 6)]


def test_the_town_of_a_name_is_the_name() -> None:
    first = opened_with("The town of Harrow Bridge will lease its library.", "Harrow Bridge")[0]
    assert first.text == "Harrow Bridge will lease its library."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We left at nine. But the bus was late. So we walked to the station.", ["But", "So"]),
        ("There are many people who like the park. There is a lift in the old station.", ["There"]),
        ("We met in May. Because the road was closed, we took the train.", ["Because"]),
        ("I have worked here since 2019. It rained.", ["I"]),
    ],
)
def test_sentences_begin_otherwise_and_nothing_is_left_out(text: str, words: list[str]) -> None:
    call = f"sentence_start_check({json.dumps(words)})"
    found = asyncio.run(repaired(Task(text, constraints_of([call])))).draft.text
    assert check(found, [call], original=text).met
    assert ";" not in found
    content = {word.lower() for word in text.replace(".", "").replace(",", "").split() if len(word) > 5} - {
        "because",
        "people",
    }
    assert all(word in found.lower() for word in content)


def test_a_sentence_is_not_dropped_for_its_first_word() -> None:
    text = "I speak three languages. It rained."
    task = Task(text, constraints_of(['sentence_start_check(["I"])']))
    assert "three languages" in asyncio.run(repaired(task)).draft.text
