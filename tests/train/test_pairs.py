"""Training pairs for the editor's controls: what each rule makes of a sentence, and how pairs are kept."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from redraft.cli.train import train_app
from redraft.errors import InputError
from redraft.revision import make_active, make_passive, to_past, to_present
from redraft.text import Document, analyse_syntax, count_words, reading_grade, segment
from redraft.train import Guard, make_pairs
from redraft.train.pairs.making import PAIR_MAKERS, is_held_out
from redraft.train.pairs.material import Pair, Passage, Record, passages
from redraft.train.pairs.phrases import Phrases
from redraft.train.pairs.splitting import part_clauses
from redraft.train.pairs.tone import make_polite

TEXT = (
    "The old town, which lies on the river, has two bridges and a mill. The old bridge was built by the monks, and it is very "
    "narrow. We can't close it in order to repair the roof. People in the town do not use it at night. "
    "It's a big problem for the school, but nobody wants to talk about the cost."
)


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def made(kind: str, *rows: dict[str, Any]) -> list[Pair]:
    records = [Record("set/file", str(number), row) for number, row in enumerate(rows)]
    return list(PAIR_MAKERS[kind](records, Random(0)))


@pytest.mark.parametrize(
    ("passive", "active"),
    [
        ("The bridge was built by the Romans.", "The Romans built the bridge."),
        ("The letter will be signed by me.", "I will sign the letter."),
        ("We were helped by them.", "They helped us."),
        ("In 1990, the company was bought by Ford.", "In 1990, Ford bought the company."),
        ("She was being watched by the guards.", "The guards were watching her."),
        ("The report was finished by the end of the week.", None),
        ("The work was not done by the clerks.", None),
        ("He said that the bridge was old.", None),
    ],
)
def test_a_passive_with_its_agent_becomes_active(passive: str, active: str | None) -> None:
    assert make_active(passive) == active


def test_a_passive_is_made_of_a_simple_sentence_and_turned_round_again() -> None:
    for active in ("The Romans built the bridge in a year.", "They built the houses."):
        passive = make_passive(active)
        assert passive is not None
        assert make_active(passive) == active
    assert make_passive("He became a doctor.") is None
    assert make_passive("They walked to the station.") is None


def test_tenses_change_every_finite_verb_or_nothing() -> None:
    assert to_past("She walks to the office, and her dog waits at home.") == (
        "She walked to the office, and her dog waited at home."
    )
    assert to_present("He sat down and took the letters that she had written.") == (
        "He sits down and takes the letters that she has written."
    )
    assert to_present("He was tired and wanted to sleep.") is None
    assert to_past("She walks home now.") is None
    assert to_past("She walks home because he called.") is None
    assert to_present("He put the book away.") is None


@pytest.mark.parametrize(
    ("blunt", "kept"),
    [
        ("Send the report to the office.", "send the report to the office"),
        ("You must pay the fee today.", "pay the fee today"),
        ("We cannot accept your offer.", "not able to accept your offer"),
        ("The authors should explain the method.", "explain the method"),
    ],
)
def test_demands_become_polite_and_keep_what_they_ask(blunt: str, kept: str) -> None:
    for seed in range(6):
        polite = make_polite(blunt, Random(seed))
        assert polite is not None
        assert kept in polite
        assert polite != blunt
    assert make_polite("The office is closed today.", Random(0)) is None


def test_a_phrase_is_found_in_any_form_and_takes_it() -> None:
    found = Phrases("informal.txt").edits(analyse_syntax("She looked into the matter."))
    assert [edit.new for edit in found] == ["investigated"]


def test_clauses_part_where_the_second_has_a_subject() -> None:
    whole = Passage("s", "t", ("The clerk closed the office, and the manager went home early.",))
    assert part_clauses(whole) == "The clerk closed the office. The manager went home early."
    assert part_clauses(Passage("s", "t", ("He bought bread, milk and a newspaper.",))) is None


def test_splits_keep_what_is_said_and_merges_are_their_reverse() -> None:
    whole = (
        "The small museum opened its doors in 1950, and it holds more than 300 paintings by local artists."
    )
    parts = "The small museum opened its doors in 1950. It holds more than 300 paintings by local artists."
    found = {pair.task: pair for pair in made("splits", {"input": whole, "target": parts})}
    assert found["split"].target == parts == found["merge"].input
    bound = found["split"].values["n"]
    assert isinstance(bound, int)
    assert all(count_words(parts[one.start : one.end]) <= bound for one in segment(parts))
    wrong = parts.replace("300", "400")
    assert not made("splits", {"input": whole, "target": wrong})


def test_cuts_meet_their_bound() -> None:
    rows = [{"text": TEXT + f" This is the end of part {number}."} for number in range(12)]
    found = made("cuts", *rows)
    assert any(pair.task == "shorten" for pair in found)
    for pair in found:
        bound = pair.values.get("n", count_words(pair.input) - 1)
        assert isinstance(bound, int)
        assert count_words(pair.target) <= bound < count_words(pair.input)


def test_a_simpler_pair_has_the_grade_it_names() -> None:
    before = (
        "The municipal administration subsequently discontinued the complimentary transportation service."
    )
    after = "The municipal administration then discontinued the service."
    found = made("graded", {"input": before, "target": after})
    for pair in found:
        bound = pair.values["n"]
        assert isinstance(bound, int)
        assert reading_grade(Document(pair.target)) <= bound < reading_grade(Document(pair.input))


def test_revisions_with_another_number_or_name_are_left_out() -> None:
    row = {
        "id": 7,
        "source": "We measured the response of 12 cells in mouse cortex and compared them.",
        "sim": 0.9,
    }
    row["target"] = "We measured the response of 12 cells in the mouse cortex and compared them."
    assert made("revisions", row)
    assert not made("revisions", {**row, "target": str(row["target"]).replace("12", "14")})
    assert not made("revisions", {**row, "sim": 0.5})


def test_damage_keeps_the_text_as_its_target() -> None:
    found = made("damage", *({"text": TEXT} for _ in range(6)))
    assert found
    assert all(pair.target in TEXT and pair.task == "fluency" for pair in found)
    assert any(pair.input != pair.target for pair in found)


def test_letters_fill_both_sides_alike() -> None:
    found = made("letters", {})
    assert {pair.task for pair in found} == {"polite", "friendly", "formal"}
    assert not any("{" in pair.input + pair.target for pair in found)


def test_passages_leave_out_lists_and_headings() -> None:
    text = (
        "A heading\n\n- an item of a list that is long enough.\n\nThe rest of it is a sentence of the text."
    )
    found = list(passages([Record("set/file", text, {"text": text})]))
    assert [str(one) for one in found] == ["The rest of it is a sentence of the text."]


def test_pairs_of_one_text_are_on_one_side_and_test_sets_stay_out(tmp_path: Path) -> None:
    texts = [f"{TEXT} It was the year {1900 + number}." for number in range(120)]
    file = write(tmp_path / "prose.jsonl", *({"text": text} for text in texts))
    found = make_pairs(["formal", "plain"], [file], None, seed=1)
    for one in found.values():
        assert all(is_held_out(pair.text) for pair in one.dev)
        assert not any(is_held_out(pair.text) for pair in one.train)
    guard = Guard([pair.input for pair in found["formal"].train])
    assert not make_pairs(["formal"], [file], guard, seed=1)["formal"].train


def test_the_command_writes_gzipped_rows(tmp_path: Path) -> None:
    file = write(tmp_path / "prose.jsonl", {"text": TEXT})
    ran = CliRunner().invoke(
        train_app, ["pairs", "formal", str(file), "--out", str(tmp_path / "out"), "--json"]
    )
    assert ran.exit_code == 0, ran.output
    with gzip.open(tmp_path / "out" / "formal.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    assert rows
    assert all((row["task"] == "formal" and "not" in row["target"]) or "is" in row["target"] for row in rows)


def test_an_unknown_kind_names_the_others(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no kind of pairs 'shorter'; there are active"):
        make_pairs(["shorter"], [], None)
