"""The agent loop end to end, against a service that plays a strong model and at times a bad one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from redraft.composition.actions import Limits
from redraft.composition.brief import Brief, Length
from redraft.composition.composition import Composition
from redraft.composition.loop import Composer, acompose, read_journal
from redraft.composition.protocols import ComposeOptions, Protocol
from redraft.composition.roles import ROLES
from redraft.composition.trajectory import Journal, Step, read_header
from redraft.errors import BadAnswer, ConnectionFailed, InputError
from redraft.models import Models, Usage
from redraft.settings import Settings
from tests.composition.strong import TITLES, Strong, between

ENGLISH = Brief("Why cities flood", "an explainer for a local newspaper", length=Length(240, 240))
CHINESE = Brief("城市为何内涝", "写给市民的科普文章", language="zh", length=Length(360, 360))
AUTONOMOUS = ComposeOptions("autonomous")
EACH = ("draft", "review", "refine", "review")


@pytest.fixture
def strong() -> Iterator[Strong]:
    server = Strong()
    with server:
        yield server


def composed(
    strong: Strong,
    cache_dir: Path,
    brief: Brief = ENGLISH,
    options: ComposeOptions = AUTONOMOUS,
    folder: Path | None = None,
    changed: Mapping[str, Any] | None = None,
    calls: Sequence[str] = (),
    stop: asyncio.Event | None = None,
) -> Composition:
    async def run() -> Composition:
        settings = Settings(model=f"{strong.url}#strong", cache_dir=cache_dir, retries=0, timeout=20)
        async with Models(settings.model_copy(update=changed)) as models:
            return await acompose(brief, calls, models=models, options=options, folder=folder, stop=stop)

    return asyncio.run(run())


def did(piece: Composition) -> list[str]:
    return [str(step.action) for step in piece.steps]


@pytest.mark.parametrize("brief", [ENGLISH, CHINESE])
@pytest.mark.parametrize("guarded", [True, False])
def test_a_strong_model_writes_a_piece_by_itself(
    strong: Strong, tmp_path: Path, brief: Brief, guarded: bool
) -> None:
    piece = composed(strong, tmp_path, brief, ComposeOptions("autonomous", guarded=guarded))
    assert did(piece) == ["outline", *(f"{name} {number}" for number in (1, 2, 3) for name in EACH), "finish"]
    assert not any(step.error for step in piece.steps)
    assert [section.status for section in piece.state.sections] == ["completed"] * 3
    assert (piece.finished, piece.status, piece.stopped) == (True, 0, "finished")
    assert piece.text.count("版本 1" if brief is CHINESE else "Version 1") == 3
    places = [piece.text.index(title) for title in (piece.title, *TITLES[brief.language])]
    assert places == sorted(places)
    found = piece.dynamics
    assert (found.success, found.failures and found.failures.mean) == (100, 0)
    assert (found.gain and found.gain.mean) == 2
    assert (found.efficiency and found.efficiency.mean) == pytest.approx(14 / 3)
    # Where one thing alone is possible, nobody is asked: the outline, the last section, the finish.
    assert strong.roles().count("choose") == (8 if guarded else 14)


def test_a_refusal_is_a_failure_on_record_and_the_work_goes_on(strong: Strong, tmp_path: Path) -> None:
    strong.refusing["draft"] = 1
    piece = composed(strong, tmp_path)
    (failed,) = (step for step in piece.steps if step.error)
    assert (failed.number, str(failed.action)) == (2, "draft 1")
    assert "refused: \"I'm sorry, but I can't help with that.\"" in failed.error
    assert piece.finished
    assert "sorry" not in piece.text
    assert (piece.dynamics.failures and piece.dynamics.failures.mean) == pytest.approx(100 / 15)


def test_a_model_that_will_never_write_it_ends_the_work(strong: Strong, tmp_path: Path) -> None:
    strong.refusing["draft"] = 99
    piece = composed(strong, tmp_path, CHINESE)
    assert isinstance(piece.failure, BadAnswer)
    assert "draft 1 failed 3 times" in str(piece.failure)
    assert (piece.finished, piece.status, strong.roles().count("draft")) == (False, 4, 3)


def test_malformed_answers_are_repaired_or_recorded(strong: Strong, tmp_path: Path) -> None:
    strong.malformed.update(outline=1, review=2, draft=3, choose=1)
    piece = composed(strong, tmp_path)
    failed = {step.number: step for step in piece.steps if step.error}
    assert [(number, str(step.action)) for number, step in failed.items()] == [(2, "None"), (3, "draft 1")]
    assert failed[2].said.startswith('{"content"')
    assert "no JSON" in failed[2].error
    assert "no valid" in failed[3].error
    assert piece.finished


def test_a_reviewer_that_is_never_pleased_ends_at_three_revisions(strong: Strong, tmp_path: Path) -> None:
    strong.scores = (5, 6, 7, 7.5)
    piece = composed(strong, tmp_path)
    assert piece.finished
    assert [section.status for section in piece.state.sections] == ["revision_needed"] * 3
    assert [piece.state.manuscript[number].revisions for number in (1, 2, 3)] == [3, 3, 3]
    assert [note.partition(": ")[2] for note in piece.notes] == [
        f"section {number} was refined 3 times: its best version is kept" for number in (1, 2, 3)
    ]
    assert piece.text.count("Version 3") == 3


@pytest.mark.parametrize("protocol", ["autonomous", "fixed"])
def test_refining_that_gains_nothing_is_a_loop_and_the_best_version_is_taken(
    strong: Strong, tmp_path: Path, protocol: Protocol
) -> None:
    strong.scores = (6, 7, 6.5, 5)
    piece = composed(strong, tmp_path, options=ComposeOptions(protocol))
    assert piece.finished
    assert [piece.state.manuscript[number].revisions for number in (1, 2, 3)] == [3, 3, 3]
    assert all("gains nothing" in note for note in piece.notes)
    assert len(piece.notes) == 3
    assert piece.text.count("Version 1") == 3
    assert "Version 3" not in piece.text


def test_a_reviewer_without_end_cannot_eat_the_steps(strong: Strong, tmp_path: Path) -> None:
    strong.scores = (6,)
    piece = composed(strong, tmp_path, options=ComposeOptions("autonomous", Limits(max_steps=9)))
    assert piece.finished
    assert len(piece.steps) <= 9
    assert len(piece.state.manuscript) == 3


def test_impossible_choices_fail_with_a_message_to_the_model(strong: Strong, tmp_path: Path) -> None:
    strong.choices = ["draft 1", "outline", "finish", "draft 9", "publish"]
    piece = composed(strong, tmp_path, options=ComposeOptions("autonomous", guarded=False))
    errors = {step.number: step.error for step in piece.steps if step.error}
    assert list(errors) == [1, 3, 4, 5]
    assert [errors[number].partition(";")[0] for number in (1, 3, 4)] == [
        "there is no outline yet, so nothing to draft: outline first",
        "section 1 is not drafted yet",
        "there is no section 9",
    ]
    choices = [json.loads(body) for role, body in strong.answered if role == "choose"]
    assert errors[1] in between(choices[1]["messages"][1]["content"], "steps")
    assert piece.finished


def test_a_model_that_chooses_nothing_possible_is_helped_along(strong: Strong, tmp_path: Path) -> None:
    strong.choices = ["publish"] * 99
    piece = composed(strong, tmp_path)
    assert piece.finished
    assert any("the fixed order goes on" in note for note in piece.notes)


@pytest.mark.parametrize("at", ["choose", "action"])
def test_a_service_that_dies_at_step_7_and_comes_back(strong: Strong, tmp_path: Path, at: str) -> None:
    """The cache keeps what was chosen for a step that was not done; the folder keeps the rest by itself."""
    strong.dies_at = 12 if at == "choose" else 13
    folder = tmp_path / "piece"
    options = {"cache": at == "action"}
    first = composed(strong, tmp_path / "cache", folder=folder, changed=options)
    assert isinstance(first.failure, ConnectionFailed)
    assert (first.finished, first.status, len(first.steps)) == (False, 4, 6)
    assert "Version 1" in first.text

    strong.dies_at = None
    second = composed(strong, tmp_path / "cache", folder=folder, changed=options)
    assert second.finished
    assert [step.to_dict() for step in second.steps[:6]] == [step.to_dict() for step in first.steps]
    bodies = [body for _, body in strong.answered]
    assert len(bodies) == len(set(bodies))
    assert second.usage.calls + second.usage.cached == len(bodies)

    again = composed(strong, tmp_path / "cache", folder=folder, changed=options)
    assert again.text == second.text
    assert again.dynamics == second.dynamics
    assert len(strong.answered) == len(bodies)
    whole = composed(strong, tmp_path / "other")
    assert (whole.text, did(whole), whole.dynamics) == (second.text, did(second), second.dynamics)


def test_a_batch_is_drafted_at_once(strong: Strong, tmp_path: Path) -> None:
    strong.wait = 0.05
    piece = composed(strong, tmp_path, options=ComposeOptions("batch"))
    assert piece.finished
    assert strong.most_at_once == 3
    assert [(step.turn, str(step.action)) for step in piece.steps[:4]] == [
        (1, "outline"),
        (2, "draft 1"),
        (2, "draft 2"),
        (2, "draft 3"),
    ]
    assert "choose" not in strong.roles()
    assert piece.steps[-1].turn == 6


def test_what_a_batch_has_done_is_kept_when_it_is_interrupted(
    strong: Strong, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a cache: the folder alone sees that nothing is paid for twice."""
    strong.slow = {"3. What towns do": 300.0}
    folder = tmp_path / "piece"
    stop = asyncio.Event()
    done: list[Step] = []
    whole = Composer._do

    async def do(self: Composer, step: Step, spent: Usage) -> Step:
        done.append(await whole(self, step, spent))
        if len(done) == 3:
            stop.set()
        return done[-1]

    async def run() -> Composition:
        settings = Settings(model=f"{strong.url}#strong", cache=False, cache_dir=tmp_path, timeout=600)
        async with Models(settings) as models:
            return await acompose(
                ENGLISH, models=models, options=ComposeOptions("batch"), folder=folder, stop=stop
            )

    with monkeypatch.context() as patched:
        patched.setattr(Composer, "_do", do)
        first = asyncio.run(run())
    assert (first.interrupted, did(first)) == (True, ["outline", "draft 1", "draft 2"])
    strong.slow = {}
    second = composed(
        strong, tmp_path, options=ComposeOptions("batch"), folder=folder, changed={"cache": False}
    )
    assert second.finished
    assert did(second)[:4] == ["outline", "draft 1", "draft 2", "draft 3"]
    assert strong.roles().count("draft") == 4


