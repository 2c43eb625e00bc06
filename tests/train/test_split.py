"""Held-out rows: no text stands on both sides, every row stands on one, and the counts are what was asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from typer.testing import CliRunner, Result

from redraft.bench.editeval.facts import facts
from redraft.cli.app import app
from redraft.errors import InputError
from redraft.train.editor import HeldOut, components, dev_samples, read_recipe, split_held_out
from redraft.train.guard import normalised_words
from redraft.train.rows import TrainingRow, read_rows


def row(text: str, target: str, source: str = "") -> TrainingRow:
    return TrainingRow("fluency", text, target, source)


def test_rows_are_linked_by_inputs_and_targets_over_files() -> None:
    files = {
        "split": [row("A long one.", "A. One."), row("Alone", "Still alone")],
        "fusion": [row("a, one", "a LONG one"), row("Other", "Another")],
        "chain": [row("Other!", "Third"), row("…", "?"), row("…", "!")],
    }
    found = components(files)
    assert found["split"][0] == found["fusion"][0]
    assert found["fusion"][1] == found["chain"][0]
    assert found["chain"][1] == found["chain"][2]
    assert len({found["split"][0], found["split"][1], found["fusion"][1], found["chain"][1]}) == 4


def split_rows(
    files: dict[str, list[TrainingRow]], *, dev: dict[str, int] | int, seed: int
) -> tuple[dict[str, list[TrainingRow]], dict[str, list[TrainingRow]]]:
    """So many inputs held out of each file, or of the named ones."""
    counts = dict.fromkeys(files, dev) if isinstance(dev, int) else dev
    return split_held_out(files, [HeldOut(name, count) for name, count in counts.items()], seed=seed)


def test_a_hold_takes_its_count_and_what_is_linked() -> None:
    turk = [row(f"input {n}", f"turk {n} {k}") for n in range(10) for k in range(3)]
    asset = [row(f"Input {n}.", f"asset {n} {k}") for n in range(10) for k in range(2)]
    train, dev = split_rows({"turk": turk, "asset": asset}, dev={"turk": 4, "asset": 4}, seed=0)
    assert (len(dev["turk"]), len(dev["asset"])) == (12, 8)
    assert (len(train["turk"]), len(train["asset"])) == (18, 12)
    assert {plain(found.input) for found in dev["turk"]} == {plain(found.input) for found in dev["asset"]}


def test_sources_are_taken_in_their_order() -> None:
    rows = [
        row(f"text {n}", f"target {n}", "dev" if n < 3 else "train" if n < 8 else "other") for n in range(12)
    ]
    _, dev = split_held_out({"a": rows}, [HeldOut("a", 5, ("dev", "train"))], seed=1)
    assert [found.source for found in dev["a"]] == ["dev"] * 3 + ["train"] * 2


def test_a_component_too_large_is_passed_over() -> None:
    large = [row(f"text {n}", "one target") for n in range(5)]
    train, dev = split_rows({"a": [*large, row("x", "y")]}, dev=3, seed=0)
    assert (train["a"], dev["a"]) == (large, [row("x", "y")])


def test_the_seed_settles_the_split() -> None:
    files = {"a": [row(f"text {n}", f"target {n}") for n in range(50)]}
    assert split_rows(files, dev=10, seed=3) == split_rows(files, dev=10, seed=3)
    assert split_rows(files, dev=10, seed=3) != split_rows(files, dev=10, seed=4)


def test_an_unknown_file() -> None:
    with pytest.raises(InputError, match="no file 'b' to hold out of; there are a"):
        split_rows({"a": []}, dev={"b": 1}, seed=0)


TEXTS = st.text(st.sampled_from("abcdA. "), max_size=3)
FILES = st.dictionaries(
    st.sampled_from(["one", "two", "three"]), st.lists(st.builds(row, TEXTS, TEXTS), max_size=15), min_size=1
)


@given(FILES, st.integers(0, 6), st.integers(0, 3))
def test_nothing_leaks_and_nothing_is_lost(
    files: dict[str, list[TrainingRow]], count: int, seed: int
) -> None:
    train, dev = split_rows(files, dev=count, seed=seed)
    assert list(train) == list(dev) == list(files)
    for name, rows in files.items():
        assert sorted([*train[name], *dev[name]], key=repr) == sorted(rows, key=repr)
    seen, held = (
        {
            plain(text) or text
            for rows in side.values()
            for found in rows
            for text in (found.input, found.target)
        }
        for side in (train, dev)
    )
    assert not seen & held


@given(st.lists(st.builds(row, TEXTS, TEXTS), max_size=15), st.integers(0, 6))
def test_a_hold_never_takes_too_much(rows: list[TrainingRow], count: int) -> None:
    _, dev = split_rows({"a": rows}, dev=count, seed=0)
    assert len({found.input for found in dev["a"]}) <= count


def test_samples_have_all_targets_of_an_input() -> None:
    rows = [
        row("a", "x"),
        row("b", "y"),
        row("a", "z"),
        row("a", "x"),
        TrainingRow("updating", "a", "w", "", ("d",)),
    ]
    assert dev_samples(rows, "jfleg") == [
        {"id": "jfleg-0", "input": "a", "references": ["x", "z"], "task": "fluency", "documents": []},
        {"id": "jfleg-1", "input": "b", "references": ["y"], "task": "fluency", "documents": []},
        {"id": "jfleg-2", "input": "a", "references": ["w"], "task": "updating", "documents": ["d"]},
    ]


def test_our_recipe_names_editevals_data_sets() -> None:
    recipe = read_recipe("editor")
    assert set(recipe.dev) < set(facts())
    assert all(hold.file.startswith(facts()[name].task) for name, hold in recipe.dev.items())
    assert recipe.weights["fluency_iterater"] == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[dev", "not TOML"),
        ("[deb]", "'deb' is not known"),
        ('[dev]\njfleg = {file = "a"}', r"\[dev\] jfleg: should be {file"),
        ('[dev]\njfleg = {file = "a", count = 1, sauce = "b"}', r"\[dev\] jfleg: should be {file"),
        ('[weights]\na = "2"', r"\[weights\] gives a the weight '2', where a number"),
        ("[weights]\na = -1", r"\[weights\] gives a the weight -1, where a number from 0 up"),
    ],
)
def test_a_recipe_that_is_none(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_recipe(str(tmp_path / "r.toml"))


def test_an_unknown_recipe() -> None:
    with pytest.raises(
        InputError, match=r"no recipe 'edtor'; there are editor, editor-all, .*, or name a \.toml file"
    ):
        read_recipe("edtor")


def plain(text: str) -> str:
    return " ".join(normalised_words(text))


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["train", "split", *map(str, words)])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    rows = [
        {"task": "fluency", "input": f"bad text of number {n}", "target": f"good text {n} {k}", "source": "s"}
        for n in range(20)
        for k in range(2)
    ]
    (folder / "mine.jsonl").write_text("".join(f"{json.dumps(found)}\n" for found in rows), encoding="utf-8")
    return folder


def test_the_command_writes_both_sides(data: Path, tmp_path: Path) -> None:
    test = tmp_path / "test.txt"
    test.write_text("good text 7 0\nGood text 7, 1.\n", encoding="utf-8")
    out = tmp_path / "out"
    result = run(data, "--out", out, "--dev", "mine=5", "--tests", test)
    assert result.exit_code == 0, result.output
    assert "left out: 2 rows equal to a test set, 0 nearly so" in result.stderr
    assert result.stdout.splitlines() == ["file    rows   train     dev", "mine      38      28      10"]
    train, dev = (list(read_rows(out / side / "mine.jsonl")) for side in ("train", "dev"))
    assert (len(train), len(dev)) == (28, 10)
    assert not {found.input for found in train} & {found.input for found in dev}


def test_an_earlier_split_is_replaced_only_when_told(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(data, "--out", out, "--dev", "5").exit_code == 0
    old = contents(out)
    result = run(data, "--out", out, "--dev", "5", "--seed", "1")
    assert result.exit_code == 2
    assert "is of another split; give an empty folder, or --replace" in result.stderr
    assert contents(out) == old
    assert run(data, "--out", out, "--dev", "5", "--seed", "1", "--replace").exit_code == 0
    assert contents(out).keys() == old.keys()
    assert contents(out) != old
    (out / "train" / "old.jsonl").write_text("", encoding="utf-8")
    result = run(data, "--out", out, "--dev", "5", "--replace")
    assert result.exit_code == 2
    assert "old.jsonl is of another split, and this one has no file of that name" in result.stderr


def test_no_input_is_written_over(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(data, "--out", out, "--dev", "5").exit_code == 0
    old = contents(out)
    for source in (out / "train", out / "dev" / "mine.jsonl", out / "dev" / ".." / "train"):
        result = run(source, "--out", out, "--dev", "2", "--replace")
        assert result.exit_code == 2
        assert "give another --out" in result.stderr
    result = run(data, "--out", out, "--dev", "2", "--tests", out / "dev", "--replace")
    assert "give another --out" in result.stderr
    assert contents(out) == old
    (out / "train" / "mine.jsonl").unlink()
    (out / "train" / "mine.jsonl").symlink_to(data / "mine.jsonl")
    result = run(data, "--out", out, "--dev", "2", "--replace")
    assert "give another --out" in result.stderr
    assert len(list(read_rows(data / "mine.jsonl"))) == 40


def test_a_split_that_fails_leaves_no_folder(data: Path, tmp_path: Path) -> None:
    out, bad = tmp_path / "out", tmp_path / "bad.jsonl"
    bad.write_text("nonsense", encoding="utf-8")
    recipe = tmp_path / "r.toml"
    recipe.write_text('[dev]\njfleg = {file = "your", count = 3}', encoding="utf-8")
    for words in (
        ("--recipe", recipe),
        ("--recipe", tmp_path / "none.toml"),
        ("--dev", "your=2"),
        ("--dev", "2", "--tests", bad),
        ("--dev", "2", "--tests", tmp_path / "none.jsonl"),
    ):
        assert run(data, "--out", out, *words).exit_code == 2
        assert not out.exists()


def test_an_empty_file_is_told(data: Path, tmp_path: Path) -> None:
    (data / "empty.jsonl").write_text("\n", encoding="utf-8")
    result = run(data, "--out", tmp_path / "out", "--dev", "2")
    assert result.exit_code == 2
    assert "empty.jsonl is empty: it holds no row" in result.stderr


def test_an_out_that_is_a_file(data: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("kept", encoding="utf-8")
    result = run(data, "--out", tmp_path / "out", "--dev", "2")
    assert result.exit_code == 2
    assert "cannot be made" in result.stderr


def test_the_help_swallows_nothing() -> None:
    told = " ".join(run("--help").stdout.replace("│", " ").split())
    assert "Hold out what the dev table of a recipe says." in told


def contents(folder: Path) -> dict[Path, str]:
    return {file: file.read_text(encoding="utf-8") for file in folder.rglob("*.jsonl")}


def test_rows_nearly_like_a_held_out_text_are_left_out(tmp_path: Path) -> None:
    long = "one two three four five six seven eight nine ten"
    rows = [
        {"task": "fluency", "input": long, "target": "x"},
        {"task": "fluency", "input": f"{long} more", "target": "y"},
    ]
    for name, found in zip("ab", rows, strict=True):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(found), encoding="utf-8")
    result = run(tmp_path, "--out", tmp_path / "out", "--dev", "a=1")
    assert "left out: 0 rows equal to a held-out text, 1 nearly so" in result.stderr
    assert (tmp_path / "out/train/b.jsonl").read_text(encoding="utf-8") == ""


def test_a_recipe_writes_samples(data: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "r.toml"
    recipe.write_text('[dev]\njfleg = {file = "mine", source = "s", count = 3}', encoding="utf-8")
    result = run(data / "mine.jsonl", "--out", tmp_path / "out", "--recipe", recipe)
    assert result.exit_code == 0, result.output
    lines = (tmp_path / "out/dev/editeval/jfleg.jsonl").read_text(encoding="utf-8").splitlines()
    assert [len(json.loads(line)["references"]) for line in lines] == [2, 2, 2]


def test_what_the_command_refuses(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert "either --dev or --recipe" in run(data, "--out", out).stderr
    assert "where a number or name=number is needed" in run(data, "--out", out, "--dev", "mine").stderr
    assert "no file 'your' to hold out of" in run(data, "--out", out, "--dev", "your=2").stderr
    assert "two files are named mine" in run(data, data, "--out", out, "--dev", "2").stderr
    (out / "train").mkdir(parents=True, exist_ok=True)
    (out / "train" / "old.jsonl").write_text("", encoding="utf-8")
    assert "old.jsonl is of another split" in run(data, "--out", out, "--dev", "2").stderr
