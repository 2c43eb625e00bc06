"""Damage keeps its laws: undone it is the clean text, seeded it is the same everywhere."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from redraft.errors import FileError, InputError
from redraft.train.damage.profile import KINDS, Profile, damage, load_profile
from redraft.train.damage.reading import Reading

SENTENCES = (
    "The students have many books, and they enjoy reading them at home in the evening.",
    "However, the number of cars in the city is growing because people don't like to wait for the bus.",
    "He said that he would go to London on Monday. It was raining, so she stayed at home.",
    'Many people think that "the most important things" are free, which is a good idea.',
    "We don’t know what it is, but there are more interesting examples than these in the past.",
    "see https://example.org/a_b and `the code of a student` or $x = the y$ for the details of this.",
    "Although he was tired, he walked to the school where his friends were waiting for an answer.",
    "Why did you go there? I think that I have taken the wrong well-known road to 3.5 of the 10 cities.",
)


BUILT_IN = ("dense", "learner", "sparse", "web", "wordy")


@pytest.mark.parametrize("name", BUILT_IN)
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_undone_it_is_the_clean_text(name: str, sentences: list[str], seed: int) -> None:
    clean = " ".join(sentences)
    done = damage(clean, load_profile(name), random.Random(seed))
    assert done.undone() == clean
    kept, spot, last = [], 0, 0
    for edit in done.edits:
        assert done.text[edit.start : edit.end] == edit.after != edit.before
        assert edit.kind in KINDS
        assert last <= edit.start
        same = done.text[last : edit.start]
        assert clean[spot : spot + len(same)] == same  # what is between the edits is as it was
        kept.append(same)
        spot += len(same) + len(edit.before)
        last = edit.end
    assert clean[spot:] == done.text[last:]


@given(st.text(max_size=120), st.integers(0, 2**32))
@settings(max_examples=80, deadline=None)
def test_any_text_survives(text: str, seed: int) -> None:
    for name in BUILT_IN:
        assert damage(text, load_profile(name), random.Random(seed)).undone() == text


@pytest.mark.parametrize("kind", sorted(KINDS))
@given(st.sampled_from(SENTENCES), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_each_kind_alone_keeps_the_law(kind: str, clean: str, seed: int) -> None:
    profile = Profile("one", {kind: 30.0}, clean=0.0)
    done = damage(clean, profile, random.Random(seed))
    assert done.undone() == clean
    assert {edit.kind for edit in done.edits} <= {kind}


KEPT = (
    ("I saw https://example.org/the_students_are and went.", "https://example.org/the_students_are"),
    ('She says "the students is many" and they are happy with the answer.', '"the students is many"'),
    ("The value of $the students are$ is known to the people here.", "$the students are$"),
    ("We use `the students are` and \\emph{the books are} in this text.", "`the students are`"),
    ("We use `the students are` and \\emph{the books are} in this text.", "\\emph{the books are}"),
    ("The cost of the books was 1,234.50 in the city.", "1,234.50"),
    ("He went to the house of Mary Wollstonecraft and her friends.", "Mary Wollstonecraft"),
    ("They read the [list of the books](a.md) and the papers.", "[list of the books](a.md)"),
)


@pytest.mark.parametrize(("clean", "kept"), KEPT)
def test_what_must_not_be_touched_is_not(clean: str, kept: str) -> None:
    for name in BUILT_IN:
        profile = load_profile(name)
        heavy = Profile("heavy", profile.rates, clean=0.0, density=40.0)
        for seed in range(60):
            assert kept in damage(clean, heavy, random.Random(seed)).text


def test_white_space_outside_of_edits_stays() -> None:
    clean = "The students   are here.\n\tThey have\u00a0many  books in the city."
    for seed in range(50):
        done = damage(clean, load_profile("learner"), random.Random(seed))
        assert done.undone() == clean


def test_the_share_left_clean() -> None:
    profile = Profile("half", {"spelling": 20.0}, clean=0.5)
    done = [damage(SENTENCES[0], profile, random.Random(seed)) for seed in range(400)]
    assert 150 < sum(not one.edits for one in done) < 250


def test_lower_case_text_stays_lower_case() -> None:
    clean = "the students have many books because they like the history of the city."
    profile = Profile("article", {"article": 30.0}, clean=0.0)
    for seed in range(40):
        assert damage(clean, profile, random.Random(seed)).text.islower()


def test_the_same_in_another_process() -> None:
    script = (
        "import random\nfrom redraft.train.damage.profile import damage, load_profile\n"
        f"for text in {SENTENCES!r}:\n"
        "    for name in ('dense', 'learner', 'sparse', 'web', 'wordy'):\n"
        "        print(ascii(damage(text, load_profile(name), random.Random(len(text))).text))\n"
    )
    here = [
        ascii(damage(text, load_profile(name), random.Random(len(text))).text)
        for text in SENTENCES
        for name in BUILT_IN
    ]
    for hash_seed in ("1", "77"):
        there = subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": hash_seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        )
        assert there.stdout.splitlines() == here


BAD = (
    ("[rates]\nspeling = 1", "no kind of error 'speling'"),
    ("[rates]\nspelling = -1", "the rate of spelling is -1"),
    ('[rates]\nspelling = "much"', "the rate of spelling is 'much'"),
    ("[rates]\nspelling = 0", "above 0"),
    ("clean = 2\n[rates]\nspelling = 1", "clean is 2"),
    ("density = -3\n[rates]\nspelling = 1", "density is -3"),
    ('task = "poetry"\n[rates]\nspelling = 1', "task is 'poetry'"),
    ("shade = 1\n[rates]\nspelling = 1", "has no 'shade'"),
    ("clean = 0.1", "needs a table [rates]"),
    ("clean = = 1", "is not TOML"),
)


@pytest.mark.parametrize(("toml", "message"), BAD)
def test_a_bad_profile_is_told_in_plain_words(tmp_path: Path, toml: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(toml, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load_profile(path)
    assert message in str(raised.value)
    assert "mine" in str(raised.value)


def test_profiles_by_name_and_by_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("clean = 0\n[rates]\nspelling = 2\n", encoding="utf-8")
    assert load_profile(path).name == "mine"
    assert load_profile(path).density == 2
    assert {load_profile(name).name for name in BUILT_IN} == set(BUILT_IN)
    with pytest.raises(InputError, match="there are dense, learner, sparse, web, wordy"):
        load_profile("lerner")
    with pytest.raises(FileError, match="no such file"):
        load_profile(tmp_path / "none.toml")


def test_every_kind_of_a_profile_is_used() -> None:
    used = {kind for name in BUILT_IN for kind in load_profile(name).rates}
    assert used == set(KINDS)


def test_reading_knows_openings_and_names() -> None:
    reading = Reading("The dog saw Paris. It barked at 3 men.")
    assert [token.text for token in reading.tokens if token.opens] == ["The", "It"]
    assert {token.text for token in reading.tokens if not token.free and token.tag != "."} == {"Paris", "3"}