CALLS = ['word_count_check(9, "less than")']


def test_a_piece_can_be_stopped_while_its_constraints_are_seen_to(
    strong: Strong, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = asyncio.Event()

    async def endless(*_: object, **__: object) -> None:
        stop.set()
        await asyncio.sleep(600)

    monkeypatch.setattr("redraft.composition.loop.arevise", endless)
    piece = composed(strong, tmp_path, options=ComposeOptions("no_review"), calls=CALLS, stop=stop)
    assert (piece.interrupted, piece.finished, piece.status) == (True, True, 130)


def test_a_piece_too_long_to_be_revised_is_not_lost(
    strong: Strong, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redraft.composition.loop.LONGEST", 100)
    piece = composed(strong, tmp_path, options=ComposeOptions("no_review"), calls=CALLS)
    assert (piece.finished, piece.findings.met, piece.status) == (True, False, 1)


def test_what_a_reviser_makes_of_a_piece_is_as_harmless(
    strong: Strong, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hostile(*_: object, **__: object) -> SimpleNamespace:
        return SimpleNamespace(text="# Rain\n\nIt <b>fell\x1b[2J.\n", infeasible=(), failure=None)

    with monkeypatch.context() as patched:
        patched.setattr("redraft.composition.loop.arevise", hostile)
        piece = composed(
            strong, tmp_path, options=ComposeOptions("no_review"), calls=CALLS, folder=tmp_path / "piece"
        )
    assert piece.text == "# Rain\n\nIt &lt;b>fell[2J.\n"
    assert (piece.findings.met, piece.status) == (True, 0)
    asked = len(strong.answered)
    again = composed(
        strong, tmp_path, options=ComposeOptions("no_review"), calls=CALLS, folder=tmp_path / "piece"
    )
    assert (again.text, again.findings, len(strong.answered)) == (piece.text, piece.findings, asked)


def test_what_failed_is_told_though_another_of_its_batch_went_well(strong: Strong, tmp_path: Path) -> None:
    strong.refused = "2. Where water goes"
    piece = composed(strong, tmp_path, options=ComposeOptions("batch"))
    assert isinstance(piece.failure, BadAnswer)
    assert "draft 2 failed 3 times: " in str(piece.failure)
    assert "refused" in str(piece.failure)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda lines: [*lines[:2], *lines[3:]], "line 3: step 3 is missing"),
        (lambda lines: [*lines[:2], '{"step": 3}', *lines[3:]], "line 3, is no step"),
        (lambda lines: [lines[0], lines[2].replace('"step": 3', '"step": 2')], "does not follow from those"),
    ],
)
def test_a_folder_that_was_tampered_with_is_refused(
    strong: Strong, tmp_path: Path, spoil: Any, message: str
) -> None:
    folder = tmp_path / "piece"
    composed(strong, tmp_path, folder=folder)
    file = folder / "steps.jsonl"
    file.write_text("\n".join(spoil(file.read_text("utf-8").splitlines())) + "\n", "utf-8")
    with pytest.raises(InputError, match=message):
        composed(strong, tmp_path, folder=folder)


