"""Self-training of a planner, by scripted planners: pairs, when it stops, how it goes on, what it goes by."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redraft.errors import InputError
from redraft.models import Completion, Request
from redraft.train.config import Alignment
from redraft.train.planning.curves import planner_curves
from redraft.train.planning.generation import SourceText
from redraft.train.planning.progress import Phases, Workers
from redraft.train.planning.scoring import ActionScorer, PlainReviser
from redraft.train.planning.selftraining import SelfTraining
from redraft.train.planning.training import OverlapIndex, split_texts
from redraft.train.planning.trajectory import PlannerState, PlannerTrajectory, read_trajectories
from tests.quality.fakes import FakeScorer
from tests.revision.asking_parts import Answering

WANTED = 'word_count_check(9, "less than")'
RIGHT = f"THOUGHT: fewer than 9 words.\nCALLS:\ntext_eval()\n{WANTED}\nPLAN:\n1: Fix it: “go” → “goes”"
WRONG = (
    'THOUGHT: nine.\nCALLS:\ntext_eval()\nword_count_check(9, "more than")\nPLAN:\n1: Fix it: “go” → “gone”'
)
IDLE = f"THOUGHT: all is well.\nCALLS:\ntext_eval()\n{WANTED}\nPLAN:\nnone"


def request(name: str, text: str = "He go home. It rains.") -> PlannerTrajectory:
    return PlannerTrajectory(name, 1, "Keep it below 9 words.", (WANTED,), text, ())


class ScriptedPlanner:
    """Answers by the folder of its adapter, the number of the sample, and whether it samples at all."""

    spec = "fake"

    def __init__(self, answer: Callable[[str, int, bool], str]) -> None:
        self._answer = answer
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        self.requests.append(request)
        folder = Path(request.adapter or "").parent.name
        return tuple(
            Completion(self._answer(folder, place, request.temperature > 0)) for place in range(request.n)
        )


class Aligner:
    """Writes an adapter with the name of its folder, instead of training one."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []

    def __call__(self, start: Path, pairs: Path, out: Path) -> None:
        self.calls.append((start.name, out.name))
        (out / "adapter").mkdir(exist_ok=True)
        (out / "adapter" / "weights").write_text(out.name)
        (out / "train.json").write_text("{}")


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as found:
        yield found


@pytest.fixture
def make(tmp_path: Path, runner: asyncio.Runner) -> Callable[..., tuple[SelfTraining, Aligner]]:
    (tmp_path / "sft" / "adapter").mkdir(parents=True)
    (tmp_path / "sft" / "adapter" / "weights").write_text("sft")

    async def fresh(count: int, seed: int) -> list[PlannerTrajectory]:
        return [request(f"{seed}-{place}") for place in range(count)]

    def made(planner: ScriptedPlanner, **options: Any) -> tuple[SelfTraining, Aligner]:
        reviser, aligner = PlainReviser(Answering(lambda _: "Edited.")), Aligner()
        alignment = Alignment(iterations=3, texts=2, samples=3, steps=0)
        training = SelfTraining(
            tmp_path,
            replace(alignment, **options),
            [request("held")],
            {},
            fresh,
            planner,
            ActionScorer(reviser, FakeScorer(), Workers()),
            aligner,
            runner.run,
            Phases(tmp_path, lambda _: None),
        )
        return training, aligner

    return made


def improving(folder: str, place: int, sampled: bool) -> str:
    """Greedy right after the first iteration; samples are wrong, right, and idle."""
    if sampled:
        return (WRONG, RIGHT, IDLE)[place % 3]
    return RIGHT if folder == "iteration-1" else WRONG


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_pair_is_the_best_answer_against_the_worst(make: Any, tmp_path: Path) -> None:
    make(ScriptedPlanner(improving), iterations=1)[0].to_the_end()
    pairs = lines(tmp_path / "iteration-1" / "pairs.jsonl")
    assert [pair["chosen"][0]["content"] for pair in pairs] == [RIGHT, RIGHT]
    assert [pair["rejected"][0]["content"] for pair in pairs] == [WRONG, WRONG]
    asked = pairs[0]["prompt"][-1]["content"]
    assert "Keep it below 9 words." in asked
    assert "[1] He go home." in asked
    best, worst = pairs[0]["scores"]
    assert best["tools"] == 1
    assert best["total"] > worst["total"]


