"""Recipes: what they may say, and that a stage is done once, and again when its settings change."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from redraft.cli.train.recipe import check_commands
from redraft.errors import InputError
from redraft.train.recipe.reading import Stage, read_recipe, recipe_names
from redraft.train.recipe.stages import LOG, RECORD, RecipeRun, digest

RAW = "one\ntwo\n"
TEXT = """
about = "A toy."
[data.raw]
file = "raw.txt"
sha256 = "SHA"
licence = "CC0"
[data.more]
file = "more.txt"
sha256 = "SHA"
licence = "CC0"
optional = true
how = "redraft train keep …"
[[stages]]
name = "first"
run = "train sources"
arguments = ["{raw}"]
options = {found-in = ["{raw}", "{more}"], out = "{out}/a.txt"}
small = {tests = "{raw}"}
[[stages]]
name = "aside"
run = "train sources"
arguments = ["{raw}"]
options = {out = "{out}/a.txt"}
[[stages]]
name = "second"
run = "train sources"
arguments = ["{first}/a.txt"]
options = {out = "{out}/b.txt"}
again = ["--again"]
""".replace("SHA", sha256(RAW.encode()).hexdigest())


def write(folder: Path, text: str = TEXT) -> Path:
    for name in ("raw.txt", "more.txt"):
        (folder / name).write_text(RAW, encoding="utf-8")
    path = folder / "toy.toml"
    path.write_text(text, encoding="utf-8")
    return path


def make(
    folder: Path, text: str = TEXT, *, small: int | None = None, without: tuple[str, ...] = ()
) -> RecipeRun:
    path = write(folder, text)
    return RecipeRun(read_recipe(str(path)), str(path), folder, folder / "out", small, without)


class Commands:
    """Writes the file that each stage says it writes, and remembers what was asked for."""

    def __init__(self, fails: str | None = None) -> None:
        self.done: list[str] = []
        self.words: dict[str, list[str]] = {}
        self.fails = fails

    def __call__(self, stage: Stage, words: list[str]) -> None:
        self.done.append(stage.name)
        self.words[stage.name] = words
        if stage.name == self.fails:
            raise KeyboardInterrupt
        Path(words[words.index("--out") + 1]).write_text("made", encoding="utf-8")


def followed(run: RecipeRun, only: str | None = None) -> list[str]:
    commands = Commands()
    run.follow(commands, only)
    return commands.done


def test_stages_are_done_once_and_find_their_files(tmp_path: Path) -> None:
    run, commands = make(tmp_path), Commands()
    run.follow(commands)
    assert commands.done == ["first", "aside", "second"]
    raw, out = tmp_path / "raw.txt", tmp_path / "out"
    assert commands.words["first"] == [
        str(raw), "--found-in", str(raw), "--found-in", str(tmp_path / "more.txt"), "--out", f"{out}/first/a.txt",
    ]  # fmt: skip
    assert commands.words["second"] == [f"{out}/first/a.txt", "--out", f"{out}/second/b.txt"]
    assert followed(run) == []
    record = json.loads((out / RECORD).read_text(encoding="utf-8"))
    assert (record["name"], record["ships"]) == ("toy", True)
    assert record["stages"]["second"] == "train sources"
    assert "second: finished" in (out / LOG).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "again"),
    [
        (lambda text: text.replace("a.txt", "c.txt"), ["first", "aside", "second"]),
        (lambda text: text.replace('again = ["--again"]', ""), []),
        (lambda text: text.replace("b.txt", "d.txt"), ["second"]),
        (
            lambda text: text.replace('found-in = ["{raw}", "{more}"]', 'found-in = ["{raw}"]'),
            ["first", "second"],
        ),
    ],
)
def test_a_changed_setting_does_its_stage_and_what_follows_again(
    tmp_path: Path, change: Callable[[str], str], again: list[str]
) -> None:
    followed(make(tmp_path))
    assert followed(make(tmp_path, change(TEXT))) == again


def test_what_was_interrupted_goes_on_and_what_was_finished_stays(tmp_path: Path) -> None:
    run = make(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run.follow(Commands("second"))
    commands = Commands()
    run.follow(commands)
    assert commands.done == ["second"]
    assert commands.words["second"][-1] == "--again"


def test_what_is_gone_is_made_again(tmp_path: Path) -> None:
    run = make(tmp_path)
    followed(run)
    (tmp_path / "out" / "first" / "a.txt").unlink()
    assert followed(run) == ["first"]


def test_one_stage_is_done_with_what_it_needs(tmp_path: Path) -> None:
    assert followed(make(tmp_path), "second") == ["first", "second"]
    with pytest.raises(InputError, match="no stage third; there are first, aside, second"):
        followed(make(tmp_path), "third")


def test_a_rehearsal_is_another_and_never_ships(tmp_path: Path) -> None:
    followed(make(tmp_path, small=5))
    with pytest.raises(
        InputError, match=r"made with another rehearsal \(5, now None\): choose another --out"
    ):
        followed(make(tmp_path))
    assert json.loads((tmp_path / "out" / RECORD).read_text(encoding="utf-8"))["ships"] is False


def test_a_file_that_is_missing_or_another_is_named_with_what_was_expected(tmp_path: Path) -> None:
    run = make(tmp_path)
    (tmp_path / "raw.txt").write_text("other", encoding="utf-8")
    (tmp_path / "more.txt").unlink()
    with pytest.raises(InputError) as found:
        followed(run)
    said = str(found.value)
    assert f"raw.txt has the SHA-256 {sha256(b'other').hexdigest()}, and" in said
    assert "more.txt is missing (CC0, SHA-256" in said
    assert "to make it: redraft train keep …; or leave it out: --without more" in said
    assert not (tmp_path / "out" / "first").exists()


def test_what_is_optional_is_left_out(tmp_path: Path) -> None:
    run, commands = make(tmp_path, without=("more",)), Commands()
    (tmp_path / "more.txt").unlink()
    run.follow(commands)
    assert commands.words["first"].count("--found-in") == 1
    with pytest.raises(InputError, match="raw cannot be left out of toy; what can: more"):
        make(tmp_path, without=("raw",))


def test_a_folder_that_no_stage_made_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out" / "first").mkdir(parents=True)
    with pytest.raises(InputError, match="is no stage's"):
        followed(make(tmp_path))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{first}/a.txt", "{frist}/a.txt", "stage second: {frist} is no data and no earlier stage"),
        ('name = "second"', 'name = "first"', "two things are called first"),
        ('licence = "CC0"\noptional', 'licence = "CC BY-NC 4.0"\noptional', "cannot ship"),
        ('licence = "CC0"\noptional', 'licence = "GPL-3.0"\noptional', "ships = false"),
        ('run = "train sources"', 'walk = "train sources"', "stages.0.run: field required"),
        ("sha256 = ", 'sha512 = ""\nsha256 = ', "sha512"),
    ],
)
def test_a_recipe_that_makes_no_sense(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(InputError, match=said.replace("{", r"\{").replace("}", r"\}")):
        read_recipe(str(write(tmp_path, TEXT.replace(old, new))))


def test_what_may_not_ship_may_be_measured(tmp_path: Path) -> None:
    closed = TEXT.replace('licence = "CC0"\noptional', 'licence = "GPL-3.0"\noptional')
    assert read_recipe(str(write(tmp_path, "ships = false\n" + closed))).ships is False
    measured = closed.replace('"GPL-3.0"', '"GPL-3.0"\nmeasured = true')
    assert read_recipe(str(write(tmp_path, measured))).ships


@pytest.mark.parametrize("name", recipe_names())
def test_our_recipes_give_our_commands_options_that_they_have(name: str) -> None:
    recipe = read_recipe(name)
    assert recipe.about
    check_commands(recipe)
    if recipe.stages:
        assert recipe.stages[-1].run == "train export"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("found-in", "fund-in", "stage first: train sources has no option --fund-in"),
        ('run = "train sources"', 'run = "train saucers"', "there is no command 'train saucers'"),
    ],
)
def test_an_option_that_no_command_has(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_commands(read_recipe(str(write(tmp_path, TEXT.replace(old, new)))))


def test_a_folder_has_a_hash_of_names_and_contents(tmp_path: Path) -> None:
    for name in ("a/x", "b/y"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(name, encoding="utf-8")
    whole, part = digest(tmp_path), digest(tmp_path, ["a"])
    (tmp_path / "b" / "y").write_text("other", encoding="utf-8")
    assert digest(tmp_path) != whole
    assert digest(tmp_path, ["a"]) == part
