"""Harper's findings, less its false alarms."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from redraft.quality import GrammarFinding, grammar_findings, grammar_score


def flagged(text: str) -> dict[str, str]:
    return {text[found.start : found.end]: found.kind for found in grammar_findings(text)}


def fixed(text: str, findings: tuple[GrammarFinding, ...]) -> str:
    for found in reversed(findings):
        if found.suggestions:
            text = text[: found.start] + found.suggestions[0] + text[found.end :]
    return text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("He go to school every day.", "go"),
        ("You does not need to do anything.", "does"),
        ("I definately agree with you.", "definately"),
        ("She ate a apple for lunch.", "a"),
        ("We saw the the cat in the garden.", "the the"),
        ("I could of done it yesterday.", "could of"),
        ("Definately, this is the best day.", "Definately"),
    ],
)
def test_an_error_is_found_where_it_is(text: str, wrong: str) -> None:
    assert wrong in flagged(text)
    assert grammar_score(text) > 0


@pytest.mark.parametrize(
    "text",
    [
        "The colour of the organisation was analysed, and the grey theatre travelled.",
        "The color of the organization was analyzed, and the gray theater traveled.",
        "Yesterday Kuklinski met Ivanovitch in Treforest.",
        "Kuklinski arrived. We asked Kuklinski to sit.",
        "The RBAC module of iPTV runs on V3-512 cores at kHz rates.",
        "we write in lower case. it is how we like paris and monday.",
        r"As \citet{smith} shows, the loss $\mathcal{L}_{xent}$ in \ref{eq:lss} is convex.",
        "Use `grep -rn tset` on [the page](http://exmple.org/tset), and **stop**.",
        "Die Katze sitzt auf der Matte und schläft in dem großen Haus.",
        "漢字とかな。",
        "",
        " \n\t ",
        "—",
        "a" * 30_000,
    ],
)
def test_what_is_right_is_left_alone(text: str) -> None:
    assert flagged(text) == {}
    assert grammar_score(text) == 0.0


def test_the_case_of_a_text_is_its_own() -> None:
    assert "paris" not in flagged("she went to paris. then she came back.")
    assert flagged("She went there. then she came back.") == {"then": "Capitalization"}


def test_items_of_a_list_need_no_capital() -> None:
    assert flagged("# Plan\n\n- buy the milk\n- walk the dog\n") == {}


def test_suggestions_stand_in_the_place_of_the_span() -> None:
    text = "He go home. We saw the the cat. She ate a apple."
    assert fixed(text, grammar_findings(text)) == "He goes home. We saw the cat. She ate an apple."


def test_spans_hold_behind_characters_of_every_width() -> None:
    text = "👩‍👩‍👧 Café naïve. \ud800 It were\u00a0fine.\r\n\r\nHe go home."
    found = {text[each.start : each.end] for each in grammar_findings(text)}
    assert "go" in found


def test_the_score_is_per_hundred_words() -> None:
    once = grammar_score("He go to school every single day.")
    assert once == pytest.approx(100 / 7)
    assert grammar_score("He go to school every single day. " * 5) == pytest.approx(once)


def test_taste_is_not_counted() -> None:
    assert grammar_score("We met Ann, Bob and Carl -- all of them friends ... or so.") == 0.0


def test_a_sentence_is_judged_alike_in_any_text() -> None:
    wrong, right = "He go to school.", "The sun was warm."
    together = f"{right} {wrong} {right}"
    (found,) = grammar_findings(together)
    (alone,) = grammar_findings(wrong)
    assert found.start - alone.start == len(right) + 1
    assert (found.kind, found.message, found.suggestions) == (alone.kind, alone.message, alone.suggestions)


def test_threads_may_share_it() -> None:
    texts = [f"He go to room {number}." for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        scores = list(pool.map(grammar_score, texts))
    assert set(scores) == {20.0}


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    grammar_score("I was looking forward to see him, and to hear him sing.")
    assert capfd.readouterr() == ("", "")


def test_names_that_harper_does_not_know_hide_no_error_beside_them() -> None:
    text = "They met Christiansmarkt at Hallingdal, and he have recieved nothing."
    found = {text[one.start : one.end] for one in grammar_findings(text)}
    assert "recieved" in found
    assert not {"Christiansmarkt", "Hallingdal"} & found