def test_it_stops_when_nothing_improves_and_keeps_the_best(make: Any, tmp_path: Path) -> None:
    training, aligner = make(ScriptedPlanner(improving))
    curve = training.to_the_end()
    assert aligner.calls == [("sft", "iteration-1"), ("iteration-1", "iteration-2")]
    assert curve["best"] == 1
    assert curve["reason"] == "iteration 2 brought nothing more"
    assert [point["held_out"]["tool_f1"] for point in curve["iterations"]] == [50, 100, 50]
    assert (tmp_path / "adapter" / "weights").read_text() == "iteration-1"
    assert json.loads((tmp_path / "curve.json").read_text()) == curve


def test_every_iteration_goes_on_though_nothing_improves(make: Any) -> None:
    training, aligner = make(ScriptedPlanner(improving), every=True)
    curve = training.to_the_end()
    assert [out for _, out in aligner.calls] == ["iteration-1", "iteration-2", "iteration-3"]
    assert curve["best"] == 1
    assert curve["reason"] == "all 3 iterations are done"


def test_a_control_learns_from_pairs_of_the_same_answers_at_random(make: Any, tmp_path: Path) -> None:
    planner = ScriptedPlanner(improving)
    training, aligner = make(planner, every=True, control=True, texts=30, iterations=2)
    curve = training.to_the_end()
    assert aligner.calls == [
        ("sft", "iteration-1"), ("sft", "control-1"),
        ("iteration-1", "iteration-2"), ("control-1", "control-2"),
    ]  # fmt: skip
    scored, drawn = (lines(tmp_path / f"{arm}-1" / "pairs.jsonl") for arm in ("iteration", "control"))
    assert [pair["prompt"] for pair in drawn] == [pair["prompt"] for pair in scored]
    chosen = {pair["chosen"][0]["content"] for pair in drawn}
    assert chosen == {RIGHT, WRONG, IDLE}
    assert all(pair["chosen"] != pair["rejected"] for pair in drawn)
    assert [point["iteration"] for point in curve["control"]] == [0, 1, 2]
    assert curve["best"] == 1, "a control is never the one that is kept"


def test_what_samples_differ_in_and_what_pairs_teach_is_written_down(make: Any, tmp_path: Path) -> None:
    curve = make(ScriptedPlanner(improving), iterations=1)[0].to_the_end()
    found = curve["iterations"][1]["samples"]
    assert found == json.loads((tmp_path / "iteration-1" / "samples.json").read_text())
    assert (found["states"], found["pairs"]) == (2, 2)
    assert found["calls_differ"] == found["advice_differs"] == found["pairs_about_tools"] == 1
    assert found["all_right"] == found["no_plan"] == 0
    assert found["gain_tools"] == 0.25, "half of the calls, of which λ_v is half"


