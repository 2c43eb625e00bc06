"""A house style: what a file says, what is wrong with it, and how it holds beside what is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import redraft
from redraft.cli import app
from redraft.constraints import house_constraints
from redraft.errors import SettingsError
from redraft.house import House, read_house
from redraft.settings import load_settings

STYLE = """
spelling = "british"
constraints = ["Avoid em dashes.", 'sentence_count_check(9, "at most")', "Keep all numbers."]

[terms]
use = ["utilise", "make use of"]
"sign in" = "log in"

[limits]
sentence_words = 20
"""
CALLS = [
    'spelling_check("british")',
    'replacement_check(["utilise", "make use of"], ["use", "use"], "free")',
    'replacement_check(["log in"], ["sign in"], "free")',
    'sentence_length_check(21, "less than")',
    'punctuation_check("em dash", 1, "less than")',
    'sentence_count_check(10, "less than")',
    'preserve_check("numbers")',
]


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def house(tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text(STYLE, encoding="utf-8")
    return file


@pytest.fixture
def draft(tmp_path: Path) -> str:
    file = tmp_path / "draft.txt"
    file.write_text("We utilise the color red. It is good.\n", encoding="utf-8")
    return str(file)


def test_a_file_is_read_as_constraints(house: Path) -> None:
    assert [each.call for each in house_constraints(read_house(house))] == CALLS


def test_it_stands_in_the_settings_of_a_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.redraft.house]\nspelling = "oxford"\n', encoding="utf-8")
    assert load_settings(directory=tmp_path, environment={}).house == House(spelling="oxford")
    assert read_house(tmp_path / "pyproject.toml") == House(spelling="oxford")
    (tmp_path / "redraft.toml").write_text('[house]\nspelling = "american"\n', encoding="utf-8")
    settings = load_settings(directory=tmp_path, environment={})
    assert (settings.house, settings.origin("house")) == (
        House(spelling="american"),
        f"redraft.toml at {tmp_path}",
    )
    other = tmp_path / "other.toml"
    other.write_text('spelling = "british"\n', encoding="utf-8")
    chosen = load_settings(directory=tmp_path, environment={"REDRAFT_HOUSE": str(other)})
    assert chosen.house == House(spelling="british")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('speling = "british"', "there is no house.speling; there are: constraints, terms"),
        (
            'spelling = "scots"',
            "house.spelling: Input should be 'british', 'american' or 'oxford', not 'scots'",
        ),
        ("[limits]\nsentence_word = 3", "there is no house.limits.sentence_word; there are: words"),
        ("[limits]\nwords = 0", "house.limits.words: Input should be greater than or equal to 1, not 0"),
        ("[terms]\nuse = []", "house.terms: 'use'"),
        (
            'constraints = ["no semmicollans"]',
            "'no semmicollans' is no constraint; the nearest that is: 'Do not use",
        ),
        (
            'constraints = ["No em dashes and a joke"]',
            "'No a joke' in 'No em dashes and a joke' is no constraint",
        ),
        ('constraints = ["word_count_check(5)"]', "house.constraints: word_count_check needs relation"),
        ("house = 3", "house: Input should be"),
        ("spelling = ", "is not valid TOML"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, draft: str, content: str, says: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        house_constraints(read_house(file))
    assert says in str(caught.value)
    refused = run("check", draft, "--house", str(file))
    assert (refused.exit_code, refused.stdout) == (2, "")


def test_check_holds_a_text_to_it_beside_what_is_asked_for(house: Path, draft: str) -> None:
    result = run("check", draft, "--house", str(house), "-i", "under 90 words")
    assert result.exit_code == 1
    lines = [line for line in result.stdout.splitlines() if not line.startswith(" ")]
    assert not lines[0].endswith("(house style)")
    assert all(line.endswith("(house style)") for line in lines[1:])
    assert 'not checked, for want of --original FILE: preserve_check("numbers")' in result.stderr
    report = json.loads(run("check", draft, "--house", str(house), "-i", "under 90 words", "--json").stdout)
    assert [row["house"] for row in report["findings"]] == [False, *[True] * 6]
    assert [row["call"] for row in report["findings"] if not row["met"]] == CALLS[:2]
    beside = run("check", draft, "--house", str(house), "--original", draft, "--json")
    assert len(json.loads(beside.stdout)["findings"]) == len(CALLS)


def test_it_alone_is_enough_to_check_and_what_is_asked_for_may_contradict_it(
    house: Path, draft: str, tmp_path: Path
) -> None:
    good = tmp_path / "good.txt"
    good.write_text("We use the colour red.\n", encoding="utf-8")
    assert run("check", str(good), "--house", str(house)).exit_code == 0
    assert run("check", draft, "--house", str(house), "-i", "at least 12 sentences").exit_code == 3


def test_python_has_it_too(house: Path) -> None:
    style = House(terms={"use": "utilise"})
    found = redraft.check("We utilise it.", "under 9 words", house=style)
    assert [finding.met for finding in found] == [True, False]
    settings = load_settings({"house": style, "cache": False})
    assert redraft.revise("We utilise it.", "under 9 words", settings=settings).text == "We use it."


def test_revise_obeys_it(house: Path, draft: str) -> None:
    result = run("revise", draft, "--house", str(house), "--json", "-i", "Under 40 words.")
    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["text"] == "We use the colour red. It is good.\n"
    assert [row["house"] for row in report["findings"]] == [False] + [True] * len(CALLS)
    assert report["not_understood"] == []
