"""A teacher is asked one thing at a time, and what it answers teaches only where it obeys and is faithful."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from redraft.editor import Value, read_phrasings
from redraft.train.teaching.answers import Judged, judge_answer, kept_rows, tidied_answer
from redraft.train.teaching.drawing import CONTROLS, draw_values
from redraft.train.teaching.passage import Passage
from redraft.train.teaching.requests import TeacherRequest, teacher_prompt

LONG = (
    "The bridge, which was built in 1931 by a firm from Leeds, was closed last week because two of its cables "
    "had rusted, although no one had complained."
)
SHORT = "The museum opens at nine. It is closed on Mondays."


def request(task: str, text: str, reference: str = "", **values: Value) -> TeacherRequest:
    return TeacherRequest("one", task, text, "", 99, values=dict(values), reference=reference)


def judged(task: str, text: str, answer: str, reference: str = "", **values: Value) -> Judged:
    return judge_answer(request(task, text, reference, **values), answer, "stop")


@pytest.mark.parametrize("task", CONTROLS)
def test_every_control_is_one_of_the_editors_and_is_asked_with_two_examples(task: str) -> None:
    assert task in read_phrasings()
    values = {"n": 9, "word": "this", "instead": "that"}
    asked = {teacher_prompt(task, LONG, values, Random(seed)) for seed in range(20)}
    assert len(asked) == 6
    for prompt in asked:
        assert "Answer with the rewritten text only." in prompt
        before, _, label = prompt.rpartition(f"\nText: {LONG}\n")
        assert before.count("\nText: ") == 2
        assert label.endswith(":")
        assert "{" not in prompt


def test_the_word_to_be_avoided_is_marked() -> None:
    prompt = teacher_prompt("without_word", "Time and time again.", {"word": "time"}, Random(0))
    assert "Text: [Time] and [time] again.\nWith a synonym" in prompt


def test_bounds_are_drawn_from_the_passage() -> None:
    passage, random = Passage(LONG), Random(0)
    for _ in range(20):
        drawn = {task: draw_values(task, passage, random) for task in CONTROLS}
        assert drawn["shorten"] is not None
        assert 10 <= int(drawn["shorten"]["n"]) < passage.words
        assert drawn["split"] is not None
        assert 8 <= int(drawn["split"]["n"]) < passage.longest
        assert drawn["simpler"] is not None
        assert int(drawn["simpler"]["n"]) < passage.grade
        assert drawn["without_word"] is not None
        assert drawn["without_word"]["word"] in passage.low
        assert drawn["with_word"] is None or drawn["with_word"]["word"] not in passage.low
        assert drawn["active"] == drawn["present"] == {}
        assert drawn["merge"] is drawn["past"] is drawn["formal"] is None


def test_what_is_too_short_or_quotes_is_not_asked_about() -> None:
    assert draw_values("shorten", Passage("It rains again."), Random(0)) is None
    assert (
        draw_values("merge", Passage("He came in. “It is late,” he said to her, and left."), Random(0))
        is None
    )


def test_a_bound_becomes_what_the_answer_keeps_to() -> None:
    answer = "The bridge was closed last week because two of its cables had rusted, although no one had complained."
    found = judged("shorten", LONG, answer, n=24)
    assert found.row is not None
    assert 17 <= dict(found.row.values)["n"] <= 19
    assert (found.row.task, found.row.input, found.row.target) == ("shorten", LONG, answer)
    assert found.row.source == "teacher"


GOOD = [
    ("fluency", "He go to school every day.", "He goes to school every day."),
    ("merge", SHORT, "The museum, which is closed on Mondays, opens at nine."),
    ("active", "The letter was written by my grandfather.", "My grandfather wrote the letter."),
    (
        "past",
        "She opens the window and looks at the street.",
        "She opened the window and looked at the street.",
    ),
    ("present", "She opened the window and looked at it.", "She opens the window and looks at it."),
    ("formal", "We can't open the shop on Friday.", "We cannot open the shop on Friday."),
    ("fluency", "It lose 1 percents in 2015.", "It lost 1 percent in 2015."),
    ("fluency", "do you like crazy womans?", "Do you like crazy women?"),
    ("polite", "Send me the report by Monday.", "Could you please send me the report by Monday?"),
    (
        "concise",
        "We were able to observe that the 9 mice lost weight.",
        "We observed that the 9 mice lost weight.",
    ),
    (
        "split",
        LONG,
        "The bridge was built in 1931 by a firm from Leeds. It was closed last week because two of its cables had "
        "rusted. No one had complained.",
    ),
]


@pytest.mark.parametrize(("task", "text", "answer"), GOOD)
def test_a_good_answer_is_kept(task: str, text: str, answer: str) -> None:
    assert judged(task, text, answer).reason == ""


BAD = [
    ("merge", SHORT, SHORT, "unchanged"),
    ("merge", SHORT, "The museum opens at nine. It is closed on all Mondays.", "control"),
    ("merge", SHORT, "The museum opens at ten and is closed on Mondays.", "number"),
    ("merge", SHORT, "The museum opens at nine and is not closed on Mondays.", "negation"),
    ("merge", SHORT, "The museum, which you know is closed on Mondays, opens at nine.", "person"),
    ("shorten", LONG, "The bridge was closed last week.", "length"),
    ("shorten", LONG, "Bridge built in 1931 by a firm from Leeds, closed because two of its cables had", "unusable"),
    ("split", LONG, LONG.replace(", although no one", ". Although no one"), "control"),
    ("active", "The letter was written by my father.", "By my father the letter was written then.", "control"),
    ("past", "She opens the window and looks out.", "She opened the window and looks out.", "control"),
    ("formal", "We can't open the shop on Friday.", "We're sorry that we can't open the shop on Friday.", "control"),
    ("plain", LONG, f"Here is the text in plain English: {LONG}", "unusable"),
    ("polite", "The authors must add the two labels.", "Could you please add the two labels for us?", "control"),
    ("plain", "We subsequently met the five men.", "We then met the men.", "number"),
    ("merge", "He came home. Her mother was ill.", "He came home, and his mother was ill.", "person"),
    ("friendly", "We have added the labels.", "Thank you for adding the labels!", "control"),
    ("polite", "We will show how labels are added.", "Could you please show how labels are added?", "control"),
    ("active", "The dye is made by the cell.", "We make the dye in the cell.", "control"),
    ("active", "My room was locked, and I left.", "We locked my own room, and we left.", "person"),
    ("formal", "We can't call recv in the loop.", "We cannot call `recv` in the loop.", "unusable"),
    ("without_word", "Small shops open early in the city.", "Shops open early in the city.", "control"),
    ("split", "You can read the data, and the scripts that we used.", "You can read the data. The scripts that we used.", "control"),
    ("concise", "He said it was “a great day” for all of us.", "He said it was a great day.", "quotation"),
    ("fluency", "He go to school every day.", "He goes to school every day", "unusable"),
    ("friendly", "If your system need it, follow the steps.", "If your system needs it, follow the steps.", "control"),
    ("polite", "Send me the form by Friday.", "Send me the form before Friday.", "control"),
    ("polite", "Let us look at the form.", "Could you please look at the form?", "control"),
    (
        "split",
        LONG,
        "The bridge was built in 1931 by a firm from Leeds. The bridge was built of iron. It was closed last week "
        "because two of its cables had rusted. No one had complained.",
        "control",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("task", "text", "answer", "reason"), BAD)
def test_a_bad_answer_is_refused(task: str, text: str, answer: str, reason: str) -> None:
    assert judged(task, text, answer, word="small") == Judged(None, reason)


def test_words_that_must_go_or_come() -> None:
    text = "The results suggest that older mice sleep less."
    good = "The findings suggest that older mice sleep less."
    assert judged("without_word", text, good, word="results").row is not None
    assert (
        judged("without_word", text, "The result suggests that older mice sleep less.", word="results").row
        is None
    )
    assert judged("with_word", text, good, word="findings", instead="results").row is None
    freer = "It follows from these findings that older mice sleep less."
    assert judged("with_word", text, freer, word="findings", instead="results").row is not None
    assert judged("with_word", text, "The result is that older mice sleep less.", word="findings").row is None


def test_a_word_that_took_the_place_of_another_teaches_to_use_it() -> None:
    asked = request("without_word", "The results suggest that older mice sleep less.", word="results")
    answers = [(asked, "The findings suggest that older mice sleep less.", "stop")]
    first, second = (found.row for _, found in kept_rows(answers))
    assert first is not None
    assert second == replace(first, task="with_word", values=(("word", "findings"),))


def test_a_correction_is_held_against_the_text_before_the_damage() -> None:
    clean, damaged = "They never saw the two ships again.", "They never seen the two ship again."
    assert judged("fluency", damaged, clean, clean).row is not None
    assert judged("fluency", damaged, damaged, clean).reason == "unchanged"
    assert judged("fluency", clean, clean, clean).row is not None
    assert judged("fluency", clean, "They never saw both of the ships again.", clean).reason == "control"
    assert judged("fluency", damaged, "They never saw the two ship again.", clean).reason == "control"
    assert judged("fluency", damaged, "They saw the two ships again.", clean).reason == "negation"
    noted = "She pursed her lips. She looked in the glass."
    assert judged(
        "fluency", "she pursed her lips she looked in in the glass.", noted, noted.replace(". S", "; s")
    ).row
    exciting = "It was the most exciting part of it."
    wrong, other = exciting.replace("exciting", "exsiting"), exciting.replace("exciting", "existing")
    assert judged("fluency", wrong, other, exciting).reason == "control"
    asked, dropped = "I asked what he though the title was.", "I asked what the title was."
    assert judged("fluency", asked, dropped, asked.replace("though", "thought")).reason == "control"


def test_a_correction_of_what_was_written_in_small_letters_may_change_them_all() -> None:
    assert judged(
        "fluency", "yes, i like rome, bonn and oslo most", "Yes, I like Rome, Bonn and Oslo most."
    ).row


def test_a_tidied_answer() -> None:
    assert (
        tidied_answer("Rewritten: It rains.\n\nExplanation: none.", "length", "It is raining.") == "It rains."
    )
    assert tidied_answer("It rains.\nIt is cold.", "stop", "It rains and is cold.") == "It rains. It is cold."
    assert tidied_answer('With a synonym of "is": It rains.', "stop", "It is raining.") == "It rains."
    assert tidied_answer("It rains.", "length", "It is raining.") is None
    assert tidied_answer("1. It rains.\n2. It is cold.", "stop", "It rains and is cold.") is None
    assert tidied_answer("I'm sorry, but I can't help with that.", "stop", "It is raining.") is None


def test_what_was_copied_from_the_example_is_refused() -> None:
    text = "Send me the form at once."
    asked = TeacherRequest("one", "polite", text, teacher_prompt("polite", text, {}, Random(1)), 99)
    example = asked.prompt.split("\nPolitely: ")[1].split("\n")[0]
    assert judge_answer(asked, f"{example[:-1]} with the form?", "stop").row is None
    assert judge_answer(asked, "Could you please send me the form at once?", "stop").row is not None


def test_a_judge_has_the_last_word_and_a_row_comes_once() -> None:
    asked = request("formal", "We can't open the shop on Friday.")
    answers = [(asked, "We cannot open the shop on Friday.", "stop")] * 2
    assert [found.reason for _, found in kept_rows(answers)] == ["", "twice"]
    assert [found.reason for _, found in kept_rows(answers, lambda source, text: False)] == ["judge", "judge"]