def test_a_folder_goes_on_with_its_own_piece_alone(strong: Strong, tmp_path: Path) -> None:
    folder = tmp_path / "piece"
    composed(strong, tmp_path, folder=folder)
    with pytest.raises(InputError, match="its counting differs"):
        composed(strong, tmp_path, folder=folder, changed={"counting": "reference"})
    with pytest.raises(InputError, match="its brief differs"):
        composed(strong, tmp_path, CHINESE, folder=folder)
    with (
        Journal(folder, read_header(folder)),
        pytest.raises(InputError, match=r"another process is writing .* or choose another --trace"),
    ):
        composed(strong, tmp_path, folder=folder)
    (folder / "compose.json").unlink()
    with pytest.raises(InputError, match=r"has steps of a piece, but no compose\.json"):
        composed(strong, tmp_path, folder=folder)


def test_a_folder_of_an_earlier_version_is_gone_on_with(strong: Strong, tmp_path: Path) -> None:
    """It has no outliner, no prompts, and fewer limits."""
    folder = tmp_path / "piece"
    strong.dies_at = 7
    composed(strong, tmp_path, folder=folder)
    strong.dies_at = None
    file = folder / "compose.json"
    begun = json.loads(file.read_text("utf-8"))
    del begun["prompts"], begun["models"]["outliner"], begun["way"]["limits"]["best"]
    file.write_text(json.dumps(begun), "utf-8")
    assert read_journal(folder)[1] == AUTONOMOUS
    assert composed(strong, tmp_path, folder=folder).finished
    assert strong.roles().count("outline") == 1


