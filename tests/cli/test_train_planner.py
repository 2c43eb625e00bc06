"""`redraft train planner` from trajectories to an adapter, on a tiny model of random numbers."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.revision.asking.planner import brief_answer
from redraft.text.files import lock_folder
from redraft.train.planning.training import gather_material
from redraft.train.planning.trajectory import PlannerStep, PlannerTrajectory, trajectory_lines
from tests.models.tiny_llama import write_model

NOUNS = """
    harbour council library railway orchard museum hospital theatre bakery garden river teacher window engine
    letter market bridge doctor winter island village station kitchen painter forest captain lantern meadow
    """.split()  # noqa: SIM905 - a list that is easy to read
VERBS = "watched repaired visited described admired inspected painted followed".split()  # noqa: SIM905
SMALL = (
    "--rank", "2", "--tokens", "4096", "--longest", "2048", "--max-steps", "1", "--texts", "2", "--samples", "2",
    "--steps", "0", "--held-out", "2", "--pairs", "2",
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("weights") / "tiny.gguf")


def text(number: int) -> str:
    """A text of 14 sentences that shares next to nothing with the others."""
    choose = Random(number)
    made = []
    for _ in range(14):
        one, two, three, four = choose.sample(NOUNS, 4)
        made.append(f"The {one} near the {two} {choose.choice(VERBS)} the {three} and the {four}.")
    return " ".join(made)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps({"text": text(number)}) + "\n" for number in range(4)))
    return path


@pytest.fixture
def trajectories(tmp_path: Path) -> Path:
    step = PlannerStep("Fine.", ("text_eval()",), {}, "x")
    made = [
        PlannerTrajectory(str(number), 0, "Improve it.", (), text(number)[:200], (step,))
        for number in range(4)
    ]
    path = tmp_path / "trajectories.jsonl"
    path.write_text("".join(trajectory_lines(made)))
    return path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["train", "planner", *(str(word) for word in words)])


def said(result: Result) -> str:
    return " ".join((result.stdout + result.stderr).split())


def test_a_planner_imitates_then_learns_from_pairs_and_a_second_command_goes_on(
    base: Path, sources: Path, trajectories: Path, tmp_path: Path
) -> None:
    out, watched = tmp_path / "out", tmp_path / "watched.jsonl"
    row = {"id": "w", "level": 1, "instruction": "Be brief.", "text": "It rains.", "calls": []}
    watched.write_text(json.dumps(row) + "\n")
    files = ("--trajectories", trajectories, "--sources", sources, "--out", out, "--base", base)
    words = (*files, *SMALL, "--watch", f"rain={watched}")
    result = run(*words, "--iterations", "0")
    assert result.exit_code == 0, said(result)
    assert result.stdout.strip() == str(out / "adapter")
    assert json.loads((out / "curve.json").read_text())["best"] == 0
    before = (out / "sft" / "train.json").read_bytes()

    # What the model of random numbers would say is no plan, so it has its answers from here.
    folder = out / "iteration-1"
    folder.mkdir()
    asked = PlannerTrajectory("one", 0, "Improve it.", (), "It rains here.", ())
    (folder / "requests.jsonl").write_text("".join(trajectory_lines([asked])))
    good, bad = brief_answer("Fine.", ["text_eval()"], {}), brief_answer("Fine.", [], {})
    answers = {"id": "one", "answers": [[good, "stop"], [bad, "stop"]]}
    (folder / "answers.jsonl").write_text(json.dumps(answers) + "\n")
    result = run(*words, "--iterations", "1")
    assert result.exit_code == 0, said(result)
    assert (out / "sft" / "train.json").read_bytes() == before
    record = json.loads((folder / "train.json").read_text())
    assert (record["loss"]["name"], record["loss"]["beta"], record["loss"]["gamma"]) == ("simpo", 2.5, 1.375)
    curve = json.loads((out / "curve.json").read_text())
    assert [point["iteration"] for point in curve["iterations"]] == [0, 1]
    assert set(curve["iterations"][1]["watched"]["rain"]["levels"]) == {"1"}
    assert "decides nothing" in curve["decided_by"]
    assert (out / "curve.svg").read_text().count("rain L1")
    assert (out / "adapter" / "adapter_model.safetensors").is_file()

    before_all = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    other = run(*words, "--iterations", "1", "--margin", "0.2")
    assert other.exit_code == 2
    assert "other alignment" in said(other)
    assert "another setting" in said(run(*words, "--iterations", "1", "--rate", "0.5"))
    with lock_folder(out, "--out"):
        assert "another process is writing" in said(run(*words, "--iterations", "1"))
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before_all


def test_texts_without_stated_terms_are_kept_out(sources: Path, trajectories: Path) -> None:
    with sources.open("a") as file:
        file.write(json.dumps({"text": text(4), "licence": "not stated"}) + "\n")
    material = gather_material([trajectories], [sources], {}, None)
    assert text(4) not in {one.text for one in (*material.texts, *material.held_out)}
    assert material.record["texts"]["kept_out"] == 1


def test_too_few_texts_and_bad_sets_to_watch_are_told(
    sources: Path, trajectories: Path, base: Path, tmp_path: Path
) -> None:
    words = ("--trajectories", trajectories, "--out", tmp_path / "out", "--base", base, *SMALL)
    result = run(*words, "--sources", sources, "--watch", "rain")
    assert result.exit_code == 2
    assert "NAME=FILE" in said(result)
    (tmp_path / "one.jsonl").write_text(json.dumps({"text": text(9)}) + "\n")
    result = run(*words, "--sources", tmp_path / "one.jsonl")
    assert result.exit_code == 2
    assert "too few texts" in said(result)
    for content, message in (
        ("", "is empty: it holds no trajectory"),
        ('{"text": 1, "instruction": "", "steps": []}', "line 1: no trajectory"),
    ):
        trajectories.write_text(content)
        result = run(*words, "--sources", sources)
        assert result.exit_code == 2
        assert message in said(result)