def test_a_curve_over_runs_has_means_and_intervals_of_both_arms(make: Any, tmp_path: Path) -> None:
    make(ScriptedPlanner(improving), iterations=1, control=True)[0].to_the_end()
    for folder, values in (("sft", (50, 50)), ("iteration-1", (100, 50)), ("control-1", (50, 50))):
        rows = ({"id": str(place), "tool_f1": value} for place, value in enumerate(values))
        (tmp_path / folder / "held_out.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = planner_curves([tmp_path, tmp_path], "tool_f1")
    own, control = found["self-training"], found["random pairs"]
    assert [(point.mean, point.gain, point.runs) for point in own] == [(50, 0, 2), (75, 25, 2)]
    assert own[1].gain_interval == (0, 50)
    assert control[1].interval == (50, 50)
    with pytest.raises(InputError, match="holds no planner that was measured"):
        planner_curves([tmp_path], "nothing")


def test_answers_that_are_as_good_make_no_pair_and_end_it(make: Any, tmp_path: Path) -> None:
    training, aligner = make(ScriptedPlanner(lambda *_: RIGHT))
    curve = training.to_the_end()
    assert aligner.calls == []
    assert "no two answers" in curve["reason"]
    assert (tmp_path / "adapter" / "weights").read_text() == "sft"


def test_an_answer_that_is_no_plan_is_never_preferred(make: Any, tmp_path: Path) -> None:
    make(ScriptedPlanner(lambda _, place, sampled: ("Sure!", WRONG)[place % 2]), iterations=1)[0].to_the_end()
    (pair, _) = lines(tmp_path / "iteration-1" / "pairs.jsonl")
    assert pair["chosen"][0]["content"] == WRONG
    assert pair["scores"][1]["total"] == 0


def test_a_run_that_was_killed_samples_nothing_again(make: Any, tmp_path: Path) -> None:
    planner = ScriptedPlanner(improving)
    training, aligner = make(planner, iterations=1)

    def die(start: Path, pairs: Path, out: Path) -> None:
        raise RuntimeError("the power is gone")

    with pytest.raises(RuntimeError):
        replace(training, align=die).to_the_end()
    before = len(planner.requests)
    assert before == 1 + 2
    curve = training.to_the_end()
    assert len(planner.requests) == before + 1, "only the new adapter is measured"
    assert training.to_the_end() == curve
    assert len(planner.requests) == before + 1
    assert aligner.calls[0] == ("sft", "iteration-1")


def test_a_run_killed_before_its_answers_are_scored_has_them_still(make: Any, tmp_path: Path) -> None:
    planner = ScriptedPlanner(improving)
    training, _ = make(planner, iterations=1)
    training.to_the_end()
    pairs = (tmp_path / "iteration-1" / "pairs.jsonl").read_text()
    (tmp_path / "iteration-1" / "pairs.jsonl").unlink()
    planner.requests.clear()
    training.to_the_end()
    assert planner.requests == []
    assert (tmp_path / "iteration-1" / "pairs.jsonl").read_text() == pairs


def test_what_is_watched_decides_nothing_and_is_asked_for_calls_alone(make: Any) -> None:
    planner = ScriptedPlanner(improving)
    training, _ = make(planner)
    plain = training.to_the_end()
    planner.requests.clear()
    odd = replace(request("w"), calls=('word_count_check(9, "more than")',), level=2)
    curve = replace(training, watch={"odd": [odd]}).to_the_end()
    assert [point["watched"]["odd"]["tool_f1"] for point in curve["iterations"]] == [100, 50, 100]
    assert curve["iterations"][0]["watched"]["odd"]["levels"]["2"]["count"] == 1
    assert curve["best"] == plain["best"] == 1
    assert {one.stop for one in planner.requests} == {("\nPLAN:",)}, "nothing else is asked again"


def test_histories_are_the_planners_own_with_what_the_checks_said(make: Any, tmp_path: Path) -> None:
    steps = [RIGHT, "THOUGHT: more.\nCALLS:\ntext_eval()\nPLAN:\n2: Leave it out", IDLE]
    planner = ScriptedPlanner(lambda folder, place, sampled: RIGHT)

    async def complete(request: Request) -> tuple[Completion, ...]:
        done = request.messages[-1].content.count("Thought:")
        return (Completion(steps[min(done, 2)]),) * request.n

    planner.complete = complete  # type: ignore[method-assign]
    make(planner, iterations=1, steps=5, texts=40)[0].to_the_end()
    found = list(read_trajectories(tmp_path / "iteration-1" / "requests.jsonl"))
    assert {len(one.steps) for one in found} == {0, 1, 2}, "an idle plan ends a way"
    one = next(one for one in found if len(one.steps) == 2)
    assert [step.text for step in one.steps] == ["He goes home. It rains.", "He goes home."]
    assert [(said.tool, said.label) for said in one.steps[0].feedback] == [
        ("text_eval()", None),
        (WANTED, 0),
    ]


def test_a_long_text_is_planned_for_a_section_that_is_drawn() -> None:
    text = " ".join(f"Sentence number {number} says very little about anything." for number in range(200))
    drawn = {PlannerState.of(request("long", text), seed).numbers for seed in range(20)}
    assert len(drawn) > 1
    assert PlannerState.of(request("long", text)).numbers.start == 1
    assert not PlannerState.of(request("long", text)).whole


def test_a_text_is_known_damaged_or_in_part_and_another_is_not() -> None:
    words = [f"w{number}" for number in range(60)]
    apart = OverlapIndex([" ".join(words)])
    damaged = [word if number % 9 else "oops" for number, word in enumerate(words)]
    assert apart.knows(" ".join(damaged))
    assert apart.knows(" ".join(words[20:40]).title())
    assert not apart.knows(" ".join(reversed(words)))
    assert not apart.knows("")
    others = [f"v{number}" for number in range(600)]
    assert apart.knows(" ".join([*others, *damaged, *others])), "a longer text that holds it"
    assert not apart.knows(" ".join(others + words[:9])), "a line that both quote"


def test_what_is_held_out_is_no_part_of_what_is_learnt_from() -> None:
    texts = [SourceText(str(one), " ".join(f"{one}w{number}" for number in range(30))) for one in range(20)]
    stretches = [SourceText(f"part of {one.id}", one.text[: len(one.text) // 2]) for one in texts]
    learnt, held_out = split_texts([*texts, *stretches], 0.1)
    assert len(held_out) == 4
    apart = OverlapIndex(one.text for one in held_out)
    assert learnt
    assert not any(apart.knows(one.text) for one in learnt)
    assert split_texts([*stretches, *texts], 0.1) == (learnt, held_out), "whatever the order of the files"


def test_a_pair_needs_two_samples() -> None:
    with pytest.raises(InputError, match="at least 2"):
        Alignment(samples=1)