@pytest.mark.parametrize(
    "change",
    [
        {"models": {"cache_dir": "/elsewhere"}},
        {"models": {"writer": 1}},
        {"models": []},
        {"brief": {**asdict(ENGLISH), "language": "../../secret"}},
        {"brief": None},
        {"counting": "fingers"},
    ],
)
def test_a_folder_of_somebody_else_changes_no_setting(tmp_path: Path, change: dict[str, Any]) -> None:
    whole = {
        "brief": asdict(ENGLISH),
        "calls": [],
        "way": asdict(ComposeOptions()),
        "models": {"writer": "embedded"},
        "counting": "default",
    }
    file = tmp_path / "compose.json"
    file.write_text(json.dumps(whole), "utf-8")
    assert read_journal(tmp_path)[0].brief == ENGLISH
    file.write_text(json.dumps(whole | change), "utf-8")
    with pytest.raises(InputError, match="is damaged: begin the piece anew"):
        read_journal(tmp_path)


def test_each_role_may_be_another_model(strong: Strong, tmp_path: Path) -> None:
    roles = {role: f"{strong.url}#{role}" for role in ROLES}
    piece = composed(strong, tmp_path, changed=roles)
    assert piece.finished
    asked = {(role, json.loads(body)["model"]) for role, body in strong.answered}
    assert asked == {
        ("outline", "outliner"),
        ("choose", "reasoner"),
        ("draft", "writer"),
        ("review", "reviewer"),
        ("refine", "refiner"),
    }
    assert {step.by.rpartition("#")[2] for step in piece.steps} == set(roles)
